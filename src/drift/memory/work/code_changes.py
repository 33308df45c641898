"""The code in a text: how many lines a diff in it adds and removes, and which files it names."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_MOST_FILES: Final = 50
_LOOKED_AT: Final = 200_000
_HUNK: Final = re.compile(r"@@ -\d+(?:,(?P<old>\d+))? \+\d+(?:,(?P<new>\d+))? @@")
_FENCE: Final = re.compile(r"\s{0,3}(?:```|~~~)\s*(?P<language>[\w+-]*)")
_HEADER: Final = re.compile(r"(?:---|\+\+\+) (?:[ab]/)?(?P<path>[^\t\n]+)")
_GIT_HEADER: Final = re.compile(r"diff --git a/(?P<old>.+) b/(?P<path>.+)", re.DOTALL)
# A path in prose: folders and a file with an ending, not the middle of an address such as https://a.b/c.html.
_PATH: Final = re.compile(r"(?<![\w/:.@~-])(?:[\w.-]{1,100}/){1,20}[\w.-]{1,100}\.[A-Za-z]\w{0,9}(?![\w/])")
# A bare name is a file only by its ending: `orders.py`, but not `Cart.total`.
_QUOTED: Final = re.compile(
    r"`([\w.-]{1,100}\.(?:c|cc|cpp|cs|css|go|h|hpp|html|java|js|json|jsx|kt|md|php|py|rb|rs|sh|sql|swift"
    r"|toml|ts|tsx|vue|xml|yaml|yml))`"
)
_NOWHERE: Final = "/dev/null"


class CodeChange(NamedTuple):
    """What a text says of code. Lines are counted in diffs alone; `code_lines` are those of other code blocks."""

    added: int
    removed: int
    code_lines: int
    files: tuple[str, ...]

    @property
    def has_diff(self) -> bool:
        return bool(self.added or self.removed)


def read_code_change(text: str) -> CodeChange:
    """What the diffs and code blocks of a text change and name; nothing is guessed from prose but paths."""
    added = removed = code_lines = 0
    files: dict[str, None] = {}
    for part, line in _parts(text[:_LOOKED_AT].splitlines()):
        if part == "+":
            added += 1
        elif part == "-":
            removed += 1
        elif part == "code":
            code_lines += 1
        else:
            files.update(dict.fromkeys(_named(line)))
    return CodeChange(added, removed, code_lines, tuple(files)[:_MOST_FILES])


def _parts(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with what it is: added, removed, code, kept by a diff, or text in which files are named."""
    old = new = 0  # lines of the hunk still to come
    fence = ""
    for line in lines:
        if old > 0 or new > 0:
            mark = line[:1] if line[:1] in ("+", "-", "\\") else " "
            old -= mark in ("-", " ")
            new -= mark in ("+", " ")
            yield mark, line
            continue
        hunk = _HUNK.match(line)
        found = _FENCE.match(line)
        if hunk:
            old, new = (int(hunk[side] or 1) for side in ("old", "new"))
        elif found:
            fence = "" if fence else found["language"].lower() or "code"
        elif fence == "diff" and line[:1] in ("+", "-") and not _HEADER.match(line):
            yield line[0], line
        elif fence and fence != "diff":
            yield "code", line
        else:
            yield "text", line


def _named(line: str) -> Iterator[str]:
    """The files a line names: of a header of a diff that one, else every path in it."""
    found = _GIT_HEADER.fullmatch(line) or _HEADER.fullmatch(line)
    if found:
        path = found["path"].strip()
        if path != _NOWHERE and _is_path(path):
            yield path
        return
    yield from _PATH.findall(line)
    yield from _QUOTED.findall(line)


def _is_path(text: str) -> bool:
    # "--- some words" is a rule or a list in prose.
    return " " not in text and ("/" in text or "." in text)
