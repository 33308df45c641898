"""Whether a word of a page is part of an expression, which may name code, or of the text that people read."""

import re
from typing import Final

_LOOK_BACK: Final = 1_000
# What opens an expression, with what closes it: Jinja, Django, Twig, Blade, Handlebars, ERB, EJS, Razor, JSX, Angular.
_HOLES: Final = (
    (b"{{", b"}}"),
    (b"{%", b"%}"),
    (b"<%", b"%>"),
    (b"${", b"}"),
    (b"#{", b"}"),
    (b"{!!", b"!!}"),
    (b"{", b"}"),
)
_SCRIPT: Final = ((b"<script", b"</script"), (b"@code", b"</"), (b"@functions", b"</"))
# Attributes whose values are code: of Vue, Angular, Alpine, Thymeleaf, and handlers of events.
_BOUND: Final = re.compile(
    rb"(?:[:@*#]|\[|\(|v-|x-|th:|ng-|asp-|wire:|on)[\w.:\])-]{0,60}=[\"'][^\"'<>]{0,300}\Z", re.IGNORECASE
)


def is_expression(content: bytes, offset: int) -> bool:
    """Whether what stands at an offset of a page is code."""
    line_start = content.rfind(b"\n", 0, offset) + 1
    before = content[max(line_start, offset - _LOOK_BACK) : offset]
    if before.endswith((b"<", b"</", b"@", b"$")):
        return True  # a component, or a name that Razor and Blade write out
    if any(before.rfind(opening) > before.rfind(closing) for opening, closing in _HOLES):
        return True
    if _BOUND.search(before):
        return True
    return any(
        content.rfind(opening, 0, offset) > content.rfind(closing, 0, offset) for opening, closing in _SCRIPT
    )
