"""Style sheets: CSS, SCSS and Less by one reader, which knows blocks, texts and comments and no property.

A name is told once for each condition it stands under (`@media (min-width: 40em)`), where it stands first. Names that
nesting makes of two parts (`&__title` in `.card`) are put together; those that a variable makes are left out.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from drift.documents.items import Item, short
from drift.documents.markup import line_at, line_starts

_MOST_DEPTH: Final = 100
# What ends a stretch of text, or may hold what looks like an end.
_MARK: Final = re.compile(r"[{};\"']|/\*|//|#\{|@\{|\burl\(", re.IGNORECASE)
_QUOTED: Final = {'"': re.compile(r"[\"\n\\]"), "'": re.compile(r"['\n\\]")}
_AT_RULE: Final = re.compile(r"@([A-Za-z-]{1,40})")
_SELECTED: Final = re.compile(r"([.#%])(-?[A-Za-z_][\w-]{0,100}+)(?!\0)|&([\w-]{1,100}+)(?!\0)")
_BRACKETS: Final = re.compile(
    r"\[[^\]]{0,400}\]|\"[^\"]{0,400}\"|'[^']{0,400}'|#\{[^}]{0,200}\}|@\{[^}]{0,200}\}"
)
_DECLARED: Final = re.compile(r"\s{0,400}(--[\w-]{1,100}|\$[\w-]{1,100}|@[\w-]{1,100})\s{0,40}:")
_READ: Final = re.compile(r"\bvar\(\s{0,40}(--[\w-]{1,100})\s{0,40}(,?)")
_FAMILY: Final = re.compile(r"\s{0,400}font-family\s{0,40}:\s{0,40}[\"']?([\w \-]{1,100})", re.IGNORECASE)
_SOURCES: Final = re.compile(r"[\"']([^\"'\n]{1,300})[\"']|url\(\s{0,40}([^\"')\s]{1,300})")
_NAME: Final = re.compile(r"\s{0,40}([\w.-]{1,100})")
_COMPUTED: Final = "\0"  # where a part of a name is computed
_CONDITIONS: Final = frozenset({"media", "container", "supports"})
_IMPORTS: Final = frozenset({"import", "use", "forward", "reference", "config", "plugin"})
_NAMED: Final = {
    "keyframes": "keyframes", "-webkit-keyframes": "keyframes", "mixin": "mixin", "function": "style-function",
    "include": "include", "property": "custom-property", "counter-style": "counter-style",
}  # fmt: skip
_SELECTORS: Final = {".": "class", "#": "id", "%": "placeholder"}


def read(text: str, kind: str) -> Iterator[Item]:
    """The names in the order of the text."""
    return read_styles(text, has_line_comments=kind != "css")


def read_styles(text: str, *, first_line: int = 1, has_line_comments: bool = False) -> Iterator[Item]:
    """What a style sheet declares; `first_line` is the one it begins on."""
    sheet = _Sheet(text, has_line_comments=has_line_comments)
    for item in sheet.found():
        yield item._replace(line=first_line - 1 + line_at(sheet.starts, item.line))


@dataclass(slots=True)
class _Block:
    condition: str | None  # that holds in it
    owner: str | None  # its selector, or what it is
    classes: tuple[str, ...]  # that a `&` in it stands for
    is_font: bool = False


@dataclass(slots=True)
class _Sheet:
    """A style sheet being read; items have the place in the text for a line here."""

    text: str
    has_line_comments: bool
    starts: list[int] = field(init=False)
    seen: set[tuple[str, str, str | None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.starts = line_starts(self.text)

    def found(self) -> Iterator[Item]:
        """What each stretch between marks says, once."""
        blocks = [_Block(None, None, ())]
        for start, end, mark in self._stretches():
            written = self.text[start:end]
            if written and not written.isspace():
                yield from self._unseen(self._said(start, written, mark, block=blocks[-1]))
            if mark == "{" and len(blocks) < _MOST_DEPTH:
                blocks.append(_opened(written, blocks[-1]))
            elif mark == "}" and len(blocks) > 1:
                blocks.pop()

    def _unseen(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            key = item.kind, item.name, item.owner
            if item.name and key not in self.seen:
                self.seen.add(key)
                yield item

    def _stretches(self) -> Iterator[tuple[int, int, str]]:
        """The text between braces and semicolons, and what ends each; comments end one, too, without a mark."""
        text, at, start = self.text, 0, 0
        while (found := _MARK.search(text, at)) is not None:
            mark, at = found[0], found.end()
            if mark in _QUOTED:
                at = _behind_quote(text, mark, at)
            elif mark in {"#{", "@{"}:
                at = _beyond(text, "}", at)
            elif mark[0] in "uU":
                at = at if text[at : at + 1] in _QUOTED else _beyond(text, ")", at)
            elif mark == "//" and (
                not self.has_line_comments or text[found.start() - 1 : found.start()] == ":"
            ):
                continue
            elif mark in {"/*", "//"}:
                yield start, found.start(), ""
                start = at = _beyond(text, "*/" if mark == "/*" else "\n", at)
            else:
                yield start, found.start(), mark
                start = at
        yield start, len(text), ""

    def _said(self, start: int, written: str, mark: str, *, block: _Block) -> Iterator[Item]:
        place = start + len(written) - len(written.lstrip())
        rule = _AT_RULE.match(self.text, place)
        if rule is not None:
            yield from _ruled(place, rule[1], self.text[rule.end() : start + len(written)], block=block)
        elif mark == "{":
            yield from _selected(place, written, block)
        elif declared := _DECLARED.match(written):
            kind = "custom-property" if declared[1].startswith("--") else "style-variable"
            yield Item(start + declared.start(1), kind, short(declared[1]), block.owner, has_value=True)
        elif block.is_font and (family := _FAMILY.match(written)):
            yield Item(place, "font", short(family[1]))
        for read_here in _READ.finditer(written):
            place = start + read_here.start()
            yield Item(place, "style-read", short(read_here[1]), has_value=bool(read_here[2]))


def _ruled(place: int, word: str, rest: str, *, block: _Block) -> Iterator[Item]:
    """What an at-rule says."""
    kind = word.lower()
    if kind in _CONDITIONS:
        yield Item(place, kind, short(rest), block.condition)
    elif kind in _IMPORTS:
        for source in _SOURCES.findall(rest):
            yield Item(place, "style-import", short(source[0] or source[1]), type=kind)
    elif kind in _NAMED and (name := _NAME.match(rest)):
        yield Item(place, _NAMED[kind], short(name[1]))
    elif kind == "layer":
        for each in rest.split(","):
            yield Item(place, "layer", short(each))
    elif kind in {"apply", "extend"}:
        for each in rest.replace("!important", " ").split():
            yield Item(place, kind, short(each.lstrip(".")), block.owner)
    elif rest.lstrip().startswith(":"):  # Less: `@brand: #333`
        yield Item(place, "style-variable", f"@{word}", block.owner, has_value=True)


def _selected(place: int, written: str, block: _Block) -> Iterator[Item]:
    for found in _SELECTED.finditer(_bare(written)):
        if found[3] is None:
            yield Item(place, _SELECTORS[found[1]], found[2], block.condition)
        else:
            for outer in block.classes:
                yield Item(place, "class", outer + found[3], block.condition)


def _opened(written: str, block: _Block) -> _Block:
    """The block that a stretch of text begins."""
    rule = _AT_RULE.match(written.lstrip())
    if rule is not None:
        word = rule[1].lower()
        condition = short(written) if word in _CONDITIONS else block.condition
        return _Block(condition, block.owner, block.classes, is_font=word == "font-face")
    # What a `&` stands for: of each selector the last class.
    classes = []
    for selector in _bare(written).split(",")[:20]:
        found = list(_SELECTED.finditer(selector))
        if not found:
            continue
        last = found[-1]
        if last[1] == ".":
            classes.append(last[2])
        elif last[3] is not None:
            classes += [outer + last[3] for outer in block.classes][:20]
        elif last[0] == "&":
            classes += block.classes
    return _Block(block.condition, short(written) or block.owner, tuple(classes[:20]) or block.classes)


def _bare(written: str) -> str:
    """A selector without what is no name in it, of the same length."""
    return _BRACKETS.sub(lambda found: (_COMPUTED if found[0][1:2] == "{" else " ") * len(found[0]), written)


def _behind_quote(text: str, quote: str, at: int) -> int:
    """The place behind the quote that closes; a line's end closes one that was left open."""
    marks = _QUOTED[quote]
    while (found := marks.search(text, at)) is not None:
        if found[0] != "\\":
            return found.end()
        at = found.end() + 1
    return len(text)


def _beyond(text: str, mark: str, at: int) -> int:
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)
