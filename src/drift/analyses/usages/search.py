"""Search in the texts of a project: lines with a text, a pattern, or an identifier made of words.

What it does: goes through the texts nearest to the product first, as far as there are lines that anyone would read, and
puts files with the declaration of what is looked for first.
Why it matters: what has no symbol (a message, a key, a query) is found by its text alone.
Example: `drift search "payment refused"`.
Known limits: patterns are matched line by line.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.file_globs import PathGlob
from drift.analyses.usages.lexing import Regions
from drift.analyses.usages.texts import Listed, Text, Texts, project_texts
from drift.index import FileId
from drift.kernel.linear_patterns import LinearPattern, escape_text
from drift.kernel.words import split_parts

if TYPE_CHECKING:
    from drift.index import IndexReader

Mode = Literal["literal", "regex", "identifier"]
HitKind = Literal["code", "comment", "string", "template", "doc", "config", "other"]

_MOST_LINES: Final = 2_000
_MOST_SECONDS: Final = 10.0  # of processor time: a pattern may be linear and slow all the same
_FILES_BETWEEN_LOOKS: Final = 32  # at the clock
_MOST_ORDERS: Final = 3  # of so many words all orders are tried


class Wish(NamedTuple):
    """What is looked for, and where; None looks everywhere."""

    query: str
    mode: Mode = "literal"
    matches_case: bool | None = None  # None: where the query has a capital
    language: str | None = None
    role: str | None = None
    path: str | None = None
    kind: HitKind | None = None


class Hit(NamedTuple):
    """A line that was found."""

    path: str
    line: int
    text: str
    kind: str
    rank: int
    file_id: FileId | None
    is_declaration: bool = False


class Hits(NamedTuple):
    """The lines by file, the files of the best ones first; `is_cut` where there are more than anyone would read."""

    hits: tuple[Hit, ...]
    files: int
    is_cut: bool
    left_out_files: int


def find_text(
    reader: "IndexReader", root: Path, wish: Wish, *, clock: Callable[[], float] = time.thread_time
) -> Hits:
    """The lines that fit. Raises PatternError for a pattern that cannot be matched in linear time."""
    look = _finder(wish)
    texts = _texts(reader, root, wish)
    declared = {
        (one.path, one.line)
        for name in _names_said(wish)
        for one in reader.symbols.named_alike(name)
        if one.kind != "module"
    }
    ends = clock() + _MOST_SECONDS
    found: list[Hit] = []
    is_cut = False
    for number, text in enumerate(texts):
        if len(found) >= _MOST_LINES or (number % _FILES_BETWEEN_LOOKS == 0 and clock() > ends):
            is_cut = True
            break
        found += _hits(text, look, wish.kind, declared)
    if not found and wish.mode == "identifier":
        found = _members(reader, root, wish)
    return Hits(tuple(_ordered(found)), len({one.path for one in found}), is_cut, texts.left_out)


def _texts(reader: "IndexReader", root: Path, wish: Wish) -> Texts:
    """The texts that may be looked at."""
    glob = PathGlob(wish.path) if wish.path else None
    texts = project_texts(reader, root)
    if glob or any((wish.language, wish.role, wish.kind)):
        texts.keep(lambda one: _is_wanted(one, wish, glob))
    return texts


def _members(reader: "IndexReader", root: Path, wish: Wish) -> list[Hit]:
    """The lines that declare a member which the words name together with what it is of: `order total` Order.total."""
    words = [part.lower() for part in split_parts(wish.query)]
    ends = [words[start:] for start in range(1, len(words))]
    named = {name for end in ends for name in ("".join(end), "_".join(end), "-".join(end))}
    declared = {
        (one.path, one.line)
        for name in sorted(named)
        for one in reader.symbols.named_alike(name)
        if _has_in_order(one.qualname.lower(), words)
    }
    paths = {path for path, _ in declared}
    texts = _texts(reader, root, wish)
    texts.keep(lambda one: one.path in paths)
    return [
        Hit(
            text.path,
            number,
            line.decode("utf-8", "replace").strip(),
            text.kind,
            text.rank,
            text.file_id,
            is_declaration=True,
        )
        for text in texts
        for number, line in enumerate(text.content.split(b"\n"), 1)
        if (text.path, number) in declared
    ]


def _has_in_order(text: str, words: Iterable[str]) -> bool:
    at = 0
    for word in words:
        found = text.find(word, at)
        if found < 0:
            return False
        at = found + len(word)
    return True


def _names_said(wish: Wish) -> set[str]:
    """The names that a query is, whatever their case: of words those that are made of just them."""
    parts = split_parts(wish.query) if wish.mode == "identifier" else []
    return {wish.query.strip(), "".join(parts), "_".join(parts)} - {""}


def _is_wanted(one: Listed, wish: Wish, glob: PathGlob | None) -> bool:
    return (
        (wish.language is None or one.language == wish.language)
        and (wish.role is None or one.role == wish.role)
        and (wish.kind is None or (one.kind == wish.kind or (one.kind == "code" and wish.kind in _IN_CODE)))
        and (glob is None or glob.matches(one.path))
    )


_IN_CODE: Final = frozenset({"code", "comment", "string"})


def _hits(text: Text, look: "_Finder", kind: HitKind | None, declared: set[tuple[str, int]]) -> Iterator[Hit]:
    lines = look.lines(text.content)
    if not lines:
        return
    regions = Regions(text.content, text.language) if text.kind == "code" and kind in _IN_CODE else None
    for line, offset, written in lines:
        span = regions.at(offset) if regions else None
        place = text.kind if regions is None else span.place if span else "code"
        if kind is None or place == kind:
            shown = written.decode("utf-8", "replace").strip()
            yield Hit(text.path, line, shown, place, text.rank, text.file_id, (text.path, line) in declared)


def _ordered(found: Iterable[Hit]) -> list[Hit]:
    """Files with a declaration first, then by rank and by how much they have; the lines of one file together."""
    by_file: dict[str, list[Hit]] = {}
    for hit in found:
        by_file.setdefault(hit.path, []).append(hit)

    def weight(hits: list[Hit]) -> tuple[bool, int, int, str]:
        has_declaration = any(hit.is_declaration for hit in hits)
        return not has_declaration, hits[0].rank, -len(hits), hits[0].path

    return [hit for hits in sorted(by_file.values(), key=weight) for hit in hits]


Line = tuple[int, int, bytes]
"""The number of a line, the byte at which what was found begins (or the line), and what is written."""


class _Finder(NamedTuple):
    """Finds lines: by their bytes where the text is looked for as it is, else by a pattern."""

    literal: bytes | None
    pattern: LinearPattern | None = None
    is_folded: bool = False  # the literal is in lower case, and meant in any

    def lines(self, content: bytes) -> list[Line]:
        """The lines of a text that fit."""
        if self.literal is not None:
            looked_at = content.lower() if self.is_folded else content
            return list(_literal_lines(content, looked_at, self.literal)) if self.literal in looked_at else []
        assert self.pattern is not None
        text = content.decode("utf-8", "replace")
        text = text.replace("\r\n", "\n") if b"\r" in content else text
        return list(self._pattern_lines(content, text)) if self.pattern.is_in(text) else []

    def _pattern_lines(self, content: bytes, text: str) -> Iterator[Line]:
        assert self.pattern is not None
        is_in = self.pattern.is_in
        offset = 0
        for number, (line, written) in enumerate(zip(text.split("\n"), content.split(b"\n"), strict=True), 1):
            if is_in(line):
                yield number, offset + len(written) - len(written.lstrip()), written
            offset += len(written) + 1


def _literal_lines(content: bytes, looked_at: bytes, literal: bytes) -> Iterator[Line]:
    at = looked_at.find(literal)
    number, counted = 1, 0
    while at >= 0:
        number += content.count(b"\n", counted, at)
        counted = at
        start = content.rfind(b"\n", 0, at) + 1
        end = content.find(b"\n", at)
        end = len(content) if end < 0 else end
        yield number, at, content[start:end]
        at = looked_at.find(literal, end)


def _finder(wish: Wish) -> _Finder:
    query = wish.query
    matches_case = any(map(str.isupper, query)) if wish.matches_case is None else wish.matches_case
    if wish.mode == "literal":
        if matches_case or query.upper() == query.lower():
            return _Finder(query.encode())
        if query.isascii():
            return _Finder(query.lower().encode(), is_folded=True)
        return _Finder(None, LinearPattern(escape_text(query), ignores_case=True))
    if wish.mode == "regex":
        return _Finder(None, LinearPattern(query, ignores_case=not matches_case))
    return _Finder(None, LinearPattern(_identifier_pattern(query), ignores_case=True))


def _identifier_pattern(query: str) -> str:
    """Identifiers with all words of the query in them, however they are joined."""
    parts = [escape_text(part) for part in split_parts(query)] or [escape_text(query)]
    orders = permutations(parts) if len(parts) <= _MOST_ORDERS else [tuple(parts)]
    return "|".join(r"[\w$-]*?".join(order) for order in orders)
