"""Which parts of a project, as builds take them apart, can have the code of which others.

What it does: a file belongs to the nearest folder around it with a manifest, and a part can have what its files import
or name in others, and what these can have.
Known limits: what a build adds without any code that names it is not seen.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import reached_from
from drift.index.ids import FileId
from drift.manifests.formats import MANIFESTS, fits

if TYPE_CHECKING:
    from drift.index import IndexReader

_SURE: Final = 0.9


class Modules:
    """The parts of one state of an index."""

    def __init__(self, reader: "IndexReader") -> None:
        known = [
            (one.id, one.path.rpartition("/")) for one in reader.packages.files() if one.role != "vendored"
        ]
        places = {
            folder for _, (folder, _, name) in known if any(fits(form.pattern, name) for form in MANIFESTS)
        }
        nearest: dict[str, str] = {"": ""}
        self._of = {file: _nearest(folder, places, nearest) for file, (folder, *_) in known}
        self._uses: dict[str, set[str]] = defaultdict(set)
        self._reached: dict[str, set[str]] = {}
        if len(set(self._of.values())) > 1:
            self._read(reader)

    def _read(self, reader: "IndexReader") -> None:
        for use in (
            *reader.packages.imports_between_files(),
            *reader.packages.references_between_files(min_confidence=_SURE),
        ):
            source, target = self._of.get(use.source), self._of.get(use.target)
            if source is not None and target is not None and source != target:
                self._uses[source].add(target)

    def can_have(self, test: FileId, asked: FileId, used: FileId) -> bool:
        """Whether a test that asks for what one file answers can run the code of another with it.

        A test that nothing binds to what it asks for, such as one of a whole system, runs what that can have.
        """
        mine, other, theirs = self._of.get(test), self._of.get(asked), self._of.get(used)
        if mine is None or other is None or theirs is None:
            return True
        if other in self._walk(mine):
            return theirs in self._walk(mine)
        return theirs in self._walk(other) or other in self._walk(theirs)

    def has(self, user: FileId, used: FileId) -> bool:
        """Whether what stands in one file can have the code of another."""
        mine, other = self._of.get(user), self._of.get(used)
        return mine is None or other is None or other in self._walk(mine)

    def _walk(self, module: str) -> set[str]:
        if module not in self._reached:
            self._reached[module] = reached_from(module, self._uses)
        return self._reached[module]


def _nearest(folder: str, places: Iterable[str], nearest: dict[str, str]) -> str:
    """The nearest folder around with a manifest, else the root; noted for all folders on the way."""
    way = []
    here = folder
    while here not in nearest and here not in places:
        way.append(here)
        here = here.rpartition("/")[0]
    found = nearest.setdefault(here, here)
    nearest.update(dict.fromkeys(way, found))
    return found
