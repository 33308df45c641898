"""How a language's files throw and handle errors, and the places that lose them.

Places come from `error_handling`, which knows the habits of each language; two more are told here, by what the language's
`profile.toml` names:

    lost-cause  another error is thrown in the place of the one that was caught, which it does not keep
    panic       Rust: `panic!`, `todo!` and `unimplemented!` outside tests
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from drift.analyses.error_handling.picture import look_at_errors, notes
from drift.analyses.error_handling.rows import SEVERITIES
from drift.analyses.language_profiles.error_values import panicking, rust_counts, value_counts
from drift.analyses.language_profiles.rows import IssueRow, LanguageData
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.profile_queries import Handled
from drift.kernel.ranking import Key
from drift.kernel.text import plural
from drift.languages.facts import HandlingTrait

_ALWAYS: Final = frozenset({"throws", "handlers", "checks"})
_NO_TESTS: Final = "tests are counted; places are told of the product alone"


def find_errors(sources: Sources) -> Found:
    """Counts, and the places where errors are lost, the most severe first."""
    handlings = sources.facts.handlings(sources.ids)
    issues = [
        *_gaps(sources),
        *(row for rule in sources.profile.error_rules for row in _RULES[rule](sources, handlings)),
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
        (_NO_TESTS,) if sources.asked.with_tests else (),
    )


def _key(row: IssueRow) -> Key:
    severity = SEVERITIES.index(row.severity) if row.severity in SEVERITIES else len(SEVERITIES)
    return severity, row.rule, row.file, row.line, row.function, row.detail or ""


def _gaps(sources: Sources) -> Iterator[IssueRow]:
    paths = {file.path for file in sources.files.values()}
    for gap in look_at_errors(sources.reader, sources.root).gaps:
        if gap.file in paths:
            times = f"{gap.times} times" if gap.times else None
            noted = gap.why.removesuffix(notes()[gap.kind]["told"]).removesuffix(": ")
            detail = noted or ", ".join(gap.types) or times
            yield IssueRow(gap.kind, gap.file, gap.line, gap.function, detail, gap.severity)


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


def _lost_causes(sources: Sources, handlings: list[Handled]) -> Iterator[IssueRow]:
    for one in handlings:
        is_other = one.traits & HandlingTrait.THROWS_OTHER and not one.traits & HandlingTrait.RETHROWS
        if one.kind == "catch" and is_other and not one.traits & HandlingTrait.KEEPS_CAUSE:
            function = "(file)" if one.is_outside else one.qualname
            caught = ", ".join(one.types) or None
            yield IssueRow("lost-cause", sources.path(one.symbol_id), one.line, function, caught, "low")


_RULES: Final[Mapping[str, Callable[[Sources, list[Handled]], Iterator[IssueRow]]]] = {
    "lost-cause": _lost_causes,
    "panic": lambda sources, _handlings: panicking(sources),
}


def _no_more(_sources: Sources) -> dict[str, int]:
    return {}


_EXTRA: Final[Mapping[str, Callable[[Sources], dict[str, int]]]] = {"go": value_counts, "rust": rust_counts}
