from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations, qualified_name
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.csharp import extract

PROJECT = Path(__file__).parent.parent / "projects" / "csharp"
SOURCES = sorted(PROJECT.rglob("*.cs"))
FRAGMENTS = (
    "class A {", "}", "void F(", ")", "int x = ", ";", "new()", ".G()", "=>", "?.H", "[Fact]", "<T>", "x switch {",
    "_ => 1,", "case 1:", "default:", "try {", "catch (E e) when (", '"text"', "record R(int A)", "enum E {", "using A;",
    "namespace N;", "this", "base", "(", "if (x is P q)", "else", "get;", "[", "]", '"""', "/*", "//\n", "#if X\n",
    "#endif\n", '$"{', "from a in b select", "with {", "await", "out var y", "global::A",
)  # fmt: skip


def facts_of(code: str):
    source = code.encode()
    facts = extract(source, "A.cs")
    check_facts(facts, source)
    return facts


def in_method(code: str):
    """The facts of a method with two parameters whose body is `code`."""
    return facts_of(f"class A {{ int field; void F(P p, int n) {{\n{code}\n}} }}")


def bound(code: str, name: str = "x"):
    return [binding.value for binding in in_method(code).bindings if binding.name == name][-1]


@pytest.mark.parametrize(("path", "kind", "lines"), [*expectations(PROJECT)])
def test_a_csharp_file_gives_the_facts_stated_beside_it(path, kind, lines):
    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


def test_every_csharp_fixture_is_expected():
    assert {path for path, _, _ in expectations(PROJECT)} == {
        str(source.relative_to(PROJECT)) for source in SOURCES
    }


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("var x = p;", ("name", "p")),
        ("var x = p.a.b;", ("member", ("member", ("name", "p"), "a"), "b")),
        ("var x = p?.a?[0];", ("item", ("member", ("name", "p"), "a"))),
        ("var x = this;", ("this",)),
        ("var x = this.field;", ("member", ("this",), "field")),
        ("var x = base.Y;", ("member", ("super",), "Y")),
        ("var x = (T)p;", ("instance", ("name", "T"))),
        ("var x = p as T;", ("instance", ("name", "T"))),
        ("var x = p!;", ("name", "p")),
        ("var x = p[0];", ("item", ("name", "p"))),
        ("var x = new T[3];", ("instance", ("list", ("name", "T")))),
        ("T[] x = { p, this };", ("list", ("name", "p"), ("this",))),
        ("T[] x = [p, this];", ("list", ("name", "p"), ("this",))),
        ("var x = (p, this);", ("list", ("name", "p"), ("this",))),
        ("var x = n > 1 ? p : this;", ("either", ("name", "p"), ("this",))),
        ("var x = p ?? this;", ("either", ("name", "p"), ("this",))),
        ("var x = p is T;", ("literal", "bool")),
        ('var x = "a" + n;', ("literal", "str")),
        ('var x = $"a{p}";', ("literal", "str")),
        ("var x = await G(p);", ("awaited", ("result", 0))),
        ("var x = typeof(T);", ("name", "T")),
        ("var x = nameof(p);", ("literal", "str")),
        ("var x = default(T);", ("instance", ("name", "T"))),
        ("var x = G(p).H();", ("result", 1)),
        ("T x = new(1);", ("result", 0)),
        ("var x = new { A = p };", ("dict", ("A", ("name", "p")))),
        ("var x = p with { A = 1 };", ("name", "p")),
        ("var x = from a in p select this;", ("list", ("this",))),
        ("foreach (var x in p) {}", ("item", ("name", "p"))),
        ("foreach (var (x, y) in p) {}", ("item", ("item", ("name", "p")))),
        ("var (x, y) = G();", ("item", ("result", 0))),
        ("using (var x = G()) {}", ("result", 0)),
        ("if (p is T x) {}", ("instance", ("name", "T"))),
        ("G(out T x);", ("instance", ("name", "T"))),
        ("var x = n switch { 1 => p, _ => this };", ("either", ("name", "p"), ("this",))),
    ],
)
def test_a_csharp_value_is_said_in_the_forms_all_languages_share(code, value):
    assert bound(code) == value


def own(name, count, held):
    """A type that is the library's unless the project has one of the name."""
    return ("own", ("generic", ("name", name), count), held)


@pytest.mark.parametrize(
    ("declared", "form"),
    [
        ("List<T>", own("List", 1, ("list", ("name", "T")))),
        ("System.Collections.Generic.List<T>", ("list", ("name", "T"))),
        ("T[]", ("list", ("name", "T"))),
        (
            "Dictionary<string, List<T>>",
            own("Dictionary", 2, ("dict", (None, own("List", 1, ("list", ("name", "T")))))),
        ),
        ("Task<IReadOnlyList<T>>", own("Task", 1, own("IReadOnlyList", 1, ("list", ("name", "T"))))),
        ("T?", ("name", "T")),
        ("A.B", ("member", ("name", "A"), "B")),
        ("global::A.B", ("member", ("name", "A"), "B")),
        ("(T a, int b)", ("list", ("name", "T"), ("literal", "int"))),
        ("string", ("literal", "str")),
        ("var", None),
    ],
)
def test_a_csharp_type_keeps_what_a_container_holds(declared, form):
    facts = in_method(f"{declared} x = G();")

    assert [binding.type for binding in facts.bindings if binding.name == "x"] == [form]


def test_a_constrained_type_parameter_is_its_constraint():
    facts = facts_of("class A<T, U> where T : Shape, new() { T a; U b; }")

    by_name = {symbol.name: symbol for symbol in facts.symbols}
    assert by_name["a"].value_type == ("name", "Shape")
    assert by_name["b"].value_type is None


def test_the_only_namespace_of_a_file_is_its_package_whichever_way_it_is_written():
    block = facts_of("namespace A.B { class C {} }")
    scoped = facts_of("namespace A.B;\nclass C {}")
    conditional = facts_of("#if X\nusing C;\nnamespace A.B { class C {} }\n#endif\n")

    assert block.package == scoped.package == conditional.package == "A.B"
    assert [symbol.name for symbol in block.symbols[1:]] == [symbol.name for symbol in scoped.symbols[1:]]


def test_an_implied_construction_is_of_the_declared_type():
    facts = facts_of("class A { Dictionary<string, B> f = new(); N.B P { get; } = new(1); }")

    assert [call.callee for call in facts.calls] == [
        ("generic", ("name", "Dictionary"), 2),
        ("member", ("name", "N"), "B"),
    ]


def test_a_named_argument_keeps_its_name():
    facts = in_method("G(n, limit: 3, this);")

    assert [name for name, _ in facts.calls[0].arguments] == [None, "limit", None]
    assert facts.calls[0].arguments[2][1] == ("this",)


def test_parameters_keep_kinds_types_and_defaults():
    facts = facts_of('class A { void F(this T a, ref int b, string c = "x", params int[] d) {} }')

    method = facts.symbols[2]
    assert [(each.name, each.kind, each.type_text, each.default_text) for each in method.parameters] == [
        ("a", "plain", "T", None),
        ("b", "plain", "int", None),
        ("c", "plain", "string", '"x"'),
        ("d", "rest", "int[]", None),
    ]
    assert method.modifiers == ("extension",)


def test_csharp_documentation_is_words_without_tags():
    facts = facts_of(
        '/// <summary>\n/// Opens <see cref="Door"/>.\n/// </summary>\n/// <param name="key">Which key</param>\n'
        "class A {}"
    )

    assert facts.symbols[1].doc == "Opens Door.\nkey: Which key"


def test_an_event_handler_is_a_store_and_a_reference():
    facts = in_method("Changed += OnChanged;")

    assert [(store.name, store.value) for store in facts.stores] == [("Changed", ("name", "OnChanged"))]
    assert ("name", "OnChanged") in {reference.target for reference in facts.references}


def test_both_branches_of_conditional_code_are_read():
    facts = facts_of("class A {\n#if DEBUG\nvoid F() { }\n#else\nvoid G() { }\n#endif\n}")

    assert [symbol.name for symbol in facts.symbols[2:]] == ["F", "G"]
    assert facts.references == ()


def test_a_property_is_measured_only_where_it_has_code():
    facts = facts_of("class A { int B { get; set; } int C => 1; int D { get { return x ? 1 : 2; } } }")

    measured = {symbol.name: symbol.complexity for symbol in facts.symbols if symbol.kind == "property"}
    assert measured["B"] is None
    assert measured["C"].cyclomatic == 1
    assert measured["D"].cyclomatic == 2


def test_a_long_csharp_chain_sum_or_run_of_else_if_is_no_deep_nesting():
    chain = "b" + ".Add(1)" * 2_000 + ";"
    total = "string x = " + " + ".join(f"G{i}()" for i in range(2_000)) + ";"
    branches = " else ".join(f"if (n == {i}) G();" for i in range(500))

    facts = in_method(chain + total + branches)

    assert len(facts.calls) == 4_500
    assert facts.problems == ()


@pytest.mark.parametrize(
    "code", ["F(" * 5_000, "(" * 5_000 + "a" + ")" * 5_000, "{" * 5_000, "a" + ".b" * 5_000]
)
def test_hostile_csharp_nesting_is_a_problem_not_a_crash(code):
    facts = in_method(code + ";")

    assert facts.problems


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("G(", ")"),
        ("n ? p : ", ""),
        ("y => ", ""),
        ("new A { X = ", "}"),
        ("(int y = ", ") => 1"),
        ("p ?? (", ")"),
    ],
)
def test_csharp_nested_too_deep_is_cut_and_said_so(opening, closing):
    facts = in_method(f"var x = {opening * 400}p{closing * 400};")

    assert "nested deeper" in facts.problems[-1].message
    assert facts.symbols[3].name == "F"


def test_a_csharp_type_of_hostile_depth_is_survived():
    facts_of("class A { " + "List<" * 3_000 + "T" + ">" * 3_000 + " x; " + "a." * 3_000 + "b y; }")


@pytest.mark.parametrize(
    "source", [b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbfclass A {}", b"class", b"class A {\r\n}\r\n"]
)
def test_any_csharp_bytes_give_well_formed_facts(source):
    check_facts(extract(source, "A.cs"), source)


def test_broken_csharp_keeps_what_stands_around_it():
    facts = facts_of("class A { void F() { G(; } void H() { K(); } }")

    assert facts.problems
    assert "A.H" in {qualified_name(facts, number) for number in range(len(facts.symbols))}
    assert "K" in {call.text for call in facts.calls}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_damaged_csharp_never_raises(path):
    check_survives(extract, path.read_bytes(), path.name, count=40)


@settings(max_examples=25)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=60))
def test_csharp_fragments_in_any_order_never_raise(fragments):
    source = " ".join(fragments).encode()

    check_facts(extract(source, "A.cs"), source)


@pytest.mark.parametrize(
    ("code", "reads"),
    [
        ("Use(cart.Total);", [(("name", "cart"), "Total")]),
        ("Use(cart?.Total, cart?.Total);", [(("name", "cart"), "Total")]),
        ("cart.Add(1);", []),
        ("cart.Total = 1;", [(("name", "cart"), "Total")]),
        (
            "cart.Owner.Name = 1;",
            [(("name", "cart"), "Owner"), (("member", ("name", "cart"), "Owner"), "Name")],
        ),
        ("_total = _sum;", []),
        ("Total = 1;", [(("this",), "Total")]),
        ("Use(Total);", [(("this",), "Total")]),
        ("new Cart { Total = 1 };", [(("result", 0), "Total")]),
        (
            "new Cart { Owner = { Name = 1 } };",
            [(("result", 0), "Owner"), (("member", ("result", 0), "Owner"), "Name")],
        ),
        ("_ = cart with { Total = 1 };", [(("name", "cart"), "Total")]),
        ("_ = cart is { Total: 1 };", [(("name", "cart"), "Total")]),
        ("new List<int> { 1, 2 };", []),
        ("_ = new { Total = 1 };", []),
        ('Use("text".Length);', []),
        ("Use(this.Total);", [(("this",), "Total")]),
    ],
)
def test_a_csharp_member_that_is_read_or_set_may_be_a_property(code, reads):
    source = f"class C {{ void F(Cart cart) {{ {code} }} }}".encode()
    facts = extract(source, "C.cs")

    check_facts(facts, source)
    assert [(read.receiver, read.name) for read in facts.accesses] == reads


@pytest.mark.parametrize(
    "head",
    [
        "public class Cart\n#if OLD\n    : Legacy, IThing\n#else\n    : Modern\n#endif\n",
        "#if OLD\npublic\n#else\ninternal\n#endif\nsealed class Cart\n",
    ],
)
def test_a_class_head_that_is_cut_by_a_condition_is_read_by_its_first_branch(head):
    facts = facts_of(f"namespace Shop {{\n{head}{{\n    void Pay() {{ }}\n}}\n}}\n")

    assert [(symbol.kind, symbol.name) for symbol in facts.symbols[1:]] == [
        ("class", "Cart"),
        ("method", "Pay"),
    ]
    assert facts.problems == ()


def test_a_condition_that_cuts_nothing_keeps_both_branches_beside_one_that_does():
    whole = "#if OLD\nvoid Before() { }\n#else\nvoid After() { }\n#endif\n"
    cut = "void Run()\n{\n    if (a\n#if OLD\n        && b)\n    {\n#else\n        && c)\n    {\n#endif\n    }\n}\n"
    facts = facts_of(f"class A {{\n{whole}{cut}}}\n")

    assert [symbol.name for symbol in facts.symbols if symbol.kind == "method"] == ["Before", "After", "Run"]


def test_lines_of_a_branch_that_was_not_read_are_still_code():
    facts = facts_of("class Cart\n#if OLD\n    : Legacy\n#else\n    : Modern\n#endif\n{\n}\n")

    assert (facts.code_lines, facts.blank_lines) == (8, 0)


def test_an_attribute_between_conditions_is_the_declarations_and_not_its_line():
    facts = facts_of(
        "class A {\n#if OLD\n    [Obsolete]\n#else\n    [Fresh]\n#endif\n    public void Run() { }\n}\n"
    )
    run = facts.symbols[-1]

    assert (run.name, run.line) == ("Run", 7)
    assert [decorator.name for decorator in run.decorators] == ["Obsolete", "Fresh"]
