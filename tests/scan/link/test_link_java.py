"""Which code Java imports and calls mean."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed_cases import Linked

MONEY = {
    "model/Money.java": "package acme.model;\npublic class Money { public static Money of(int n) { return null; }\n class Unit { Unit(int n) {} } }\n"
}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("java", (".java",), texts)


def in_class(body: str, head: str = "package acme;\n", bases: str = "") -> str:
    return f"{head}class Main {bases} {{ {body} }}\n"


def test_an_imported_class_leads_to_its_file_wherever_that_is():
    source = in_class("void f() { Money.of(1); }", "package acme;\nimport acme.model.Money;\n")
    found = linked(MONEY | {"src/Main.java": source})

    assert found.targets("src/Main.java", "Money.of") == ["model/Money.java:Money.of"]
    assert found.links["src/Main.java"].imports[0].file == "model/Money.java"


def test_a_wildcard_import_gives_the_classes_of_the_package():
    source = in_class("void f() { Money.of(1); }", "package acme;\nimport acme.model.*;\n")

    assert linked(MONEY | {"Main.java": source}).targets("Main.java", "Money.of") == [
        "model/Money.java:Money.of"
    ]


def test_static_imports_give_members_by_name_and_by_wildcard():
    for written in ("acme.model.Money.of", "acme.model.Money.*"):
        source = in_class("void f() { of(1); }", f"package acme;\nimport static {written};\n")

        assert linked(MONEY | {"Main.java": source}).targets("Main.java", "of") == [
            "model/Money.java:Money.of"
        ]


def test_a_static_import_of_overloads_leads_to_their_file_and_to_all_of_them():
    texts = {
        "L.java": "package acme;\nclass L { static void two(int a) {} static void two(String s) {} }\n",
        "Main.java": in_class("void f() { two(1); }", "package b;\nimport static acme.L.two;\n"),
    }
    (found,) = linked(texts).links["Main.java"].imports

    assert found.file == "L.java"
    assert len(found.symbols) == 2


def test_a_nested_class_is_imported_through_its_outer_class():
    source = in_class("void f() { new Unit(1); }", "package acme;\nimport acme.model.Money.Unit;\n")

    assert linked(MONEY | {"Main.java": source}).targets("Main.java", "Unit") == [
        "model/Money.java:Money.Unit.Unit"
    ]


def test_a_name_written_in_full_needs_no_import():
    found = linked(
        MONEY | {"Main.java": in_class("void f() { acme.model.Money.of(1); java.util.List.of(); }")}
    )

    assert found.targets("Main.java", "acme.model.Money.of") == ["model/Money.java:Money.of"]
    assert found.call("Main.java", "java.util.List.of").external_name == "java.util.List.of"


def test_classes_of_the_same_package_need_no_import():
    texts = {
        "a/Main.java": in_class("void f() { Help.go(); }"),
        "b/Help.java": "package acme;\nclass Help { static void go() {} }\n",
    }

    assert linked(texts).targets("a/Main.java", "Help.go") == ["b/Help.java:Help.go"]


def test_a_class_of_another_package_is_not_seen_without_import():
    found = linked(MONEY | {"Main.java": in_class("void f() { Money.of(1); }")})

    assert found.call("Main.java", "Money.of").reason == "unique-name"  # a guess, not the language's rule


def test_the_platform_and_libraries_are_external_and_java_lang_is_built_in():
    head = "package acme;\nimport java.util.List;\nimport org.springframework.web.bind.Get;\nimport static java.lang.Math.max;\n"
    found = linked({"Main.java": in_class("void f() { System.exit(max(1, 2)); }", head)})

    assert found.externals("Main.java") == ["java.util", "org.springframework.web", "java.lang"]
    assert found.call("Main.java", "System.exit").external_name == "java.lang.System.exit"
    assert found.call("Main.java", "max").external_name == "java.lang.Math.max"


def test_a_class_missing_from_a_package_of_the_project_is_a_problem():
    found = linked(
        MONEY
        | {"Main.java": in_class("", "package acme;\nimport acme.model.Gone;\nimport acme.model.Gone.In;\n")}
    )

    assert [said.problem for said in found.links["Main.java"].imports] == [
        "the package has no Gone",
        "the project has no class acme.model.Gone",
    ]


def test_a_bare_name_is_a_method_of_the_class_its_parents_or_the_class_around():
    texts = {
        "Parent.java": "package acme;\nclass Parent { void inherited() {} }\n",
        "Main.java": in_class(
            "void own() { own2(); inherited(); }\n void own2() {}\n class In { void g() { outer(); } }\n void outer() {}",
            bases="extends Parent",
        ),
    }
    found = linked(texts)

    assert found.targets("Main.java", "own2") == ["Main.java:Main.own2"]
    assert found.targets("Main.java", "inherited") == ["Parent.java:Parent.inherited"]
    assert found.targets("Main.java", "outer") == ["Main.java:Main.outer"]


def test_a_variable_does_not_hide_a_method_of_the_same_name():
    found = linked({"Main.java": in_class("int size() { int size = size(); return size; }")})

    assert found.targets("Main.java", "size") == ["Main.java:Main.size"]


def test_an_interface_leads_to_its_method_and_names_those_that_implement_it():
    texts = {
        "Shape.java": "package acme;\ninterface Shape { int area(); }\n",
        "Square.java": "package acme;\nclass Square implements Shape { public int area() { return 1; } }\n",
        "Main.java": in_class("void f(Shape shape) { shape.area(); }"),
    }
    found = linked(texts)

    assert found.targets("Main.java", "shape.area") == ["Shape.java:Shape.area"]
    assert found.overriders("Main.java", "shape.area") == ["Square.java:Square.area"]


def test_fields_locals_and_results_have_the_methods_of_their_declared_type():
    texts = MONEY | {
        "model/Till.java": "package acme.model;\npublic class Till { public Money take() { return null; } public void shut() {} }\n",
        "Main.java": in_class(
            "private Till till; void f() { till.shut(); Money m = till.take(); }\n"
            "void g(java.util.List<Till> tills) { for (Till each : tills) { each.shut(); } }",
            "package acme;\nimport acme.model.*;\n",
        ),
    }
    found = linked(texts)

    assert found.targets("Main.java", "till.shut") == ["model/Till.java:Till.shut"]
    assert found.targets("Main.java", "each.shut") == ["model/Till.java:Till.shut"]


def test_of_overloads_those_are_meant_that_take_what_is_given():
    body = 'void f() { put(1); put(1, 2); put("a"); }\nvoid put(int n) {}\nvoid put(String s) {}\nvoid put(int n, int m) {}'
    found = linked({"Main.java": in_class(body)})
    lines = [
        [found.facts["Main.java"].symbols[target.place.symbol].signature for target in said.targets]
        for said in found.links["Main.java"].calls
    ]

    assert [len(line) for line in lines] == [1, 1, 1]
    assert ["int n" in lines[0][0], "int m" in lines[1][0], "String s" in lines[2][0]] == [True, True, True]


def test_overloads_that_cannot_be_told_apart_are_all_kept():
    body = "void f(Object any) { put(any); }\nvoid put(int n) {}\nvoid put(String s) {}"
    said = linked({"Main.java": in_class(body)}).links["Main.java"].calls[0]

    assert said.outcome == "ambiguous"
    assert sum(target.confidence for target in said.targets) == 1


def test_super_and_this_call_constructors():
    texts = {
        "Parent.java": "package acme;\nclass Parent { Parent(int n) {} }\n",
        "Main.java": in_class("Main() { this(1); }\n Main(int n) { super(n); }", bases="extends Parent"),
    }
    found = linked(texts)

    assert found.targets("Main.java", "this") == ["Main.java:Main.Main"]
    assert found.targets("Main.java", "super") == ["Parent.java:Parent.Parent"]


OVERLOADS = """package acme;
import java.util.List;
class Out {
  Out put(int n) { return this; }
  Out put(long n) { return this; }
  Out put(double n) { return this; }
  Out put(char c) { return this; }
  Out put(String text) { return this; }
  Out put(Object any) { return this; }
  Out put(Class<?> type) { return this; }
  Out put(int[] numbers) { return this; }
  Out put(List<String> texts) { return this; }
  Out put(Shape shape) { return this; }
  Out put(Runnable later) { return this; }
  Out put(Object first, Object... more) { return this; }
}
interface Shape {}
class Circle implements Shape { Circle() {} Circle(Circle other) {} Circle(Shape other) {} }
"""


def chosen(argument: str, declared: str = "") -> list[str]:
    """The signatures of what `out.put(argument)` runs."""
    source = in_class(
        f"void f(Out out, Shape shape, Object any, List<String> texts, int[] numbers, String... names) {{ {declared} out.put({argument}); }}",
        "package acme;\nimport java.util.List;\n",
    )
    found = linked({"Out.java": OVERLOADS, "Main.java": source})
    symbols = found.facts["Out.java"].symbols
    return [symbols[target.place.symbol].signature for target in found.call("Main.java", "out.put").targets]


@pytest.mark.parametrize(
    ("argument", "parameters"),
    [
        ("1", "int n"),
        ("1L", "long n"),
        ("1.5", "double n"),
        ("1.5f", "double n"),
        ("'c'", "char c"),
        ('"a"', "String text"),
        ('"a" + 1', "String text"),
        ("Main.class", "Class<?> type"),
        ("numbers", "int[] numbers"),
        ("new int[] {1}", "int[] numbers"),
        ("numbers[0]", "int n"),
        ("numbers.length", "int n"),
        ("texts", "List<String> texts"),
        ("shape", "Shape shape"),
        ("new Circle()", "Shape shape"),
        ("(Object) shape", "Object any"),
        ("any", "Object any"),
        ("true", "Object any"),
        ("names[0]", "String text"),
        ("any.toString()", "String text"),
        ("any.hashCode()", "int n"),
        ("Integer.MAX_VALUE", "int n"),
        ("() -> {}", "Runnable later"),
        ("1, 2", "Object first, Object... more"),
        ('"a", texts, shape', "Object first, Object... more"),
        ("any == null ? 1 : 2L", "long n"),
    ],
)
def test_of_methods_of_one_name_the_declared_types_of_the_arguments_choose(argument, parameters):
    assert chosen(argument) == [f"Out put({parameters})"]


def test_what_an_argument_of_unknown_type_might_choose_stays_open():
    found = chosen("missing()")

    assert len(found) > 1
    assert "Out put(int n)" in found


def test_a_variable_counts_as_what_it_is_declared_and_not_as_what_it_is_given():
    assert chosen("local", 'Object local = "a";') == ["Out put(Object any)"]
    assert chosen("local", 'var local = "a";') == ["Out put(String text)"]


def test_a_name_that_blocks_declare_differently_chooses_only_where_all_agree():
    declared = "if (any == null) { Circle local = null; } else { Shape local = null; }"

    assert chosen("local", declared) == ["Out put(Shape shape)"]


def test_constructors_are_chosen_like_methods():
    source = in_class("void f(Shape s) { new Circle(new Circle(s)); }")
    found = linked({"Out.java": OVERLOADS, "Main.java": source})
    symbols = found.facts["Out.java"].symbols
    signatures = [
        symbols[target.place.symbol].signature
        for said in found.links["Main.java"].calls
        for target in said.targets
    ]

    assert sorted(signatures) == ["Circle(Circle other)", "Circle(Shape other)"]


def test_an_overload_that_only_a_parent_declares_is_found_behind_those_of_the_class():
    texts = {
        "A.java": "package acme;\nclass A { void go(String s) {} void go(int n) {} }\n",
        "B.java": "package acme;\nclass B extends A { void go(int n) {} }\n",
        "Main.java": in_class('void f(B b) { b.go("x"); }'),
    }

    assert linked(texts).targets("Main.java", "b.go") == ["A.java:A.go"]


def test_a_private_method_of_another_file_is_not_chosen():
    texts = {
        "A.java": "package acme;\nclass A { private static void go(String s) {} static void go(Object o) {} }\n",
        "Main.java": in_class('void f() { A.go("x"); }'),
    }
    found = linked(texts)
    (target,) = found.call("Main.java", "A.go").targets

    assert found.facts["A.java"].symbols[target.place.symbol].visibility != "private"


def test_only_a_method_with_the_same_parameters_overrides():
    texts = {
        "A.java": "package acme;\nclass A<T> { void go(String s) {} void take(T t) {} }\n",
        "B.java": "package acme;\nclass B extends A<String> { void go(int n) {} void take(String t) {} }\n",
        "Main.java": in_class('void f(A a) { a.go("x"); a.take(null); }'),
    }
    found = linked(texts)

    assert found.overriders("Main.java", "a.go") == []
    assert found.overriders("Main.java", "a.take") == ["B.java:B.take"]


def test_the_name_of_a_class_with_constructors_is_the_class_in_its_own_body_and_below():
    texts = {
        "A.java": "package acme;\nclass A { A() {} A next; void go() { next.go(); A.this.stop(); } void stop() {} }\n",
        "B.java": "package acme;\nclass B extends A { B() {} A other; void run() { other.stop(); } }\n",
    }
    found = linked(texts)

    assert found.targets("A.java", "next.go") == ["A.java:A.go"]
    assert found.targets("A.java", "A.this.stop") == ["A.java:A.stop"]
    assert found.targets("B.java", "other.stop") == ["A.java:A.stop"]


def test_a_method_is_called_and_not_the_field_of_its_name():
    texts = {
        "A.java": "package acme;\nclass A { B size; int size() { return 1; } }\nclass B { int size() { return 2; } }\n",
        "Main.java": in_class("void f(A a) { a.size(); }"),
    }

    assert linked(texts).targets("Main.java", "a.size") == ["A.java:A.size"]


def test_an_inner_class_is_made_through_an_object_of_the_outer_one():
    source = in_class(
        "void f(Money money) { money.new Unit(1); }", "package acme;\nimport acme.model.Money;\n"
    )

    assert linked(MONEY | {"Main.java": source}).targets("Main.java", "Unit") == [
        "model/Money.java:Money.Unit.Unit"
    ]


def test_the_members_of_every_object_and_of_class_literals_are_the_platforms():
    found = linked({"Main.java": in_class("void f() { getClass(); Main.class.getName(); }")})

    assert found.call("Main.java", "getClass").external_name == "java.lang.Object.getClass"
    assert found.call("Main.java", "Main.class.getName").external_name == "java.lang.Class.getName"


def test_what_nothing_in_the_project_defines_is_of_what_is_imported_whole_or_inherited_from_outside():
    head = "package acme;\nimport static org.lib.Checks.*;\nimport org.lib.web.*;\n"
    found = linked({"Main.java": in_class("void f() { status(); new Client(); }", head)})
    inherited = linked({"Main.java": in_class("void f() { assertAll(); }", head, "extends org.test.Case")})

    assert found.call("Main.java", "status").external_name == "org.lib.Checks.status"
    assert found.call("Main.java", "Client").external_name == "org.lib.web.Client"
    assert inherited.call("Main.java", "assertAll").external_name == "org.test.Case.assertAll"


def test_a_long_chain_outside_stays_outside():
    chain = "".join(f".step{n}()" for n in range(14))
    found = linked({"Main.java": in_class(f"void f() {{ java.util.List.of(){chain}; }}")})

    assert {said.outcome for said in found.links["Main.java"].calls} == {"external"}


def test_a_result_that_cannot_be_of_the_declared_class_is_not_believed():
    texts = {
        "A.java": "package acme;\nabstract class A { abstract void go(); }\nclass Node<V> { V value; void go() {} }\n",
        "Map.java": "package acme;\nclass Map { Node node = new Node(); A get() { return node; } }\n",
        "Main.java": in_class("void f(Map m) { m.get().go(); }"),
    }

    assert linked(texts).targets("Main.java", "m.get().go") == ["A.java:A.go"]


@settings(max_examples=60)
@given(
    st.integers(0, len(OVERLOADS)),
    st.integers(0, 40),
    st.sampled_from(["", "(", "...", "<T>", "}", "class ", "->", '"']),
)
def test_no_damage_to_a_file_stops_linking(at, length, put):
    damaged = OVERLOADS[:at] + put + OVERLOADS[at + length :]
    source = in_class(
        'void f(Out out) { out.put(1, null).put(x -> x).put("a").put(out::put).put(new int[0]); }'
    )

    assert len(linked({"Out.java": damaged, "Main.java": source}).links) == 2


PARSERS = {
    "Parser.java": "package acme;\nabstract class Parser { abstract int next(); void close() {} }\n",
    "TextParser.java": "package acme;\nclass TextParser extends Parser { int next() { return 1; } void close() {} }\n",
    "Factory.java": "package acme;\nclass Factory { Parser open() { return new TextParser(); } }\n",
}


@pytest.mark.parametrize(
    "body",
    [
        "void f() { Parser p = new TextParser(); p.next(); }",
        "void f() { Parser p = new Factory().open(); p.next(); }",
        "Parser p = new TextParser(); void f() { p.next(); }",
    ],
)
def test_a_call_is_of_the_class_its_object_is_declared_to_be_of(body):
    found = linked(PARSERS | {"Main.java": in_class(body)})

    assert found.targets("Main.java", "p.next") == ["Parser.java:Parser.next"]
    assert found.overriders("Main.java", "p.next") == ["TextParser.java:TextParser.next"]


def test_a_call_of_an_object_that_is_declared_to_be_of_a_class_below_is_of_that_class():
    found = linked(
        PARSERS | {"Main.java": in_class("void f() { var p = new TextParser(); p.next(); p.close(); }")}
    )

    assert found.targets("Main.java", "p.next") == ["TextParser.java:TextParser.next"]
    assert found.targets("Main.java", "p.close") == ["TextParser.java:TextParser.close"]


def test_a_class_without_a_constructor_does_not_inherit_one():
    texts = {
        "Base.java": "package acme;\nclass Base { Base() {} }\n",
        "Plain.java": "package acme;\nclass Plain extends Base { }\n",
        "Main.java": in_class("Object f() { return new Plain(); }"),
    }

    assert linked(texts).targets("Main.java", "Plain") == ["Plain.java:Plain"]


def test_a_list_of_the_project_is_no_list_of_the_library():
    texts = {
        "List.java": "package acme;\ninterface List<T> { static <T> List<T> of(T one) { return null; } List<T> rotate(); }\n",
        "Main.java": in_class("List<String> names; void f() { names.rotate().rotate(); }"),
        "Item.java": "package acme;\npublic class Item { public void sell() {} }\n",
        "far/Far.java": in_class(
            "List<String> names; void f() { names.rotate(); }", "package acme.far;\nimport acme.List;\n"
        ),
        "other/Other.java": in_class(
            "List<Item> all; void f() { all.get(0).sell(); }",
            "package acme.other;\nimport acme.Item;\nimport java.util.List;\n",
        ),
    }
    found = linked(texts)

    assert found.targets("Main.java", "names.rotate().rotate") == ["List.java:List.rotate"]
    assert found.targets("far/Far.java", "names.rotate") == ["List.java:List.rotate"]
    assert found.targets("other/Other.java", "all.get(0).sell") == ["Item.java:Item.sell"]


def test_static_methods_of_an_interface_are_not_those_of_what_extends_it():
    texts = {
        "Maker.java": "package acme;\ninterface Maker { static Maker of(Object one) { return null; } }\n",
        "Row.java": "package acme;\ninterface Row extends Maker { static Row of(Integer one) { return null; } }\n",
        "Main.java": in_class("void f(Object any) { Row.of(any); }"),
    }

    assert linked(texts).targets("Main.java", "Row.of") == ["Row.java:Row.of"]


@pytest.mark.parametrize(
    "body",
    [
        "class Inner { void f() { check(1); } }",
        "Runnable f() { return new Runnable() { public void run() { check(1); } }; }",
    ],
)
def test_a_class_inside_another_sees_what_that_one_inherits(body):
    texts = {
        "Base.java": "package acme;\nclass Base { void check(int n) {} void check(String s) {} }\n",
        "Main.java": in_class(body, bases="extends Base"),
    }
    found = linked(texts)
    (target,) = found.call("Main.java", "check").targets

    assert found.facts["Base.java"].symbols[target.place.symbol].parameters[0].type_text == "int"
    assert target.reason == "inherited"


@pytest.mark.parametrize(
    ("argument", "taken"),
    [
        ("text.getBytes()", "byte[]"),
        ("text.toCharArray()", "char[]"),
        ("new StringWriter()", "Writer"),
        ("new Money()", "Object"),
    ],
)
def test_overloads_are_told_apart_by_what_the_platform_gives(argument, taken):
    head = "package acme;\nimport java.io.*;\nimport java.util.*;\nimport acme.model.Money;\n"
    types = ("byte[]", "char[]", "Writer", "OutputStream", "String", "Object")
    methods = " ".join(f"void put({one} it) {{}}" for one in types)
    texts = MONEY | {"Main.java": in_class(f"{methods} void f(String text) {{ put({argument}); }}", head)}
    found = linked(texts)
    (target,) = found.call("Main.java", "put").targets

    assert found.facts["Main.java"].symbols[target.place.symbol].parameters[0].type_text == taken


def test_of_many_methods_below_the_one_of_the_object_made_is_named():
    shapes = "".join(f"class S{n} extends Shape {{ int area() {{ return {n}; }} }}\n" for n in range(12))
    source = f"abstract class Shape {{ abstract int area(); }}\n{shapes}"
    source += "class Main { int f() { Shape s = new S3(); return s.area(); } }\n"
    found = linked({"Main.java": source})

    assert found.targets("Main.java", "s.area") == ["Main.java:Shape.area"]
    assert found.overriders("Main.java", "s.area") == ["Main.java:S3.area"]


def test_an_overload_of_the_same_class_runs_in_the_place_of_none():
    log = "package acme;\nclass Log {\n  void debug(String a) {}\n  void debug(String a, Object b) {}\n  void debug(String a, Object... b) {}\n}\n"
    source = in_class('private Log log = new Log(); void f() { log.debug("a", 1, 2); }')
    found = linked({"Log.java": log, "Main.java": source})

    assert found.targets("Main.java", "log.debug") == ["Log.java:Log.debug"]
    assert found.overriders("Main.java", "log.debug") == []
