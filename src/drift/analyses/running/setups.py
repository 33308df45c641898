"""Set-up that tests have of other classes: of those above theirs, and of those below that inherit the tests.

What it does: who runs the tests of a class runs what classes above set up, which may stand in another file; tests of a
class that others inherit run with what these set up.
Known limits: Python alone; of several classes that inherit a test each runs it with its own.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run, reached_from
from drift.index.ids import SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_INHERITED: Final = 0.95
_OF_ONE_BELOW: Final = 0.9
_OF_SEVERAL_BELOW: Final = 0.6
_AS_BELOW: Final = 0.8  # a test that a class inherits runs as one of that class, with what its body says


def setup_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which classes of tests run what others set up."""
    tests_in, names = reader.running.python_test_files(), _words("names")
    every: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    below: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents():
        if parent is not None:
            every[child].append(parent)
            if file_of_symbol(child) in tests_in and file_of_symbol(parent) in tests_in:
                below[parent].append(child)
    # What tests share may stand in a file of the product: shop.testing.
    above = {one: reached_from(one, every) - {one} for one in every if file_of_symbol(one) in tests_in}
    shared = {each for line in above.values() for each in line}
    setups: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for member in reader.running.uncalled_members():
        is_of_test = file_of_symbol(member.id) in tests_in or member.parent_id in shared
        if member.name in names and member.is_python and is_of_test:
            setups[member.parent_id].append(member.id)
    for owner, line in above.items():
        yield from (Run(owner, each, _INHERITED) for one in line for each in setups.get(one, ()))
    for owner, children in below.items():
        confidence = _OF_ONE_BELOW if len(children) == 1 else _OF_SEVERAL_BELOW
        own = [each for child in children for each in setups.get(child, ())]
        for test in (one.id for one in reader.symbols.members(owner) if one.name.startswith("test")):
            yield from (Run(test, each, confidence) for each in own)
            yield from (Run(test, one, _AS_BELOW) for one in reached_from(owner, below) - {owner})


def opened_by_frameworks() -> frozenset[str]:
    """The names of blocks that a framework of tests runs itself, for the tests they stand around: set-up, groups."""
    return frozenset(name for name in _words("names") | _words("groups") if name.startswith("<"))


@cache
def _words(key: str) -> frozenset[str]:
    """What set-up and groups are called: data of the answers about tests, which build on this room."""
    text = files("drift.analyses.testing").joinpath("signs.toml").read_text("utf-8")
    return frozenset(tomllib.loads(text)["setup"][key])
