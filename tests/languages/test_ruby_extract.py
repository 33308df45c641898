from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.ruby import extract

PROJECT = Path(__file__).parent.parent / "projects" / "ruby"
SOURCES = sorted(path for path in PROJECT.rglob("*") if path.is_file() and path.name != "expected.toml")


def facts_of(code: str, path: str = "a.rb"):
    source = code.encode()
    facts = extract(source, path)
    check_facts(facts, source)
    return facts


def bound(code: str, name: str):
    """The last value of a variable of method f of class C whose body is `code`."""
    facts = facts_of(f"class C\ndef f(p)\n{code}\nend\nend")
    return [binding.value for binding in facts.bindings if binding.name == name][-1]


def symbol(facts, name: str):
    return next(found for found in facts.symbols if found.name == name)


@pytest.mark.parametrize(("path", "kind", "lines"), [*expectations(PROJECT)])
def test_a_ruby_file_gives_the_facts_stated_beside_it(path, kind, lines):
    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


def test_every_ruby_fixture_is_expected():
    assert {path for path, _, _ in expectations(PROJECT)} == {
        str(source.relative_to(PROJECT)) for source in SOURCES
    }


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("x = p", ("name", "p")),
        ("x = T.new(1)", ("result", 0)),
        ("x = A::B", ("member", ("name", "A"), "B")),
        ("x = ::A", ("name", "::A")),
        ("x = self", ("this",)),
        ("x = @y", ("member", ("this",), "@y")),
        ("x = p[3]", ("item", ("name", "p"))),
        ("x = g", ("result", 0)),
        ("x = p || 1", ("either", ("name", "p"), ("literal", "int"))),
        ("x = if p then 1 else 's' end", ("either", ("literal", "int"), ("literal", "str"))),
        ("x = p ? p : nil", ("name", "p")),
        ("x = [p, 1]", ("list", ("name", "p"), ("literal", "int"))),
        ("x = { a: p, 'b' => 1 }", ("dict", ("a", ("name", "p")), ("b", ("literal", "int")))),
        ("x, y = p, 1", ("name", "p")),
        ("x, y = p", ("item", ("name", "p"))),
        ("p.each { |x| x }", ("item", ("name", "p"))),
        ("p.each_with_index { |x, i| x }", ("item", ("name", "p"))),
        ("for x in p do end", ("item", ("name", "p"))),
        ("x = p.class", ("member", ("name", "p"), "class")),
        ("x = p == 1", ("literal", "bool")),
        ("x = 'a' + p", ("literal", "str")),
        ("x = p.map { |q| T.new }", ("first", ("result", 0), ("list", ("result", 1)))),
        ("x = p.first", ("first", ("result", 0), ("item", ("name", "p")))),
        ("x = method(:g)", ("partial", ("member", ("this",), "g"))),
        ("case p\nin { name: String => x } then 1\nend", ("instance", ("name", "String"))),
        ("begin\n1\nrescue A => x\nend", ("instance", ("name", "A"))),
        ("x = begin\n1\nend", ("literal", "int")),
        ("x = (1; p)", ("name", "p")),
    ],
)
def test_a_value_of_ruby_is_worth_what_its_expression_says(code, value):
    assert bound(code, "x") == value


def test_a_word_is_a_variable_where_it_was_assigned_and_else_a_call():
    facts = facts_of("class C\ndef f\nx\nx = 1\nx\nend\ndef g\nx\nend\nend")

    assert [(call.line, call.callee) for call in facts.calls] == [
        (3, ("member", ("this",), "x")),
        (8, ("member", ("this",), "x")),
    ]


def test_variables_of_blocks_beside_each_other_are_not_one():
    facts = facts_of("def f(a, b)\na.each { |x| x.g }\nb.each { |x| x.h }\nend")

    first, second = facts.calls[1].callee, facts.calls[3].callee
    assert first[1] != second[1]
    assert {binding.name: binding.value for binding in facts.bindings} == {
        first[1][1]: ("item", ("name", "a")),
        second[1][1]: ("item", ("name", "b")),
    }


def test_a_block_without_parameters_has_its_element_as_it():
    facts = facts_of("def f(a)\na.map { it.g }\na.map { _1.h }\nend")

    assert [call.callee for call in facts.calls if call.text in {"it.g", "_1.h"}] == [
        ("member", ("item", ("name", "a")), "g"),
        ("member", ("item", ("name", "a")), "h"),
    ]


def test_self_is_the_class_in_its_body_and_the_object_in_a_method():
    facts = facts_of("class C\nsetup\ndef f = go\ndef self.g = go\nend")

    assert [call.callee for call in facts.calls] == [
        ("member", ("symbol", 1), "setup"),
        ("member", ("this",), "go"),
        ("member", ("this",), "go"),
    ]
    assert symbol(facts, "g").modifiers == ("classmethod",)


@pytest.mark.parametrize(
    ("code", "visibility"),
    [
        ("private\ndef m; end", "private"),
        ("private def m; end", "private"),
        ("def m; end\nprivate :m", "private"),
        ("def m; end\nprotected :a, :m", "protected"),
        ("private\npublic\ndef m; end", "public"),
        ("private\nattr_reader :m", "private"),
        ("private attr_reader :m", "private"),
        ("private\nclass << self\ndef m; end\nend", "public"),
        ("class << self\nprivate\ndef m; end\nend", "private"),
        ("def self.m; end\nprivate_class_method :m", "private"),
        ("M = 1\nprivate_constant :M\ndef m; end", "public"),
        ("private\ndelegate :m, to: :x", "public"),
        ("private\ndelegate :m, to: :x, private: true", "private"),
        ("private delegate :m, to: :x", "private"),
        ("private\ndef_delegators :x, :m", "public"),
        ("private\nmattr_accessor :m", "public"),
        ("def a; end\nprivate\nalias_method :m, :a", "public"),
        ("private\ndef a; end\nalias m a", "private"),
    ],
)
def test_a_method_is_as_visible_as_the_body_of_its_class_says(code, visibility):
    assert symbol(facts_of(f"class C\n{code}\nend"), "m").visibility == visibility


def test_a_path_opens_the_modules_it_names():
    facts = facts_of("class A::B::C < D; end\nmodule A\nend")

    assert [(found.kind, found.name, found.parent) for found in facts.symbols[1:]] == [
        ("trait", "A", 0),
        ("trait", "B", 1),
        ("class", "C", 2),
        ("trait", "A", 0),
    ]


def test_a_comment_is_a_doc_and_words_to_tools_are_none():
    facts = facts_of(
        "# rubocop:disable Metrics\n# Adds.\n# @param a [Foo, nil] one\n# @return [Array<Bar>]\ndef f(a, b: 1) = a\n"
        "# frozen_string_literal: true\nclass C; end"
    )

    method = facts.symbols[1]
    assert method.doc.startswith("Adds.")
    assert [(each.name, each.kind, each.type, each.default_text) for each in method.parameters] == [
        ("a", "plain", ("name", "Foo"), None),
        ("b", "keyword", None, "1"),
    ]
    assert (method.return_text, method.return_type) == ("Array<Bar>", ("list", ("name", "Bar")))
    assert facts.symbols[2].doc == ""


def test_methods_that_macros_are_given_by_name_are_referred_to():
    facts = facts_of("class C\nbefore_action :a, only: :b, if: :c\nvalidates :d, on: [:e]\nend")

    assert [reference.target[2] for reference in facts.references] == ["a", "c", "d"]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("f(", ")"),
        ("[", "]"),
        ("{ a: ", "}"),
        ("p.each { |q| ", "}"),
        ("-> { ", "}"),
        ("if p then ", " end"),
        ("p ? 1 : (", ")"),
        ("begin; ", "; end"),
        ("class << self; ", "; end"),
    ],
)
def test_deep_ruby_is_cut_with_a_problem(opening, closing):
    facts = facts_of(f"x = {opening * 1_000}1{closing * 1_000}\ndef after; end")

    assert any("nested deeper" in problem.message for problem in facts.problems)
    assert facts.symbols[-1].name == "after"


@pytest.mark.parametrize(
    "code",
    [
        "x" + ".y" * 3_000,
        "x" + ".y { |z| z }" * 500,
        "x = " + " + ".join("a" * 3_000),
        "if a then 1\n" + "elsif b then 2\n" * 2_000 + "end",
        "x = " + "::A" * 3_000,
    ],
)
def test_long_ruby_is_read_whole(code):
    facts = facts_of(f"{code}\ndef after; end")

    assert facts.problems == ()
    assert facts.symbols[-1].name == "after"


def test_a_path_of_thousands_of_constants_names_few_modules_on_its_way():
    assert len(facts_of("x = " + "::A" * 3_000).references) < 20
    assert len(facts_of("x = A::B::C::D").references) == 4


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_damaged_ruby_never_stops_the_extractor(source):
    check_survives(extract, source.read_bytes(), source.name, count=25)


@given(st.binary(max_size=200))
@settings(max_examples=25)
def test_any_bytes_are_ruby_enough(source):
    check_facts(extract(source, "a.rb"), source)


@pytest.mark.parametrize(
    ("path", "routes"),
    [
        ("messages(/:page)", "GET /messages, /messages/:page"),
        ("a/:b(.:format)", "GET /a/:b"),
        ("(/:locale)/users", "GET /users, /:locale/users"),
        ("log(/:year(/:month))", "GET /log, /log/:year, /log/:year/:month"),
    ],
)
def test_a_route_with_optional_parts_has_its_path_without_and_with_them(path, routes):
    facts = facts_of(f"Rails.application.routes.draw do\nget '{path}', to: 'a#b'\nend", "config/routes.rb")

    assert [one.detail for one in facts.entry_points] == [routes]


def test_a_block_handed_on_without_a_name_and_brackets_does_not_swallow_the_methods_behind_it():
    facts = facts_of(
        "module M\n  def a(room, &)\n    tag.div id: 1, data: {\n      b: 2\n    }, &\n  end\n\n"
        "  def b(room, &)\n    form_with id: 1, &\n  rescue Error => e\n    1\n  end\n\n"
        "  def c(room)\n    room & 1\n  end\nend\n"
    )

    module = facts.symbols.index(symbol(facts, "M"))
    assert {one.name for one in facts.symbols if one.parent == module} == {"a", "b", "c"}
    assert not facts.problems
