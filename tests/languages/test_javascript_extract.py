"""JavaScript and JSX: the fixture project, CommonJS, and damage."""

from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations
from hypothesis import given
from hypothesis import strategies as st

from drift.languages.facts import Base, FileFacts
from drift.languages.javascript import extract

_PROJECT = Path(__file__).parent.parent / "projects" / "javascript"
_EXPECTED = list(expectations(_PROJECT))
_SOURCES = sorted((_PROJECT / "lib").iterdir())


def read(source: str, path: str = "file.js") -> FileFacts:
    facts = extract(source.encode(), path)
    check_facts(facts, source.encode())
    return facts


@pytest.mark.parametrize(("path", "kind", "lines"), _EXPECTED, ids=[f"{e[0]} {e[1]}" for e in _EXPECTED])
def test_the_project_gives_what_is_written_beside_it(path, kind, lines):
    compare_with_expected(extract, _PROJECT, path=path, kind=kind, lines=lines)


@pytest.mark.parametrize("path", _SOURCES, ids=lambda path: path.name)
def test_damaged_sources_never_break_extraction(path):
    check_survives(extract, path.read_bytes(), path.name)


@given(st.binary(max_size=300))
def test_any_bytes_give_well_formed_facts(source):
    check_facts(extract(source, "file.js"), source)


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("const a = require('m')", [("m", None, "a")]),
        ("const a = require('m').b", [("m", "b", "a")]),
        ("const { a, b: c, ...d } = require('m')", [("m", "a", "a"), ("m", "b", "c"), ("m", None, "d")]),
        ("const { a = 1 } = require('m')", [("m", "a", "a")]),
        ("require('m')", [("m", None, "require('m')")]),
        ("require('m').run()", [("m", None, "require('m')")]),
        ("f(async () => { const { a } = await import('m'); })", [("m", "a", "a")]),
        ("const a = (await import('m')).default", [("m", "default", "a")]),
        ("lazy(() => import('m'))", [("m", None, "import('m')")]),
        ("require(name)", []),
        ("const a = require", []),
    ],
)
def test_modules_are_imported_in_every_form(source, imports):
    assert [(found.module, found.name, found.alias) for found in read(source).imports] == imports


@pytest.mark.parametrize(
    ("source", "stores", "exported"),
    [
        (
            "module.exports = { a, b: c }; function a() {} function c() {}",
            [("module", "exports")],
            ["a", "c"],
        ),
        ("exports.a = a; function a() {}", [("exports", "a")], ["a"]),
        ("module.exports.a = () => 1", [("exports", "a")], ["a"]),
        ("exports = module.exports = run; function run() {}", [("module", "exports")], ["run"]),
        ("module.exports = class A {}", [("module", "exports")], ["A"]),
        ("module.exports = function () {}", [("module", "exports")], ["module.exports"]),
        ("Object.assign(exports, { a }); const a = 1", [("exports", "a")], ["a"]),
        ("Object.defineProperty(exports, 'a', { get() {} })", [("exports", "a")], []),
    ],
)
def test_commonjs_exports_are_stores_and_mark_what_they_name(source, stores, exported):
    facts = read(source)

    assert [(found.receiver[1], found.name) for found in facts.stores] == stores
    assert [found.name for found in facts.symbols if "exported" in found.modifiers] == exported


def test_a_prototype_given_as_an_object_holds_methods():
    facts = read("function A() {}\nA.prototype = { run() {}, stop: function () {} };")

    assert [(found.kind, found.name, found.parent) for found in facts.symbols[2:]] == [
        ("method", "run", 1),
        ("method", "stop", 1),
    ]


def test_a_function_that_inherits_has_a_base():
    facts = read("function A() {}\nutil.inherits(A, events.Emitter);")

    assert facts.symbols[1].bases == (Base("events.Emitter", ("member", ("name", "events"), "Emitter")),)


def test_functions_in_an_object_put_on_a_variable_belong_to_it():
    facts = read("var App = {};\nApp.views = { show() {} };\nApp.start = function () {};")

    assert [(found.kind, found.name, found.parent) for found in facts.symbols[1:]] == [
        ("variable", "App", 0),
        ("property", "views", 1),
        ("method", "show", 2),
        ("method", "start", 1),
    ]


def test_a_directive_is_no_constant():
    assert not read("'use strict'; function f() { 'use server'; }").constants


def test_flow_of_values_through_destructuring_is_kept():
    facts = read("function f() { const { a, b: { c }, d: [e] } = g(); }")

    assert {bound.name: bound.value for bound in facts.bindings} == {
        "a": ("member", ("result", 0), "a"),
        "c": ("member", ("member", ("result", 0), "b"), "c"),
        "e": ("item", ("member", ("result", 0), "d")),
    }


def test_a_minified_line_is_followed_to_its_end():
    facts = read("a=1," * 20_000 + "last()")

    assert facts.calls[-1].text == "last"
