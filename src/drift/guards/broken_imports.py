"""Imports that a change breaks: of names that a file of the project does not have, or no longer has.

What it does: looks at imports on new lines, and at those elsewhere that lead to a changed file.
Why it matters: the file that breaks is often not one that was changed.
Known limits: a name counts as missing only where its file does not have it as a word at all, so that what is made at
run time, by macros or in ways that extraction does not read is never accused; nor is an import that is tried. It is an
error where the import led to the name before, or is new and of a file that is no package, which may get modules from a
build; else a warning. Imports of deleted files are for `gone_files`.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from posixpath import dirname
from typing import Final

from drift.guards.changed_lines import Change, text_before, text_now
from drift.guards.intentions import is_tried
from drift.guards.overlay import overlaid
from drift.index import IndexReader
from drift.index.path_text import path_to_text, text_to_path
from drift.index.records import FileRecord, ImportRecord
from drift.quality import Finding, finding

RULE: Final = "imports/missing-name"
IMPORTED_BY_NAME: Final = frozenset({"python", "typescript", "javascript"})
"""Languages in which an import names what another file has, and nothing else can bring it in."""
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]{0,200}")
MADE_AT_RUN_TIME: Final = ("__getattr__", "import *", "export *", "globals()", "setattr(", "module.exports")
"""A file with one of these may have names that its text does not say."""


def find_broken_imports(reader: IndexReader, root: Path, change: Change) -> Iterator[Finding]:
    """The imports that lead nowhere: on new lines, and elsewhere where what they lead to was changed."""
    sources = _Sources(reader, root)
    seen: set[ImportRecord] = set()
    for path in sorted(change.files):
        record = reader.files.at(path)
        if record is None or record.language not in IMPORTED_BY_NAME:
            continue
        for each in reader.facts.imports_of(record.id):
            if change.has_line(path, each.line) and each not in seen and sources.is_missing(each):
                seen.add(each)
                yield _finding(sources, each, is_certain=sources.is_of_plain_file(each))
        gone = _words(change.files[path].removed)
        # What was missing before is not for this change to answer.
        others = [each for each in reader.facts.importers_of_file(record.id) if each.name in gone]
        broken = [each for each in others if each not in seen and sources.is_missing(each)]
        seen.update(broken)
        led = _led_before(reader, root, change, path=path, imports=broken)
        yield from (_finding(sources, each, is_certain=_key(each) in led) for each in broken)


def _words(lines: Iterable[str]) -> frozenset[str]:
    return frozenset(word for line in lines for word in _NAME.findall(line))


def _key(each: ImportRecord) -> tuple[str, int, str | None]:
    return each.path, each.line, each.name


def _led_before(
    reader: IndexReader, root: Path, change: Change, *, path: str, imports: Iterable[ImportRecord]
) -> set[tuple[str, int, str | None]]:
    """The imports, of those that have some broken ones beside them, that led to something of the project before."""
    texts = {
        text_to_path(each.path): text
        for each in imports
        if each.path != path and (text := text_now(root, text_to_path(each.path))) is not None
    }
    before = text_before(root, change, change.files[path].former or text_to_path(path)) if texts else None
    if before is None:
        return set()
    with overlaid(root, reader, {**texts, text_to_path(path): before}) as overlay:
        return {
            (path_to_text(file.path), written.line, written.name)
            for file in overlay.files.values()
            for written, link in file.imports()
            if link.symbols
        }


class _Sources:
    def __init__(self, reader: IndexReader, root: Path) -> None:
        self._reader = reader
        self._text = cache(lambda path: _text(root, path))

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
        if re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) or self._is_module(target, name):
            return False
        return not is_tried((self._text(each.path) or "").split("\n"), each.line)

    def target(self, each: ImportRecord) -> FileRecord | None:
        return self._reader.files.get(each.target_file_id) if each.target_file_id is not None else None

    def is_of_plain_file(self, each: ImportRecord) -> bool:
        """Whether an import is of a file that stands for itself, and not for its folder."""
        target = self.target(each)
        return target is not None and not target.path.endswith("__init__.py")

    def _is_module(self, target: FileRecord, name: str) -> bool:
        """Whether the name is that of the file itself, or of a file or folder beside it."""
        folder = dirname(target.path)
        stem = target.path.rpartition("/")[2].partition(".")[0]
        beside = f"{folder}/{name}" if folder else name
        return stem == name or bool(self._reader.files.paths_beginning(beside, limit=1))


def _text(root: Path, path: str) -> str | None:
    content = text_now(root, text_to_path(path))
    return content.decode("utf-8", "replace") if content is not None else None


def _finding(sources: _Sources, each: ImportRecord, *, is_certain: bool) -> Finding:
    target = sources.target(each)
    where = target.path if target is not None else each.module
    return finding(
        RULE,
        f"{each.name} is imported from {where}, which has no such name",
        file=each.path,
        lines=(each.line, each.line),
        snippet=f"{each.module} {each.name}",
        severity="error" if is_certain else "warning",
    )
