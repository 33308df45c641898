"""A project as linking sees it, with facts kept packed until they are asked for."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from drift.languages.facts import FileFacts
from drift.scan.packing import unpack_facts

_MOST_CONFIG_BYTES: Final = 1_000_000


class StoredSources:
    """The facts of a scan under way. `packed_of` gives the packed facts of a path."""

    def __init__(self, root: Path, paths: Collection[str], packed_of: Callable[[str], bytes]) -> None:
        self._root = root
        self._paths = tuple(sorted(paths))
        self._packed_of = packed_of
        self._unpacked: dict[str, FileFacts] = {}

    def paths(self) -> tuple[str, ...]:
        return self._paths

    def facts_of(self, path: str) -> FileFacts:
        # Rules ask for some files again and again, and linking holds them all anyway.
        if path not in self._unpacked:
            self._unpacked[path] = unpack_facts(self._packed_of(path))
        return self._unpacked[path]

    def text_of(self, path: str) -> str | None:
        """A configuration file's text; None for one that is absent, too large, a link, or outside the project."""
        place = self._root / path
        try:
            if place.is_symlink() or place.stat().st_size > _MOST_CONFIG_BYTES:
                return None
            return place.read_text("utf-8", errors="replace")
        except (OSError, ValueError):
            return None
