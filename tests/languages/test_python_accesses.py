"""What Python code runs without a call in its text: members that are read, operators, statements, built-ins."""

from pathlib import Path

import pytest
from extraction_checks import check_expression, mutations
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.facts import MAKING, Access
from drift.languages.python import extract

PROJECT = Path(__file__).parents[1] / "projects" / "python"
SOURCES = sorted(PROJECT.rglob("*.py"))
A, B, E = ("name", "a"), ("name", "b"), ("name", "e")
THIS = ("this",)


def accesses_of(source):
    return extract(source.encode(), "shop/example.py").accesses


def members_of(source):
    """Receiver and name of each access."""
    return [(access.receiver, access.name) for access in accesses_of(source)]


def check_accesses(source):
    facts = extract(source, "any.py")
    line_count = source.count(b"\n") + 1
    keys = [(access.scope, access.receiver, access.name) for access in facts.accesses]
    assert len(keys) == len(set(keys))
    for access in facts.accesses:
        assert 0 <= access.scope < len(facts.symbols), access
        assert 1 <= access.line <= line_count, access
        assert access.receiver is not None
        assert access.receiver[0] not in {"literal", "list", "dict"}, access
        check_expression(access.receiver, facts)


@pytest.mark.parametrize(
    ("source", "members"),
    [
        ("e.b", [(E, "b")]),
        ("e.b.c", [(E, "b"), (("member", E, "b"), "c")]),
        ("e.b.c()", [(E, "b")]),
        ("e.b()", []),
        ("f().b", [(("result", 0), "b")]),
        ("f().b.c()", [(("result", 0), "b")]),
        ("e.b = 1", [(E, "b=")]),
        ("e.b.c = 1", [(E, "b"), (("member", E, "b"), "c=")]),
        ("del e.b", []),
        ("del e.b.c", [(E, "b")]),
        ("del (e.b), [a.b.c]", [(A, "b")]),
        ("'x'.b", []),
        ("[a].b", []),
        ("(a + 1).b", [(A, "__add__"), (("operated", A, ("literal", "int"), "__add__", "__radd__"), "b")]),
        ("getattr(e, 'b')", [(E, "b")]),
        ("getattr(e, a)", []),
        ("def f(x: e.b) -> e.c: ...", []),
        ("@e.b.c\ndef f(): ...", [(E, "b")]),
        ("class C(key=e.b): ...", [(E, "b")]),
        ("class C: ...", []),
        ("class C(): ...", []),
    ],
)
def test_a_member_that_is_read_is_an_access(source, members):
    assert members_of(source) == members


@pytest.mark.parametrize("source", ["class C(e.b): ...", "class C(metaclass=e): ..."])
def test_a_class_that_others_take_part_in_making_says_what_may_run(source):
    assert members_of(source) == [(("symbol", 1), MAKING)]


@pytest.mark.parametrize(
    ("source", "members"),
    [
        ("e[a]", [(E, "__getitem__")]),
        ("e[a:b]", [(E, "__getitem__")]),
        ("e[a] = 1", [(E, "__setitem__")]),
        ("del e[a]", [(E, "__delitem__")]),
        ("del e[a].b", [(E, "__getitem__")]),
        ("a in e", [(E, "__contains__")]),
        ("a not in e", [(E, "__contains__")]),
        ("a is e", []),
        ("a in (1, 2)", []),
    ],
)
def test_elements_are_used_by_methods_of_their_container(source, members):
    assert members_of(source) == members


def test_setting_an_element_is_said_once():
    facts = extract(b"e[a] = b\n", "a.py")

    assert [call.text for call in facts.calls] == ["__setitem__"]
    assert facts.accesses == ()


@pytest.mark.parametrize(
    ("source", "members"),
    [
        ("with e: pass", [(E, "__enter__"), (E, "__exit__")]),
        ("with e as x: pass", [(E, "__exit__")]),
        ("with (a as x, e): pass", [(A, "__exit__"), (E, "__enter__"), (E, "__exit__")]),
        ("async def f():\n async with e: pass", [(E, "__aenter__"), (E, "__aexit__")]),
        ("async def f():\n async with e as x: pass", [(E, "__aexit__")]),
        ("with open(p): pass", [(("result", 0), "__enter__"), (("result", 0), "__exit__")]),
        ("for x in e: pass", [(E, "__iter__"), (E, "__next__")]),
        ("for x in [a]: pass", []),
        ("[x for x in e]", [(E, "__iter__"), (E, "__next__")]),
        ("async def f():\n async for x in e: pass", [(E, "__aiter__"), (E, "__anext__")]),
        ("async def f():\n return [x async for x in e]", [(E, "__aiter__"), (E, "__anext__")]),
        ("def f():\n yield from e", [(E, "__iter__"), (E, "__next__")]),
        ("async def f():\n await e", [(E, "__await__")]),
    ],
)
def test_statements_run_the_methods_of_their_protocol(source, members):
    assert members_of(source) == members


@pytest.mark.parametrize(
    ("source", "members"),
    [
        ("a + b", [(A, "__add__"), (B, "__radd__")]),
        ("a + 1", [(A, "__add__")]),
        ("1 - b", [(B, "__rsub__")]),
        (
            "a @ 1 // b",
            [
                (A, "__matmul__"),
                (("operated", A, ("literal", "int"), "__matmul__", "__rmatmul__"), "__floordiv__"),
                (B, "__rfloordiv__"),
            ],
        ),
        ("'%s' % b", []),
        ("'x' + b", [(B, "__radd__")]),
        ("a += b", [(A, "__iadd__"), (A, "__add__"), (B, "__radd__")]),
        (
            "e.b -= 1",
            [(E, "b="), (E, "b"), (("member", E, "b"), "__isub__"), (("member", E, "b"), "__sub__")],
        ),
        (
            "e[0] *= 2",
            [
                (E, "__setitem__"),
                (E, "__getitem__"),
                (("item", E, "[0]"), "__imul__"),
                (("item", E, "[0]"), "__mul__"),
            ],
        ),
        ("-a", [(A, "__neg__")]),
        ("~a", [(A, "__invert__")]),
        ("-1", []),
        ("a == b", [(A, "__eq__"), (B, "__eq__")]),
        ("a != 1", [(A, "__ne__"), (A, "__eq__")]),
        ("a < b", [(A, "__lt__"), (B, "__gt__")]),
        ("1 <= a <= 2", [(A, "__ge__"), (A, "__le__")]),
    ],
)
def test_operators_run_methods_of_both_operands(source, members):
    assert members_of(source) == members


@pytest.mark.parametrize(
    ("source", "members"),
    [
        ("len(e)", [(E, "__len__")]),
        ("str(e)", [(E, "__str__")]),
        ("repr(e)", [(E, "__repr__")]),
        ("hash(e)", [(E, "__hash__")]),
        ("bool(e)", [(E, "__bool__")]),
        ("int(e)", [(E, "__int__")]),
        ("reversed(e)", [(E, "__reversed__")]),
        ("iter(e)", [(E, "__iter__")]),
        ("next(e)", [(E, "__next__")]),
        ("sorted(e, key=a)", [(E, "__iter__"), (E, "__next__")]),
        ("max(e)", [(E, "__iter__"), (E, "__next__")]),
        ("max(a, b)", []),
        ("list()", []),
        ("list(*e)", []),
        ("dict(a=e)", []),
        ("e.len(a)", []),
        ("x = f'{e}'", [(E, "__str__")]),
        ("x = f'{e!s:>{a}}'", [(E, "__str__")]),
        ("x = f'{e!r}'", [(E, "__repr__")]),
        ("x = f'{1}'", []),
        ("'x' f'{e}'", [(E, "__str__")]),
    ],
)
def test_built_in_functions_and_f_strings_run_methods_of_what_they_are_given(source, members):
    assert members_of(source) == members


@pytest.mark.parametrize(
    ("source", "asked"),
    [
        ("if a: pass", [A]),
        ("if (a): pass", [A]),
        ("if 0: pass\nelif a: pass", [A]),
        ("while a: pass", [A]),
        ("assert a, b", [A]),
        ("x = not a", [A]),
        ("x = a and b", [A]),
        ("if a and b: pass", [A, B]),
        ("if not (a or b): pass", [A, B]),
        ("x = 1 if a else b", [A]),
        ("x = [1 for _ in () if a]", [A]),
        ("if f(): pass", []),
        ("if a is None: pass", []),
    ],
)
def test_a_name_that_is_asked_for_its_truth_answers_by_a_method(source, asked):
    assert members_of(source) == [(name, "__bool__") for name in asked]


def test_a_member_that_is_asked_for_its_truth_is_read_first():
    source = "class C:\n    def m(self):\n        if self.b: pass\n"

    member = ("member", THIS, "b")
    assert members_of(source) == [(THIS, "b"), (member, "__bool__")]


def test_an_access_is_written_once_for_each_scope_with_its_first_line():
    source = "def f(e):\n    e.b\n    e.b\n\ndef g(e):\n    e.b\n"

    assert accesses_of(source) == (Access(1, 2, E, "b"), Access(2, 6, E, "b"))


def test_the_first_line_is_the_one_that_stands_first_in_the_text():
    assert accesses_of("x = [\n    e.b\n    for _ in (\n        e.b,\n    )\n]\n") == (Access(0, 2, E, "b"),)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_accesses_of_damaged_sources_name_only_what_is_there(path):
    for damaged in mutations(path.read_bytes(), seed=11, count=40):
        check_accesses(damaged)


_WORDS = st.sampled_from(
    (
        "a", ".b", "[", "]", "(", ")", "()", "+", "-", "in", "not", "==", "<", "and", "or", "if", "else", "del",
        "with", "as", "for", "async", "await", ":", ",", "=", "+=", "f'{a", "!r", "}'", "len(", "getattr(a, 'b')",
        "lambda: ", "yield from", "\n", "\n  ", "def f(self):\n  ", "class C:\n ", "self", "'x'", "1", "#",
    )
)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(_WORDS, max_size=60).map(" ".join))
def test_accesses_of_any_words_name_only_what_is_there(source):
    check_accesses(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "if " + "(a or " * 2_000 + "b" + ")" * 2_000 + ": pass",
        "if " + "(" * 3_000 + "a" + ")" * 3_000 + ": pass",
        "del " + "(" * 3_000 + "a.b" + ")" * 3_000,
        "x = " + "f(" * 2_000 + "a" + ")" * 2_000,
        "x = a" + ".b" * 3_000 + "()",
        "x = " + " < ".join("a" for _ in range(3_000)),
    ],
    ids=range(6),
)
def test_no_nesting_is_too_deep_for_accesses(source):
    check_accesses(source.encode())
