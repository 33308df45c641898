from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations, qualified_name
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.php import extract

PROJECT = Path(__file__).parent.parent / "projects" / "php"
SOURCES = sorted(PROJECT.rglob("*.php"))


def facts_of(code: str, path: str = "a.php"):
    source = f"<?php\n{code}".encode()
    facts = extract(source, path)
    check_facts(facts, source)
    return facts


def bound(code: str, name: str = "$x"):
    """The last value of a variable of a method of class C whose body is `code`."""
    facts = facts_of(f"class C extends B {{ function f($p) {{\n{code}\n}} }}")
    return [binding.value for binding in facts.bindings if binding.name == name][-1]


def symbol(facts, name: str):
    return next(each for number, each in enumerate(facts.symbols) if qualified_name(facts, number) == name)


@pytest.mark.parametrize(("path", "kind", "lines"), [*expectations(PROJECT)])
def test_a_php_file_gives_the_facts_stated_beside_it(path, kind, lines):
    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


def test_every_php_fixture_is_expected():
    assert {path for path, _, _ in expectations(PROJECT)} == {
        str(source.relative_to(PROJECT)) for source in SOURCES
    }


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("$x = $p;", ("name", "$p")),
        ("$x = $this;", ("this",)),
        ("$x = $p->a->b;", ("member", ("member", ("name", "$p"), "a"), "b")),
        ("$x = $p?->a;", ("member", ("name", "$p"), "a")),
        ("$x = $p->$q;", None),
        ("$x = self::$all;", ("member", ("symbol", 1), "all")),
        ("$x = static::LIMIT;", ("member", ("this",), "LIMIT")),
        ("$x = parent::LIMIT;", ("member", ("super",), "LIMIT")),
        ("$x = A\\B::LIMIT;", ("member", ("member", ("name", "A"), "B"), "LIMIT")),
        ("$x = \\A\\f(...);", ("partial", ("member", ("member", ("name", "\\"), "A"), "f"))),
        ("$x = namespace\\LIMIT;", ("name", "LIMIT")),
        ("$x = Foo::class;", ("name", "Foo")),
        ("$x = $this->m(...);", ("partial", ("member", ("this",), "m"))),
        ("$x = [$this, 'm'];", ("partial", ("member", ("this",), "m"))),
        ("$x = [Foo::class, 'm'];", ("partial", ("member", ("name", "Foo"), "m"))),
        ("$x = ['a', 'b'];", ("list", ("literal", "str"), ("literal", "str"))),
        ("$x = ['k' => $p, ...$q];", ("dict", ("k", ("name", "$p")), (None, ("item", ("name", "$q"))))),
        ("$x = $p['k'];", ("item", ("name", "$p"))),
        ("$x = $p ?? $q;", ("either", ("name", "$p"), ("name", "$q"))),
        ("$x = $p ?: 3;", ("either", ("name", "$p"), ("literal", "int"))),
        ("$x = $p ? $q : null;", ("either", ("name", "$q"), ("literal", "none"))),
        ("$x = match($p) { 1 => $q, default => $r };", ("either", ("name", "$q"), ("name", "$r"))),
        ("$x = $p . 'a' . $q;", ("literal", "str")),
        ("$x = $p instanceof Foo;", ("literal", "bool")),
        ("$x = (string) $p;", ("literal", "str")),
        ("$x = clone $p;", ("name", "$p")),
        ("$x = ($p);", ("name", "$p")),
        ("$x = @$p;", ("name", "$p")),
        ("$x = new Foo($p);", ("result", 0)),
        ("$x = f()->g();", ("result", 1)),
        ("$x = fn() => 1;", ("symbol", 3)),
        ("$x[] = $p;", ("list", ("name", "$p"))),
        ("[, $x] = $p;", ("item", ("name", "$p"))),
        ("foreach ($p as [$k, $x]) {}", ("item", ("item", ("name", "$p")))),
        ("foreach ($p as $k => &$x) {}", ("item", ("name", "$p"))),
        ("$x = &$p->a;", ("member", ("name", "$p"), "a")),
        ("global $x;", ("member", ("symbol", 0), "$x")),
    ],
)
def test_an_expression_says_what_it_is_worth(code, value):
    assert bound(code) == value


@pytest.mark.parametrize(
    ("declared", "form"),
    [
        ("Foo", ("name", "Foo")),
        ("?Foo", ("name", "Foo")),
        ("Foo|null", ("name", "Foo")),
        ("Foo|Bar", ("either", ("name", "Foo"), ("name", "Bar"))),
        ("\\A\\Foo", ("member", ("member", ("name", "\\"), "A"), "Foo")),
        ("string", ("literal", "str")),
        ("mixed", None),
        ("Foo[]", ("list", ("name", "Foo"))),
        ("array<int, Foo>", ("list", ("name", "Foo"))),
        ("list<array<string, Foo>>", ("list", ("list", ("name", "Foo")))),
        ("Collection<int, Foo>", ("name", "Collection")),
        ("Foo | Bar", ("either", ("name", "Foo"), ("name", "Bar"))),
        ("$this", ("this",)),
        ("static", ("this",)),
        ("array{name: string, owner: Foo}", ("list", ("name", "Foo"))),
        ("<<<", None),
    ],
)
def test_a_docblock_gives_types_where_none_are_declared(declared, form):
    facts = facts_of(
        f"/**\n * @param {declared} $a what it is\n * @return {declared}\n */\nfunction f($a) {{}}"
    )

    assert facts.symbols[1].parameters[0].type == form
    assert facts.symbols[1].return_type == form


def test_a_declared_type_wins_over_the_docblock_unless_it_is_a_bare_array():
    facts = facts_of("/**\n * @param Foo $a\n * @param Foo[] $b\n */\nfunction f(Bar $a, array $b) {}")

    first, second = facts.symbols[1].parameters
    assert (first.type, first.type_text) == (("name", "Bar"), "Bar")
    assert (second.type, second.type_text) == (("list", ("name", "Foo")), "array")


def test_a_promoted_parameter_is_a_field_with_its_type():
    facts = facts_of("class A { function __construct(private readonly Foo $foo) {} }")

    field = symbol(facts, "A.foo")
    assert (field.kind, field.visibility, field.modifiers) == ("field", "private", ("readonly",))
    assert field.value_type == ("name", "Foo")
    assert facts.stores[0][1:4] == (("this",), "foo", ("name", "$foo"))


def test_named_arguments_match_the_names_of_parameters():
    facts = facts_of("f(1, mode: $m, ...$rest);")

    assert facts.calls[0].arguments == (
        (None, ("literal", "int")),
        ("$mode", ("name", "$m")),
        (None, ("item", ("name", "$rest"))),
    )


def test_self_in_a_trait_is_whatever_uses_it():
    facts = facts_of("trait T { function f() { return self::g(); } }")

    assert facts.calls[0].callee == ("member", ("this",), "g")


def test_new_static_makes_the_class_at_hand():
    facts = facts_of("class A { static function make() { return new static; } }")

    assert (facts.calls[0].callee, facts.calls[0].kind) == (("symbol", 1), "new")


def test_a_call_in_a_chain_has_the_line_of_its_own_name():
    facts = facts_of("$a\n  ->b()\n  ->c();")

    assert [call.line for call in facts.calls] == [3, 4]


def test_code_in_strings_is_seen():
    facts = facts_of('echo "a {$b->c()} $d";\necho <<<X\n  {$e->f()}\nX;')

    assert [call.text for call in facts.calls] == ["$b->c", "$e->f"]


def test_a_closure_in_a_method_is_a_symbol_below_it():
    facts = facts_of("class A { function f() { return fn() => $this->g(); } }")

    assert qualified_name(facts, facts.calls[0].scope) == "A.f.{closure}"
    assert facts.calls[0].callee == ("member", ("this",), "g")


def test_a_very_long_concatenation_is_read_whole():
    facts = facts_of("$x = " + " . ".join(f"f({number})" for number in range(3000)) + ";")

    assert len(facts.calls) == 3000
    assert facts.problems == ()


def test_a_chain_of_else_if_does_not_nest():
    facts = facts_of("if ($a) { f(); }" + " else if ($a) { f(); }" * 500 + " else { f(); }")

    assert len(facts.calls) == 502
    assert facts.problems == ()


def test_a_very_long_chain_is_read_whole():
    facts = facts_of("$a" + "->b($c)" * 800 + ";")

    assert len(facts.calls) == 800
    assert facts.calls[799].callee == ("member", ("result", 798), "b")
    assert facts.problems == ()


@pytest.mark.parametrize("opening", ["[", "(", "f(", "fn() => ", "!", "if (1) ", "{", "$a->b(", "$a[", "?"])
def test_hostile_depth_is_cut_not_followed(opening):
    source = b"<?php\nfunction g() {}\n" + opening.encode() * 20_000

    check_facts(extract(source, "a.php"), source)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("f(", ")"),
        ("[", "]"),
        ("(", ")"),
        ("$a->b(", ")"),
        ("new A(", ")"),
        ("$a ? 1 : (", ")"),
        ("function() { return ", "; }"),
        ("match(1) { 1 => ", "}"),
        ("new class { public $a = ", ";}"),
        ("fn() => ", ""),
    ],
)
def test_deep_but_valid_code_is_cut_with_a_problem(opening, closing):
    facts = facts_of(f"$x = {opening * 1_000}1{closing * 1_000};\nfunction after() {{}}")

    assert any("nested deeper" in problem.message for problem in facts.problems)
    assert facts.symbols[-1].name == "after"


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_damaged_php_never_stops_the_extractor(source):
    check_survives(extract, source.read_bytes(), source.name, count=25)


@given(st.binary(max_size=200))
@settings(max_examples=25)
def test_any_bytes_are_php_enough(noise):
    source = b"<?php " + noise
    check_facts(extract(source, "a.php"), source)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("#[A]\n#[B(1)]\nfinal class C {}", "C"),
        ("#[A,\nB]\nfunction f() {}", "f"),
        ("#[A]\n// why\nenum E {}", "E"),
    ],
)
def test_a_declaration_begins_below_its_attributes(code, name):
    found = symbol(facts_of(code), name)

    assert (found.line, found.column) == (4, 0)


@pytest.mark.parametrize(
    ("route", "handler"),
    [
        ("Route::get('/a', [Home::class, 'a']);", "Home.a"),
        ("Route::get('/a', Home::class);", "Home.__invoke"),
        ("Route::get('/a', 'Home@a');", "App.Http.Controllers.Home.a"),
        ("Route::get('/a', ['uses' => 'Home@a', 'as' => 'x']);", "App.Http.Controllers.Home.a"),
        ("Route::get('/a', ['uses' => [Home::class, 'a']]);", "Home.a"),
        ("Route::controller(Home::class)->group(function () { Route::get('/a', 'a'); });", "Home.a"),
        (
            "Route::group(['namespace' => 'Admin'], function () { Route::get('/a', 'Home@a'); });",
            "App.Http.Controllers.Admin.Home.a",
        ),
        (
            r"Route::namespace('Shop\Http\Controllers')->group(function () { Route::get('/a', ['uses' => 'Home@a']); });",
            "Shop.Http.Controllers.Home.a",
        ),
    ],
)
def test_a_route_says_which_method_answers_it_in_every_way_laravel_has(route, handler):
    facts = extract(f"<?php\n{route}\n".encode(), "routes/web.php")

    [found] = [point for point in facts.entry_points if point.kind == "http"]

    assert dotted(found.handler) == handler


@pytest.mark.parametrize(
    "call",
    [
        "$app->config->get('queue.driver', 'database');",
        "$app['config']->get('queue.driver', 'database');",
        "$app->make('config')->get('queue.driver', 'database');",
        "$this->app->config->get('queue.driver', 'database');",
        "$this->app->make('config')->get('queue.driver', 'database');",
    ],
)
def test_what_a_container_holds_is_no_router(call):
    assert facts_of(call).entry_points == ()


@pytest.mark.parametrize(
    "call",
    ["$app->get('/a', 'b');", "$this->router->get('/a', 'b');", "$app->router->name('x')->get('/a', 'b');"],
)
def test_a_router_is_held_by_variables_and_properties(call):
    assert [point.detail for point in facts_of(call).entry_points] == ["GET /a"]


@pytest.mark.parametrize(
    "limits", ["->only(['index', 'show'])", "->names('x')->except('store', 'update', 'destroy')->scoped()"]
)
def test_a_resource_has_the_routes_that_calls_behind_it_leave(limits):
    facts = facts_of(f"Route::apiResource('a', A::class){limits};")

    assert [point.detail for point in facts.entry_points] == ["GET /a", "GET /a/{a}"]


def dotted(form):
    parts = []
    while form[0] == "member":
        parts.append(form[2])
        form = form[1]
    return ".".join(reversed([*parts, *([] if form[1] == "\\" else [form[1]])]))


@pytest.mark.parametrize(
    ("code", "entered"),
    [
        (
            (
                "class S { static function getSubscribedEvents() { return [Sent::class => ['onSent', 10], "
                "KernelEvents::REQUEST => [['early', 1], ['late']]]; } function onSent() {} function early() {} function late() {} "
                "function other() {} }"
            ),
            {
                "onSent": "event Sent",
                "early": "event KernelEvents::REQUEST",
                "late": "event KernelEvents::REQUEST",
            },
        ),
        (
            "class S { function getSubscribedEvents() { return [Events::postPersist]; } function postPersist() {} }",
            {"postPersist": "event Events::postPersist"},
        ),
        (
            (
                "class E { function all() { return [new TwigFilter('price', [$this, 'show']), new TwigFunction('now', $this->now(...))]; } "
                "function show() {} function now() {} }"
            ),
            {"show": "event Twig price", "now": "event Twig now"},
        ),
        (
            "#[AsEventListener(event: Sent::class, method: 'run')] class L { function run() {} }",
            {"run": "event Sent"},
        ),
        (
            "class L { #[AsEventListener(event: Sent::class)] function run() {} #[AsTwigFilter('x')] function cut() {} }",
            {"run": "event Sent", "cut": "event Twig x"},
        ),
    ],
)
def test_what_code_names_for_a_framework_to_call_is_entered(code, entered):
    facts = extract(f"<?php\n{code}".encode(), "src/a.php")

    found = {facts.symbols[one.symbol].name: f"{one.kind} {one.detail}" for one in facts.entry_points}
    assert found == entered


@pytest.mark.parametrize(
    ("attribute", "route"),
    [
        ("'/a', name: 'x'", "ANY /a"),
        ("name: 'x'", "ANY /"),
        ("name: 'x', path: '/a', methods: ['GET']", "GET /a"),
        ("path: ['en' => '/about', 'de' => '/info']", "ANY /about"),
    ],
)
def test_a_route_by_attribute_has_its_path_and_not_its_name(attribute, route):
    facts = extract(f"<?php\nclass A {{ #[Route({attribute})] function a() {{}} }}".encode(), "a.php")

    assert [one.detail for one in facts.entry_points] == [route]
