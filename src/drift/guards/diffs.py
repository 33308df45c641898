"""A unified diff applied to a text exactly, or refused with the hunk that does not fit; and the lines that differ."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from drift.kernel.errors import invalid

_HUNK: Final = re.compile(r"^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NO_NEWLINE: Final = "\\"
_MOST_COMPARED: Final = 20_000  # lines: beyond, what differs is all between the first and the last other line


class _Hunk(NamedTuple):
    head: str
    start: int  # of the old text, from 0
    old: list[str]
    new: list[str]
    ends_without_break: bool


class Move(NamedTuple):
    """What a diff does to the file itself: takes it away, or gives it another name."""

    former: str | None = None
    target: str | None = None
    is_deletion: bool = False


def read_move(diff: str) -> Move:
    """What the head of a diff, the lines before its first hunk, says of the file itself."""
    found = Move()
    for line in diff.split("\n"):
        if _HUNK.match(line):
            break
        if line.startswith("rename from "):
            found = found._replace(former=line[12:].strip())
        elif line.startswith("rename to "):
            found = found._replace(target=line[10:].strip())
        elif line.startswith(("+++ /dev/null", "deleted file mode")):
            found = found._replace(is_deletion=True)
    return found if found.is_deletion or None not in (found.former, found.target) else Move()


def has_hunks(diff: str) -> bool:
    """Whether a diff changes a line of its file."""
    return any(_HUNK.match(line) for line in diff.split("\n"))


def apply_diff(before: str, diff: str) -> str:
    """The text after a diff of one file. INVALID_ARGUMENT names the hunk that does not fit; nothing is guessed."""
    hunks = _read(diff)
    if not hunks:
        raise invalid("diff", "no hunk in it: each begins with a line such as @@ -1,4 +1,5 @@")
    lines = before.split("\n")
    result: list[str] = []
    at = 0
    for number, hunk in enumerate(hunks, 1):
        if hunk.start < at or lines[hunk.start : hunk.start + len(hunk.old)] != hunk.old:
            raise invalid("diff", f"hunk {number} ({hunk.head}) does not fit: {_difference(lines, hunk)}")
        result += [*lines[at : hunk.start], *hunk.new]
        at = hunk.start + len(hunk.old)
    rest = lines[at:]
    if hunks[-1].ends_without_break and rest == [""]:
        rest = []
    return "\n".join([*result, *rest])


def _read(diff: str) -> list[_Hunk]:
    hunks: list[_Hunk] = []
    left = (0, 0)
    for line in diff.split("\n"):
        found = _HUNK.match(line)
        if found and left == (0, 0):
            left = (int(found[2] or 1), int(found[4] or 1))
            start = int(found[1]) - 1 if left[0] else int(found[1])
            hunks.append(_Hunk(found[0], max(0, start), [], [], ends_without_break=False))
        elif line.startswith(_NO_NEWLINE) and hunks:
            hunks[-1] = hunks[-1]._replace(ends_without_break=True)
        elif left != (0, 0):
            left = _take(hunks[-1], line, left)
    if left != (0, 0):
        raise invalid("diff", f"hunk {len(hunks)} ({hunks[-1].head}) ends before its last line")
    return hunks


def _take(hunk: _Hunk, line: str, left: tuple[int, int]) -> tuple[int, int]:
    old, new = left
    mark, text = line[:1], line[1:]
    if mark in {" ", ""}:  # editors cut the blank of an empty line
        hunk.old.append(text)
        hunk.new.append(text)
        old, new = old - 1, new - 1
    elif mark == "-":
        hunk.old.append(text)
        old -= 1
    elif mark == "+":
        hunk.new.append(text)
        new -= 1
    else:
        raise invalid("diff", f"a line of {hunk.head} begins with {mark!r}, not with a blank, + or -")
    if old < 0 or new < 0:
        raise invalid("diff", f"{hunk.head} has more lines than it says")
    return old, new


def _difference(lines: Sequence[str], hunk: _Hunk) -> str:
    for offset, wanted in enumerate(hunk.old):
        at = hunk.start + offset
        if at >= len(lines):
            return f"the file ends at line {len(lines)}"
        if lines[at] != wanted:
            return f"line {at + 1} is {lines[at].strip()[:80]!r}, not {wanted.strip()[:80]!r}"
    return "it begins within the one before"


def changed_lines(before: str | None, after: str) -> frozenset[int]:
    """The lines of a text that are other than before, from 1; all where there was none. Where lines are gone, those beside."""
    lines = after.split("\n")
    if before is None:
        return frozenset(range(1, len(lines) + 1))
    old = before.split("\n")
    start = 0
    while start < min(len(old), len(lines)) and old[start] == lines[start]:
        start += 1
    end = 0
    while end < min(len(old), len(lines)) - start and old[-1 - end] == lines[-1 - end]:
        end += 1
    inner = (old[start : len(old) - end], lines[start : len(lines) - end])
    if max(map(len, inner)) > _MOST_COMPARED:
        return frozenset(range(start + 1, len(lines) - end + 1))
    found: set[int] = set()
    for tag, _, _, first, last in SequenceMatcher(None, *inner, autojunk=False).get_opcodes():
        if tag != "equal":
            found |= set(range(start + first + 1, start + max(last, first + 1) + 1))
    # Where the last lines are gone, it is the one that is last now.
    return frozenset(min(line, len(lines)) for line in found)
