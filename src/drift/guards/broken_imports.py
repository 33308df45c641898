"""Imports that a change breaks: of names that a file of the project does not have, or no longer has.

What it does: looks at imports on new lines, and at those elsewhere that lead to a changed file.
Why it matters: the file that breaks is often not one that was changed.
Known limits: a name counts as missing only where its file does not have it as a word at all, so that what is made at
run time, by macros or in ways that extraction does not read is never accused. Imports of deleted files are for `gone_files`.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from posixpath import dirname
from typing import Final

from drift.guards.changed_lines import Change
from drift.index import IndexReader
from drift.index.path_text import text_to_path
from drift.index.records import FileRecord, ImportRecord
from drift.kernel.reading import read_file
from drift.quality import Finding, finding

RULE: Final = "imports/missing-name"
IMPORTED_BY_NAME: Final = frozenset({"python", "typescript", "javascript"})
"""Languages in which an import names what another file has, and nothing else can bring it in."""
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]{0,200}")
_MOST_BYTES: Final = 2_000_000
MADE_AT_RUN_TIME: Final = ("__getattr__", "import *", "export *", "globals()", "setattr(", "module.exports")
"""A file with one of these may have names that its text does not say."""


def find_broken_imports(reader: IndexReader, root: Path, change: Change) -> Iterator[Finding]:
    """The imports that lead nowhere: on new lines, and elsewhere where what they lead to was changed."""
    sources = _Sources(reader, root)
    seen: set[tuple[str, int, str | None]] = set()
    for path in sorted(change.files):
        record = reader.files.at(path)
        if record is None or record.language not in IMPORTED_BY_NAME:
            continue
        own = [each for each in reader.facts.imports_of(record.id) if change.has_line(path, each.line)]
        gone = _words(change.files[path].removed)
        # What was missing before is not for this change to answer.
        others = [each for each in reader.facts.importers_of_file(record.id) if each.name in gone]
        for each in (*own, *others):
            key = (each.path, each.line, each.name)
            if key not in seen and sources.is_missing(each):
                seen.add(key)
                yield _finding(sources, each)


def _words(lines: Iterable[str]) -> frozenset[str]:
    return frozenset(word for line in lines for word in _NAME.findall(line))


class _Sources:
    def __init__(self, reader: IndexReader, root: Path) -> None:
        self._reader = reader
        self._root = root
        self._text = cache(self._read)

    def is_missing(self, each: ImportRecord) -> bool:
        """Whether a name of a file is not there in any form."""
        if (
            each.target_file_id is None
            or each.target_symbol_id is not None
            or each.name in (None, "*", "default")
        ):
            return False
        target = self.target(each)
        if target is None or target.status != "ok" or not _NAME.fullmatch(each.name or ""):
            return False
        name = str(each.name)
        text = self._text(target.path)
        if text is None or any(mark in text for mark in MADE_AT_RUN_TIME):
            return False
        return not re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) and not self._is_module(
            target, name
        )

    def target(self, each: ImportRecord) -> FileRecord | None:
        return self._reader.files.get(each.target_file_id) if each.target_file_id is not None else None

    def _is_module(self, target: FileRecord, name: str) -> bool:
        """Whether the name is that of the file itself, or of a file or folder beside it."""
        folder = dirname(target.path)
        stem = target.path.rpartition("/")[2].partition(".")[0]
        beside = f"{folder}/{name}" if folder else name
        return stem == name or bool(self._reader.files.paths_beginning(beside, limit=1))

    def _read(self, path: str) -> str | None:
        try:
            return read_file(self._root, text_to_path(path), _MOST_BYTES).decode("utf-8", "replace")
        except OSError:
            return None


def _finding(sources: _Sources, each: ImportRecord) -> Finding:
    target = sources.target(each)
    where = target.path if target is not None else each.module
    return finding(
        RULE,
        f"{each.name} is imported from {where}, which has no such name",
        file=each.path,
        lines=(each.line, each.line),
        snippet=f"{each.module} {each.name}",
    )
