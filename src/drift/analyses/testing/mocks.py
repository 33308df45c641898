"""What tests replace: modules, functions and classes, inside the project and outside.

Known limits: what is replaced is read from the text around the call, so a target that comes from elsewhere is not
known. A double that is made to be handed in replaces nothing that has a name.
"""

import re
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.testing.mock_targets import MockPlace, MockTargets, provided_targets, read_target
from drift.analyses.testing.signs import load_signs
from drift.analyses.testing.suites import Suites
from drift.index.ids import FileId, SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

ReadText = Callable[[str], str]
"""The text of a file of the project, empty where it cannot be read."""

_FOLLOWING: Final = 400
_LINES_BEFORE: Final = 25  # a provider of a module is seldom longer
_LINES_AFTER: Final = 4
_LINES_OF_FACTORY: Final = 80  # of what stands in the place of a module
_MOST_LINES: Final = 300  # of the module of a test
_VALUED: Final = re.compile(
    r"\b(?:return_value|side_effect|mockReturnValue|mockResolvedValue|thenReturn|willReturn|Returns|andReturn|returns)\b"
)
_IMPLEMENTED: Final = re.compile(
    r"\b(?:side_effect|new=|mockImplementation|callsFake|thenAnswer|willReturnCallback|Callback|=>|function|lambda)"
)


class Mock(NamedTuple):
    """A replacement. `targets` are the symbols of the project it replaces; `is_external` is None where nothing tells.

    `is_double`: it was made to be handed in, and nothing says in whose place.
    """

    file_id: FileId
    path: str
    line: int
    scope: SymbolId
    call: str
    kind: str
    target: str | None
    is_external: bool | None
    targets: frozenset[SymbolId]
    is_double: bool
    has_implementation: bool
    returns_value: bool


class _Kept:
    """The mocks of the files that were looked at."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.by_file: dict[FileId, tuple[Mock, ...]] = {}


_kept: Final = PerState[_Kept]()


def find_mocks(
    reader: "IndexReader", suites: Suites, files: Iterable[FileId], read: ReadText
) -> tuple[Mock, ...]:
    """The replacements in these test files, in the order of files and lines."""
    wanted = set(files) & suites.files
    kept = _kept.get(reader, _Kept)
    with kept.lock:
        missing = sorted(wanted - kept.by_file.keys())
        if missing:
            fresh = _find(reader, missing, read)
            kept.by_file.update((file, tuple(fresh.get(file, ()))) for file in missing)
        found = [mock for file in wanted for mock in kept.by_file[file]]
    return tuple(sorted(found, key=lambda one: (one.path, one.line)))


def cases_of_mock(suites: Suites, mock: Mock) -> Collection[SymbolId]:
    """The cases a replacement holds for: that it stands in, or those around which its place runs."""
    at = suites.case_of.get(mock.scope)
    return (at,) if at is not None else suites.runs_for.get(mock.scope, ())


def _find(reader: "IndexReader", files: list[FileId], read: ReadText) -> dict[FileId, list[Mock]]:
    resolve = MockTargets(reader)
    by_file: dict[FileId, list[MockPlace]] = defaultdict(list)
    for place in _places(reader, files):
        by_file[place.file_id].append(place)
    found: dict[FileId, list[Mock]] = {}
    for file, places in by_file.items():
        text = read(places[0].path)
        lines = text.splitlines()
        times: Counter[tuple[int, str]] = Counter()
        for place in places:
            # Of calls that are written alike on one line, each is the next one.
            number = times[place.line, place.call]
            times[place.line, place.call] += 1
            if place.form == "provided":
                found.setdefault(file, []).extend(_provided(resolve, place, text, lines=lines))
                continue
            found.setdefault(file, []).append(_mock(resolve, place, text, lines=lines, number=number))
    return found


def _provided(resolve: MockTargets, place: MockPlace, text: str, *, lines: list[str]) -> Iterator[Mock]:
    """The classes that a module of a test has something else in the place of."""
    for target in provided_targets("\n".join(lines[place.line - 1 : place.line - 1 + _MOST_LINES])):
        is_external, targets = resolve.find(place, target, text)
        yield Mock(
            *place[:6],
            target,
            is_external,
            targets,
            is_double=False,
            has_implementation=True,
            returns_value=False,
        )


def _places(reader: "IndexReader", files: list[FileId]) -> list[MockPlace]:
    """Where something is replaced; a decorator that is a call, too, is one place."""
    records = {file: reader.files.get(file) for file in files}
    known = {file: record for file, record in records.items() if record is not None}
    languages = {file: record.language or "" for file, record in known.items()}
    signs = load_signs()
    kinds = set(languages.values())
    chosen = {
        word: text
        for word, text in reader.testing.call_texts(list(known)).items()
        if any(signs.mock_of(each, text) for each in kinds)
    }
    places: list[MockPlace] = []
    for call in reader.testing.calls_written(list(known), chosen) if chosen else ():
        file = file_of_symbol(call.caller_id)
        sign = signs.mock_of(languages.get(file, ""), call.text)
        if sign is not None:
            place = known[file].path, call.line, call.caller_id, call.text, sign.kind, sign.target
            places.append(MockPlace(file, *place))
    marks: dict[tuple[FileId, int, str], list[MockPlace]] = {}
    decorations = reader.testing.decorations(list(known))
    # What a field holds is there for all that its class runs.
    marked = reader.symbols.many({mark.symbol_id for mark in decorations})
    holders = {one.id: one.parent_id for one in marked if one.kind == "field" and one.parent_id is not None}
    for mark in decorations:
        file = file_of_symbol(mark.symbol_id)
        decorator = signs.mark_of(languages.get(file, ""), mark.name)
        if decorator is not None:
            scope = holders.get(mark.symbol_id, mark.symbol_id)
            place = known[file].path, mark.line, scope, mark.name, decorator.kind, decorator.target
            marks.setdefault((file, mark.line, _last(mark.name)), []).append(MockPlace(file, *place))
    plain = [one for one in places if (one.file_id, one.line, _last(one.call)) not in marks]
    return sorted(
        [*plain, *(one for group in marks.values() for one in group)],
        key=lambda one: (one.file_id, one.line),
    )


def _span(text: str, call: str, number: int) -> tuple[int, int]:
    """From where to where a call on the first line is written; a chain over several lines is there by its last link."""
    line_end = text.find("\n") % (len(text) + 1)
    for wanted in (call, f".{_last(call)}"):
        start = -1
        for _ in range(number + 1):
            start = text.find(wanted, start + 1, line_end)
        if start >= 0:
            return start, start + len(wanted)
    return 0, 0


def _last(call: str) -> str:
    return call.rpartition(".")[2]


def _mock(resolve: MockTargets, place: MockPlace, text: str, *, lines: list[str], number: int) -> Mock:
    first = max(0, place.line - 1 - _LINES_BEFORE)
    before = "\n".join(lines[first : place.line - 1])
    here = "\n".join(lines[place.line - 1 : place.line + _LINES_AFTER])
    start, end = _span(here, place.call, number)
    after = here[end:][:_FOLLOWING]
    ahead = f"{before}\n{here[:start]}"
    target = read_target(place.form, place.call, before=ahead, after=after)
    factory = "\n".join([here, *lines[place.line + _LINES_AFTER : place.line + _LINES_OF_FACTORY]])[end:]
    is_external, targets = (
        resolve.find(place, target, text, after=factory) if target else (None, frozenset[SymbolId]())
    )
    return Mock(
        *place[:6],
        target,
        is_external,
        targets,
        is_double=target is None and place.form == "none",
        has_implementation=_IMPLEMENTED.search(after) is not None,
        returns_value=_VALUED.search(after) is not None,
    )
