"""Errors that are values, as in Go and Rust: results that nobody takes, panics, and how errors are made."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from drift.analyses.language_profiles.rows import IssueRow
from drift.analyses.language_profiles.sources import Sources
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.profile_queries import DroppedResult
from drift.kernel.text import shorten

# A result that is an error, or ends in one: `error`, `(int, error)`, `Result<T>`.
_RETURNING: Final = {"go": "*error*", "rust": "*Result*"}
_GO_ERROR: Final = re.compile(r"(?:^|[ ,(])\*?error\)?$")
_CALLED: Final = re.compile(r"^[\w.:]{1,120}")
_PANICKING: Final = {
    "unwrap": ("*.unwrap",),
    "expect": ("*.expect",),
    "panic": ("panic!", "todo!", "unimplemented!"),
}
_TEXT_OF_ERROR: Final = re.compile(r"%[v+s].{0,200}\b[eE]rr\w{0,40}\)?$")
_DERIVED: Final = re.compile(r"\bError\b")
_WRAPS: Final = "%w"
_MOST_ALIKE: Final = 10
"""Of calls of one function whose result nobody takes: beyond that it is a habit, and told once."""
_STARTED: Final = ("spawn", "resource")  # `go f()` and `defer f()` can take no result


def dropped_errors(sources: Sources, rule: str) -> Iterator[IssueRow]:
    """Calls of functions of the project that return an error, which is not taken (unchecked) or given to `_`."""
    skipped = _test_spans(sources)
    for symbol, row in discards(sources) if rule == "discarded" else unchecked(sources):
        if not _is_within(skipped, file_of_symbol(symbol), row.line):
            yield row


def unchecked(sources: Sources) -> Iterator[tuple[SymbolId, IssueRow]]:
    """Calls whose result, an error among it, is dropped."""
    returning = _RETURNING[sources.profile.name]
    started = {
        (file_of_symbol(one.symbol_id), one.line) for one in sources.facts.constructs(sources.ids, _STARTED)
    }
    dropped: dict[int, DroppedResult] = {}  # a call that may lead to several is one place
    for one in sources.facts.dropped_results(sources.ids, returning=returning):
        is_started = (file_of_symbol(one.caller_id), one.line) in started
        if sources.has(one.caller_id) and _is_error(one.return_text) and not is_started:
            dropped.setdefault(one.call_id, one)
    by_callee: dict[str, list[DroppedResult]] = defaultdict(list)
    for one in dropped.values():
        by_callee[one.callee].append(one)
    for callee, calls in by_callee.items():
        detail = f"{callee} returns {calls[0].return_text}"
        shown = calls if len(calls) <= _MOST_ALIKE else calls[:1]
        more = "" if len(calls) == len(shown) else f"; {len(calls) - 1} more of its calls take no result"
        for one in shown:
            path = sources.path(one.caller_id)
            yield one.caller_id, IssueRow("unchecked", path, one.line, one.caller, detail + more)


def discards(sources: Sources) -> Iterator[tuple[SymbolId, IssueRow]]:
    """`_ = f()`, `x, _ := f()`, `let _ = f()` where f is of the project and returns an error."""
    taken = sources.facts.constructs(sources.ids, ("discard",))
    leads = sources.facts.leads({one.symbol_id for one in taken})
    returned = {(one.caller_id, one.line, one.name): one.return_text for one in leads}
    for one in taken:
        called = _CALLED.match(one.detail or "")
        name = re.split(r"[.:]", called[0])[-1] if called else ""
        if (one.detail or "").endswith("?"):  # handed on
            continue
        if _is_error(returned.get((one.symbol_id, one.line, name))):
            told = shorten(one.detail or "", 80)
            yield (
                one.symbol_id,
                IssueRow("discarded", sources.path(one.symbol_id), one.line, one.qualname, told),
            )


def _is_error(return_text: str | None) -> bool:
    return return_text is not None and (
        _GO_ERROR.search(return_text) is not None
        or return_text.partition("<")[0].rpartition("::")[2].endswith("Result")
    )


def formatted_errors(sources: Sources) -> Iterator[IssueRow]:
    """`fmt.Errorf("…: %v", err)`: whoever gets it cannot ask for the error inside."""
    for one in sources.facts.constructs(sources.ids, ("formatted",)):
        text = one.detail or ""
        if text.startswith("fmt.Errorf") and _WRAPS not in text and _TEXT_OF_ERROR.search(text):
            yield IssueRow(
                "unwrapped", sources.path(one.symbol_id), one.line, one.qualname, shorten(text, 80)
            )


def panicking(sources: Sources, rule: str) -> Iterator[IssueRow]:
    """Calls that end the thread where a value is missing, outside tests."""
    calls = sources.facts.calls_written(sources.ids, _PANICKING[rule])
    skipped = _test_spans(sources)
    names = {one.id: one for one in sources.reader.symbols.many({one.caller_id for one in calls})}
    for one in calls:
        holder = names.get(one.caller_id)
        if holder is None or _is_within(skipped, file_of_symbol(one.caller_id), one.line):
            continue
        function = holder.qualname if holder.kind != "module" else "(file)"
        yield IssueRow(rule, sources.path(one.caller_id), one.line, function, shorten(one.text, 60))


def _test_spans(sources: Sources) -> dict[FileId, list[tuple[int, int]]]:
    """Lines of what is compiled for tests alone: `#[cfg(test)]`, `#[test]`."""
    if sources.asked.with_tests:
        return {}
    marked = [
        one.symbol_id
        for one in sources.facts.marks(sources.ids)
        if (one.name == "cfg" and "test" in one.text) or one.name == "test" or one.name.endswith("::test")
    ]
    spans: dict[FileId, list[tuple[int, int]]] = {}
    for symbol in sources.reader.symbols.many(set(marked)):
        spans.setdefault(file_of_symbol(symbol.id), []).append((symbol.line, symbol.end_line))
    return spans


def _is_within(spans: dict[FileId, list[tuple[int, int]]], file: FileId, line: int) -> bool:
    return any(first <= line <= last for first, last in spans.get(file, ()))


def value_counts(sources: Sources) -> dict[str, int]:
    """How Go makes and asks for errors: wrapped, sentinels, own types, errors.Is and errors.As."""
    formatted = sources.facts.constructs(sources.ids, ("formatted",))
    made = [one.detail or "" for one in formatted if (one.detail or "").startswith("fmt.Errorf")]
    variables = sources.facts.of_kind(sources.ids, ("variable",))
    methods = sources.facts.of_kind(sources.ids, ("method",))
    wrapping = sources.facts.outside_calls(sources.profile.words["wrapping"])
    asked = [
        one for one in sources.facts.outside_calls(("errors.Is", "errors.As")) if sources.has(one.caller_id)
    ]
    return {
        "wrapped": sum(_WRAPS in text for text in made) + sum(sources.has(one.caller_id) for one in wrapping),
        "formatted": len(made),
        "sentinels": sum(
            "errors.New(" in one.signature or "fmt.Errorf(" in one.signature for one in variables
        ),
        "errorTypes": sum(one.name == "Error" and one.return_text == "string" for one in methods),
        "asked": len(asked),
    }


def rust_counts(sources: Sources) -> dict[str, int]:
    """Functions that return a Result, errors handed on by `?`, and types that derive an error."""
    functions = sources.facts.of_kind(sources.ids, ("function", "method"))
    marks = sources.facts.marks(sources.ids)
    return {
        "resultFunctions": sum(_is_error(one.return_text) for one in functions),
        "handedOn": len(sources.facts.constructs(sources.ids, ("propagate",))),
        "derivedErrors": sum(one.name == "derive" and _DERIVED.search(one.text) is not None for one in marks),
    }
