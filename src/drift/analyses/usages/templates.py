"""Whether a word of a page is part of an expression, which may name code, or of the text that people read."""

import re
from typing import Final, Literal

from drift.languages.kinds import TYPE_KINDS

Place = Literal["expression", "script", "tag"]
"""An expression is run where the page is made, or bound to what the page is made of; a script in the browser.

A tag may be a component, and is never a member.
"""

_COMPONENTS: Final = frozenset({"function", "constant", *TYPE_KINDS})
_LOOK_BACK: Final = 1_000
# What opens an expression, with what closes it: Jinja, Django, Twig, Blade, Handlebars, ERB, EJS, Razor, JSX, Angular,
# Thymeleaf, FreeMarker, JSP.
_HOLES: Final = (
    (b"{{", b"}}"),
    (b"{%", b"%}"),
    (b"<%", b"%>"),
    (b"${", b"}"),
    (b"#{", b"}"),
    (b"{!!", b"!!}"),
    (b"{", b"}"),
    (b"<#", b">"),
    (b"<@", b">"),
)
# Those that go on over lines, as blocks of statements do.
_LONG_HOLES: Final = ((b"{{", b"}}"), (b"{%", b"%}"), (b"<%", b"%>"), (b"<?", b"?>"), (b"@php", b"@endphp"))
_CODE: Final = ((b"@code", b"</"), (b"@functions", b"</"), (b"@{", b"\n}"))
_SCRIPT: Final = (b"<script", b"</script")
# Attributes whose values are code: of Vue, Angular, Alpine, Thymeleaf, and handlers of events.
_BOUND: Final = re.compile(
    rb"(?<![\w:.-])(?:[:@*#]|\[|\(|v-|x-|th:|ng-|asp-|wire:|on)[\w.:\])-]{0,60}=[\"'][^\"'<>]{0,300}\Z",
    re.IGNORECASE,
)
# What Razor, Blade and Velocity write without brackets: `@Model.Total`, `@if (cart.IsEmpty)`, `$!cart.total`.
_SIGIL: Final = re.compile(rb"(?<![\w.@])[@$][\w.!?()\[\]>:-]{0,200}\Z")
_DIRECTIVE: Final = re.compile(rb"(?<![\w.@])[@#][A-Za-z][\w.]{0,60}[ \t]{0,4}\([^\n]{0,900}\Z")
# Where a line is code unless a sign says otherwise.
_LINES_OF_CODE: Final = (".haml", ".slim", ".pug", ".jade")


def place_in_page(path: str, content: bytes, offset: int) -> Place | None:
    """What the word at an offset of a page is part of; None for text that people read."""
    if path.endswith(_LINES_OF_CODE):
        return "expression"
    line_start = content.rfind(b"\n", 0, offset) + 1
    before = content[max(line_start, offset - _LOOK_BACK) : offset]
    if before.endswith((b'".', b"'.")):
        return None  # a selector of a style sheet, the ending of a file
    if before.endswith((b"<", b"</")):
        return "tag"
    if before.endswith((b"@", b"$")):
        return "expression"  # a name that Razor and Blade write out
    is_script = _is_open(content, offset, *_SCRIPT)
    # In a script a single brace opens a block, which says nothing.
    holes = _HOLES[:4] if is_script else _HOLES
    if (
        any(_is_open(before, len(before), *hole) for hole in holes)
        or any(pattern.search(before) for pattern in (_BOUND, _SIGIL, _DIRECTIVE))
        or any(_is_open(content, offset, *hole) for hole in (*_LONG_HOLES, *_CODE))
    ):
        return "expression"
    return "script" if is_script else None


def may_name(kind: str, place: Place | None) -> bool:
    """Whether a word at such a place may name a symbol of a kind."""
    return kind in _COMPONENTS if place == "tag" else place is not None


def _is_open(content: bytes, end: int, opening: bytes, closing: bytes) -> bool:
    return content.rfind(opening, 0, end) > content.rfind(closing, 0, end)
