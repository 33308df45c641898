"""Pages of ERB as a script: what stands in `<% %>` keeps its place, all else becomes blanks.

Rails runs a page for an object of its own, which has the variables of the controller or mailer that its folder names;
a page of a component runs as a method of that component.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.markup import blanked
from drift.languages.ruby.inflection import camelize
from drift.languages.ruby.yard import constant_path

if TYPE_CHECKING:
    from drift.languages.expressions import Expression

ENDING: Final = ".erb"

_COMPONENT: Final = "_component"
_MAILER: Final = "_mailer"


def script_of(source: bytes) -> bytes:
    """The page as a script of the same length."""
    text = blanked(source)
    rest = 0
    while (opening := source.find(b"<%", rest)) >= 0:
        closing = source.find(b"%>", opening + 2)
        if closing < 0:
            break
        mark = source[opening + 2 : opening + 3]
        rest = opening + 3 if mark == b"%" else closing + 2  # a doubled one is text
        if mark in {b"#", b"%"}:
            continue
        start = opening + 2
        while start < closing and source[start : start + 1] in {b"=", b"-"}:
            start += 1
        end = closing - source.endswith(b"-", start, closing)
        text[start:end] = source[start:end]
        text[closing] = ord(";")
    return bytes(text)


class Surroundings(NamedTuple):
    """What a page is run for: whose variables it sees, and whose methods it calls by their bare names."""

    variables: Expression
    methods: Expression


def surroundings_of(path: str) -> Surroundings:
    """By where a page stands. All pages see the helpers of the project, of which it is not known who has them."""
    *folders, name = path.split("/")
    stem = name.partition(".")[0]
    if "components" in folders and stem.endswith(_COMPONENT):
        own = _object([*_below(folders, "components"), stem])
        return Surroundings(own, own)
    around = _below(folders, "views")
    if not around:
        return Surroundings(None, ("this",))
    last = around[-1] if around[-1].endswith(_MAILER) else f"{around[-1]}_controller"
    return Surroundings(_object([*around[:-1], last]), ("this",))


def given_to(path: str) -> str | None:
    """The variable that a part of a page is given under its own name; None for a whole page."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return stem[1:] if stem.startswith("_") and stem[1:].isidentifier() else None


def _below(folders: list[str], root: str) -> list[str]:
    """The folders below the last of a name."""
    above, _, below = "/".join(["", *folders, ""]).rpartition(f"/{root}/")
    return [each for each in below.split("/") if each] if above or root in folders else []


def _object(path: list[str]) -> Expression:
    """An object of the class that Rails loads from a path."""
    return ("own", ("instance", constant_path(camelize("/".join(path)))), None)
