"""What an answer says beside the places: sections, each from a domain of its own.

A domain joins in with one `Section` in `SECTIONS`: its name, and a function from the task to remarks, the most
important first. The composer decides by intent and budget how many of them are told.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.prominence import is_showing
from drift.analyses.test_titles import find_test_titles
from drift.context.answers import Remark
from drift.context.focus import stems_in
from drift.context.localize import FoundFile, Located
from drift.context.symbols import FoundSymbol, is_test
from drift.conventions.genes import dna_line
from drift.conventions.guidance import guide
from drift.conventions.picture import Picture
from drift.index import IndexReader, Neighbour, file_of_symbol
from drift.kernel.text import plural

_MOST_SYMBOLS: Final = 8
_MOST_FILES: Final = 5
_MOST_CALLERS: Final = 200
_MOST_IMPORTING: Final = 3
_MANY_CALLS: Final = 20
_COMPLEX: Final = 15
_CALLED_BY_NAME: Final = frozenset({"function", "method"})
_CALLABLE: Final = frozenset({"function", "method", "constructor", "class", "macro"})


class Task(NamedTuple):
    """What sections speak about: the intent, the files and symbols found for it, the index to ask."""

    reader: IndexReader
    intent: str
    located: Located
    files: tuple[FoundFile, ...]
    symbols: tuple[FoundSymbol, ...]
    values: Mapping[str, float]  # how much each term of the focus tells
    text: str = ""  # the task as it was said
    root: Path = Path()
    memory_stores: tuple[Path, ...] = ()  # those whose memories the caller may see
    conventions: Callable[[], Picture | None] | None = None


class Section(NamedTuple):
    """A domain's part in the answer, and how much of the usual rows it gets."""

    name: str
    gather: Callable[[Task], Iterator[Remark]]
    share: float = 1.0


def _callables(task: Task) -> list[FoundSymbol]:
    return [each for each in task.symbols if each.symbol.kind in _CALLABLE][:_MOST_SYMBOLS]


def _callers(task: Task, found: FoundSymbol) -> list[Neighbour]:
    return task.reader.calls.callers(found.symbol.id, limit=_MOST_CALLERS)


def gather_callers(task: Task) -> Iterator[Remark]:
    """Who calls the symbols from product code, once for each caller."""
    for found in _callables(task):
        told: set[int] = set()
        for caller in sorted(_callers(task, found), key=lambda each: is_showing(each.symbol.path)):
            if is_test(caller.symbol) or caller.symbol.id in told:
                continue
            told.add(caller.symbol.id)
            yield Remark(
                found.symbol.qualname,
                f"called by {caller.symbol.qualname}",
                f"{caller.symbol.path}:{caller.line}",
                round(caller.confidence, 2),
            )


def gather_tests(task: Task) -> Iterator[Remark]:
    """Tests that call the symbols, those about the task before the others; then test files that import the files."""
    calls = [
        (found, caller)
        for found in _callables(task)
        for caller in _callers(task, found)
        if is_test(caller.symbol)
    ]
    calls.sort(key=lambda pair: -_aboutness(task, pair[1]))
    titles = find_test_titles(task.reader, [caller.symbol for _, caller in calls])
    told: set[str] = set()
    for found, caller in calls:
        if caller.symbol.path not in told:
            told.add(caller.symbol.path)
            yield Remark(
                found.symbol.qualname,
                f"called by {titles.get(caller.symbol.id, caller.symbol.qualname)}",
                f"{caller.symbol.path}:{caller.line}",
                round(caller.confidence, 2),
            )
    yield from _importing_tests(task, told)


def _importing_tests(task: Task, told: set[str]) -> Iterator[Remark]:
    """Test files that import the files found; to import is not to test, so few of them, those about the task first."""
    rows = [
        (-_worth(task, each.path), rank, each.path, each.line)
        for rank, file in enumerate(task.files[:_MOST_FILES])
        for each in task.reader.facts.importers_of_file(file.id, limit=_MOST_CALLERS)
        if task.located.roles.get(each.path) == "test" and each.path not in told
    ]
    shown = {path: (rank, line) for _, rank, path, line in sorted(rows, reverse=True)}
    for path, (rank, line) in islice(reversed(shown.items()), _MOST_IMPORTING):
        yield Remark(task.files[rank].path, "imported by a test file", f"{path}:{line}")


def _aboutness(task: Task, caller: Neighbour) -> float:
    """How much of the task stands in the names of a test and its file."""
    return _worth(task, f"{caller.symbol.path} {caller.symbol.qualname}") * caller.confidence


def _worth(task: Task, text: str) -> float:
    words = stems_in(text)
    return sum(value for term, value in task.values.items() if term in words)


def gather_risks(task: Task) -> Iterator[Remark]:
    """What makes a change of the symbols dangerous: many callers, the outside world, overriding, tangled code."""
    for found in _callables(task):
        symbol = found.symbol
        place = f"{symbol.path}:{symbol.line}"
        for reason in _reasons(task, found):
            yield Remark(symbol.qualname, reason, place)
    for file in task.files[:_MOST_FILES]:
        record = task.reader.files.get(file.id)
        if record is not None and record.problem:
            yield Remark(file.path, f"not read whole: {record.problem}", file.path)


def _reasons(task: Task, found: FoundSymbol) -> Iterator[str]:
    reader, symbol = task.reader, found.symbol
    callers = [each for each in _callers(task, found) if not is_test(each.symbol)]
    entries = reader.facts.entry_points_at(symbol.id)
    if len(callers) >= _MANY_CALLS:
        files = len({each.symbol.path for each in callers})
        more = "at least " if len(callers) >= _MOST_CALLERS else ""
        yield f"{more}{plural(len(callers), 'call')} from {plural(files, 'file')}"
    for entry in entries[:1]:
        yield f"entry point ({entry.kind}) {entry.detail}".rstrip()
    if (
        not callers
        and not entries
        and symbol.kind in _CALLED_BY_NAME
        and not reader.calls.overridden(symbol.id)
    ):
        yield "no call from product code was resolved: called from outside, indirectly, or not at all"
    overriders = reader.calls.overriders(symbol.id)
    if overriders:
        yield f"overridden by {plural(len(overriders), 'method')}"
    complexities = reader.symbols.complexities(file_of_symbol(symbol.id))
    paths = next((each.cyclomatic for each in complexities if each.symbol_id == symbol.id), 0)
    if paths > _COMPLEX:
        yield f"{paths} paths through the code"


def gather_memories(task: Task) -> Iterator[Remark]:
    """What was learned before about the task, warnings first."""
    if not task.memory_stores:
        return
    from drift.context.memories import (  # the memory room, which most projects do not use
        Asked,
        recall_for_task,
    )

    paths = [each.path for each in task.files]
    names = [name for each in _callables(task) for name in (each.symbol.qualname, each.symbol.name)]
    yield from recall_for_task(Asked(task.root, task.memory_stores, task.text, task.intent, paths, names))


def gather_patterns(task: Task) -> Iterator[Remark]:
    """Which conventions code in the first file is to follow, those it decides by before others."""
    picture = task.conventions() if task.conventions is not None and task.files else None
    if picture is None:
        return
    for each in guide(picture, task.files[0].path):
        yield Remark(each.rule, f"{each.followed} of {each.sites} places do so", each.example, each.score)


def gather_dna(task: Task) -> Iterator[Remark]:
    """How the project decides in general."""
    picture = task.conventions() if task.conventions is not None and task.files else None
    line = dna_line(picture) if picture is not None else None
    if line is not None:
        yield Remark("the project", line, "")


SECTIONS: Final[tuple[Section, ...]] = (
    Section("callers", gather_callers),
    Section("tests", gather_tests),
    Section("risks", gather_risks),
    Section("memories", gather_memories, share=0.5),
    Section("patterns", gather_patterns, share=0.4),
    Section("dna", gather_dna, share=0.1),
)


def gather_sections(
    task: Task, rows: Mapping[str, int], sections: Sequence[Section]
) -> dict[str, tuple[Remark, ...]]:
    """The remarks of each section up to the rows it is given; sections without any are left out."""
    gathered = {each.name: tuple(islice(each.gather(task), rows.get(each.name, 0))) for each in sections}
    return {name: remarks for name, remarks in gathered.items() if remarks}
