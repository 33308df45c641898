"""Which of several routes of one path a request means: those of the files that its test imports, else of its part of the project."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import reached_from
from drift.analyses.running.modules import Modules
from drift.analyses.running.route_parts import RouteParts
from drift.analyses.running.routes import BEHIND, FAINT, Route
from drift.index.ids import FileId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader


_GIVEN: Final = 0.9  # it ends like the path, in the application that the test imports
_Below = Iterable[tuple[Route, RouteParts]]


class ImportedRoutes:
    """The routes in the files that a file imports, directly or through others."""

    def __init__(self, reader: "IndexReader") -> None:
        self._reader = reader
        self._modules: Modules | None = None
        self._imports: dict[FileId, set[FileId]] = defaultdict(set)
        for importer, target in reader.running.imported():
            self._imports[file_of_symbol(importer)].add(target)
        self._reached: dict[FileId, Collection[FileId]] = {}

    def of(
        self, file: FileId, found: Sequence[tuple[Route, float]], below: _Below
    ) -> Sequence[tuple[Route, float]]:
        """Those of several applications' routes that the file imports; where it imports none, each is as likely.

        `below` are those that end like the path, which is whole for an application that is mounted elsewhere.
        """
        if own := self._given(file, found, below):
            return own
        applications = {file_of_symbol(route.handler) for route, _ in found}
        # Any path fits a route without a word, so only an import says that it is meant.
        is_said = not any(route.parts and not any(route.parts) for route, _ in found)
        # A page is shown in those around it, which other files have.
        if (len(applications) <= 1 or all(route.is_page for route, _ in found)) and is_said:
            return found
        reached = self._walk(file)
        imported = [one for one in found if file_of_symbol(one[0].handler) in reached]
        if imported:
            return imported
        if is_said and any(fit > FAINT for _, fit in found):
            found = self._of_parts(file, found)
        applications = {file_of_symbol(route.handler) for route, _ in found}
        if len(applications) <= 1 and is_said:
            return found
        return [
            (route, fit / len(applications)) for route, fit in found if any(route.parts) or not route.parts
        ]

    def _given(
        self, file: FileId, found: Iterable[tuple[Route, float]], below: _Below
    ) -> Sequence[tuple[Route, float]]:
        """The routes of the application that the file itself imports, without what that is mounted under elsewhere."""
        candidates = [(one, before) for one, before in below if any(one.parts[len(before) :])]
        if not candidates:
            return ()
        reached = self._walk(file)
        if any(fit > BEHIND and file_of_symbol(one.handler) in reached for one, fit in found):
            return ()
        own = [one for one in candidates if file_of_symbol(one[0].handler) in self._imports[file]]
        # What is mounted stands behind the least of all: /users is no end of /access/users beside it.
        least: dict[FileId, int] = {}
        for one, before in own:
            file_of = file_of_symbol(one.handler)
            least[file_of] = min(len(before), least.get(file_of, len(before)))
        own = [pair for pair in own if len(pair[1]) == least[file_of_symbol(pair[0].handler)]]
        places = len({before for _, before in own})
        return [(one, _GIVEN / places) for one, _ in own]

    def _of_parts(self, file: FileId, found: Sequence[tuple[Route, float]]) -> Sequence[tuple[Route, float]]:
        """Those of the parts of the project whose code the part of the file can have, if any are."""
        if self._modules is None:
            self._modules = Modules(self._reader)
        near = [one for one in found if self._modules.has(file, file_of_symbol(one[0].handler))]
        return near or found

    def among(self, file: FileId, found: Iterable[tuple[Route, float]]) -> Iterator[tuple[Route, float]]:
        """Those of the routes that the file imports."""
        reached = self._walk(file)
        yield from (one for one in found if file_of_symbol(one[0].handler) in reached)

    def _walk(self, file: FileId) -> Collection[FileId]:
        if file not in self._reached:
            self._reached[file] = reached_from(file, self._imports)
        return self._reached[file]
