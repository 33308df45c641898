"""TypeScript and TSX: the fixture project, symbols and their surroundings, and damage."""

from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations
from hypothesis import given
from hypothesis import strategies as st

from drift.languages.facts import Base, FileFacts, Symbol
from drift.languages.typescript import extract

_PROJECT = Path(__file__).parent.parent / "projects" / "typescript"
_EXPECTED = list(expectations(_PROJECT))
_SOURCES = sorted(path for path in _PROJECT.rglob("*.ts*") if path.suffix != ".toml")


def read(source: str, path: str = "file.ts") -> FileFacts:
    facts = extract(source.encode(), path)
    check_facts(facts, source.encode())
    return facts


def symbol(facts: FileFacts, name: str) -> Symbol:
    return next(found for found in facts.symbols[1:] if found.name == name)


@pytest.mark.parametrize(("path", "kind", "lines"), _EXPECTED, ids=[f"{e[0]} {e[1]}" for e in _EXPECTED])
def test_the_project_gives_what_is_written_beside_it(path, kind, lines):
    compare_with_expected(extract, _PROJECT, path=path, kind=kind, lines=lines)


def test_every_source_of_the_project_has_expectations():
    assert {path for path, _, _ in _EXPECTED} == {str(path.relative_to(_PROJECT)) for path in _SOURCES}


@pytest.mark.parametrize("path", _SOURCES, ids=lambda path: path.name)
def test_damaged_sources_never_break_extraction(path):
    check_survives(extract, path.read_bytes(), path.name)


@given(st.binary(max_size=300))
def test_any_bytes_give_well_formed_facts(source):
    check_facts(extract(source, "file.tsx"), source)


@given(
    st.lists(
        st.sampled_from(
            [*"(){}[]<>.,;:?!@#=&|`'\"\n", "=>", "class ", "function ", "x", "${", "import ", "export ", "//",
             "const ", "new ", "await ", "<A>", "</A>", "...", "?.", "enum ", "default ", "'use'", "get "]
        ),
        max_size=40,
    )
)  # fmt: skip
def test_any_pieces_of_syntax_give_well_formed_facts(pieces):
    source = "".join(pieces).encode()

    check_facts(extract(source, "file.tsx"), source)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"), ("[", "]"), ("{a:", "}"), ("f(", ")"), ("() => ", ""), ("a ? b : ", ""), ("a.b.c.d(", ")"),
        ("<A>{", "}</A>"), ("!", ""), ("a[", "]"), ("`${", "}`"), ("new A(", ")"), ("async () => { await ", "}"),
    ],
)  # fmt: skip
def test_nesting_without_end_is_followed_to_the_bottom(opening, closing):
    source = f"let x = {opening * 3_000}bottom({{}}){closing * 3_000};"
    facts = extract(source.encode(), "file.tsx")

    check_facts(facts, source.encode())
    if not facts.problems:
        assert "bottom" in {call.text for call in facts.calls}


@pytest.mark.parametrize(
    "link", [".a", ".a()", "[0]", "!", " + y", " || y", "?.b", " as any", "['q']", ".bind(y).a"]
)
def test_a_chain_without_end_is_followed_in_a_loop(link):
    facts = read(f"let x = root{link * 5_000};")

    assert not facts.problems
    assert facts.bindings[0].name == "x"
    assert len(facts.calls) == (5_000 if "(" in link else 0)
    assert depth_of(facts.bindings[0].value) < 20


def depth_of(value: object) -> int:
    depth = 0
    while isinstance(value, tuple) and len(value) > 1:
        value = value[1]
        depth += 1
    return depth


def test_names_without_end_are_cut_in_the_text_of_a_call():
    name = "n" * 500
    facts = read(f"{name}(); x.{name}(); require('./{name}')(); new {name}(); <{name}/>;", "file.tsx")

    assert {len(call.text) for call in facts.calls} == {120}


def test_a_ladder_of_else_ifs_is_followed_to_its_end():
    facts = read("if (a) one();" + " else if (b) two();" * 2_000 + " else last();")

    assert facts.calls[-1].text == "last"


def test_a_parameter_property_is_a_field_with_its_type():
    facts = read("class A { constructor(private readonly users: Users) {} }")

    found = symbol(facts, "users")
    assert (found.kind, found.visibility, found.value_type) == ("field", "private", ("name", "Users"))
    assert facts.stores[0][1:4] == (("this",), "users", ("name", "users"))


def test_a_mixin_is_a_base_of_its_own_kind():
    facts = read("class A extends Mixin(B) implements C<D> {}")

    assert symbol(facts, "A").bases == (
        Base("Mixin(B)", ("result", 0), "mixes"),
        Base("C<D>", ("name", "C"), "implements"),
    )


def test_docs_belong_to_the_declaration_below_them():
    facts = read(
        "/** File. */\nimport './a';\n/**\n * Adds.\n * @param a one\n */\nexport const add = (a) => a;\n"
    )

    assert facts.symbols[0].doc == "File."
    assert symbol(facts, "add").doc == "Adds.\n@param a one"
    assert not facts.comments


def test_the_span_of_a_decorated_class_begins_after_its_decorators():
    facts = read("@A()\n@B\nexport class C {\n  @D() @E method() {}\n}\n")

    assert (symbol(facts, "C").line, symbol(facts, "C").end_line) == (3, 5)
    assert [found.name for found in symbol(facts, "C").decorators] == ["A", "B"]
    assert [found.name for found in symbol(facts, "method").decorators] == ["D", "E"]
    assert [(call.text, call.kind) for call in facts.calls] == [(name, "decorator") for name in "ABDE"]


def test_a_bare_decorator_is_called_with_what_it_stands_on():
    facts = read("@sealed class A {}")

    assert facts.calls[0].arguments == ((None, ("symbol", 1)),)


def test_a_call_in_a_chain_stands_where_its_name_stands():
    facts = read("knex('users')\n  .where(id)\n  .first();\n")

    assert [(call.text, call.line, call.column) for call in facts.calls] == [
        ("knex", 1, 0),
        ("knex(…).where", 2, 3),
        ("knex(…).where(…).first", 3, 3),
    ]


def test_calling_a_function_through_call_is_a_call_of_it():
    facts = read("Base.prototype.init.call(this, a)")

    assert facts.calls[0].callee == ("member", ("member", ("name", "Base"), "prototype"), "init")
    assert facts.calls[0].arguments == ((None, ("name", "a")),)


def test_only_names_from_outside_a_function_are_references():
    facts = read(
        "import { a } from './a'; const k = 1; function f(p) { const v = 2; use(a, k, p, v, window); }"
    )

    assert [found.target for found in facts.references] == [("name", "a"), ("name", "k")]


def test_a_script_without_modules_may_name_what_other_scripts_declare():
    facts = read("start(settings);")

    assert [found.target for found in facts.references] == [("name", "settings")]


def test_types_are_references_of_their_own_kind():
    facts = read("import { A, B, C } from './a'; let x: A<B>; class D { m(p: C): void {} }")

    assert [(found.target[1], found.kind) for found in facts.references] == [
        ("B", "type"),
        ("A", "type"),
        ("C", "type"),
    ]


def test_an_assignment_belongs_to_the_scope_that_declares_the_variable():
    facts = read("let a; function f(b) { let c; return () => { a = 1; b = 2; c = 3; d = 4; }; }")

    scopes = {bound.name: bound.scope for bound in facts.bindings}
    assert scopes == {"a": 0, "b": 2, "c": 2, "d": 0}


def test_exports_by_name_are_stores_and_mark_the_symbol():
    facts = read("function a() {} const b = 1; export { a as c, b }; export default a;")

    assert [(store.receiver, store.name, store.value) for store in facts.stores] == [
        (("name", "exports"), "c", ("name", "a")),
        (("name", "exports"), "b", ("name", "b")),
        (("name", "exports"), "default", ("name", "a")),
    ]
    assert symbol(facts, "a").modifiers == ("default", "exported")
    assert symbol(facts, "b").modifiers == ("exported",)


def test_constants_carry_the_name_they_are_given():
    facts = read("const URL = 'https://a.b'; f('text', 42, 1, 'no'); enum E { A = 'alpha' }")

    assert [(found.kind, found.value, found.name) for found in facts.constants] == [
        ("string", "https://a.b", "URL"),
        ("string", "text", None),
        ("number", "42", None),
        ("string", "alpha", "A"),
    ]


def test_environment_reads_keep_the_nearest_default():
    facts = read("const a = process.env.A || process.env['B'] || 'c'; Deno.env.get('D');")

    assert [(found.name, found.default_text) for found in facts.environment_reads] == [
        ("A", "process.env['B']"),
        ("B", "'c'"),
        ("D", None),
    ]


def test_problems_are_named_and_the_rest_is_kept():
    facts = read("function good() {}\nclass { ( \nfunction alsoGood() {}\n")

    assert facts.problems
    assert {"good", "alsoGood"} <= {found.name for found in facts.symbols}


def test_a_computed_member_is_called_as_it_is_written():
    facts = read("class A { *[Symbol.iterator]() {} ['plain']() {} }")

    assert [found.name for found in facts.symbols[2:]] == ["[Symbol.iterator]", "plain"]


def test_only_variables_of_the_file_itself_are_symbols():
    facts = read("const a = 1; for (let i = 0; i < a; i++) { const b = i; } if (a) { let c = 2; } { var d; }")

    assert [found.name for found in facts.symbols[1:]] == ["a"]
    assert [bound.name for bound in facts.bindings] == ["a", "i", "b", "c", "d"]


def test_a_name_is_noted_as_used_when_only_a_member_of_it_is_called():
    facts = read("import { api } from './api'; api.users.list();")

    assert [found.target for found in facts.references] == [("name", "api")]
    assert facts.calls[0].callee == ("member", ("member", ("name", "api"), "users"), "list")


def test_handling_of_exceptions_is_kept_with_its_scope():
    facts = read("function f() { try { g(); } catch (e) { throw new ns.Failure(e); } finally {} throw e; }")

    assert [(found.kind, found.types, found.is_empty) for found in facts.handlings] == [
        ("try", (), False),
        ("catch", (), False),
        ("throw", ("ns.Failure",), False),
        ("finally", (), True),
        ("throw", (), False),
    ]


def test_returns_and_yields_belong_to_their_function():
    facts = read("function* f() { yield a; yield* b; return () => c; }")

    assert [(found.scope, found.value, found.is_yield) for found in facts.returns] == [
        (1, ("name", "a"), True),
        (1, ("item", ("name", "b")), True),
        (2, ("name", "c"), False),
        (1, ("symbol", 2), False),
    ]


def test_copies_share_fingerprints_and_strangers_do_not():
    body = "".join(f"if (a{n}) {{ call{n}(b{n}, {n}); }} else {{ other(c, d.e); }}\n" for n in range(9))
    one = {found.hash for found in read(f"function f() {{ {body} }}").fingerprints}
    renamed = {
        found.hash
        for found in read(f"const x = 1;\nfunction g() {{ {body.replace('a', 'q')} }}").fingerprints
    }
    other = {
        found.hash for found in read("class A { x = [1, 2, 3]; y: Map<A, B>; z = `t`; }\n" * 9).fingerprints
    }

    assert one & renamed
    assert not one & other


def test_an_empty_file_is_a_module_and_nothing_else():
    facts = read("")

    assert len(facts.symbols) == 1
    assert facts[6:] == ((),) * len(facts[6:])


def test_a_file_with_a_byte_order_mark_and_carriage_returns_is_read():
    source = b"\xef\xbb\xbfexport class A {\r\n  m() { return 1; }\r\n}\r\n"
    facts = extract(source, "a.ts")

    check_facts(facts, source)
    assert [(found.kind, found.name, found.line) for found in facts.symbols[1:]] == [
        ("class", "A", 1),
        ("method", "m", 2),
    ]


def test_names_outside_ascii_are_whole():
    facts = read("const größe = (ñ) => ñ; class Ж {}")

    assert [found.name for found in facts.symbols[1:]] == ["größe", "Ж"]


@pytest.mark.parametrize("path", ["a.ts", "a.tsx"])
def test_a_call_signature_ends_with_its_line(path):
    source = b"""interface Read {
  (key: string): Store
  <T>(key: T): [Store, T] // the second
  // the third

  <
    T = {},
  >(key: T): Other<T>
}
export const after = <T,>(value: T) => value
"""
    found = extract(source, path)

    assert [symbol.name for symbol in found.symbols if symbol.kind == "function"] == ["after"]
    assert found.symbols[-1].line == 10
    assert not found.problems


def test_a_source_with_other_errors_is_read_as_it_is():
    source = b"interface A {\n  (a: B): C\n  <T>(a: T): T\n}\nfunction kept() {}\nconst = ;\n"

    found = extract(source, "a.ts")

    assert "kept" in {symbol.name for symbol in found.symbols}
    assert found.problems


def test_a_function_in_an_object_that_a_member_is_given_is_no_method_of_the_class():
    facts = read(
        "class Order { @Column({ default: () => 1, to: { read() {} } }) at: Date; form = group({ save: () => 2 }); "
        "own = { run() {} } }"
    )

    made = {(one.name, one.kind, facts.symbols[one.parent].name) for one in facts.symbols[1:]}
    assert {
        ("<default>", "function", "Order"),
        ("<read>", "function", "Order"),
        ("<save>", "function", "Order"),
    } <= made
    assert ("run", "method", "own") in made
