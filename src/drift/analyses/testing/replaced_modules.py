"""What a test puts something else in the place of by naming a module: `vi.mock("@/api", () => ({ copy: vi.fn() }))`.

A path that is no relative one is what imports of that text lead to. All that the module hands on from others is
replaced with it; where what stands in its place takes the rest from the module itself, only what it names.
"""

import re
from collections import defaultdict
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Final

from drift.index.ids import FileId, SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_ENDINGS: Final = (
    "",
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".mjs",
    ".vue",
    ".svelte",
    "/index.ts",
    "/index.tsx",
    "/index.js",
)
_OWN_ROOTS: Final = ("@/", "~/", "src/")
_KEEPS_REST: Final = re.compile(r"\b(?:importActual|requireActual|importOriginal|actual|original)\b")
_NAMED: Final = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]{0,80}+)\s{0,8}+(?=[:(])")
_MOST_FACTORY: Final = 4_000
_MOST_FILES: Final = 60

Found = tuple[bool | None, frozenset[SymbolId]]
"""Whether a target is outside the project (None: nothing tells), and the symbols it is inside."""


class ReplacedModules:
    """Finds what stands in the modules that tests name; each once."""

    def __init__(self, reader: "IndexReader") -> None:
        self._reader = reader
        self._by_text: dict[str, set[FileId]] | None = None

    def find(self, path: str, target: str, after: str) -> Found:
        """What the test at a path replaces by naming a module; `after` is the text behind the call."""
        first = self._file(path, target)
        if first is None:
            return not target.startswith((".", *_OWN_ROOTS)), frozenset()
        factory = _factory(after)
        names = set(_NAMED.findall(factory)) if _KEEPS_REST.search(factory) else None
        symbols = [one for file in self._handed_on(first) for one in self._reader.symbols.of_file(file)]
        if names is None:
            return False, frozenset(one.id for one in symbols)
        kept = [one.id for one in symbols if one.name in names and one.kind != "module"]
        return False, frozenset(self._reader.graph.inside(kept)) if kept else frozenset()

    def _file(self, path: str, target: str) -> FileId | None:
        if target.startswith("."):
            base = normpath(join(dirname(path), target)).removesuffix(".js")
            found = (self._reader.files.at(f"{base}{ending}") for ending in _ENDINGS)
            return next((one.id for one in found if one is not None), None)
        if self._by_text is None:
            self._by_text = defaultdict(set)
            for module, file in self._reader.testing.modules_named():
                self._by_text[module].add(file)
        several = self._by_text.get(target, set())
        return next(iter(several)) if len(several) == 1 else None

    def _handed_on(self, file: FileId) -> list[FileId]:
        """A file, and those that it hands on."""
        files = [file]
        for one in files:  # grows while it is gone through
            handed = (
                each.target_file_id
                for each in self._reader.facts.imports_of(one)
                if each.is_reexport and not each.is_type_only
            )
            files += [each for each in dict.fromkeys(handed) if each is not None and each not in files]
            if len(files) > _MOST_FILES:
                break
        return files[:_MOST_FILES]


def _factory(after: str) -> str:
    """What stands behind the name of the module, up to where the call closes."""
    depth, text = 0, after[:_MOST_FACTORY]
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return text[:place]
    return text
