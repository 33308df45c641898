"""What an application puts before all of its routes: a context path of its settings, `@ApplicationPath`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final

from drift.index.ids import SymbolId, file_of_symbol
from drift.index.route_rows import SITE

if TYPE_CHECKING:
    from drift.index.route_rows import MountedRow

_SOURCES: Final = "src/main/"
_CODE: Final = (".java", ".kt")


class RouteSites:
    """The prefixes of applications, by the folders that their sources stand in."""

    def __init__(
        self, mounts: Iterable[MountedRow], files: Iterable[tuple[int, str]], tests: Collection[int]
    ) -> None:
        found = [one for one in mounts if one.kind == SITE]
        self._paths = dict(files) if found else {}
        by_file: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for one in found:
            file = file_of_symbol(SymbolId(one.symbol_id))
            path = one.file or self._paths.get(file, "")
            if file not in tests and _SOURCES in path and not one.prefix.startswith("<"):
                by_file[path][one.prefix.strip("/")] = None
        self._prefixes: dict[str, str] = {}
        # The plainest name is that of no profile; what a class says stands behind what settings say.
        for path in sorted(by_file, key=lambda one: (one.endswith(_CODE), len(one), one)):
            folder = path.partition(_SOURCES)[0]
            said = "/".join(by_file[path])
            if folder not in self._prefixes:
                self._prefixes[folder] = said
            elif path.endswith(_CODE):
                self._prefixes[folder] += f"/{said}"

    def before(self, place: int) -> str:
        """What stands before a route that is declared at a symbol."""
        if not self._prefixes:
            return ""
        path = self._paths.get(file_of_symbol(SymbolId(place)), "")
        folder, mark, _ = path.partition(_SOURCES)
        return self._prefixes.get(folder, "") if mark else ""
