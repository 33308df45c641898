"""Secrets of a project: its files as they are now, and what commits added."""

import os
import stat
from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.secrets.findings import MOST_BYTES, Secret, scan_text
from drift.analyses.secrets.judging import Level
from drift.analyses.usages.texts import Text, Texts, project_texts
from drift.index import IndexReader
from drift.index.path_text import path_to_text, text_to_path
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.reading import ProjectFiles
from drift.kernel.redaction import Severity
from drift.kernel.text import plural
from drift.languages.table import language_of

SEVERITIES: Final[tuple[Severity, ...]] = ("critical", "high", "medium", "low")
_LEVELS: Final[tuple[Level, ...]] = ("high", "medium", "low")
_MOST_LOOKED_AT: Final = 50_000
_looked_at: Final[dict[tuple[str, str, bytes], tuple[Secret, ...]]] = {}
_MOST_PROJECTS: Final = 2


class Secrets(NamedTuple):
    """What was found, the gravest and surest first, and how many files were looked at."""

    rows: tuple[Secret, ...]
    files: int
    left_out: int = 0
    unread: tuple[str, ...] = ()
    """Files that are there and could not be read: whether they hold a secret is not known."""

    @property
    def summary(self) -> str:
        product = sum(each.where == "product" for each in self.rows)
        grave = sum(each.severity == "critical" for each in self.rows)
        return (
            f"{plural(len(self.rows), 'secret')} in {plural(self.files, 'file')}: {product} in the product, "
            f"{len(self.rows) - product} in tests, examples and pages; {grave} critical"
        )

    def ranked(self) -> Ranked[Secret]:
        return Ranked(
            self.rows, {"severity": Sort(rank), "file": Sort(lambda one: (one.file, one.line, one.rule))}
        )


_found: Final[dict[Path, tuple[int, Secrets]]] = {}


def rank(one: Secret) -> tuple[int, int, float, str, int, str, str]:
    """The key by which the gravest come first, those of the product before those of tests."""
    beside = int(one.where != "product")
    return (beside, SEVERITIES.index(one.severity), -one.confidence, one.file, one.line, one.rule, one.value)


def is_code_file(path: str) -> bool:
    """Whether a file is read as code, where a value without quotes is an expression."""
    return language_of(path.rpartition("/")[2]) is not None


def find_in_project(
    reader: IndexReader, root: Path, *, check_cancelled: Callable[[], None] = lambda: None
) -> Secrets:
    """The secrets of all texts of a project; where none of them is another than before, those found then."""
    texts = project_texts(reader, root)
    state = texts.stamp()
    before = _found.get(root)
    if before is not None and before[0] == state:
        return before[1]
    found = _find_in_texts(texts, root, check_cancelled)
    _found.pop(root, None)
    while len(_found) >= _MOST_PROJECTS:
        _found.pop(next(iter(_found)), None)
    if not found.unread:  # whether a file may be read does not show in its time
        _found[root] = state, found
    return found


def _find_in_texts(texts: Texts, root: Path, check_cancelled: Callable[[], None]) -> Secrets:
    rows: list[Secret] = []
    files = 0
    for one in texts:
        check_cancelled()
        files += 1
        rows += _secrets_of(one)
    keys = find_in_files(root, (path_to_text(one.path) for one in texts.key_files))
    return Secrets(
        tuple(sorted((*rows, *keys.rows), key=rank)), files + keys.files, texts.left_out, keys.unread
    )


def _secrets_of(text: Text) -> tuple[Secret, ...]:
    """The secrets of a text; of one that was looked at before, what was found then."""
    key = (text.path, text.role, blake2b(text.content, digest_size=16).digest())
    found = _looked_at.get(key)
    if found is None:
        is_test = text.role == "test"
        found = tuple(scan_text(text.path, text.content, is_code=is_code_file(text.path), is_test=is_test))
        if len(_looked_at) >= _MOST_LOOKED_AT:
            _looked_at.clear()
        _looked_at[key] = found
    return found


def is_in_texts(reader: IndexReader, root: Path) -> Callable[[str], bool]:
    """Says of a value whether it stands in a text of the project as it is now."""
    texts = project_texts(reader, root)
    asked: dict[str, bool] = {}

    def stands(value: str) -> bool:
        if value not in asked:
            wanted = value.encode("utf-8", "replace")
            asked[value] = any(wanted in one.content for one in texts)
        return asked[value]

    return stands


def find_in_files(root: Path, paths: Iterable[str]) -> Secrets:
    """The secrets of some files of a project; what is gone, a link or no text has none."""
    rows: list[Secret] = []
    unread: list[str] = []
    count = 0
    with ProjectFiles(root) as files:
        for path in paths:
            place = text_to_path(path)
            try:
                content = files.read_beginning(place, MOST_BYTES, follow_links=False)
            except OSError:
                if _is_regular(root, place):
                    unread.append(path)
                continue
            count += 1
            if b"\0" not in content[:8_192]:
                rows += scan_text(path, content, is_code=is_code_file(path))
    return Secrets(tuple(rows), count, unread=tuple(unread))


def _is_regular(root: Path, path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(root / path).st_mode)
    except OSError:
        return False  # gone since it was named


def at_least(rows: Iterable[Secret], level: Level, severity: Severity | None) -> tuple[Secret, ...]:
    """Those that are as sure and as grave as wanted."""
    sure = _LEVELS[: _LEVELS.index(level) + 1]
    grave = SEVERITIES if severity is None else SEVERITIES[: SEVERITIES.index(severity) + 1]
    return tuple(each for each in rows if each.level in sure and each.severity in grave)
