"""Components in one file (Vue, Svelte, Astro): their scripts and what their markup asks of them, as one script.

Every byte keeps its place, so that lines and offsets are those of the file: what is neither script nor an expression
in the markup becomes blanks. An expression in the markup becomes a statement of the script's module, which is where
its names are looked up; a component that is put somewhere becomes its bare name, and so does what Svelte reads of a
store: `$cart` is what `cart` holds.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from drift.languages.markup import Page, Span, blanked

ENDINGS: Final = (".vue", ".svelte", ".astro")
"""Of the files that hold a component each."""

_ATTRIBUTES: Final = rb"([^>]{0,400}+)>"
_OPENING: Final = re.compile(rb"<(script|style|template)(?=[\s>/])" + _ATTRIBUTES, re.IGNORECASE)
_CLOSINGS: Final = {
    name: re.compile(rb"</" + name + rb"\s*+>", re.IGNORECASE) for name in (b"script", b"style", b"template")
}
_NESTED: Final = re.compile(rb"<(/?)template(?=[\s>/])" + _ATTRIBUTES, re.IGNORECASE)
_FRONTMATTER: Final = re.compile(rb"\s*+---[ \t]*+\r?\n")
_FENCE: Final = re.compile(rb"^---[ \t]*+\r?$", re.MULTILINE)
_LANGUAGE: Final = re.compile(rb"\blang\s*+=\s*+[\"']?([\w-]+)")
# What Svelte runs with an element: `use:tooltip`, `transition:fade={{ duration }}`.
_APPLIED: Final = re.compile(
    rb"\s(?:use|transition|in|out|animate):([A-Za-z_$][\w$]{0,80}(?:\.[\w$]{1,80}){0,4})"
)
_RUN: Final = b";new "  # the call with the fewest bytes, in the place of ` use:`; ` in:` has one less
_COMPONENT: Final = re.compile(rb"<([A-Z][\w$]*+(?:\.[\w$]++)*+)")
_MUSTACHE: Final = re.compile(rb"\{\{((?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+)\}\}")
_DIRECTIVE: Final = re.compile(rb"\s(?:v-[\w:.-]++|[@:#][\w:.\[\]-]++)=(?:\"([^\"]*+)\"|'([^']*+)')")
_DASHED: Final = re.compile(rb"<([a-z][a-z0-9]{0,40}+(?:-[a-z0-9]{1,40}+){1,6}+)(?=[\s>/])")
_BLOCK: Final = re.compile(rb"(?:[#:@/](?:else[ \t]++)?[a-z]*+)?")
# Longer texts than these are read as code: a quote without an end, as in "don't", must cost no more.
_QUOTED: Final = rb"\\.|'(?:[^'\\\n]|\\.){0,200}+'|\"(?:[^\"\\\n]|\\.){0,200}+\""
_IN_BRACES: Final = re.compile(rb"[{}]|<[/A-Za-z]|`(?:[^`\\]|\\.){0,1000}+`|" + _QUOTED, re.DOTALL)
# Runes are functions of Svelte itself, and `$$props` and its like are no stores.
_STORE: Final = re.compile(
    _QUOTED + rb"|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
    rb"|(?<![\w$.])\$(?!(?:state|derived|props|bindable|effect|inspect|host)\b)(?=[A-Za-z_])"
)
_HANDLER: Final = (b"@", b"v-on:")


class Script(NamedTuple):
    """A component as a script; `has_markup` where the script itself may hold some, `page` is what is no script."""

    source: bytes
    has_markup: bool
    page: Page


def script_of(source: bytes, path: str) -> Script:
    """The component as one script of the same length."""
    kept = _Kept(source)
    ending = path[path.rfind(".") :].lower()
    rest = 0
    if ending == ".astro" and (opening := _FRONTMATTER.match(source)):
        closing = _FENCE.search(source, opening.end())
        rest = closing.end() if closing else len(source)
        kept.keep(opening.end(), closing.start() if closing else len(source))
    while opening := _OPENING.search(source, rest):
        if ending != ".vue":
            kept.note_braces(rest, opening.start())
        name = opening[1].lower()
        end, after = _closing(source, name, opening.end())
        if name == b"script":
            kept.keep(opening.end(), end)
            kept.has_markup |= _language(opening[2]).endswith(b"x")
        elif name == b"style":
            kept.styles.append(Span(opening.end(), end, _language(opening[2])))
        elif name == b"template" and ending == ".vue" and _language(opening[2]) in {b"", b"html"}:
            kept.note_directives(opening.end(), end)
        elif name == b"template" and ending != ".vue":
            kept.note_braces(opening.end(), end)
        rest = after
    if ending != ".vue":
        kept.note_braces(rest, len(source))
    text = bytes(kept.text)
    if ending == ".svelte" and b"$" in text:
        text = _STORE.sub(lambda found: b" " if found[0] == b"$" else found[0], text)
    return Script(text, kept.has_markup, Page(tuple(kept.markup), tuple(kept.styles)))


def _closing(source: bytes, name: bytes, start: int) -> tuple[int, int]:
    """Where the content of a block ends, and where its closing tag does; templates may stand in templates."""
    if name != b"template":
        closing = _CLOSINGS[name].search(source, start)
        return closing.span() if closing else (len(source), len(source))
    open_tags = 1
    for tag in _NESTED.finditer(source, start):
        if not tag[2].endswith(b"/"):
            open_tags += -1 if tag[1] else 1
        if not open_tags:
            return tag.span()
    return len(source), len(source)


def _language(attributes: bytes) -> bytes:
    found = _LANGUAGE.search(attributes)
    return found[1].lower() if found else b""


def _spans_in_braces(source: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where expressions stand: between a brace and its own closing one, further inside where elements are between them."""
    openings: list[int] = []
    inner: list[list[tuple[int, int]]] = [
        []
    ]  # what is found inside each brace that is open, and outside of all
    has_tags = [False]
    position = source.find(b"{", start, end)
    while position >= 0 and (found := _IN_BRACES.search(source, position, end)):
        position = found.end()
        if found[0] == b"{":
            openings.append(position)
            inner.append([])
            has_tags.append(False)
        elif found[0] == b"}":
            first, below, has_tag = openings.pop(), inner.pop(), has_tags.pop()
            has_tags[-1] |= has_tag
            block = _BLOCK.match(source, first, found.start())
            whole = (block.end() if block else first, found.start())
            inner[-1] += below if below and has_tag else [whole]
        elif found[0][:1] == b"<":
            has_tags[-1] = True
        if not openings:  # a quote in the text between elements is no more than that
            position = source.find(b"{", position, end)
    for spans in inner:
        yield from spans


class _Kept:
    """The text that grows: blanks and line ends, and what was kept."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self.text = blanked(source)
        self.has_markup = False
        self.markup: list[Span] = []
        self.styles: list[Span] = []

    def keep(self, start: int, end: int) -> None:
        self.text[start:end] = self._source[start:end]

    def note_directives(self, start: int, end: int) -> None:
        """Vue's markup: texts in double braces, and attributes that hold expressions or, for events, statements."""
        for found in _MUSTACHE.finditer(self._source, start, end):
            self._state(found.start(1), found.end(1), b";(", b")")
        for found in _DIRECTIVE.finditer(self._source, start, end):
            is_handler = found[0].lstrip().startswith(_HANDLER)
            opening, closing = (b";{", b"}") if is_handler else (b";(", b")")
            self._state(*found.span(1 if found[1] is not None else 2), opening, closing)
        for found in _DASHED.finditer(self._source, start, end):
            name = b"".join(part.capitalize() for part in found[1].split(b"-"))
            self.text[found.start() : found.start(1) + len(name) + 1] = b";" + name + b";"
        self._note_components(start, end)

    def note_braces(self, start: int, end: int) -> None:
        """Markup of Svelte and Astro: whatever stands in braces."""
        for first, last in _spans_in_braces(self._source, start, end):
            self._state(first, last, b";", b";")
        for found in _APPLIED.finditer(self._source, start, end):
            run = _RUN if found.start(1) - found.start() >= len(_RUN) else _RUN.lstrip(b";")
            self._state(found.start(1), found.end(1), run, b"")
        self._note_components(start, end)

    def _note_components(self, start: int, end: int) -> None:
        self.markup.append(Span(start, end))
        for found in _COMPONENT.finditer(self._source, start, end):
            # A line that ends after the name ends the statement, too, and must stay.
            is_last = self._source[found.end(1) : found.end(1) + 1] in {b"\r", b"\n", b""}
            self._state(found.start(1), found.end(1), b";", b"" if is_last else b";")

    def _state(self, start: int, end: int, opening: bytes, closing: bytes) -> None:
        if not self._source[start:end].strip():
            return
        self.text[start - len(opening) : start] = opening
        self.keep(start, end)
        self.text[end : end + len(closing)] = closing
        if self.text[end + len(closing) : end + len(closing) + 1] == b" ":
            self.text[end + len(closing)] = ord(";")
