"""How a language's files throw and handle errors, and the places that hide them.

What is counted comes from the facts of all languages; which rules hold is said by the language's `profile.toml`:

    swallowed            a handler that does nothing
    bare                 a handler for whatever is thrown, by naming nothing, that neither throws, logs nor looks at it
    broad                the same for the widest types there are
    lost-cause           another error is thrown in the place of the one that was caught, which it does not keep
    suppressed           PHP's `@` before an expression
    throw-caught         C#: `throw ex` begins the stack trace anew
    async-void           C#: nobody can await it, and what it throws ends the process; handlers of events apart
    floating-promise     an asynchronous function of the project is called, and nobody awaits it or takes the promise
    then-without-catch   the end of a chain of promises that handles no failure
    unchecked            Go: the error that a function of the project returns is not taken
    discarded            it is given to `_`
    empty-check          Go: `if err != nil {}`
    unwrapped            Go: an error made of another's text (`%v`), which errors.Is and As no longer find
    unwrap, expect, panic  Rust, outside tests

Calls that lead out of the project are not looked at for their results.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from drift.analyses.language_profiles.error_values import (
    dropped_errors,
    formatted_errors,
    panicking,
    rust_counts,
    value_counts,
)
from drift.analyses.language_profiles.rows import IssueRow, LanguageData
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.profile_queries import Handled
from drift.kernel.ranking import Key
from drift.kernel.text import plural, shorten
from drift.languages.facts import CallTrait, HandlingTrait

_LOOKED_AT: Final = (
    HandlingTrait.RETHROWS
    | HandlingTrait.THROWS_OTHER
    | HandlingTrait.LOGS
    | HandlingTrait.PASSES_ON
    | HandlingTrait.USES_ERROR
)
_EVENT: Final = "EventArgs"
_ALWAYS: Final = frozenset({"throws", "handlers", "checks"})
_IMMEDIATE: Final = "<immediate function>"  # is meant to run beside


def find_errors(sources: Sources) -> Found:
    """Counts, and the places that the language's rules find, those that hide most first."""
    handlings = sources.facts.handlings(sources.ids)
    issues = [
        row
        for rule in _RULES
        if rule in sources.profile.error_rules
        for row in _found(sources, rule, handlings)
    ]
    by_rule = dict(Counter(row.rule for row in issues).most_common())
    counts = {**_counts(handlings), **_EXTRA.get(sources.profile.name, _no_more)(sources)}
    parts = ", ".join(f"{name} {count}" for name, count in by_rule.items())
    told = (
        f"{plural(counts['throws'], 'throw')}, {plural(counts['handlers'], 'handler')}, "
        f"{plural(counts['checks'], 'check')}; {plural(len(issues), 'place')} worth a look"
        f"{f': {parts}' if parts else ''}"
    )
    return Found(
        told,
        ranked(issues, _key),
        lambda shown: LanguageData(counts=counts, by_rule=by_rule, issues=shown),
    )


def _key(row: IssueRow) -> Key:
    return _ORDER.index(row.rule), row.file, row.line, row.function, row.detail or ""


def _counts(handlings: list[Handled]) -> dict[str, int]:
    kinds = Counter(one.kind for one in handlings)
    handlers = [one for one in handlings if one.kind == "catch"]
    every = {
        "tryBlocks": kinds["try"],
        "throws": kinds["throw"],
        "handlers": len(handlers),
        "finally": kinds["finally"],
        "checks": kinds["check"],
        "empty": sum(one.is_empty for one in handlers),
        "logged": sum(bool(one.traits & HandlingTrait.LOGS) for one in handlers),
        "rethrown": sum(bool(one.traits & HandlingTrait.RETHROWS) for one in handlers),
        "replaced": sum(bool(one.traits & HandlingTrait.THROWS_OTHER) for one in handlers),
    }
    return {name: count for name, count in every.items() if count or name in _ALWAYS}


def _found(sources: Sources, rule: str, handlings: list[Handled]) -> Iterator[IssueRow]:
    if rule in _OF_HANDLERS:
        fits = _OF_HANDLERS[rule]
        for one in handlings:
            if fits(sources, one):
                caught = ", ".join(one.types) or ("whatever is thrown" if one.kind == "catch" else None)
                yield _issue(sources, rule, one, caught)
    else:
        yield from _OF_FILES[rule](sources)


def _issue(sources: Sources, rule: str, one: Handled, detail: str | None) -> IssueRow:
    function = "(file)" if one.is_outside else one.qualname
    return IssueRow(rule, sources.path(one.symbol_id), one.line, function, detail)


def _is_swallowed(_sources: Sources, one: Handled) -> bool:
    return one.kind == "catch" and one.is_empty


def _is_bare(_sources: Sources, one: Handled) -> bool:
    return one.kind == "catch" and not one.types and not one.is_empty and not one.traits & _LOOKED_AT


def _is_broad(sources: Sources, one: Handled) -> bool:
    if one.kind != "catch" or one.is_empty or one.traits & _LOOKED_AT:
        return False
    return any(name.lstrip("\\") in sources.profile.broad_types for name in one.types)


def _loses_cause(_sources: Sources, one: Handled) -> bool:
    is_other = one.traits & HandlingTrait.THROWS_OTHER and not one.traits & HandlingTrait.RETHROWS
    return one.kind == "catch" and bool(is_other) and not one.traits & HandlingTrait.KEEPS_CAUSE


def _is_empty_check(_sources: Sources, one: Handled) -> bool:
    # One that passes on, logs, returns or names the error handles it; a line between the braces does something else.
    return one.kind == "check" and not one.traits and one.end_line <= one.line + 1


def _suppressed(sources: Sources) -> Iterator[IssueRow]:
    yield from _of_construct(sources, "suppressed", "suppressed")


def _throw_caught(sources: Sources) -> Iterator[IssueRow]:
    yield from _of_construct(sources, "throw-caught", "throw_caught")


def _of_construct(sources: Sources, rule: str, kind: str) -> Iterator[IssueRow]:
    for one in sources.facts.constructs(sources.ids, (kind,)):
        detail = shorten(one.detail, 80) if one.detail else None
        yield IssueRow(rule, sources.path(one.symbol_id), one.line, one.qualname, detail)


def _async_void(sources: Sources) -> Iterator[IssueRow]:
    for one in sources.facts.with_modifier(sources.ids, "async"):
        if one.return_text == "void" and _EVENT not in one.signature:
            yield IssueRow("async-void", sources.path(one.id), one.line, one.qualname)


def _floating(sources: Sources) -> Iterator[IssueRow]:
    told: set[int] = set()
    for one in sources.facts.dropped_results(sources.ids, modifier="async"):
        if sources.has(one.caller_id) and one.call_id not in told and not one.callee.endswith(_IMMEDIATE):
            told.add(one.call_id)
            path = sources.path(one.caller_id)
            yield IssueRow("floating-promise", path, one.line, one.caller, f"{one.callee} is asynchronous")


def _unhandled_then(sources: Sources) -> Iterator[IssueRow]:
    # A second argument handles failure; whatever follows in the chain would take what comes of a call.
    ends = [
        one
        for one in sources.facts.calls_written(sources.ids, ("*.then",))
        if one.traits & CallTrait.DROPPED and one.arguments == 1
    ]
    names = {one.id: one.qualname for one in sources.reader.symbols.many({one.caller_id for one in ends})}
    for one in ends:
        function = names.get(one.caller_id, "(file)")
        yield IssueRow(
            "then-without-catch", sources.path(one.caller_id), one.line, function, shorten(one.text, 60)
        )


_OF_HANDLERS: Final[Mapping[str, Callable[[Sources, Handled], bool]]] = {
    "swallowed": _is_swallowed,
    "bare": _is_bare,
    "broad": _is_broad,
    "lost-cause": _loses_cause,
    "empty-check": _is_empty_check,
}
_OF_FILES: Final[Mapping[str, Callable[[Sources], Iterator[IssueRow]]]] = {
    "suppressed": _suppressed,
    "throw-caught": _throw_caught,
    "async-void": _async_void,
    "floating-promise": _floating,
    "then-without-catch": _unhandled_then,
    "unchecked": lambda sources: dropped_errors(sources, "unchecked"),
    "discarded": lambda sources: dropped_errors(sources, "discarded"),
    "unwrapped": formatted_errors,
    "unwrap": lambda sources: panicking(sources, "unwrap"),
    "expect": lambda sources: panicking(sources, "expect"),
    "panic": lambda sources: panicking(sources, "panic"),
}
_RULES: Final = (*_OF_HANDLERS, *_OF_FILES)
# What hides most comes first.
_ORDER: Final = (
    "swallowed", "empty-check", "bare", "broad", "unchecked", "discarded", "floating-promise", "then-without-catch",
    "async-void", "throw-caught", "lost-cause", "suppressed", "panic", "unwrap", "expect", "unwrapped",
)  # fmt: skip


def _no_more(_sources: Sources) -> dict[str, int]:
    return {}


_EXTRA: Final[Mapping[str, Callable[[Sources], dict[str, int]]]] = {"go": value_counts, "rust": rust_counts}
