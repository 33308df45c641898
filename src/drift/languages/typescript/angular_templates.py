"""Templates of Angular's components: what they ask of the component's class, as a script.

As with components in one file, every byte keeps its place, and what is no expression becomes blanks. A bare name in
an expression is a member of the component, unless the template declares it (`let row of rows`, `#input`, `as user`).
Pipes are left out of expressions: what is piped is used, and so are the arguments of the pipe.
"""

import re
from typing import Final, NamedTuple

from drift.languages.facts import Import

ENDINGS: Final = (".component.html", ".page.html")
"""Of the files that are templates, by Angular's and Ionic's habit."""
COMPONENT: Final = "<component>"  # the component in its template's file: no name that source can write

_BOUND: Final = re.compile(
    rb"\s(?:(\()|(\*)|\[\(?+|bind-|(on-))[\w.:@%-]{1,80}+[\])]{0,2}+\s{0,8}+=\s{0,8}+(?:\"([^\"]{0,4000}+)\"|'([^']{0,4000}+)')"
)
_INTERPOLATED: Final = re.compile(rb"\{\{([^{}]{0,2000}+(?:\{[^{}]{0,400}+\}[^{}]{0,400}+){0,4}+)\}\}")
_CONTROL: Final = re.compile(rb"@(?:else\s{1,8}+)?(?:if|for|switch|case)\s{0,8}+\(")
_LET: Final = re.compile(rb"@let\s{1,8}+([\w$]{1,80}+)\s{0,8}+=([^;]{0,1000}+);")
_DECLARED: Final = re.compile(
    rb"(?:\slet-|\s#|\blet\s{1,8}|\bas\s{1,8}|@for\s{0,8}\(\s{0,8}|@let\s{1,8})([A-Za-z_$][\w$]{0,80})"
)
_LOOPED: Final = re.compile(rb"\s{0,8}+(?:let\s{1,8}+)?[\w$]{1,80}+\s{1,8}+of\s")
_KEYED: Final = re.compile(rb"\s{0,8}+(?:[A-Za-z]\w{0,80}+\s{0,8}+:(?!:)|track\s|when\s)")
_UNUSED: Final = re.compile(rb"\s{0,8}+(?:let\s|as\s|else\b|then\b|on\s|prefetch\b)")
_NAMED: Final = re.compile(rb"\sas\s{1,8}+[\w$]{1,80}+\s{0,8}+\Z")
_PIPE: Final = re.compile(rb"\|\s{0,80}+[A-Za-z_]\w{0,80}+")
_GIVEN: Final = frozenset(
    {"$any", "$count", "$even", "$event", "$first", "$implicit", "$index", "$last", "$odd"}
)
_MOST_CONTROL: Final = 2_000
_MOST_GLUE: Final = 8  # bytes around an expression in which it is set apart; line ends stay where they are
_LINE_ENDS: Final = b"\r\n"
_OPENINGS: Final = b"([{"
_CLOSINGS: Final = b")]}"
_QUOTES: Final = b"'\"`"


class Template(NamedTuple):
    """A template as a script of the same length, and the names in it that are none of the component's."""

    source: bytes
    declared: frozenset[str]


def read_template(source: bytes, start: int = 0, end: int | None = None) -> Template:
    """The template that stands between two places of a source."""
    end = len(source) if end is None else end
    text = bytearray(re.sub(rb"[^\r\n]", b" ", source))
    for found in _BOUND.finditer(source, start, end):
        value = found.span(4) if found[4] is not None else found.span(5)
        if found[2]:
            _keep_parts(text, source, *value)
        else:
            _keep(text, source, *value, is_statement=bool(found[1] or found[3]))
    for found in _INTERPOLATED.finditer(source, start, end):
        _keep(text, source, *found.span(1))
    for found in _LET.finditer(source, start, end):
        _keep(text, source, *found.span(2))
    for found in _CONTROL.finditer(source, start, end):
        closing = _closing(source, found.end(), min(end, found.end() + _MOST_CONTROL))
        if closing is not None:
            _keep_parts(text, source, found.end(), closing)
    names = {found[1].decode() for found in _DECLARED.finditer(source, start, end)}
    return Template(bytes(text), _GIVEN | names)


def component_import(path: str) -> Import:
    """What a template's file has from the file of its component, which stands beside it."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return Import(0, 1, f"./{name.removesuffix('.html')}", name, COMPONENT)


def _keep(text: bytearray, source: bytes, start: int, end: int, *, is_statement: bool = False) -> None:
    """Keep an expression, or the statements of an event, without pipes, apart from what stands around it."""
    if not source[start:end].strip():
        return
    text[start:end] = _without_pipes(source[start:end])
    opening, closing = (b"{", b"}") if is_statement else (b"(", b")")
    before = [place for place in range(max(0, start - _MOST_GLUE), start) if source[place] not in _LINE_ENDS]
    after = [
        place for place in range(end, min(len(text), end + _MOST_GLUE)) if source[place] not in _LINE_ENDS
    ]
    for place, mark in zip((*before[-2:], *after[:1]), (b";", opening, closing), strict=False):
        text[place] = mark[0]


def _keep_parts(text: bytearray, source: bytes, start: int, end: int) -> None:
    """`let row of rows; trackBy: byId`: the expressions of a structural directive or of a block."""
    place = start
    for part in source[start:end].split(b";"):
        after = place + len(part)
        head = _LOOPED.match(part) or _KEYED.match(part)
        if head is not None or not _UNUSED.match(part):
            named = _NAMED.search(part)
            _keep(
                text,
                source,
                place + (head.end() if head else 0),
                place + named.start() if named else after,
            )
        place = after + 1


def _closing(source: bytes, start: int, end: int) -> int | None:
    """Where the parenthesis closes that opens before `start`."""
    depth = 1
    for place in range(start, end):
        depth += (source[place] == ord("(")) - (source[place] == ord(")"))
        if not depth:
            return place
    return None


def _without_pipes(expression: bytes) -> bytes:
    """`rows | slice: 1 : n` as `rows , 1 , n`, of the same length."""
    text = bytearray(expression)
    piped = [False]  # for each bracket around
    place, quote = 0, 0
    while place < len(text):
        here = text[place]
        if quote:
            quote = 0 if here == quote else quote
        elif here in _QUOTES:
            quote = here
        elif here in _OPENINGS:
            piped.append(False)
        elif here in _CLOSINGS:
            piped = piped[:-1] or [False]
        elif here in b",;":
            piped[-1] = False
        elif here == ord(":") and piped[-1]:
            text[place] = ord(",")
        elif here == ord("|") and text[place + 1 : place + 2] == b"|":
            place += 1
        elif here == ord("|") and (pipe := _PIPE.match(expression, place)):
            text[place : pipe.end()] = re.sub(rb"[^\r\n]", b" ", pipe[0])
            piped[-1] = True
            place = pipe.end() - 1
        place += 1
    return bytes(text)
