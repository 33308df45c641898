from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations, qualified_name
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.golang import extract
from drift.languages.golang.declarations import guess_package_name

PROJECT = Path(__file__).parent.parent / "projects" / "go"
SOURCES = sorted(PROJECT.rglob("*.go"))


def facts_of(code: str, path: str = "a.go"):
    source = f"package a\n{code}".encode()
    facts = extract(source, path)
    check_facts(facts, source)
    return facts


def bound(code: str, name: str):
    """The last value of a variable of function f whose body is `code`."""
    facts = facts_of(f"func f(p P) {{\n{code}\n}}")
    return [binding.value for binding in facts.bindings if binding.name == name][-1]


@pytest.mark.parametrize(("path", "kind", "lines"), [*expectations(PROJECT)])
def test_a_go_file_gives_the_facts_stated_beside_it(path, kind, lines):
    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


def test_every_go_fixture_is_expected():
    assert {path for path, _, _ in expectations(PROJECT)} == {
        str(source.relative_to(PROJECT)) for source in SOURCES
    }


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("x := p", ("name", "p")),
        ("x := &T{}", ("instance", ("name", "T"))),
        ("x := pkg.T{A: 1}", ("instance", ("member", ("name", "pkg"), "T"))),
        ("x := []*T{}", ("instance", ("list", ("name", "T")))),
        ("x := map[string]T{}", ("instance", ("dict", (None, ("name", "T"))))),
        ("x := new(T)", ("instance", ("name", "T"))),
        ("x := make(chan T, 3)", ("instance", ("list", ("name", "T")))),
        ("x := p.(*T)", ("instance", ("name", "T"))),
        ("x, ok := p.(*T)", ("instance", ("name", "T"))),
        ("x := T[int]{}", ("instance", ("name", "T"))),
        ("x := p.a.b", ("member", ("member", ("name", "p"), "a"), "b")),
        ("x := p[3]", ("item", ("name", "p"))),
        ("x, ok := p[3]", ("item", ("name", "p"))),
        ("x := <-p", ("item", ("name", "p"))),
        ("x := p[1:2]", ("name", "p")),
        ("x := *p", ("name", "p")),
        ("x := g(p).h()", ("result", 1)),
        ("x, y := g()", ("item", ("result", 0))),
        ("x, y := p, 1", ("name", "p")),
        ("for _, x := range p {}", ("item", ("name", "p"))),
        ("for x := range p {}", None),
        ("var x = 1.5", ("literal", "float")),
        ("x := 1 + 2", ("literal", "int")),
        ('x := p + "s"', ("literal", "str")),
        ("x := p == nil", ("literal", "bool")),
        ("x := !p", ("literal", "bool")),
        ("x := string(p)", ("literal", "str")),
        ("x := []byte(p)", ("instance", ("list", ("name", "byte")))),
        ("x := func() {}", ("symbol", 2)),
        ("x := append(p, g)", ("either", ("name", "p"), ("list", ("name", "g")))),
        ("switch x := p.(type) {\ncase *T:\n_ = x\n}", ("instance", ("name", "T"))),
        ("select {\ncase x := <-p:\n_ = x\n}", ("item", ("name", "p"))),
    ],
)
def test_a_value_is_worth_what_its_expression_says(code, value):
    assert bound(code, "x") == value


def test_an_err_is_an_error_and_not_what_comes_along():
    facts = facts_of("func f() {\nitem, err := load()\n}")

    assert [(found.name, found.value) for found in facts.bindings] == [
        ("item", ("item", ("result", 0))),
        ("err", ("instance", ("name", "error"))),
    ]


def test_of_several_results_those_with_code_are_the_return_type():
    facts = facts_of("func f() (*T, error) { return nil, nil }\nfunc g() (a A, b pkg.B) { return }")

    assert facts.symbols[1].return_type == ("list", ("name", "T"))
    assert facts.symbols[2].return_type == ("list", ("name", "A"), ("member", ("name", "pkg"), "B"))
    assert facts.returns[1].value == ("list", ("name", "a"), ("name", "b"))


def test_a_receiver_is_this_and_the_first_parameter():
    facts = facts_of("func (s *Store[T]) Do(n int) { s.items.Push(n); func() { s.Go() }() }")

    method = facts.symbols[1]
    assert (method.kind, method.parent) == ("method", 0)
    assert method.parameters[0][:4] == ("s", "receiver", "*Store[T]", ("name", "Store"))
    assert facts.calls[0].callee == ("member", ("member", ("this",), "items"), "Push")
    assert facts.calls[1].callee == ("member", ("this",), "Go")


def test_a_receiver_that_is_shadowed_is_a_plain_name():
    facts = facts_of("func (s *Store) Do() { s := other(); s.Go() }")

    assert facts.calls[1].callee == ("member", ("name", "s"), "Go")


def test_a_method_stands_below_its_type_even_before_it():
    facts = facts_of("func (s Store) Do() {}\ntype Store struct{}")

    assert [qualified_name(facts, number) for number in (1, 2)] == ["Store", "Store.Do"]


def test_a_captured_variable_is_bound_where_it_is_declared():
    facts = facts_of("var total int\nfunc f() { n := 1; func() { n = 2; total = 3 }() }")

    assert [(found.scope, found.name) for found in facts.bindings] == [
        (0, "total"),
        (2, "n"),
        (2, "n"),
        (0, "total"),
    ]


def test_a_field_that_is_set_is_stored():
    facts = facts_of("func (s *S) f() { s.a.b = g(); x := T{C: s} ; _ = x }")

    assert [(found.receiver, found.name, found.value) for found in facts.stores] == [
        (("member", ("this",), "a"), "b", ("result", 0)),
        (("instance", ("name", "T")), "C", ("this",)),
    ]


def test_functions_passed_as_values_and_types_are_references_but_locals_are_not():
    facts = facts_of("func f(p P) { run(handler, p, pkg.Handler) }")

    assert [(found.kind, found.target) for found in facts.references] == [
        ("type", ("name", "P")),
        ("value", ("name", "handler")),
        ("value", ("member", ("name", "pkg"), "Handler")),
    ]


def test_a_generic_call_is_a_call_of_the_function():
    facts = facts_of("func f(i int) { Map[int, string](1); Sum[int](1, 2); table[i](3) }")

    assert [call.callee for call in facts.calls] == [
        ("name", "Map"),
        ("name", "Sum"),
        ("item", ("name", "table")),
    ]


def test_a_type_parameter_is_what_constrains_it():
    facts = facts_of("func f[T Entity, U any](a T, b U) {}")

    assert [parameter.type for parameter in facts.symbols[1].parameters] == [("name", "Entity"), None]


def test_constants_have_names_and_iota_lists_their_type():
    facts = facts_of('const greeting = "hello"\nconst (\nA Color = iota\nB\n)\nfunc f() { g("hi", 42, 1) }')

    assert [tuple(found) for found in facts.constants] == [
        (0, 2, "string", "hello", "greeting"),
        (4, 7, "number", "42", None),
    ]
    assert facts.symbols[3].value_type == ("name", "Color")


def test_an_assertion_says_what_a_type_implements():
    facts = facts_of("type T struct{}\nvar _ io.Reader = (*T)(nil)\nvar _ Two = &T{}\nvar _ Three = Far{}")

    assert [(base.kind, base.text) for base in facts.symbols[1].bases] == [
        ("implements", "io.Reader"),
        ("implements", "Two"),
    ]


def test_a_variable_that_shadows_itself_stays_what_it_was():
    facts = facts_of("func f() { x := g(); func() { x := x; x.Do() }() }")

    assert [(found.scope, found.value) for found in facts.bindings] == [(1, ("result", 0))]


def test_a_directive_is_no_documentation():
    facts = facts_of("// Runs fast.\n//\n//go:noinline\nfunc f() {}")

    assert facts.symbols[1].doc == "Runs fast."


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("fmt", "fmt"),
        ("net/http", "http"),
        ("github.com/go-chi/chi/v5", "chi"),
        ("gopkg.in/yaml.v3", "yaml"),
        ("github.com/mattn/go-isatty", "isatty"),
        ("github.com/nats-io/nats.go", "nats"),
        ("", ""),
    ],
)
def test_a_package_name_is_guessed_from_its_path(path, name):
    assert guess_package_name(path) == name


def test_a_function_that_c_code_may_call_is_an_entry_point():
    facts = facts_of(
        'import "C"\n\n// Add adds.\n//\n//export Add\nfunc Add() {}\n\n// export Sub\nfunc Other() {}'
    )

    assert [(found.kind, qualified_name(facts, found.symbol)) for found in facts.entry_points] == [
        ("export", "Add")
    ]


def test_a_client_call_is_no_route():
    code = 'import "net/http"\nfunc f() { client.Get("/users", opts); http.Get("/x") }'

    assert facts_of(code).entry_points == ()


def test_a_route_of_an_unknown_router_is_known_by_its_handler():
    code = (
        'import "net/http"\n'
        "func (a *API) list(r *http.Request) {}\nfunc (a *API) other(n int) {}\ntype API struct{}\n"
        'func (a *API) register() { r.Get("/list", wrap(a.list)); r.Get("/other", a.other) }'
    )

    facts = facts_of(code)

    assert [(found.detail, qualified_name(facts, found.symbol)) for found in facts.entry_points] == [
        ("GET /list", "API.list")
    ]


def test_gorilla_names_the_methods_of_a_route_behind_it():
    code = (
        'import "github.com/gorilla/mux"\n'
        "func list(w http.ResponseWriter, r *http.Request) {}\n"
        'func register(r *mux.Router) {\n\tr.HandleFunc("/list", list).Methods("GET", "HEAD")\n'
        '\tr.HandleFunc("/any", list)\n\tr.HandleFunc("/named", list).Name("x")\n}'
    )

    assert [found.detail for found in facts_of(code).entry_points] == [
        "GET,HEAD /list",
        "ANY /any",
        "ANY /named",
    ]


def test_paths_of_groups_are_joined_with_one_slash_wherever_it_is_written():
    code = (
        'import "github.com/gin-gonic/gin"\n'
        'func register(g *gin.Engine) {\n\tplugin := g.Group("/plugin/")\n'
        '\tplugin.GET("/:id/config", a.Config)\n\tplugin.GET("", a.List)\n'
        '\tg.Group("/user").Use(b).Group("/own/").POST("", a.Create)\n\tg.GET("current/user", a.Current)\n}'
    )

    assert [found.detail for found in facts_of(code).entry_points] == [
        "GET /plugin/:id/config",
        "GET /plugin/",
        "POST /user/own/",
        "GET current/user",
    ]


def test_methods_are_read_from_lists_and_constants():
    code = (
        'import "github.com/gin-gonic/gin"\n'
        'func register(g *gin.Engine) {\n\tg.Match([]string{"GET", http.MethodHead}, "/health", a.Health)\n'
        '\tg.Handle(http.MethodPatch, "/one", a.One)\n\tg.Match(pattern, "/health", a.Health)\n}'
    )

    assert [found.detail for found in facts_of(code).entry_points] == ["GET,HEAD /health", "PATCH /one"]


def test_routes_that_are_literals_are_handled_by_what_is_given_beside_them():
    code = """package api

import (
    "net/http"

    "github.com/danielgtaylor/huma/v2"
)

func Register(api huma.API) {
    Add(api, huma.Operation{Method: http.MethodDelete, Path: "/tokens/{id}", Tags: []string{"x"}}, remove)
    huma.Register(api, secured(huma.Operation{Path: "/all"}), list)
    huma.Get(api, "/one", list)
    log(huma.Operation{Path: "/nobody"})
    show(api, list)
    kept := huma.Operation{Path: "/kept"}
    show(kept, list)
}

func remove() {}
func list() {}
"""
    facts = facts_of(code)

    assert [(found.detail, qualified_name(facts, found.symbol)) for found in facts.entry_points] == [
        ("DELETE /tokens/{id}", "remove"),
        ("ANY /all", "list"),
        ("GET /one", "list"),
    ]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_a_damaged_go_file_still_gives_well_formed_facts(source):
    check_survives(extract, source.read_bytes(), source.name)


@settings(max_examples=25)
@given(st.binary(max_size=300))
def test_any_bytes_give_well_formed_facts(source):
    check_facts(extract(source, "a.go"), source)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        (b"func() any { return ", b"}"),
        (b"f(", b")"),
        (b"[]T{", b"}"),
        (b"a[", b"]"),
        (b"-", b""),
        (b"struct{ a ", b"}"),
    ],
)
def test_hostile_nesting_is_cut_and_said(opening, closing):
    source = b"package a\nvar x = " + opening * 2_000 + b"1" + closing * 2_000 + b"\nfunc after() {}\n"

    facts = extract(source, "a.go")

    check_facts(facts, source)
    assert facts.problems


def test_long_chains_and_sums_are_not_deep():
    source = b"package a\nvar x = a" + b".b()" * 3_000 + b" + 1" * 3_000 + b"\n"

    facts = extract(source, "a.go")

    check_facts(facts, source)
    assert len(facts.calls) == 3_000
    assert facts.problems == ()
