"""The files of a project, and where a word stands in them: asked last, when the index has no symbol of the name."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.path_text import text_to_path
from drift.kernel.reading import ProjectFiles
from drift.scan.git_listing import list_with_git
from drift.scan.ignores import IgnoreRules
from drift.scan.roles import is_binary_head, role_rules
from drift.scan.tree_walk import TreeWalk

_MOST_BYTES: Final = 48_000_000
_MOST_FILE_BYTES: Final = 500_000
_HEAD_BYTES: Final = 1_024
_ORDER: Final = ("source", "config", "test", "generated", "vendored", "doc")
_DOCUMENT_ENDINGS: Final = (".md", ".rst", ".txt", ".adoc", ".markdown")
# What tells of earlier states has their names, whatever its ending.
_TELLING: Final = re.compile(
    r"(?:^|/)(?:change(?:s|log)|history|news|releases?|release[-_]?notes)(?:\.\w{1,10})?$|(?:^|/)docs?/",
    re.IGNORECASE,
)


class Mention(NamedTuple):
    """A place in a file. One in a document proves nothing of the code."""

    path: str
    line: int
    is_in_document: bool


def list_files(root: Path) -> tuple[str, ...]:
    """Every file that belongs to the project, also those of no language; the index has the others alone."""
    listing = list_with_git(root)
    if listing is not None:
        # What git has may be deleted on disk and not yet in the index of git.
        return tuple(one for one in listing.paths if not one.startswith(".drift/") and (root / one).is_file())
    entries = TreeWalk(root, role_rules(), IgnoreRules()).entries()
    return tuple(sorted(one.path for one in entries if one.reason is None))


class Texts:
    """The texts of files, read once, when first asked. `roles` are those the index knows."""

    def __init__(self, root: Path, paths: Sequence[str], roles: Mapping[str, str]) -> None:
        self._root = root
        self._paths = paths
        self._roles = roles
        self.is_whole = True

    def find(self, word: str) -> Mention | None:
        """The first place where the word stands by itself: in source before tests, in documents last."""
        needle = word.encode("utf-8", "replace")
        whole = re.compile(rb"(?<![A-Za-z0-9_])" + re.escape(needle) + rb"(?![A-Za-z0-9_])")
        for path, role, content in self._contents:
            if needle in content and (match := whole.search(content)):
                return Mention(path, content.count(b"\n", 0, match.start()) + 1, role == "doc")
        return None

    @cached_property
    def _contents(self) -> list[tuple[str, str, bytes]]:
        found, read_bytes = [], 0
        placed = sorted((_ORDER.index(self._role(path)), path) for path in self._paths)
        with ProjectFiles(self._root) as files:
            for place, path in placed:
                if read_bytes >= _MOST_BYTES:
                    self.is_whole = False
                    break
                try:
                    content = files.read_beginning(text_to_path(path), _MOST_FILE_BYTES, follow_links=False)
                except (OSError, ValueError):
                    continue  # gone since it was listed: then nothing stands in it
                if not is_binary_head(content[:_HEAD_BYTES]):
                    found.append((path, _ORDER[place], content))
                    read_bytes += len(content)
        return found

    def _role(self, path: str) -> str:
        known = self._roles.get(path)
        if known in _ORDER:
            return str(known)
        is_document = path.lower().endswith(_DOCUMENT_ENDINGS) or _TELLING.search(path) is not None
        return "doc" if is_document else "config"
