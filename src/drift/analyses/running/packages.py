"""Packages that start as a whole: the variables of all files of a folder and what runs before anything else of it.

What it does: a test file runs what starts its package, `init` of Go and what is called for the value of a variable of the
package, and less surely what starts the packages that its package imports.
Known limits: an import is placed by the end of its path, the root of a project by none; what imported packages import
themselves is not followed.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.index.ids import file_of_symbol, file_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.ids import FileId, SymbolId

_OWN: Final = 0.9
_IMPORTED: Final = 0.6
_MOST_STARTED: Final = 60  # by one package: where there are more, they are seldom asked for one by one


def package_runs(reader: "IndexReader") -> Iterator[Run]:
    """What test files run by belonging to a package, or to one that imports another."""
    folders: dict[FileId, str] = {}
    tests: dict[str, list[FileId]] = defaultdict(list)
    for file, path, role in reader.starts.files_of(_starting()):
        folders[file] = path.rpartition("/")[0]
        if role == "test":
            tests[folders[file]].append(file)
    if not tests:
        return
    started = _started(reader, folders)
    imported = _imported(reader, folders, frozenset(started))
    for folder, held in tests.items():
        sure = dict.fromkeys(started.get(folder, ()), _OWN)
        for other in imported.get(folder, ()):
            sure.update((one, _IMPORTED) for one in started[other] if one not in sure)
        for file in held:
            yield from (Run(file_symbol(file), one, confidence) for one, confidence in sure.items())


def _started(reader: "IndexReader", folders: dict["FileId", str]) -> dict[str, list["SymbolId"]]:
    """The functions that run when the package of a folder starts."""
    found: dict[str, list[SymbolId]] = defaultdict(list)
    for names in _starting().values():
        for one in reader.starts.at_top(_starting(), names):
            found[folders[file_of_symbol(one)]].append(one)
    for file, one in reader.starts.called_at_top(_starting()):
        held = found[folders[file]]
        if len(held) < _MOST_STARTED and one not in held:
            held.append(one)
    return found


def _imported(
    reader: "IndexReader", folders: dict["FileId", str], started: frozenset[str]
) -> dict[str, dict[str, None]]:
    """The packages that the files of each folder import, by the longest end of the import that is a folder."""
    placed: dict[str, str | None] = {}
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for user, module in reader.starts.unplaced_imports(_starting()):
        if module not in placed:
            parts = module.split("/")
            ends = ("/".join(parts[place:]) for place in range(len(parts)))
            placed[module] = next((end for end in ends if end in started), None)
        other = placed[module]
        if other is not None:
            found[folders[file_of_symbol(user)]][other] = None
    return found


@cache
def _starting() -> dict[str, list[str]]:
    text = files("drift.analyses.running").joinpath("whole_packages.toml").read_text("utf-8")
    found: dict[str, list[str]] = tomllib.loads(text)["starting"]
    return found
