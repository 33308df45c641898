from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations, qualified_name
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.java import extract

PROJECT = Path(__file__).parent.parent / "projects" / "java"
SOURCES = sorted(PROJECT.rglob("*.java"))
FRAGMENTS = (
    "class A {", "}", "void f(", ")", "int x = ", ";", "new B()", ".g()", "->", "::new", "@Test", "<T>", "switch (x) {",
    "case 1 ->", "default:", "try {", "catch (E e) {", '"text"', "record R(int a)", "enum E {", "import a.b.*;", "yield",
    "this", "super", "(", "if (x)", "else", "instanceof P(var q)", "[", "]", '"""', "/*", "//\n", "package p;",
)  # fmt: skip


def facts_of(code: str):
    source = code.encode()
    facts = extract(source, "A.java")
    check_facts(facts, source)
    return facts


def in_method(code: str):
    """The facts of a method with two parameters whose body is `code`."""
    return facts_of(f"class A {{ int field; void f(P p, int n) {{\n{code}\n}} }}")


def bound(code: str, name: str = "x"):
    return [binding.value for binding in in_method(code).bindings if binding.name == name][-1]


@pytest.mark.parametrize(("path", "kind", "lines"), [*expectations(PROJECT)])
def test_a_java_file_gives_the_facts_stated_beside_it(path, kind, lines):
    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


def test_every_java_fixture_is_expected():
    assert {path for path, _, _ in expectations(PROJECT)} == {
        str(source.relative_to(PROJECT)) for source in SOURCES
    }


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("var x = p;", ("name", "p")),
        ("var x = p.a.b;", ("member", ("member", ("name", "p"), "a"), "b")),
        ("var x = this.field;", ("member", ("this",), "field")),
        ("var x = A.this;", ("instance", ("name", "A"))),
        ("var x = (T) p;", ("instance", ("name", "T"))),
        ("var x = p[0];", ("item", ("name", "p"))),
        ("var x = new T[3];", ("instance", ("list", ("name", "T")))),
        ("T[] x = {p, this};", ("list", ("name", "p"), ("this",))),
        ("var x = n > 1 ? p : this;", ("either", ("name", "p"), ("this",))),
        ("var x = n > 1;", ("literal", "bool")),
        ('var x = "a" + n + p;', ("literal", "str")),
        ("var x = !p;", ("literal", "bool")),
        ("var x = T::make;", ("partial", ("member", ("name", "T"), "make"))),
        ("var x = T::new;", ("partial", ("name", "T"))),
        ("var x = super::f;", ("partial", ("member", ("super",), "f"))),
        (
            "var x = T.class;",
            ("instance", ("member", ("member", ("name", "java"), "lang"), "Class"), "Class<T>"),
        ),
        ("var x = 1L;", ("literal", "long")),
        ("var x = 1.5f;", ("literal", "float")),
        ("var x = 1.5;", ("literal", "double")),
        ("var x = 'c';", ("literal", "char")),
        ("var x = p.new T(1);", ("result", 0)),
        ("var x = g(p).h();", ("result", 1)),
        ("var x = new T(g());", ("result", 1)),
        ("for (var x : p) {}", ("item", ("name", "p"))),
        ("try (var x = g()) {}", ("result", 0)),
        ("if (p instanceof T x) {}", ("instance", ("name", "T"))),
        (
            "var x = switch (n) { case 1 -> p; default -> { yield this; } };",
            ("either", ("name", "p"), ("this",)),
        ),
    ],
)
def test_a_java_value_is_said_in_the_forms_all_languages_share(code, value):
    assert bound(code) == value


def own(name, held):
    """A type that is the library's unless the project has one of the name."""
    return ("own", ("name", name), held)


@pytest.mark.parametrize(
    ("declared", "form"),
    [
        ("List<T>", own("List", ("list", ("name", "T")))),
        ("java.util.List<T>", ("list", ("name", "T"))),
        ("T[][]", ("list", ("list", ("name", "T")))),
        ("Map<String, List<T>>", own("Map", ("dict", (None, own("List", ("list", ("name", "T"))))))),
        ("Optional<? extends T>", own("Optional", ("list", ("name", "T")))),
        ("Outer.Inner", ("member", ("name", "Outer"), "Inner")),
        ("@Nullable T", ("name", "T")),
        ("int", ("literal", "int")),
        ("var", None),
    ],
)
def test_a_java_type_keeps_what_a_container_holds(declared, form):
    facts = in_method(f"{declared} x = g();")

    assert [binding.type for binding in facts.bindings if binding.name == "x"] == [form]


def test_a_type_parameter_is_what_bounds_it():
    facts = facts_of("class A<T extends Shape, U> { T a; U b; <V extends T> V f(V v) { return v; } }")

    shape = ("name", "Shape")
    by_name = {symbol.name: symbol for symbol in facts.symbols}
    assert by_name["a"].value_type == shape
    assert by_name["b"].value_type is None
    assert by_name["f"].return_type == shape
    assert by_name["f"].parameters[0].type == shape


def test_a_bare_name_that_no_local_hides_is_a_field():
    facts = in_method("field = 1; int field = 2; field = 3;")

    assert [(store.receiver, store.name) for store in facts.stores] == [(("this",), "field")]
    assert [binding.name for binding in facts.bindings] == ["field", "field"]


def test_a_field_of_a_class_around_is_stored_in_that_class():
    facts = facts_of("class A { int n; Runnable r = new Runnable() { public void run() { n = 1; } }; }")

    assert [store.receiver for store in facts.stores if store.name == "n"] == [("instance", ("symbol", 1))]


def test_a_local_goes_out_of_scope_with_its_block():
    facts = in_method("{ int local = 1; use(local); } use(local);")

    reads = [reference for reference in facts.references if reference.target == ("name", "local")]
    assert len(reads) == 1


def test_a_java_symbol_begins_after_its_annotations():
    facts = facts_of("class A {\n  @Test\n  // why\n  @Slow(3)\n  public void f() {}\n}")

    method = facts.symbols[2]
    assert (method.line, method.column, method.end_line) == (5, 2, 5)
    assert [(each.name, each.text, each.line) for each in method.decorators] == [
        ("Test", "@Test", 2),
        ("Slow", "@Slow(3)", 4),
    ]


def test_a_java_doc_comment_stands_above_the_annotations():
    facts = facts_of("class A {\n/** Does it. */\n@Test\nvoid f() {}\n// plain\nvoid g() {}\n}")

    assert [symbol.doc for symbol in facts.symbols] == ["", "", "Does it.", ""]
    assert [comment.text for comment in facts.comments] == ["plain"]


def test_constants_are_named_by_the_field_they_are_the_value_of():
    facts = facts_of('class A { static final String NAME = "abc"; String other = "def"; }')

    assert [(each.value, each.name) for each in facts.constants] == [("abc", "NAME"), ("def", None)]


def test_a_long_fluent_chain_is_no_deep_nesting():
    facts = in_method("b" + ".add(1)" * 3_000 + ";")

    assert len(facts.calls) == 3_000
    assert facts.problems == ()
    assert facts.calls[-1].text.endswith("….add")


def test_a_long_sum_and_a_long_run_of_else_if_are_no_deep_nesting():
    total = "String x = " + " + ".join(f"g{i}()" for i in range(2_000)) + ";"
    branches = " else ".join(f"if (n == {i}) g();" for i in range(1_000))

    facts = in_method(total + branches)

    assert len(facts.calls) == 3_000
    assert facts.problems == ()


@pytest.mark.parametrize(
    "code", ["f(" * 5_000, "(" * 5_000 + "a" + ")" * 5_000, "{" * 5_000, "a" + ".b" * 5_000]
)
def test_hostile_java_nesting_is_a_problem_not_a_crash(code):
    facts = in_method(code + ";")

    assert facts.problems


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("g(", ")"),
        ("n ? p : ", ""),
        ("y -> ", ""),
        ("new A() { int x = ", "; }"),
        ("new int[] {", "}"),
        ("!", ""),
    ],
)
def test_java_nested_too_deep_is_cut_and_said_so(opening, closing):
    facts = in_method(f"var x = {opening * 400}p{closing * 400};")

    assert "nested deeper" in facts.problems[-1].message
    assert facts.symbols[3].name == "f"


def test_a_type_of_hostile_depth_is_survived():
    facts_of("class A { " + "List<" * 3_000 + "T" + ">" * 3_000 + " x; a." * 3_000 + "b y; }")


@pytest.mark.parametrize(
    "source", [b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbfclass A {}", b"class", b"class A {\r\n}\r\n"]
)
def test_any_java_bytes_give_well_formed_facts(source):
    check_facts(extract(source, "A.java"), source)


def test_broken_java_keeps_what_stands_around_it():
    facts = facts_of("class A { void f() { g(; } void h() { k(); } }")

    assert facts.problems
    assert "A.h" in {qualified_name(facts, number) for number in range(len(facts.symbols))}
    assert "k" in {call.text for call in facts.calls}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_damaged_java_never_raises(path):
    check_survives(extract, path.read_bytes(), path.name, count=40)


@settings(max_examples=25)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=60))
def test_java_fragments_in_any_order_never_raise(fragments):
    source = " ".join(fragments).encode()

    check_facts(extract(source, "A.java"), source)


def test_java_facts_are_the_same_each_time():
    source = SOURCES[0].read_bytes()

    assert extract(source, "A.java") == extract(source, "A.java")


def test_a_comment_behind_an_annotation_does_not_move_the_line_of_what_is_annotated():
    source = b"class A {\n    @Test\n    @Slow // takes a while\n    void run() {}\n}\n"
    run = extract(source, "A.java").symbols[-1]

    assert (run.name, run.line) == ("run", 4)


def test_an_annotation_named_after_a_mapping_is_one():
    facts = facts_of(
        '@RequestMapping("/a")\nclass A { @AnonymousPostMapping("/b") void b() {} @UrlMapping("/c") void c() {} }'
    )

    assert [point.detail for point in facts.entry_points] == ["POST /a/b"]
