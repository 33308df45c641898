"""HTML and SVG made so that no text of the repository can be anything but text.

Whatever is no `Markup` is escaped, in content and in attributes. Characters that a page may not hold, or that show a reader
something other than what is there, become visible escapes.
"""

import re
from html import escape
from typing import Final

from drift.kernel.quoted import UNFIT
from drift.kernel.text import shorten

_UNFIT: Final = re.compile(f"[{UNFIT}]")
_LONGEST: Final = 400


class Markup(str):
    """Text that is markup already: made here and nowhere else."""

    __slots__ = ()


Content = str | int | float


def text(value: Content) -> Markup:
    """A value as text on the page, cut where it is very long."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, float):
        return Markup(f"{value:g}")
    if isinstance(value, int):
        return Markup(f"{value:,}")
    visible = _UNFIT.sub(
        lambda found: found[0].encode("unicode_escape").decode("ascii"), shorten(value, _LONGEST)
    )
    return Markup(escape(visible))


def element(name: str, /, *content: Content, **attributes: Content | None) -> Markup:
    """An element. `class_` is the class; an underscore in a name is a hyphen; None leaves an attribute out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{given}>{''.join(map(text, content))}</{name}>")


def join(parts: "list[Markup] | tuple[Markup, ...]") -> Markup:
    """Several pieces one after another."""
    return Markup("".join(parts))


def _attribute(value: Content) -> str:
    # A number is written as programs read it, without commas.
    return text(value) if isinstance(value, str) else f"{value:.10g}"
