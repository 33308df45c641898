"""Reading past `#if` where it cuts a declaration or an expression in two.

The grammar knows conditional compilation around whole members and statements only. Where a file has syntax
problems in or right before such a group, all but its first branch is blanked, byte for byte, and the reading of
which less is lost is taken.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.csharp.walk import CsharpWalk

if TYPE_CHECKING:
    from collections.abc import Sequence

_DIRECTIVE: Final = re.compile(rb"^[ \t]*#[ \t]*(if|elif|else|endif)\b[^\n]*", re.MULTILINE)
_NOT_LINE_END: Final = re.compile(rb"[^\r\n]")
_MOST_GROUPS_TRIED: Final = 8

Span = tuple[int, int]


def read_one_branch(source: bytes, path: str) -> CsharpWalk:
    """A walk over the file, with one branch of each `#if` that the parser stumbled over."""
    plain = CsharpWalk(source, path)
    problems = [(node.start_byte, node.end_byte) for node in plain.survey.broken]
    if not problems:
        return plain
    groups = [group for group in _groups(source) if _is_in_the_way(group, problems)]
    best = CsharpWalk(_blanked(source, groups), path) if groups else plain
    if _bytes_lost(best) >= _bytes_lost(plain):
        return plain
    # One group can make an error of a whole file: those that do no harm get all their branches back.
    for group in groups[:_MOST_GROUPS_TRIED] if len(groups) > 1 else ():
        fewer = [each for each in groups if each is not group]
        other = CsharpWalk(_blanked(source, fewer), path)
        if _bytes_lost(other) <= _bytes_lost(best):
            best, groups = other, fewer
    best.lines = plain.lines  # what was blanked is code
    return best


def _bytes_lost(walk: CsharpWalk) -> int:
    return sum(max(1, node.end_byte - node.start_byte) for node in walk.survey.broken)


def _groups(source: bytes) -> list[list[Span]]:
    """For each `#if` with its `#endif`: what to blank of it so that its first branch is left."""
    open_groups: list[list[Span]] = []
    found: list[list[Span]] = []
    for match in _DIRECTIVE.finditer(source):
        if match[1] == b"if":
            open_groups.append([match.span()])
        elif open_groups:
            group = open_groups[-1]
            if len(group) > 1:  # in a later branch, which goes with the directive that begins it
                group[-1] = (group[-1][0], match.end())
            else:
                group.append(match.span())
            if match[1] == b"endif":
                found.append(open_groups.pop())
    return found


def _is_in_the_way(group: Sequence[Span], problems: Sequence[Span]) -> bool:
    start, end = group[0][0], group[-1][1]
    return any(first <= end and last >= start for first, last in problems)


def _blanked(source: bytes, groups: Sequence[Sequence[Span]]) -> bytes:
    text = bytearray(source)
    for group in groups:
        for start, end in group:
            text[start:end] = _NOT_LINE_END.sub(b" ", source[start:end])
    return bytes(text)
