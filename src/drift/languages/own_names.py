"""Whether a file may mean a type of its own project by the name of one of a library.

Files say no more than that it may be so: whether the name leads to a type of the project is known when files are linked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from drift.languages.facts import Import

_DECLARING: Final = rb"\b(?:class|enum|interface|record|struct|trait|type|union)\s+%b\b"


class OwnNames:
    """The names of libraries in one file."""

    def __init__(self, source: bytes, imports: list[Import], is_library: Callable[[str], bool]) -> None:
        self._source = source
        self._imports = imports
        self._is_library = is_library
        self._known: dict[
            tuple[str, int], bool
        ] = {}  # by how many imports were seen: they may stand anywhere

    def may_be_own(self, name: str) -> bool:
        """Whether the file declares a type of that name, or imports one that is not known to be the library's."""
        key = (name, len(self._imports))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._is_imported(self._imports, name) or self._is_declared(name)
        return known

    def _is_imported(self, imports: Iterable[Import], name: str) -> bool:
        named = [one for one in imports if name in (one.alias, one.name)]
        if named:
            return any(not self._is_library(one.module) for one in named)
        return any(one.name == "*" and not self._is_library(one.module) for one in imports)

    def _is_declared(self, name: str) -> bool:
        return re.search(_DECLARING % re.escape(name.encode()), self._source) is not None
