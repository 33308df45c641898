from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations, qualified_name
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.rust import extract

PROJECT = Path(__file__).parent.parent / "projects" / "rust"
SOURCES = sorted(PROJECT.rglob("*.rs"))


def facts_of(code: str, path: str = "a.rs"):
    source = code.encode()
    facts = extract(source, path)
    check_facts(facts, source)
    return facts


def bound(code: str, name: str = "x"):
    """The last value of a variable of a method whose body is `code`."""
    facts = facts_of(f"struct S;\nimpl S {{ fn f(&self, p: P) {{\n{code}\n}} }}")
    return [binding.value for binding in facts.bindings if binding.name == name][-1]


@pytest.mark.parametrize(("path", "kind", "lines"), [*expectations(PROJECT)])
def test_a_rust_file_gives_the_facts_stated_beside_it(path, kind, lines):
    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


def test_every_rust_fixture_is_expected():
    assert {path for path, _, _ in expectations(PROJECT)} == {
        str(source.relative_to(PROJECT)) for source in SOURCES
    }


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("let x = p;", ("name", "p")),
        ("let x = &mut p;", ("name", "p")),
        ("let x = self.a.b;", ("member", ("member", ("this",), "a"), "b")),
        ("let x = p.0;", ("member", ("name", "p"), "0")),
        ("let x = T { a: 1 };", ("instance", ("name", "T"))),
        ("let x = Self { a: 1 };", ("instance", ("name", "S"))),
        ("let x = a::T { };", ("instance", ("member", ("name", "a"), "T"))),
        ("let x = g();", ("result", 0)),
        ("let x = g()?;", ("awaited", ("result", 0))),
        ("let x = g().await;", ("awaited", ("result", 0))),
        ("let x = g().unwrap();", ("awaited", ("result", 0))),
        ("let x = p.clone();", ("name", "p")),
        ("let x = p.iter();", ("either", ("result", 0), ("name", "p"))),
        ("let x = Box::new(p);", ("name", "p")),
        ("let x = Some(p);", ("name", "p")),
        ("let x = p[0];", ("item", ("name", "p"))),
        ("let x = p as T;", ("instance", ("name", "T"))),
        ("let x = [p, p];", ("list", ("name", "p"), ("name", "p"))),
        ("let x = (p, 1);", ("list", ("name", "p"), ("literal", "int"))),
        ("let (x, y) = (p, 1);", ("name", "p")),
        ("let (x, y) = p;", ("item", ("name", "p"), "[0]")),
        ("let Some(x) = p else { return };", ("awaited", ("name", "p"))),
        ("let T { a: x, .. } = p;", ("member", ("instance", ("name", "T")), "a")),
        ("let E::B(_, x) = p;", ("member", ("instance", ("member", ("name", "E"), "B")), "1")),
        ("let E::B(.., x) = p;", None),
        ("let (_, x) = (1, p);", ("name", "p")),
        ("let ref mut x = p;", ("name", "p")),
        ("let x @ 1..=3 = p;", ("name", "p")),
        ("for x in p.items {}", ("item", ("member", ("name", "p"), "items"), "[each]")),
        ("if let Ok(x) = p {}", ("awaited", ("name", "p"))),
        ("while let Some(x) = p.next() {}", ("awaited", ("result", 0))),
        ("let x = if p { g() } else { h() };", ("either", ("result", 0), ("result", 1))),
        ("let x = match p { 1 => g(), _ => { h(); p } };", ("either", ("result", 0), ("name", "p"))),
        ("let x = vec![p, g()];", ("list", ("name", "p"), ("result", 0))),
        ('let x = format!("a");', ("literal", "str")),
        ('let x = b"abc";', ("literal", "bytes")),
        ("let x = 1 + 2;", ("literal", "int")),
        ("let x = p > 3;", ("literal", "bool")),
        ("let x = |a| a;", ("symbol", 3)),
        ("let x; x = g();", ("result", 0)),
    ],
)
def test_a_value_is_worth_what_its_expression_says(code, value):
    assert bound(code) == value


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("&'a mut T", ("name", "T")),
        ("Arc<Mutex<T>>", ("name", "T")),
        ("Option<&T>", ("name", "T")),
        ("io::Result<T>", ("own", ("member", ("name", "io"), "Result"), ("name", "T"))),
        ("std::io::Result<T>", ("name", "T")),
        ("Result<Vec<T>, E>", ("list", ("name", "T"))),
        ("[T; 3]", ("list", ("name", "T"))),
        ("HashMap<K, V>", ("dict", (None, ("name", "V")), ("[keys]", ("name", "K")))),
        ("a::b::T", ("member", ("member", ("name", "a"), "b"), "T")),
        ("Box<dyn Tr + Send>", ("name", "Tr")),
        ("impl Iterator<Item = T>", ("list", ("name", "T"))),
        ("impl Future<Output = T> + Send", ("name", "T")),
        ("(A, B)", ("list", ("name", "A"), ("name", "B"))),
        ("fn(A) -> B", ("signature", ("name", "A"))),
        ("impl Fn(A) -> B", ("signature", ("name", "A"))),
        ("G", ("name", "Bound")),
        ("H", ("name", "Late")),
        ("Own<T>", ("name", "Own")),
        ("*const T", ("name", "T")),
        ("!", None),
    ],
)
def test_a_type_is_what_its_values_lead_to(written, form):
    facts = facts_of(f"fn f<'a, G: Bound, H>(p: {written}) where H: Late {{}}")

    assert facts.symbols[1].parameters[0].type == form


def test_an_impl_for_a_type_of_another_file_is_a_namespace_that_names_it():
    facts = facts_of("impl Tr for far::T { fn a(&self) {} }\nimpl far::T { fn b() {} }")

    assert [(found.kind, qualified_name(facts, number)) for number, found in enumerate(facts.symbols)][
        1:
    ] == [
        ("namespace", "T"),
        ("method", "T.a"),
        ("method", "T.b"),
    ]
    assert [(base.kind, base.text) for base in facts.symbols[1].bases] == [
        ("extends", "far::T"),
        ("implements", "Tr"),
    ]


def test_an_impl_before_its_type_and_one_in_a_module_find_it():
    facts = facts_of(
        "impl S { fn a() {} }\nmod m { impl super::S { fn b() {} } struct T; impl T { fn c() {} } }\nstruct S;"
    )

    names = [qualified_name(facts, number) for number in range(1, len(facts.symbols))]
    assert names == ["S", "S.a", "m", "m.T", "m.S", "m.S.b", "m.T.c"]


def test_calls_inside_macros_are_found():
    facts = facts_of('fn f(p: P) { assert_eq!(p.a.b(1, g("x"))?.c, self::h::<u8>(2), "{}", !k![m()]); }')

    assert [(call.text, call.callee) for call in facts.calls] == [
        ("g", ("name", "g")),
        ("p.a.b", ("member", ("member", ("name", "p"), "a"), "b")),
        ("self::h", ("member", ("symbol", 0), "h")),
        ("m", ("name", "m")),
        ("k!", ("name", "k")),
        ("assert_eq!", ("name", "assert_eq")),
    ]
    assert facts.calls[-1].arguments[0] == (None, ("member", ("awaited", ("result", 1)), "c"))


def test_code_to_be_generated_is_no_code_of_this_file():
    facts = facts_of("fn f() { quote! { g() } }\nmacro_rules! m { () => { g() }; }")

    assert [call.text for call in facts.calls] == ["quote!"]


def test_a_variable_that_shadows_itself_stays_what_it_was():
    facts = facts_of("fn f() { let x = g(); let h = || { let x = &x; let x = x.unwrap(); x.go() }; }")

    assert [(found.scope, found.name, found.value) for found in facts.bindings] == [
        (1, "x", ("result", 0)),
        (1, "h", ("symbol", 2)),
    ]


def test_a_macro_is_not_the_variable_of_its_name():
    facts = facts_of("fn f() { let vec = g(); vec![vec] }")

    assert facts.calls[1].callee is None


@pytest.mark.parametrize(
    ("code", "visibility"),
    [
        ("fn f() {}", "private"),
        ("pub fn f() {}", "public"),
        ("pub(crate) fn f() {}", "package"),
        ("pub(in crate::a) fn f() {}", "package"),
        ("pub(self) fn f() {}", "private"),
    ],
)
def test_visibility_is_as_written(code, visibility):
    assert facts_of(code).symbols[1].visibility == visibility


def test_what_a_trait_has_is_as_public_as_the_trait():
    facts = facts_of("struct S;\nimpl Tr for S { fn a(&self) {} }\nimpl S { fn b(&self) {} }")

    assert {found.name: found.visibility for found in facts.symbols[2:]} == {"a": "public", "b": "private"}


def test_a_name_with_a_capital_in_a_pattern_is_compared_with():
    facts = facts_of("fn f(p: P) { match p { LIMIT => 1, other => 2 } }")

    assert [found.name for found in facts.bindings] == ["other"]
    assert ("name", "LIMIT") in [found.target for found in facts.references]


def test_what_a_function_ends_in_is_what_it_gives_back():
    facts = facts_of(
        "fn f() -> T { if a { return g(); } h() }\nfn k() { h(); }\nfn m() { match a { _ => h() } }"
    )

    assert [(found.scope, found.value) for found in facts.returns] == [
        (1, ("result", 0)),
        (1, ("result", 1)),
        (3, ("result", 3)),
    ]


def test_question_marks_and_unwraps_are_no_throws():
    facts = facts_of('fn f() { g()?; g().unwrap(); if a { panic!("no") } }')

    assert [found.kind for found in facts.handlings] == ["throw"]


def test_an_attribute_that_ends_like_one_of_tests_makes_a_test():
    facts = facts_of("#[db_test]\nfn a() {}\n#[tokio::test]\nasync fn b() {}\n#[latest]\nfn c() {}")

    assert [qualified_name(facts, found.symbol) for found in facts.entry_points if found.kind == "test"] == [
        "a",
        "b",
    ]


def test_functions_that_other_languages_call_are_entry_points():
    facts = facts_of(
        "#[no_mangle]\nfn a() {}\n#[unsafe(no_mangle)]\nfn b() {}\n#[wasm_bindgen]\nfn c() {}\nfn d() {}"
    )

    assert [(found.kind, qualified_name(facts, found.symbol)) for found in facts.entry_points] == [
        ("export", "a"),
        ("export", "b"),
        ("export", "c"),
    ]


def test_docs_are_found_above_and_below_attributes():
    facts = facts_of(
        "/// Above.\n#[inline]\nfn a() {}\n#[inline]\n/// Below.\nfn b() {}\n// Plain.\nfn c() {}"
    )

    assert [found.doc for found in facts.symbols[1:]] == ["Above.", "Below.", ""]
    assert [found.text for found in facts.comments] == ["Plain."]
    assert facts.symbols[1].decorators[0][:2] == ("inline", "#[inline]")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_a_damaged_rust_file_still_gives_well_formed_facts(source):
    check_survives(extract, source.read_bytes(), source.name)


@settings(max_examples=25)
@given(st.binary(max_size=300))
def test_any_bytes_give_well_formed_facts(source):
    check_facts(extract(source, "a.rs"), source)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        (b"|| {", b"}"),
        (b"m!(", b")"),
        (b"A { a: ", b"}"),
        (b"match x { _ => ", b"}"),
        (b"{ impl A { fn a() ", b"}}"),
    ],
)
def test_hostile_nesting_is_cut_and_said(opening, closing):
    source = b"fn f() { let x = " + opening * 2_000 + b"{ 1 }" + closing * 2_000 + b"; }\nfn after() {}\n"

    facts = extract(source, "a.rs")

    check_facts(facts, source)
    assert facts.problems


def test_long_chains_paths_and_else_ifs_are_not_deep():
    source = (
        b"fn f() { a" + b".b()" * 3_000 + b"; " + b"a::<T>::" * 3_000 + b"b(); if a {} "
        + b"else if a { g() } " * 3_000 + b" }\n"
    )  # fmt: skip

    facts = extract(source, "a.rs")

    check_facts(facts, source)
    assert len(facts.calls) == 6_001
    assert facts.problems == ()


def test_a_route_leads_through_a_function_that_gives_its_handler_to_a_method():
    source = (
        b"use axum::{Router, routing::{get, post}};\n"
        b"fn get_all<H>(handler: H) -> MethodRouter { get(handler).layer(timing()) }\n"
        b"fn list() {}\nfn show() {}\nfn other(value: u32) -> u32 { value }\n"
        b'fn routes() -> Router { Router::new().route("/a", post(list)).route_with_tsr("/b", get_all(show)).route("/c", other(show)) }\n'
    )
    facts = extract(source, "src/routes.rs")

    assert [(facts.symbols[one.symbol].name, one.detail) for one in facts.entry_points] == [
        ("list", "POST /a"),
        ("show", "GET /b"),
    ]
