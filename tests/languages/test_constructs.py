"""Constructs as `tests/projects/constructs` states them: one tour of the same errands in each language."""

from pathlib import Path

import pytest
from extraction_checks import compare_with_expected, expectations

from drift.languages.construct_patterns import pattern_data
from drift.languages.constructs import CUT
from drift.languages.facts import CallTrait, FileFacts, HandlingTrait
from drift.languages.syntax import GRAMMARS
from drift.languages.table import LANGUAGES, language_of
from drift.scan.extractors import extractor_of

PROJECT = Path(__file__).parents[1] / "projects" / "constructs"
# What each kind of construct says. A language has those that its syntax can say.
KINDS = {
    "any",  # a type that says nothing
    "allocate", "handed_over", "release",  # memory that the program looks after itself
    "assertion",  # that something is not null
    "conditional",  # no construct: where calls that are watched may be left out
    "auto_setter",  # a property that is set and can tell nobody
    "callback",  # a function that is handed over where it is written
    "cast",
    "channel", "spawn",  # work that goes on beside
    "concatenated", "formatted", "interpolated",  # texts put together
    "discard",  # a result that is left on purpose
    "lock", "resource",
    "endless",  # a loop that nothing but its body ends
    "loop",
    "propagate",  # an error that is handed on
    "suppressed",  # errors that are switched off
    "sync_wait",  # a thread that waits for a task
    "unsafe",
}  # fmt: skip


@pytest.mark.parametrize(("path", "kind", "lines"), expectations(PROJECT))
def test_a_tour_gives_the_facts_stated_for_it(path, kind, lines):
    def extract(source: bytes, path: str) -> FileFacts:
        language = next(each.name for each in LANGUAGES if Path(path).suffix in each.extensions)
        return extractor_of(language)(source, path)

    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_every_kind_of_construct_is_known(grammar):
    data = pattern_data(grammar)
    assert set(data["constructs"]) <= KINDS
    assert set(data["calls"]) <= {"dropped", "bound", "returned", "awaited", "literal"}
    assert set(data.get("handlers", {})) <= {"catch", "check"}
    assert set(data["exits"]) <= {"throw", "return"}


def test_what_becomes_of_the_result_of_a_call_by_its_path_is_told():
    facts = extractor_of("rust")(b"async fn f() { a::b(); let x = a::c::<u8>(); a::d().await; }", "a.rs")

    told = {facts.calls[each.call].text: each.traits for each in facts.call_details}
    assert told == {
        "a::b": CallTrait.DROPPED,
        "a::c::<u8>": CallTrait.BOUND,
        "a::d": CallTrait.DROPPED | CallTrait.AWAITED,
    }


@pytest.mark.parametrize(
    ("source", "conditional"),
    [
        ("function A() { useB(); if (x) { useC(); } else useD(); }", ["useC", "useD"]),
        ("function A() { x && useB(); y ? useC() : 1; useD(); }", ["useB", "useC"]),
        ("function A() { if (x) return null; useB(); load(); }", ["useB"]),
        ("function A() { if (x) { log(); } useB(); }", []),
        ("function A() { if (x) { load(); } }", []),
    ],
)
def test_hooks_that_may_be_left_out_are_marked_and_no_other_call(source, conditional):
    facts = extractor_of("typescript")(source.encode(), "a.tsx")

    marked = [
        facts.calls[each.call].text for each in facts.call_details if each.traits & CallTrait.CONDITIONAL
    ]
    assert marked == conditional


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", "x" + ".f('a')" * 3_000),
        ("a.ts", "x" + ".f('a')" * 3_000),
        ("A.java", "class A { void m() { x" + '.f("a")' * 3_000 + "; } }"),
        ("a.go", "package a\nfunc m() { x" + '.f("a")' * 3_000 + " }"),
    ],
)
def test_what_is_left_out_of_endless_code_is_said(name, source):
    language = next(each.name for each in LANGUAGES if Path(name).suffix in each.extensions)
    facts = extractor_of(language)(source.encode(), name)

    assert [found.line for found in facts.constructs if found.kind == CUT] == [1]


@pytest.mark.parametrize(
    ("name", "source", "is_kept"),
    [
        ("A.cs", "class A { void F() { try { G(); } catch (E e) { throw new X(e.Message); } } }", False),
        ("A.cs", "class A { void F() { try { G(); } catch (E e) { throw new X(e.Message, e); } } }", True),
        (
            "A.cs",
            "class A { void F() { try { G(); } catch (E e) { throw new X(e.InnerException); } } }",
            True,
        ),
        (
            "A.java",
            "class A { void f() { try { g(); } catch (E e) { throw new X(e.getMessage()); } } }",
            False,
        ),
        ("a.ts", "try { g(); } catch (e) { throw new X(e.message); }", False),
        ("a.ts", "try { g(); } catch (e) { throw new X('no', { cause: e }); }", True),
        ("a.php", "<?php try { g(); } catch (E $e) { throw new X($e->getMessage()); }", False),
        ("a.php", "<?php try { g(); } catch (E $e) { throw new X($e->getMessage(), 1, $e); }", True),
        ("a.py", "try:\n    g()\nexcept E as e:\n    raise X(e.args)\n", False),
        ("a.py", "try:\n    g()\nexcept E as e:\n    raise X(e.args) from e\n", True),
    ],
)
def test_a_throw_that_takes_the_message_alone_keeps_no_cause(name, source, is_kept):
    language = language_of(name)
    assert language is not None
    facts = extractor_of(language)(source.encode(), name)

    (handler,) = [each for each in facts.handlings if each.kind == "catch"]
    assert handler.traits & HandlingTrait.THROWS_OTHER
    assert bool(handler.traits & HandlingTrait.KEEPS_CAUSE) is is_kept


def test_in_go_only_errors_are_checked():
    source = (
        b"package a\nfunc f() { if page != nil { g() }\n if err2 != nil { return }\n if e != nil { g() } }"
    )
    facts = extractor_of("go")(source, "a.go")

    assert [(each.variable, each.line) for each in facts.handlings] == [("err2", 3), ("e", 4)]
