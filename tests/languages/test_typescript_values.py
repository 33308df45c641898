"""TypeScript expressions and types, one by one."""

import pytest
from extraction_checks import check_facts

from drift.languages.facts import FileFacts, Parameter, Symbol
from drift.languages.typescript import extract


def read(source: str, path: str = "file.ts") -> FileFacts:
    facts = extract(source.encode(), path)
    check_facts(facts, source.encode())
    return facts


def symbol(facts: FileFacts, name: str) -> Symbol:
    return next(found for found in facts.symbols[1:] if found.name == name)


def value_of(source: str, name: str = "x") -> object:
    return next(bound.value for bound in reversed(read(source).bindings) if bound.name == name)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("user", ("name", "user")),
        ("user.name", ("member", ("name", "user"), "name")),
        ("user['name']", ("member", ("name", "user"), "name")),
        ("user?.name!", ("member", ("name", "user"), "name")),
        ("users[0]", ("item", ("name", "users"))),
        ("make()", ("result", 0)),
        ("new Cart()", ("result", 0)),
        ("await load()", ("awaited", ("result", 0))),
        ("await load<Cart>()", ("awaited", ("result", 0))),
        ("raw as Cart", ("instance", ("name", "Cart"))),
        ("<Cart>raw", ("instance", ("name", "Cart"))),
        ("raw as unknown", ("name", "raw")),
        ("['a'] as const", ("list", ("literal", "str"))),
        ("raw satisfies Cart", ("name", "raw")),
        ("(raw)", ("name", "raw")),
        ("a ? b : c", ("either", ("name", "b"), ("name", "c"))),
        ("a || b", ("either", ("name", "a"), ("name", "b"))),
        ("a ?? b", ("either", ("name", "a"), ("name", "b"))),
        ("a && b", ("name", "b")),
        ("a === b", ("literal", "bool")),
        ("'a' + b", ("literal", "str")),
        ("`a${b}`", ("literal", "str")),
        ("12", ("literal", "int")),
        ("0xe1", ("literal", "int")),
        ("1.5", ("literal", "float")),
        ("null", ("literal", "none")),
        ("undefined", ("literal", "none")),
        ("/a/", ("literal", "regex")),
        ("[a, ...b]", ("list", ("name", "a"), ("item", ("name", "b")))),
        ("{ a, b: 1 }", ("dict", ("a", ("name", "a")), ("b", ("literal", "int")))),
        ("save.bind(this)", ("partial", ("name", "save"))),
        ("this.save", ("member", ("this",), "save")),
        ("(a, b)", ("name", "b")),
        ("require('./a').b.c", ("member", ("member", ("name", "require('./a')"), "b"), "c")),
    ],
)
def test_a_value_is_known_by_its_form(expression, value):
    assert value_of(f"function f() {{ let y = 0, x = {expression}; }}") == value


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("Cart", ("name", "Cart")),
        ("ns.Cart", ("member", ("name", "ns"), "Cart")),
        ("Cart[]", ("list", ("name", "Cart"))),
        ("readonly Cart[]", ("list", ("name", "Cart"))),
        ("Array<Cart>", ("list", ("name", "Cart"))),
        ("Promise<Cart>", ("name", "Cart")),
        ("Map<string, Cart>", ("dict", (None, ("name", "Cart")))),
        ("Cart | null | undefined", ("name", "Cart")),
        ("A | B", ("either", ("name", "A"), ("name", "B"))),
        ("Partial<Cart>", ("name", "Cart")),
        ("Page<Cart>", ("name", "Page")),
        ("{ cart: Cart }", ("dict", ("cart", ("name", "Cart")))),
        ("[A, B?]", ("list", ("name", "A"), ("name", "B"))),
        ("string", ("literal", "str")),
        ("'open'", ("literal", "str")),
        ("any", None),
        ("(x: A) => B", ("signature", ("name", "A"))),
        (
            "(x: string, ...rest: A[]) => B",
            ("signature", ("literal", "str"), ("rest", ("list", ("name", "A")))),
        ),
        ("() => B", None),
        ("new (x: A) => B", None),
    ],
)
def test_a_type_is_known_by_what_it_names(annotation, expected):
    facts = read(f"function f(x: {annotation}) {{}}")

    assert symbol(facts, "f").parameters[0].type == expected


def test_a_type_parameter_stands_for_its_constraint():
    facts = read("function f<T extends Cart, U>(a: T, b: U): T { return a; }")

    found = symbol(facts, "f")
    assert [parameter.type for parameter in found.parameters] == [("name", "Cart"), None]
    assert found.return_type == ("name", "Cart")


def test_parameters_keep_their_kinds_types_and_defaults():
    facts = read("function f(this: Cart, a = 1, { b }: Options = {}, ...rest: string[]) {}")

    assert symbol(facts, "f").parameters == (
        Parameter("this", "receiver", "Cart", ("name", "Cart")),
        Parameter("a", "plain", None, None, "1"),
        Parameter("{ b }", "plain", "Options", ("name", "Options"), "{}"),
        Parameter("rest", "rest", "string[]", ("list", ("literal", "str"))),
    )
    assert facts.bindings[0].value == ("member", ("instance", ("name", "Options")), "b")


def test_a_frozen_object_is_the_object():
    facts = read("const api = Object.freeze({ get() {} });")

    assert [(found.kind, found.name, found.parent) for found in facts.symbols[2:]] == [("method", "get", 1)]
    assert facts.bindings[0].value == ("dict", ("get", ("symbol", 2)))


@pytest.mark.parametrize(
    ("code", "reads"),
    [
        ("use(cart.total);", [(("name", "cart"), "total")]),
        ("cart.add(1);", []),
        ("cart.total = 1;", [(("name", "cart"), "total=")]),
        (
            "cart.owner.name = 'x';",
            [(("name", "cart"), "owner"), (("member", ("name", "cart"), "owner"), "name=")],
        ),
        ("cart.owner.greet();", [(("name", "cart"), "owner")]),
        ("use(cart.total, cart.total);", [(("name", "cart"), "total")]),
        (
            "use(cart.owner.name);",
            [(("name", "cart"), "owner"), (("member", ("name", "cart"), "owner"), "name")],
        ),
        ("use(make().total);", [(("result", 1), "total")]),
        ("use('text'.length);", []),
        ("new shop.Cart();", []),
        ("use(cart['total']);", []),
    ],
)
def test_a_member_that_is_read_may_be_a_getter(code, reads):
    facts = extract(code.encode(), "shop.ts")

    check_facts(facts, code.encode())
    assert [(read.receiver, read.name) for read in facts.accesses] == reads


def test_each_function_notes_its_own_reads():
    facts = extract(b"function f(c) { return c.x + c.x }\nfunction g(c) {\n return c.x }", "shop.ts")

    assert [(read.scope, read.line) for read in facts.accesses] == [(1, 1), (2, 3)]


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("const x = sql<number>`count`;", ["sql"]),
        ("const x = sql<string>`lower`.as('l');", ["sql", "sql(…).as"]),
        ("const x = a.run<typeof import('./b')>(c);", ["a.run"]),
        ("if (!isA<number>('n', y)) {}", ["isA"]),
        ("const x = await read<User>(y);", ["read"]),
    ],
)
def test_a_call_with_type_arguments_that_the_grammar_misreads_is_a_call(source, texts):
    assert [call.text for call in read(source).calls] == texts


@pytest.mark.parametrize("source", ["const x = a < b;", "const x = a < b > `c`;", "const x = a<b && c>(d);"])
def test_comparisons_are_no_calls(source):
    assert read(source).calls == ()
