"""Which of several methods of one name a C# call means, and which names stand for types."""

import pytest
from typed_cases import Linked

LOG = """
using System;
namespace Acme;
public class Money { public static implicit operator Money(int n) => null; }
public class Loss : ArgumentException {}
public class Log {
  public void To(string text) {}
  public void To(Exception cause) {}
  public void To(char sign) {}
  public void To(int count) {}
  public void To(long count) {}
  public void To(object any) {}
  public void To(Type kind) {}
  public void To(byte[] bytes) {}
  public void To(Func<string> late) {}
  public void Say(string text) {}
  public void Say(string text, params object[] rest) {}
  public void Say<T>(string text, T one) {}
  public void Say(Exception cause, string text) {}
  public void Pay(Money money) {}
  public void Pay(string money) {}
  public void Ask(string name, bool isLoud) {}
  public void Ask(string name, int times) {}
}
"""


def linked(texts: dict[str, str]) -> Linked:
    return Linked("csharp", (".cs",), texts)


def chosen(call: str, parameters: str = "") -> list[str]:
    """The parameters of what a call on a log means."""
    text = (
        f"using System;\nnamespace Acme;\nclass Main {{ void F(Log log, {parameters}) {{ log.{call}; }} }}\n"
    )
    found = linked({"Log.cs": LOG, "Main.cs": text.replace(", )", ")")})
    name = "log." + call.partition("(")[0]
    symbols = found.facts["Log.cs"].symbols
    return [
        ", ".join(str(one.type_text) for one in symbols[target.place.symbol].parameters)
        for target in found.call("Main.cs", name).targets
    ]


@pytest.mark.parametrize(
    ("call", "parameters", "taken"),
    [
        ('To("x")', "", "string"),
        ("To('x')", "", "char"),
        ("To(1)", "", "int"),
        ("To(1L)", "", "long"),
        ("To(n)", "short n", "int"),
        ("To(n)", "uint n", "long"),
        ("To(n)", "double n", "object"),
        ("To(n)", "int? n", "object"),
        ("To(e)", "Exception e", "Exception"),
        ("To(e)", "InvalidOperationException e", "Exception"),
        ("To(e)", "Loss e", "Exception"),
        ("To(m)", "Money m", "object"),
        ("To(typeof(Money))", "", "Type"),
        ("To(typeof(int))", "", "Type"),
        ("To(b)", "byte[] b", "byte[]"),
        ("To(b)", "byte[]? b", "byte[]"),
        ("To(o.ToString())", "object o", "string"),
        ("Say(s)", "string s", "string"),
        ("Say(s, 1)", "string s", "string, T"),
        ("Say(s, 1, 2)", "string s", "string, object[]"),
        ("Say(e, s)", "Exception e, string s", "Exception, string"),
        ("Pay(1)", "", "Money"),
        ("Pay(s)", "string s", "string"),
        ("Ask(s, times: 2)", "string s", "string, int"),
    ],
)
def test_the_nearest_to_the_declared_types_of_the_arguments_is_called(call, parameters, taken):
    assert chosen(call, parameters) == [taken]


def test_an_argument_of_a_type_that_is_not_known_leaves_the_choice_open():
    assert {"string", "Exception", "object"} <= set(chosen("To(Some.Where())"))


def test_a_method_that_is_inherited_is_called_where_those_of_the_class_take_less():
    text = (
        "namespace Acme;\nclass Above { public void Put(int a, int b) {} }\nclass Box : Above { public void Put(int a) {} }\n"
        "class Main { void F(Box box) { box.Put(1, 2); } void G(Box box) { box.Put(1); } }\n"
    )
    found = linked({"Main.cs": text})
    names = [
        [found.name(target.place) for target in said.targets]
        for said in found.links["Main.cs"].calls
        if said.targets
    ]

    assert names == [["Main.cs:Above.Put"], ["Main.cs:Box.Put"]]


def test_behind_new_a_class_is_meant_though_a_member_has_its_name():
    text = (
        "namespace Acme;\nclass Value : Token { public Value(int n) {} }\n"
        "class Token { public static Token Value(int n) { return new Value(n); } }\n"
    )

    found = linked({"Main.cs": text})

    assert found.targets("Main.cs", "Value") == ["Main.cs:Value.Value"]


def test_a_property_with_the_name_of_its_type_is_of_that_type():
    text = "namespace Acme;\nclass Main { Layout Layout { get; set; } void F(Layout other) { Layout.Draw(); other.Draw(); } }\n"
    found = linked(
        {"Main.cs": text, "Layout.cs": "namespace Acme;\nclass Layout { public void Draw() {} }\n"}
    )

    assert found.targets("Main.cs", "Layout.Draw") == ["Layout.cs:Layout.Draw"]
    assert found.targets("Main.cs", "other.Draw") == ["Layout.cs:Layout.Draw"]


def test_a_using_inside_a_namespace_may_leave_out_the_namespaces_around():
    inner = "namespace Acme.Tools;\npublic class Saw { public static void Cut() {} }\npublic static class Ext { public static void Sand(this string s) {} }\n"
    text = "namespace Acme.Shop;\nusing Tools;\nclass Main { void F(string s) { Saw.Cut(); s.Sand(); } }\n"

    found = linked({"Tools.cs": inner, "Main.cs": text})

    assert found.targets("Main.cs", "Saw.Cut") == ["Tools.cs:Saw.Cut"]
    assert found.targets("Main.cs", "s.Sand") == ["Tools.cs:Ext.Sand"]


def test_a_using_of_a_namespace_outside_stays_outside():
    text = "namespace Acme.Shop;\nusing Tools;\nclass Main { void F() { Saw.Cut(); } }\n"

    found = linked({"Main.cs": text})

    assert found.targets("Main.cs", "Saw.Cut") == []


def test_the_size_of_an_array_may_be_a_call():
    text = "namespace Acme;\nclass Main { int Size() => 2; void F() { var a = new int[Size()]; } }\n"

    found = linked({"Main.cs": text})

    assert found.targets("Main.cs", "Size") == ["Main.cs:Main.Size"]


def test_a_method_that_seems_to_stand_in_a_namespace_hides_no_type_of_other_files():
    broken = "namespace Acme;\npublic Log Exception(Exception cause) { return null; }\n"
    text = "using System;\nnamespace Acme;\nclass Main { void F(Log log, Exception e) { log.To(e); } }\n"

    found = linked({"Broken.cs": broken, "Log.cs": LOG, "Main.cs": text})
    symbols = found.facts["Log.cs"].symbols
    (target,) = found.call("Main.cs", "log.To").targets

    assert symbols[target.place.symbol].parameters[0].type_text == "Exception"


@pytest.mark.parametrize(
    ("call", "taken"),
    [
        ("On(x => { })", "Action<int>"),
        ("On((x, y) => { })", "Action<int, Func<int, string>>"),
        ("On(() => { })", "Action"),
        ("On(one)", "Action<int>"),
        ("On(ask)", "Func<int, int>"),
    ],
)
def test_functions_are_chosen_by_how_many_arguments_they_take(call, taken):
    text = f"""using System;
namespace A;
class Main {{
  void On(Action a) {{}}
  void On(Action<int> a) {{}}
  void On(Action<int, Func<int, string>> a) {{}}
  void On(Func<int, int> a, int n = 0) {{}}
  void F(Action<int> one, Func<int, int> ask) {{ {call}; }}
}}
"""
    found = linked({"A.cs": text})
    symbols = found.facts["A.cs"].symbols

    targets = found.call("A.cs", "On").targets

    taken_types = [str(symbols[one.place.symbol].parameters[0].type_text) for one in targets]
    # A lambda may also be one that gives something back.
    assert taken_types in ([taken], [taken, "Func<int, int>"])
