"""Types that share their names with methods and properties, in Java and C#, and types written in unusual places."""

import pytest
from typed_cases import Linked

SQL = "package a;\nclass Sql { Sql where(String s) { return this; } static Sql make() { return null; } }\n"


def java(texts: dict[str, str]) -> Linked:
    return Linked("java", (".java",), texts)


def csharp(texts: dict[str, str]) -> Linked:
    return Linked("csharp", (".cs",), texts)


def chosen(found: Linked, path: str, text: str) -> list[str]:
    """The types of the parameters of what a call means."""
    return [
        ", ".join(str(one.type_text) for one in found.facts[path].symbols[target.place.symbol].parameters)
        for target in found.call(path, text).targets
    ]


def test_a_java_method_hides_no_class_of_its_name():
    body = "Sql field; static String Sql() { Sql.make(); return null; } Sql fresh() { return new Sql(); }"
    calls = 'void f() { fresh().where(""); field.where(""); Sql(); }'
    found = java({"Sql.java": SQL, "Main.java": f"package a;\nclass Main {{ {body} {calls} }}\n"})

    assert found.targets("Main.java", "Sql.make") == ["Sql.java:Sql.make"]
    assert found.targets("Main.java", "fresh().where") == ["Sql.java:Sql.where"]
    assert found.call("Main.java", "fresh().where").targets[0].reason == "returned"
    assert found.targets("Main.java", "field.where") == ["Sql.java:Sql.where"]
    made = [call for call in found.facts["Main.java"].calls if call.text == "Sql"]
    links = [found.links["Main.java"].calls[found.facts["Main.java"].calls.index(call)] for call in made]
    assert [[target.place.path for target in link.targets] for link in links] == [["Sql.java"], ["Main.java"]]


def test_a_csharp_property_hides_no_class_that_is_made():
    text = """namespace A;
class Layout {} class Framed : Layout { public Framed() {} }
class Target { Layout Framed { get; set; } void F() { Framed = new Framed(); } }
"""

    assert csharp({"A.cs": text}).targets("A.cs", "Framed") == ["A.cs:Framed.Framed"]


def test_java_arguments_beyond_number_may_be_annotated():
    text = """package a;
class Main { static void of(int @NonNull ... xs) {} static void of(String first, @NonNull Object @Nullable ... xs) {}
 void f(int[] given) { of(1, 2); of("", this); of(given); } }
"""
    found = java({"Main.java": text})
    parameters = [one.parameters for one in found.facts["Main.java"].symbols if one.name == "of"]

    assert [[(one.name, one.kind) for one in given] for given in parameters] == [
        [("xs", "rest")],
        [("first", "plain"), ("xs", "rest")],
    ]


@pytest.mark.parametrize(
    ("call", "taken"), [("of(1, 2)", "int"), ("of(given)", "int"), ('of("", this)', "String, Object")]
)
def test_annotated_arguments_beyond_number_are_chosen_by_their_types(call, taken):
    text = f"""package a;
class Main {{ static void of(int @NonNull ... xs) {{}} static void of(String first, Object @NonNull ... xs) {{}}
 void f(int[] given) {{ {call}; }} }}
"""

    assert chosen(java({"Main.java": text}), "Main.java", "of") == [taken]


def test_a_damaged_list_of_parameters_gives_no_parameter_that_is_not_there():
    for damaged in ("int @ ... xs", "@A ... xs", "int @A .. xs", "int String @A ... xs", "int @A ..."):
        facts = java({"Main.java": f"class Main {{ void f({damaged}) {{}} }}\n"}).facts["Main.java"]

        assert all(one.name for symbol in facts.symbols for one in symbol.parameters)


def test_a_file_that_declares_a_class_named_like_a_container_means_its_own():
    own = "package a.b;\nimport java.util.*;\npublic class List<T> { List<T> rest() { return this; } void add() {} }\n"
    main = "package a.b;\nclass Main { void f(List<String> all) { all.rest().add(); } }\n"
    found = java({"List.java": own, "Main.java": main})

    assert found.targets("Main.java", "all.rest().add") == ["List.java:List.add"]


@pytest.mark.parametrize(
    ("cast", "taken"),
    [("(List<String>) given", "List<String>"), ("(Object[]) given", "Object[]"), ("given", "Object")],
)
def test_a_java_cast_to_a_collection_is_none_to_an_array(cast, taken):
    text = f"""package a;
import java.util.List;
class Main {{ void f(List<String> a) {{}} void f(Object[] a) {{}} void f(Object a) {{}}
 void g(Object given) {{ f({cast}); }} }}
"""

    assert chosen(java({"Main.java": text}), "Main.java", "f") == [taken]


@pytest.mark.parametrize(
    ("field", "taken"), [("object[]", "object[]"), ("IEnumerable<object>", "IEnumerable<object>")]
)
def test_what_is_written_before_a_field_tells_arrays_from_collections(field, taken):
    text = f"""using System.Collections.Generic;
namespace A;
class Main {{ static readonly {field} None = Make(); void F(params object[] a) {{}} void F(IEnumerable<object> a) {{}}
 void G() {{ F(None); }} }}
"""

    assert chosen(csharp({"A.cs": text}), "A.cs", "F") == [taken]
