"""Which code C# names and calls mean."""

from typed_cases import Linked

MONEY = {
    "Models/Money.cs": "namespace Acme.Models;\npublic class Money { public Money(int n) {} public static Money Of(int n) => new Money(n); public void Add() {} }\n"
}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("csharp", (".cs",), texts)


def in_class(body: str, *, uses: str = "", space: str = "Acme.Shop", bases: str = "") -> dict[str, str]:
    return {"Main.cs": f"{uses}\nnamespace {space};\nclass Main {bases} {{ {body} }}\n"}


def test_using_a_namespace_gives_its_classes():
    found = linked(MONEY | in_class("void F() { Money.Of(1); }", uses="using Acme.Models;"))

    assert found.targets("Main.cs", "Money.Of") == ["Models/Money.cs:Money.Of"]
    assert found.call("Main.cs", "Money.Of").reason != "unique-name"


def test_using_static_and_aliases_lead_to_the_class():
    static = linked(MONEY | in_class("void F() { Of(1); }", uses="using static Acme.Models.Money;"))
    alias = linked(MONEY | in_class("void F() { M.Of(1); }", uses="using M = Acme.Models.Money;"))

    assert static.targets("Main.cs", "Of") == ["Models/Money.cs:Money.Of"]
    assert alias.targets("Main.cs", "M.Of") == ["Models/Money.cs:Money.Of"]


def test_names_of_the_namespaces_around_need_no_using():
    inner = linked(MONEY | in_class("void F() { new Money(1); }", space="Acme.Models.Deep"))
    relative = linked(MONEY | in_class("void F() { Models.Money.Of(1); }"))
    full = linked(MONEY | in_class("void F() { Acme.Models.Money.Of(1); }", space="Other"))

    assert inner.targets("Main.cs", "Money") == ["Models/Money.cs:Money.Money"]
    assert relative.targets("Main.cs", "Models.Money.Of") == ["Models/Money.cs:Money.Of"]
    assert full.targets("Main.cs", "Acme.Models.Money.Of") == ["Models/Money.cs:Money.Of"]


def test_members_need_no_this_and_properties_have_the_methods_of_their_type():
    body = "Money Price { get; set; }\n Money _m;\n void F() { G(); Price.Add(); _m.Add(); }\n void G() {}"
    found = linked(MONEY | in_class(body, uses="using Acme.Models;"))

    assert found.targets("Main.cs", "G") == ["Main.cs:Main.G"]
    assert found.targets("Main.cs", "Price.Add") == ["Models/Money.cs:Money.Add"]
    assert found.targets("Main.cs", "_m.Add") == ["Models/Money.cs:Money.Add"]


def test_a_property_named_like_its_type_is_not_what_new_makes():
    found = linked(
        MONEY
        | in_class("Money Money { get; set; }\n void F() { Money = new Money(1); }", space="Acme.Models")
    )

    assert found.targets("Main.cs", "Money") == ["Models/Money.cs:Money.Money"]


def test_base_and_this_call_constructors_by_their_arguments():
    texts = {
        "Base.cs": "namespace Acme.Shop;\nclass Base { public Base(int n) {} public Base(string s) {} }\n"
    }
    found = linked(texts | in_class("Main() : base(1) {}\n Main(int n) : this() {}", bases=": Base"))
    base, this = found.links["Main.cs"].calls

    assert [found.name(target.place) for target in base.targets] == ["Base.cs:Base.Base"]
    assert found.facts["Base.cs"].symbols[base.targets[0].place.symbol].parameters[0].name == "n"
    assert [found.facts["Main.cs"].symbols[target.place.symbol].parameters for target in this.targets] == [()]


def test_the_platform_and_packages_are_external():
    uses = "using System.IO;\nusing Newtonsoft.Json.Linq;"
    found = linked(in_class("void F() { Console.WriteLine(); JObject.Parse(); help(); }", uses=uses))

    assert found.externals("Main.cs") == ["System.IO", "Newtonsoft.Json"]
    assert found.call("Main.cs", "Console.WriteLine").external_name == "System.Console.WriteLine"
    assert found.call("Main.cs", "JObject.Parse").outcome == "external"
    assert found.call("Main.cs", "help").outcome == "unknown"


def test_a_name_the_project_has_elsewhere_is_not_called_external():
    texts = {
        "A.cs": "namespace Far;\nclass Thing { public void Go() {} }\n",
        "B.cs": "namespace Away;\nclass Other { public void Go() {} }\n",
    }
    found = linked(texts | in_class("void F() { Thing.Go(); }", uses="using System.IO;"))

    assert found.call("Main.cs", "Thing.Go").outcome == "unknown"
