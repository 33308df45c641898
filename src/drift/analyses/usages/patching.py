"""A unified diff of changes that stay within their lines, and whether what it makes still parses."""

import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.usages.renaming import Edit, RenamePlan, edits_of
from drift.analyses.usages.texts import Text
from drift.index.path_text import text_to_path
from drift.scan.describing import Task
from drift.scan.pool import read_files

if TYPE_CHECKING:
    from drift.index import IndexReader

_CONTEXT: Final = 3
_MOST_CHARACTERS: Final = 100_000
_IS_WHOLE: Final = "ok"


class Patch(NamedTuple):
    """The diff, how many files it changes, those it had no room for, and those that it must leave out, with the reason."""

    diff: str
    files: int
    without_room: tuple[str, ...]
    refused: dict[str, str]


class _Changed(NamedTuple):
    text: Text
    edits: list[Edit]
    content: bytes


def make_patch(reader: "IndexReader", plan: RenamePlan) -> Patch:
    """The patch of a plan. A file that would parse no more, or is no UTF-8, is left out and named."""
    changed: list[_Changed] = []
    refused: dict[str, str] = {}
    for path in sorted({use.path for use in plan.changed}):
        text = plan.references.texts.read(path)
        if text is None:
            refused[path] = "cannot be read any more"
        elif not _is_utf8(text.content):
            refused[path] = "is no UTF-8"
        else:
            edits = edits_of(plan, text)
            changed.append(_Changed(text, edits, apply_edits(text.content, edits)))
    broken = _find_broken(reader, changed)
    if broken:
        # What looked like an object may be the value of an attribute or text between tags.
        changed = [_with_plain_names(plan, one) if one.text.path in broken else one for one in changed]
        broken = _find_broken(reader, [one for one in changed if one.text.path in broken])
    refused |= dict.fromkeys(broken, "would not parse any more")
    parts: list[str] = []
    without_room: list[str] = []
    room = _MOST_CHARACTERS
    for one in changed:
        if one.text.path in broken:
            continue
        part = diff_file(one.text.path, one.text.content, one.content, plan.moves.get(one.text.path))
        room -= len(part)
        if room < 0:
            without_room.append(one.text.path)
        else:
            parts.append(part)
    return Patch("".join(parts), len(parts), tuple(without_room), refused)


def _with_plain_names(plan: RenamePlan, one: _Changed) -> _Changed:
    edits = edits_of(plan, one.text, keeps_names=False)
    return _Changed(one.text, edits, apply_edits(one.text.content, edits))


def apply_edits(content: bytes, edits: Sequence[Edit]) -> bytes:
    """The content after all edits."""
    parts, at = [], 0
    for edit in sorted(edits):
        parts += [content[at : edit.offset], edit.replacement]
        at = edit.offset + edit.length
    return b"".join((*parts, content[at:]))


def diff_file(path: str, old: bytes, new: bytes, moved_to: str | None = None) -> str:
    """The diff of a file of which lines are other and none is more or less."""
    old_lines, new_lines = old.split(b"\n"), new.split(b"\n")
    different = [
        number for number, pair in enumerate(zip(old_lines, new_lines, strict=True)) if pair[0] != pair[1]
    ]
    target = moved_to or path
    move = f"diff --git a/{path} b/{target}\nrename from {path}\nrename to {target}\n" if moved_to else ""
    head = f"{move}--- a/{path}\n+++ b/{target}\n" if different else move
    hunks = (_hunk(old_lines, new_lines, group) for group in _grouped(different))
    return head + "".join(hunks)


def _grouped(numbers: Sequence[int]) -> list[list[int]]:
    """The numbers in groups that need one hunk each."""
    groups: list[list[int]] = [[numbers[0]]] if numbers else []
    for one, following in pairwise(numbers):
        if following - one > 2 * _CONTEXT:
            groups.append([])
        groups[-1].append(following)
    return groups


def _hunk(old: Sequence[bytes], new: Sequence[bytes], numbers: Sequence[int]) -> str:
    # A last line that is empty is no line: the text ended with the break before it.
    count = len(old) - (old[-1] == b"")
    start, end = max(numbers[0] - _CONTEXT, 0), min(numbers[-1] + _CONTEXT + 1, count)
    lines: list[str] = []
    wanted = set(numbers)
    at = start
    while at < end:
        if at not in wanted:
            lines.append(_line(" ", old, at))
            at += 1
            continue
        run = at
        while run in wanted:
            run += 1
        lines += [_line("-", old, each) for each in range(at, run)]
        lines += [_line("+", new, each) for each in range(at, run)]
        at = run
    size = end - start
    return f"@@ -{start + 1},{size} +{start + 1},{size} @@\n{''.join(lines)}"


def _line(mark: str, lines: Sequence[bytes], at: int) -> str:
    end = "" if at < len(lines) - 1 else "\n\\ No newline at end of file"
    return f"{mark}{lines[at].decode()}{end}\n"


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _find_broken(reader: "IndexReader", changed: Sequence[_Changed]) -> set[str]:
    """The files that were whole and would not be: read as the scan reads them, from a folder of their own."""
    before = {one.text.path: reader.files.at(one.text.path) for one in changed if one.text.language}
    broken: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="drift-rename-") as folder:
        tasks = []
        for one in changed:
            record = before.get(one.text.path)
            if record is None or record.status != _IS_WHOLE:
                continue
            # By number: what a path of the project holds must not decide where something is written.
            name = f"{record.id}{Path(text_to_path(record.path)).suffix}"
            Path(folder, name).write_bytes(one.content)
            tasks.append((record, Task(record.id, name, record.language, record.role, len(one.content), 0)))
        paths = {task.file_id: record.path for record, task in tasks}
        for rows in read_files(Path(folder), [task for _, task in tasks], jobs=1):
            if rows.file.status != _IS_WHOLE:
                broken.add(paths[rows.file.id])
    return broken
