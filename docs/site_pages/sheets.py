"""Markdown pages taken apart: their sections, the anchors of their headings, and the sheets they are cut into."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Markup inside Markdown is not let through: pages are text, and comments are for the generator.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_COMMENT = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """A page as it is written, parsed; `path` is its place in the project."""

    path: str
    title: str
    tokens: Sequence[Token]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file of the site: a page, or a long section of one."""

    file: str
    title: str
    source: str
    tokens: Sequence[Token]


def read_source(root: Path, path: str) -> Source:
    """The page without its comments, every heading with the anchor that forges give it."""
    text = (root / path).read_text("utf-8")
    parts = _FENCED.split(text)
    plain = "".join(part if at % 2 else _COMMENT.sub("", part) for at, part in enumerate(parts))
    tokens = MARKDOWN.parse(plain)
    _name_headings(tokens)
    title = next((plain_text(tokens[at + 1]) for at, _level, _anchor in headings(tokens)), path)
    return Source(path, title, tokens)


def plain_text(inline: Token) -> str:
    """What is read of an inline token, without marks."""
    return "".join(
        each.content for each in inline.children or () if each.type in ("text", "code_inline", "softbreak")
    )


def headings(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Where each heading begins, its level and its anchor."""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            yield at, int(token.tag[1]), str(token.attrGet("id") or "")


def section(tokens: Sequence[Token], anchor: str) -> Sequence[Token]:
    """The heading with this anchor and what stands below it; KeyError where there is none."""
    found = list(headings(tokens))
    for place, (at, level, name) in enumerate(found):
        if name == anchor:
            end = next((other for other, depth, _ in found[place + 1 :] if depth <= level), len(tokens))
            return tokens[at:end]
    raise KeyError(anchor)


def cut_sheets(source: Source, level: int | None, least_lines: int) -> list[Sheet]:
    """The page as one sheet, or with its long sections of a level as sheets of their own behind it."""
    whole = out_name(source.path)
    if level is None:
        return [Sheet(whole, source.title, source.path, source.tokens)]
    starts = [at for at, depth, _ in headings(source.tokens) if depth == level]
    borders = [at for at, depth, _ in headings(source.tokens) if depth <= level] + [len(source.tokens)]
    kept, cut, done = list[Token](), list[Sheet](), 0
    for at in starts:
        end = next(border for border in borders if border > at)
        if _lines(source.tokens[at:end]) < least_lines:
            continue
        kept += source.tokens[done:at]
        done = end
        anchor = source.tokens[at].attrGet("id")
        title = f"{source.title}: {plain_text(source.tokens[at + 1])}"
        file = str(PurePosixPath(whole).with_suffix("") / f"{anchor}.html")
        cut.append(Sheet(file, title, source.path, _raised(source.tokens[at:end], level - 1)))
    return [Sheet(whole, source.title, source.path, [*kept, *source.tokens[done:]]), *cut]


def find_anchors(sheets: Sequence[Sheet]) -> Mapping[str, Mapping[str, str]]:
    """For every page, the file that has each of its anchors; the empty anchor is the page itself."""
    found: dict[str, dict[str, str]] = {}
    for sheet in sheets:
        anchors = found.setdefault(sheet.source, {"": sheet.file})
        for _at, _level, anchor in headings(sheet.tokens):
            anchors[anchor] = sheet.file
    return found


def out_name(path: str) -> str:
    """Where a page stands on the site: `docs/memory.md` is `memory.html`."""
    within = PurePosixPath(path.removeprefix("docs/"))
    folder = (
        within.parent if path.startswith("docs/") else PurePosixPath("project")
    )  # SECURITY.md is not security.md
    stem = "index" if within.name == "README.md" else within.stem.lower()
    return str(folder / f"{stem}.html")


def _name_headings(tokens: Sequence[Token]) -> None:
    seen: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            name = re.sub(r"[^\w\- ]", "", plain_text(tokens[at + 1]).lower()).replace(" ", "-")
            again = seen.get(name, 0)
            seen[name] = again + 1
            token.attrSet("id", f"{name}-{again}" if again else name)


def _raised(tokens: Sequence[Token], levels: int) -> list[Token]:
    """The same with every heading so many levels higher, so that a section can be a page."""
    return [
        token.copy(tag=f"h{int(token.tag[1]) - levels}") if token.type.startswith("heading_") else token
        for token in tokens
    ]


def _lines(tokens: Sequence[Token]) -> int:
    maps = [token.map for token in tokens if token.map]
    return maps[-1][1] - maps[0][0] if maps else 0
