"""Which symbols a diff changes, by the lines it touches."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from drift.index import IndexReader
from drift.index.records import SymbolRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.project.git import run_git, user_argument

_MOST_BYTES = 20_000_000


_TIMEOUT_SECONDS = 20.0


_HUNK: Final = re.compile(r"@@ -\d+(?:,\d+)? \+(?P<line>\d+)(?:,(?P<count>\d+))? @@")
_ESCAPE: Final = re.compile(r'\\([0-7]{3}|[abfnrtv"\\])')
_LETTERS: Final = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, '"': 34, "\\": 92}
_NOWHERE: Final = "/dev/null"


class FileChange(NamedTuple):
    """A file of a diff and the lines it has new; `is_deleted`: it is no more, and has none."""

    path: str
    ranges: tuple[tuple[int, int], ...]  # first and last line, as they are now; both sides of a gap
    is_deleted: bool = False
    added: tuple[tuple[int, int], ...] = ()  # of these, the lines that are new
    removed: tuple[str, ...] = ()  # the lines it has no more, whatever their white space
    former: str | None = None  # the name it had, where it has another now


class ChangedSymbols(NamedTuple):
    """The symbols that a diff touches, files it deletes, and files it touches that the index has no symbols of."""

    symbols: tuple[SymbolRecord, ...]
    deleted: tuple[str, ...]
    unknown: tuple[str, ...]


def parse_diff(text: str) -> list[FileChange]:
    """The files of a unified diff without context lines, with the prefixes a/ and b/."""
    found: list[FileChange] = []
    old = new = former = None
    ranges: list[tuple[int, int]] = []
    added: list[tuple[int, int]] = []
    removed: list[str] = []
    pending = 0  # lines of the hunk that follow: they may look like headers
    for line in text.split("\n"):
        if pending and line[:1] in {"+", "-"}:
            pending -= 1
            if line.startswith("-") and (said := " ".join(line[1:].split())):
                removed.append(said)
            continue
        if line.startswith("diff --git "):
            found += _file_change(old, new, ranges, added, removed, former=former)
            old, new, former, ranges, added, removed = None, None, None, [], [], []
        elif line.startswith("rename from "):
            former = _path(line[12:], "")
        elif line.startswith("rename to "):
            new = _path(line[10:], "")  # all there is of a file that was only renamed
        elif line.startswith("--- "):
            old = _path(line[4:], "a/")
        elif line.startswith("+++ "):
            new = _path(line[4:], "b/")
        elif match := _HUNK.match(line):
            ranges.append(_range(match))
            added += [ranges[-1]] if match["count"] != "0" else []
            pending = _hunk_lines(line)
    return [*found, *_file_change(old, new, ranges, added, removed, former=former)]


def find_changed_symbols(reader: IndexReader, changes: Iterable[FileChange]) -> ChangedSymbols:
    """The innermost symbols around the changed lines; the file itself where they are in none."""
    symbols: dict[int, SymbolRecord] = {}
    deleted, unknown = [], []
    for change in changes:
        record = reader.files.at(change.path) if not change.is_deleted else None
        if change.is_deleted:
            deleted.append(change.path)
        elif record is None or record.language is None:
            unknown.append(change.path)
        else:
            inside = reader.symbols.of_file(record.id)
            symbols |= {one.id: one for each in change.ranges for one in _touched(inside, each)}
    return ChangedSymbols(tuple(symbols.values()), tuple(deleted), tuple(unknown))


def _touched(symbols: list[SymbolRecord], lines: tuple[int, int]) -> list[SymbolRecord]:
    """The symbols that have a changed line which is in none of their own members."""
    first, last = lines
    around = [one for one in symbols if one.line <= last and one.end_line >= first and one.kind != "module"]
    kept = []
    for one in around:
        members = [each for each in around if each.parent_id == one.id]
        covered = _count_covered(members, max(first, one.line), min(last, one.end_line))
        if covered <= min(last, one.end_line) - max(first, one.line):
            kept.append(one)
    return kept or [one for one in symbols if one.kind == "module"]


def _count_covered(members: list[SymbolRecord], first: int, last: int) -> int:
    """How many of the lines are in one of the members; members of one parent hardly overlap."""
    beyond, covered = first, 0
    for one in sorted(members, key=lambda each: each.line):
        start, end = max(one.line, beyond), min(one.end_line, last)
        covered += max(0, end - start + 1)
        beyond = max(beyond, end + 1)
    return covered


def _file_change(
    old: str | None,
    new: str | None,
    ranges: list[tuple[int, int]],
    added: list[tuple[int, int]],
    removed: list[str],
    *,
    former: str | None,
) -> list[FileChange]:
    if new is not None:
        return [FileChange(new, tuple(ranges), added=tuple(added), removed=tuple(removed), former=former)]
    return [FileChange(old, (), is_deleted=True, removed=tuple(removed))] if old is not None else []


def _range(match: re.Match[str]) -> tuple[int, int]:
    line, count = int(match["line"]), int(match["count"] or 1)
    # Lines only taken away: git names the line before the gap, and both sides of it may have lost something.
    return (line, line + count - 1) if count else (max(line, 1), line + 1)


def _hunk_lines(header: str) -> int:
    old, new = header.split(" ")[1:3]
    return sum(int(part.partition(",")[2] or 1) for part in (old, new))


def _path(text: str, prefix: str) -> str | None:
    """The path in a header, unquoted; None where the file is not on that side."""
    name = text.removesuffix("\t")
    if name.startswith('"') and name.endswith('"'):
        name = _unquote(name[1:-1])
    return None if name == _NOWHERE else name.removeprefix(prefix)


def _unquote(text: str) -> str:
    raw = _ESCAPE.sub(lambda found: chr(_byte(found[1])), text)
    # Escapes are bytes of the name; other letters are themselves.
    data = b"".join(bytes([ord(each)]) if ord(each) < 256 else each.encode() for each in raw)  # noqa: PLR2004 - what fits one byte
    return data.decode("utf-8", "surrogateescape")


def _byte(escape: str) -> int:
    return _LETTERS[escape] if escape in _LETTERS else int(escape, 8) & 255


def read_diff(root: Path, base: str, *, paths: Sequence[str] = (".",)) -> str:
    """The diff from a commit to the files as they are, without context lines."""
    commit = find_commit(root, base)
    diff = run_git(
        root,
        "diff",
        "--no-color",
        "--unified=0",
        "--find-renames",
        "--relative",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        commit,
        "--",
        *paths,
        timeout_seconds=_TIMEOUT_SECONDS,
        max_bytes=_MOST_BYTES,
    )
    if diff.exit_code != 0 and not diff.is_cut:
        raise DriftError(ErrorCode.ANALYSIS_FAILED, f"git diff failed: {diff.stderr[:200]}")
    if diff.is_cut:
        raise DriftError(
            ErrorCode.TOO_LARGE,
            f"The diff against {base} is larger than {_MOST_BYTES:,} bytes.",
            Recovery(hint="Give a nearer base, or a file as target."),
        )
    return diff.text


def find_commit(root: Path, name: str) -> str:
    """The commit that a text names; INVALID_ARGUMENT where git knows none."""
    commit = user_argument(name, argument="base")
    known = run_git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    if known.exit_code == 0:
        return known.text
    if run_git(root, "rev-parse", "--git-dir").exit_code != 0:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            "What has changed is read from git, and the project is in no git repository.",
            Recovery(hint="Name the symbols or files that change instead."),
        )
    raise invalid("base", f"git knows no commit {name[:80]!r}")
