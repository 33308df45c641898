"""Which fixtures tests and fixtures use: pytest's by parameter, by mark or by themselves, rstest's by parameter."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run
from drift.index.ids import FileId, SymbolId, file_of_symbol, file_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.run_records import Decorated, Taker

_FIXTURE: Final = re.compile(r"(?:.*\.)?(?:async_)?fixture")
_USING: Final = re.compile(r"(?:.*\.)?usefixtures")
_RSTEST: Final = re.compile(r"(?:rstest::)?rstest")
_RUST_FIXTURE: Final = re.compile(r"(?:rstest::)?fixture")
_QUOTED: Final = re.compile(r"""["'](\w+)["']""")
_NAME: Final = re.compile(r"""\bname\s*=\s*["'](\w+)["']""")
_AUTOUSE: Final = re.compile(r"\bautouse\s*=\s*True\b")
_ELSEWHERE: Final = 0.7  # a fixture of that name that no conftest.py on the way offers: a plugin may


class _Fixture(NamedTuple):
    id: SymbolId
    name: str
    parent_id: SymbolId
    is_autouse: bool


class _Fixtures:
    """The fixtures of a project, and which of them a place can use."""

    def __init__(self, reader: "IndexReader", marked: "list[Decorated]") -> None:
        self.paths: Final[dict[FileId, str]] = reader.running.python_test_files()
        self._conftests = {
            path: file for file, path in self.paths.items() if path.rpartition("/")[2] == "conftest.py"
        }
        found: dict[SymbolId, _Fixture] = {}
        for one in marked:
            renamed = _NAME.search(one.text)
            found[one.symbol_id] = _Fixture(
                one.symbol_id,
                renamed[1] if renamed else one.name,
                one.parent_id,
                _AUTOUSE.search(one.text) is not None,
            )
        self.all: Final = tuple(found.values())
        self._by_name: dict[str, list[_Fixture]] = defaultdict(list)
        for each in self.all:
            self._by_name[each.name].append(each)

    def meant(self, user: SymbolId, name: str, owner: SymbolId | None) -> tuple[SymbolId, float] | None:
        """The fixture that a name means at a place, which stands in `owner`, and how surely."""
        named = [one for one in self._by_name.get(name, ()) if one.id != user]
        file = file_of_symbol(user)
        near = [one for one in named if file_of_symbol(one.id) == file]
        for one in sorted(near, key=lambda one: one.parent_id != owner):
            if one.parent_id in {owner, file_symbol(file)}:
                return one.id, 1.0
        for conftest in self._conftests_of(self.paths.get(file, "")):
            found = [one for one in named if file_of_symbol(one.id) == conftest and conftest != file]
            if found:
                return found[0].id, 1.0
        return (named[0].id, _ELSEWHERE) if len(named) == 1 and not near else None

    def runs_around(self, one: _Fixture, taker: "Taker") -> bool:
        """Whether a fixture that is used by itself is used by a test: of its class, its file or its folder."""
        file, other = file_of_symbol(one.id), file_of_symbol(taker.id)
        if one.parent_id != file_symbol(file):
            return taker.parent_id == one.parent_id
        path = self.paths.get(file, "")
        if path.rpartition("/")[2] != "conftest.py":
            return file == other
        return self.paths.get(other, "").startswith(path.removesuffix("conftest.py"))

    def _conftests_of(self, path: str) -> Iterator[FileId]:
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            found = self._conftests.get(f"{folder}/conftest.py" if folder else "conftest.py")
            if found is not None:
                yield found


def fixture_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests, classes, files and fixtures run which fixtures."""
    names = reader.running.decorator_names()
    yield from _rust_runs(reader, names)
    marked = reader.running.decorated(name for name in names if _FIXTURE.fullmatch(name))
    if not marked:
        return
    fixtures = _Fixtures(reader, marked)
    known = {one.id for one in fixtures.all}
    alone = [one for one in fixtures.all if one.is_autouse]
    for taker in reader.running.takers(known):
        for name in taker.parameters:
            found = fixtures.meant(taker.id, name, taker.parent_id)
            if found is not None:
                yield Run(taker.id, *found)
        if taker.id not in known:
            yield from (Run(taker.id, one.id, 1.0) for one in alone if fixtures.runs_around(one, taker))
    for mark in reader.running.decorated(name for name in names if _USING.fullmatch(name)):
        for name in _QUOTED.findall(mark.text):
            found = fixtures.meant(mark.symbol_id, name, mark.parent_id)
            if found is not None:
                yield Run(mark.symbol_id, *found)


def _rust_runs(reader: "IndexReader", names: list[str]) -> Iterator[Run]:
    """Fixtures of rstest: functions that a test or another fixture has a parameter of the name of."""
    taking = reader.running.decorated(name for name in names if _RSTEST.fullmatch(name))
    if not taking:
        return
    marked = reader.running.decorated(name for name in names if _RUST_FIXTURE.fullmatch(name))
    by_name: dict[str, list[SymbolId]] = defaultdict(list)
    for one in marked:
        by_name[one.name].append(one.symbol_id)
    for user in reader.symbols.many({one.symbol_id for one in (*taking, *marked)}):
        for parameter in user.parameters:
            found = by_name.get(parameter.name.lstrip("_"), [])
            near = [each for each in found if file_of_symbol(each) == file_of_symbol(user.id)]
            meant = near or (found if len(found) == 1 else [])
            yield from (Run(user.id, each, 1.0) for each in meant if each != user.id)
