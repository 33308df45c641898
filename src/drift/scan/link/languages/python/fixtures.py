"""Which pytest fixture a parameter means: of its class, its file, or the nearest conftest.py."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.facts import FileFacts, Symbol
from drift.scan.link.keys import fixture_key, stem_key

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_FIXTURE: Final = re.compile(r"(?:.*\.)?(?:async_)?fixture")
_USING: Final = re.compile(r"(?:.*\.)?usefixtures")
_QUOTED: Final = re.compile(r"""["'](\w+)["']""")
_NAME: Final = re.compile(r"""\bname\s*=\s*["'](\w+)["']""")


class _TestFile(NamedTuple):
    """What matters of a test file; its facts may be costly to ask for again."""

    fixtures: dict[str, list[tuple[int, int]]]  # by name: the function and what it stands in
    # Functions whose parameters are fixtures, with what they stand in, and classes that say which they use.
    takers: dict[int, int]


class FixtureIndex:
    """The fixtures of a project's test files, found when first asked for."""

    def __init__(self, sources: WatchedSources) -> None:
        self._sources = sources
        self._paths = frozenset(sources.paths())
        self._known: dict[str, _TestFile] = {}

    def find(self, path: str, function: int, name: str) -> tuple[str, int] | None:
        """The fixture that a parameter of a test or of another fixture means, or one that a class uses."""
        if "test" not in path.lower():
            return None
        here = self._in_file(path)
        self._sources.note(fixture_key(path, name))
        self._sources.note(stem_key("conftest"))
        if function not in here.takers:
            return None
        for number, parent in here.fixtures.get(name, ()):
            if parent in {0, here.takers[function]} and number != function:
                return path, number
        for conftest in self.conftests(path):
            self._sources.note(fixture_key(conftest, name))
            found = self._in_file(conftest).fixtures.get(name) if conftest != path else None
            if found:
                return conftest, found[0][0]
        return None

    def conftests(self, path: str) -> tuple[str, ...]:
        """The conftest.py files that hold for a file, the nearest first."""
        found = []
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            candidate = f"{folder}/conftest.py" if folder else "conftest.py"
            if candidate in self._paths:
                found.append(candidate)
        return tuple(found)

    def _in_file(self, path: str) -> _TestFile:
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = _read_file(self._sources.facts_of(path))
        return known


def fixtures_in(facts: FileFacts) -> dict[str, list[tuple[int, int]]]:
    """The fixtures of a file by name: the function and what it stands in."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, symbol in enumerate(facts.symbols):
        for mark in symbol.decorators:
            if _FIXTURE.fullmatch(mark.name):
                renamed = _NAME.search(mark.text)
                found.setdefault(renamed[1] if renamed else symbol.name, []).append((number, symbol.parent))
    return found


def _read_file(facts: FileFacts) -> _TestFile:
    fixtures = fixtures_in(facts)
    numbers = {number for found in fixtures.values() for number, _ in found}
    takers = {
        number: symbol.parent
        for number, symbol in enumerate(facts.symbols)
        if number in numbers or "test" in symbol.modifiers or symbol.name.startswith("test_")
    }
    takers.update((number, number) for number, symbol in enumerate(facts.symbols) if used_fixtures(symbol))
    return _TestFile(fixtures, takers)


def used_fixtures(symbol: Symbol) -> tuple[str, ...]:
    """The fixtures that a test class says it uses: `@pytest.mark.usefixtures("name")`."""
    if symbol.kind != "class":
        return ()
    marks = [mark for mark in symbol.decorators if _USING.fullmatch(mark.name)]
    return tuple(name for mark in marks for name in _QUOTED.findall(mark.text))
