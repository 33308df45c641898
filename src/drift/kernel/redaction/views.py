"""A text as a reader would take it: without invisible characters, decoded, joined where it was split.

A secret is found in such a view and taken out of the text itself, so each view knows where its characters stand there.
"""

import base64
import binascii
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from drift.kernel.redaction.table import load_table

_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_INVISIBLE: Final = frozenset({"Cf", "Mn", "Me"})
_ENCODED: Final = re.compile(r"%([0-7][0-9A-Fa-f])|&#(?:[xX]([0-7][0-9A-Fa-f])|([1-9][0-9]{1,2}));")
# What stands between the parts of one token: line ends with what surrounds them, and quotes that close and open again.
_JOINT: Final = re.compile(
    r"(?<=[A-Za-z0-9_\-+/=])(?:[\"'`]{1,3}[ \t]{0,8}(?:[+.&][ \t]{0,8})?\\?\r?\n?[ \t]{0,40}[\"'`]{1,3}"
    r"|[ \t]{0,8}\\?\r?\n[ \t>#*|]{0,40}|[\"'`]{1,4})(?=[A-Za-z0-9_\-+/=])"
)
_SPACED: Final = re.compile(r"(?<!\S)(?:[!-~] ){11,400}[!-~](?!\S)")
_BLANK: Final = re.compile(r" ")
_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_\-])[A-Za-z0-9+/_\-]{20,4000}={0,2}(?![A-Za-z0-9+/=])")
_PRINTABLE: Final = re.compile(rb"[\t\n\r -~]{12,3000}")


class Piece(NamedTuple):
    """Where a part of a view begins, and where it begins and ends in the view below; `is_new` where it was replaced."""

    here: int
    start: int
    end: int
    is_new: bool = False


class View(NamedTuple):
    """What a text reads as. `is_glued`: its parts stood apart, so that only what tells by itself is a secret there."""

    text: str
    pieces: tuple["Piece", ...] = ()
    below: "View | None" = None
    is_glued: bool = False

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text itself the characters from `start` to before `end` stand."""
        if self.below is None:
            return start, end
        return self.below.span(self._place(start)[0], self._place(end - 1)[1])

    def _place(self, at: int) -> tuple[int, int]:
        piece = self.pieces[bisect_right(self.pieces, at, key=lambda each: each.here) - 1]
        if piece.is_new:  # longer or shorter than what it stands for, so all of that is meant
            return piece.start, piece.end
        return piece.start + at - piece.here, piece.start + at - piece.here + 1


def read_views(text: str) -> Iterator[View]:
    """The text itself, then every other way to read it."""
    view = View(text)
    yield view
    if not text.isascii():
        folded = _rewrite(view, _BEYOND_ASCII, lambda found: _fold(found[0]))
        if folded is not None:
            view = folded
            yield view
    if "%" in text or "&#" in text:
        decoded = _rewrite(view, _ENCODED, _decode)
        if decoded is not None:
            view = decoded
            yield view
    glued = _rewrite(view, _JOINT, lambda _found: "", is_glued=True)
    if glued is not None:
        yield glued
    if _SPACED.search(view.text):
        dense = _rewrite(view, _SPACED, lambda found: _BLANK.sub("", found[0]), is_glued=True)
        if dense is not None:
            yield dense


def read_base64(text: str) -> Iterator[tuple[int, int, str]]:
    """Runs of the text that are readable when decoded: where they stand, and what they say."""
    for found in _BASE64.finditer(text):
        run = found[0].rstrip("=").translate(_URL_SAFE)
        try:
            said = base64.b64decode(run + "=" * (-len(run) % 4), validate=True)
        except (binascii.Error, ValueError):
            continue
        if _PRINTABLE.fullmatch(said):
            yield found.start(), found.end(), said.decode("ascii")


_URL_SAFE: Final = str.maketrans("-_", "+/")


def _rewrite(
    below: View, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], *, is_glued: bool = False
) -> View | None:
    """The view with every match replaced; None where that changes nothing."""
    parts: list[str] = []
    pieces: list[Piece] = []
    done = here = 0
    for found in pattern.finditer(below.text):
        new = replace(found)
        if new == found[0]:
            continue
        kept = below.text[done : found.start()]
        pieces += (Piece(here, done, found.start()), Piece(here + len(kept), *found.span(), is_new=True))
        parts += (kept, new)
        here += len(kept) + len(new)
        done = found.end()
    if not pieces:
        return None
    pieces.append(Piece(here, done, len(below.text)))
    return View("".join((*parts, below.text[done:])), tuple(pieces), below, is_glued)


@lru_cache(maxsize=4096)
def _fold(character: str) -> str:
    """What a character that is not ASCII looks like; nothing where it cannot be seen."""
    if unicodedata.category(character) in _INVISIBLE:
        return ""
    if character in load_table()["alike"]["letters"]:
        return str(load_table()["alike"]["letters"][character])
    plain = unicodedata.normalize("NFKC", character)
    return plain if plain.isascii() else character


def _decode(found: re.Match[str]) -> str:
    code = int(found[1] or found[2], 16) if found[1] or found[2] else int(found[3])
    return chr(code) if 32 <= code < 127 else found[0]  # noqa: PLR2004 - what can be printed in ASCII
