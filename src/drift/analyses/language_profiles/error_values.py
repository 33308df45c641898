"""Errors that are values, as in Go and Rust: how they are made and asked for, and panics."""

import re
from collections.abc import Iterator
from typing import Final

from drift.analyses.error_handling.compiled_tests import CompiledTests
from drift.analyses.language_profiles.rows import IssueRow
from drift.analyses.language_profiles.sources import Sources
from drift.kernel.text import shorten

_PANICKING: Final = ("panic!", "todo!", "unimplemented!")
_DERIVED: Final = re.compile(r"\bError\b")
_RESULT: Final = re.compile(r"(?:^|::)\w{0,40}Result\b")
_WRAPS: Final = "%w"


def panicking(sources: Sources) -> Iterator[IssueRow]:
    """Macros that end the thread, outside tests."""
    calls = sources.facts.calls_written(sources.ids, _PANICKING)
    tests = CompiledTests(sources.reader, () if sources.asked.with_tests else sources.ids)
    names = {one.id: one for one in sources.reader.symbols.many({one.caller_id for one in calls})}
    for one in calls:
        holder = names.get(one.caller_id)
        if holder is None or tests.has(one.caller_id, one.line):
            continue
        function = holder.qualname if holder.kind != "module" else "(file)"
        yield IssueRow(
            "panic", sources.path(one.caller_id), one.line, function, shorten(one.text, 60), "medium"
        )


def value_counts(sources: Sources) -> dict[str, int]:
    """How Go makes and asks for errors: wrapped, sentinels, own types, errors.Is and errors.As."""
    formatted = sources.facts.constructs(sources.ids, ("formatted",))
    made = [one.detail or "" for one in formatted if (one.detail or "").startswith("fmt.Errorf")]
    variables = sources.facts.of_kind(sources.ids, ("variable",))
    methods = sources.facts.of_kind(sources.ids, ("method",))
    wrapping = sources.facts.outside_calls(sources.profile.words["wrapping"])
    asked = sources.facts.outside_calls(("errors.Is", "errors.As"))
    return {
        "wrapped": sum(_WRAPS in text for text in made) + sum(sources.has(one.caller_id) for one in wrapping),
        "formatted": len(made),
        "sentinels": sum(
            "errors.New(" in one.signature or "fmt.Errorf(" in one.signature for one in variables
        ),
        "errorTypes": sum(one.name == "Error" and one.return_text == "string" for one in methods),
        "asked": sum(sources.has(one.caller_id) for one in asked),
    }


def rust_counts(sources: Sources) -> dict[str, int]:
    """Functions that return a Result, errors handed on by `?`, and types that derive an error."""
    functions = sources.facts.of_kind(sources.ids, ("function", "method"))
    marks = sources.facts.marks(sources.ids)
    return {
        "resultFunctions": sum(_RESULT.search(one.return_text) is not None for one in functions),
        "handedOn": len(sources.facts.constructs(sources.ids, ("propagate",))),
        "derivedErrors": sum(one.name == "derive" and _DERIVED.search(one.text) is not None for one in marks),
    }
