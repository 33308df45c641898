"""Goroutines: what each runs, whether a panic in it is recovered, and whether anything can end it or waits for it.

A panic that nobody recovers ends the whole program. `hasRecover` asks for a call of `recover` between the lines of the
function that runs, or in a function that this defers; `hasCancel` for a context that is asked whether it is done, a
WaitGroup, or a channel that it is given, sends to or receives from. One that runs through and ends needs nothing of it: it is an
issue where there is a loop without a condition and without a way out.
"""

from collections import defaultdict
from typing import Final, NamedTuple

from drift.analyses.language_profiles.rows import GoroutineRow, LanguageData
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.profile_queries import Lead, Stretch
from drift.kernel.text import plural, shorten

_RECOVER: Final = frozenset({"builtin.recover", "recover"})
_MOST_TEXT: Final = 60
_NO_RECOVER: Final = "a panic in it ends the program: nothing recovers"
_NO_END: Final = "nothing tells it to end, and nobody waits for it"
_CHANNEL: Final = "chan "
_RANGE: Final = " range "


class _Runs(NamedTuple):
    """The lines that a goroutine runs, and the function they are of."""

    file: FileId
    first: int
    last: int
    symbol: SymbolId
    is_given_channel: bool


class _Facts(NamedTuple):
    calls: dict[SymbolId, list[tuple[int, str]]]
    stretches: dict[FileId, list[Stretch]]
    leads: dict[SymbolId, list[Lead]]

    def within(self, run: _Runs, kind: str) -> list[Stretch]:
        """The constructs of a kind between the lines that run."""
        every = self.stretches[run.file]
        return [
            one for one in every if one.kind == kind and run.first <= one.line and one.end_line <= run.last
        ]


def find_goroutines(sources: Sources) -> Found:
    """Where goroutines start, those with issues first."""
    starts = sources.facts.constructs(sources.ids, ("spawn",))
    leads: dict[tuple[SymbolId, int], list[Lead]] = defaultdict(list)
    for lead in sources.facts.leads({one.symbol_id for one in starts}):
        leads[lead.caller_id, lead.line].append(lead)
    runs = {one: _runs(sources, one, leads[one.symbol_id, one.line]) for one in starts}
    facts = _facts(sources, [run for run in runs.values() if run is not None])
    rows = [_row(sources, one, run, facts) for one, run in runs.items()]
    counts = {
        "goroutines": len(rows),
        "withoutRecover": sum(row.has_recover is False for row in rows),
        "endless": sum(_NO_END in row.issues for row in rows),
        "notKnown": sum(row.has_recover is None for row in rows),
    }
    told = (
        f"{plural(len(rows), 'goroutine')}: {counts['withoutRecover']} without recover, "
        f"{counts['endless']} in a loop that nothing ends, {counts['notKnown']} that run what is not known"
    )
    return Found(
        told,
        ranked(rows, lambda row: (-len(row.issues), row.file, row.line, row.starts)),
        lambda shown: LanguageData(counts=counts, goroutines=shown),
    )


def _runs(sources: Sources, one: Stretch, leads: list[Lead]) -> _Runs | None:
    """A function written in place, or the function of the project that is named."""
    written = one.detail or ""
    file = file_of_symbol(one.symbol_id)
    if written.startswith("func"):
        return _Runs(file, one.line, one.end_line, one.symbol_id, _CHANNEL in written.partition("{")[0])
    name = written.partition("(")[0].rpartition(".")[2]
    called = next((lead for lead in leads if lead.name == name), None)
    found = None if called is None else sources.reader.symbols.get(called.callee_id)
    if found is None:
        return None
    return _Runs(file_of_symbol(found.id), found.line, found.end_line, found.id, _CHANNEL in found.signature)


def _facts(sources: Sources, runs: list[_Runs]) -> _Facts:
    functions = {run.symbol for run in runs}
    calls: dict[SymbolId, list[tuple[int, str]]] = defaultdict(list)
    for function, line, name in sources.facts.inner_calls(functions):
        calls[function].append((line, name))
    stretches: dict[FileId, list[Stretch]] = defaultdict(list)
    for one in sources.facts.constructs(
        sorted({run.file for run in runs}), ("channel", "endless", "resource")
    ):
        stretches[file_of_symbol(one.symbol_id)].append(one)
    leads: dict[SymbolId, list[Lead]] = defaultdict(list)
    for lead in sources.facts.leads(functions):
        leads[lead.caller_id].append(lead)
    return _Facts(calls, stretches, leads)


def _row(sources: Sources, one: Stretch, run: _Runs | None, facts: _Facts) -> GoroutineRow:
    place = (sources.path(one.symbol_id), one.line)
    text = shorten((one.detail or "").partition("{")[0].strip(), _MOST_TEXT)
    if run is None:
        return GoroutineRow(text, one.qualname, *place, None, None, None, ())
    names = [name for line, name in facts.calls[run.symbol] if run.first <= line <= run.last]
    channels = len(facts.within(run, "channel"))
    has_recover = not _RECOVER.isdisjoint(names) or _defers_recover(sources, run, facts)
    has_cancel: bool | None = bool(channels) or run.is_given_channel or _is_cancelled(sources, names)
    is_endless = not has_cancel and bool(facts.within(run, "endless"))
    if not has_cancel and not is_endless and _RANGE in (one.detail or ""):
        has_cancel = None  # what it goes through may be a channel, which ends it
    issues = ((_NO_RECOVER,) if not has_recover else ()) + ((_NO_END,) if is_endless else ())
    return GoroutineRow(text, one.qualname, *place, has_recover, has_cancel, channels, issues)


def _defers_recover(sources: Sources, run: _Runs, facts: _Facts) -> bool:
    """Whether a function recovers that is deferred there."""
    deferred = facts.within(run, "resource")
    below = {
        lead.callee_id
        for lead in facts.leads[run.symbol]
        if any(one.line <= lead.line <= one.end_line for one in deferred)
    }
    return any(name in _RECOVER for _, _, name in sources.facts.inner_calls(below))


def _is_cancelled(sources: Sources, names: list[str]) -> bool:
    endings = tuple(sources.profile.words["cancelling"])
    return any(name.endswith(endings) for name in names)
