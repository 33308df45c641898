"""Comments as people read them: markers off, neighbouring lines one block, doc comments told apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drift.kernel.text import shorten
from drift.languages.facts import Comment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drift.languages.syntax import SourceText

_MOST_DOC_CHARACTERS: Final = 2_000
_MOST_COMMENT_CHARACTERS: Final = 500
_MOST_BLOCK_BYTES: Final = 16_000  # beyond what either keeps, with room for markers
_MOST_WRITTEN_BYTES: Final = 200_000

_OPENING = re.compile(r"^\s*(?:/\*[*!]*(?!/)<?|<!--|///?[/!]?<?|#+!?)[ \t]?")
_LINE_MARKER = re.compile(r"^\s*(?:\*(?!/)|///?[/!]?|#+)[ \t]?")
_BLOCK_OPENINGS: Final = ("/*", "<!--")


def clean_comment(raw: str) -> str:
    """The text of a comment, or of a run of line comments, without its markers."""
    lines = _without_closing(_OPENING.sub("", raw, count=1)).splitlines()
    if not lines:
        return ""
    is_block = raw.lstrip().startswith(_BLOCK_OPENINGS)
    rest = lines[1:]
    # In a block the stars are decoration only when every line has one: otherwise they are a list.
    if not is_block or all(line.lstrip().startswith("*") for line in rest if line.strip()):
        # Every line had its marker and the space after it: what indents it now was meant to.
        kept = [lines[0], *(_LINE_MARKER.sub("", line, count=1) for line in rest)]
        return shorten("\n".join(line.rstrip() for line in kept).strip(), _MOST_DOC_CHARACTERS)
    return dedent_doc("\n".join(lines))


def dedent_doc(text: str, limit: int = _MOST_DOC_CHARACTERS) -> str:
    """Documentation without the indentation of its later lines, trimmed and at most `limit` characters."""
    lines = text.expandtabs().splitlines()
    if not lines:
        return ""
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    cut = min(indents, default=0)
    return shorten("\n".join([lines[0].strip(), *(line[cut:].rstrip() for line in lines[1:])]).strip(), limit)


@dataclass(slots=True)
class _Block:
    start: int
    end: int
    line: int
    end_line: int
    is_alone: bool  # nothing but white space before it on its line
    is_doc: bool = False


class Commentary:
    """The comments of a file. Take the docs of symbols first; what is left are plain comments."""

    __slots__ = ("_blocks", "_by_end_line", "_text")

    def __init__(self, text: SourceText, spans: Iterable[tuple[int, int]]) -> None:
        self._text = text
        self._blocks: list[_Block] = []
        for start, end in sorted(spans):
            self._add(start, end)
        self._by_end_line = {block.end_line: block for block in self._blocks if block.is_alone}

    def take_doc(self, line: int, openings: tuple[str, ...] = ()) -> str:
        """The text of the comment that ends right above `line`, which thereby is a doc comment.

        `openings` are the markers a doc comment must begin with ("/**", "///"); none asks for none.
        """
        block = self._by_end_line.get(line - 1)
        if block is None:
            return ""
        raw = self._text.slice(block.start, min(block.end, block.start + _MOST_BLOCK_BYTES))
        if openings and not raw.startswith(openings):
            return ""
        block.is_doc = True
        return clean_comment(raw)

    def written_above(self, line: int) -> str:
        """The comment that ends right above `line` as it is written, far beyond what is kept of it."""
        block = self._by_end_line.get(line - 1)
        if block is None:
            return ""
        return self._text.slice(block.start, min(block.end, block.start + _MOST_WRITTEN_BYTES))

    def facts(self) -> tuple[Comment, ...]:
        """The comments that were not taken as docs and say something."""
        return tuple(
            Comment(block.line, block.end_line, text)
            for block in self._blocks
            if not block.is_doc and (text := self._words(block))
        )

    def _words(self, block: _Block) -> str:
        raw = self._text.slice(block.start, min(block.end, block.start + _MOST_BLOCK_BYTES))
        return shorten(clean_comment(raw), _MOST_COMMENT_CHARACTERS)

    def _add(self, start: int, end: int) -> None:
        source, line_of = self._text.source, self._text.line_of
        # Some grammars count the line feed to the comment.
        end = start + len(source[start:end].rstrip())
        line = line_of(start)
        last = self._blocks[-1] if self._blocks else None
        line_start = self._text.line_start(line)
        # Behind another comment none is alone: a long line of them is not read again for each.
        is_first = last is None or last.end <= line_start
        is_alone = is_first and not source[line_start:start].strip()
        if last and last.is_alone and is_alone and last.end_line == line - 1 and self._continues(last, start):
            last.end = end
            last.end_line = line_of(max(start, end - 1))
            return
        self._blocks.append(_Block(start, end, line, line_of(max(start, end - 1)), is_alone))

    def _continues(self, last: _Block, start: int) -> bool:
        """Whether two comments on neighbouring lines are one: line comments with the same marker."""
        source, text = self._text.source, self._text
        before, here = source[last.start : last.start + 3], source[start : start + 3]
        if before[:2] == b"/*" or here[:2] == b"/*" or before[:1] == b"<":
            return False
        is_same_marker = _marker(before) == _marker(here)
        return is_same_marker and text.column_of(last.start) == text.column_of(start)


def _marker(opening: bytes) -> bytes:
    return opening if opening in {b"///", b"//!"} else opening[:1]


def _without_closing(text: str) -> str:
    """The text before `*/` or `-->` at its end."""
    bare = text.rstrip()
    if bare.endswith("*/"):
        return bare[:-1].rstrip("*").rstrip()
    return bare.removesuffix("-->").rstrip() if bare.endswith("-->") else text
