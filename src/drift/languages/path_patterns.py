r"""Paths in expressions that a browser's address has to fit: `/\/orders\/[^/]+\/edit(\?|$)/` is /orders/{}/edit."""

import re
from typing import Final

OPEN: Final = "{}"
"""A part of a path that any text fits."""

_LONGEST: Final = 300
_HOLE: Final = re.compile(r"\$\{[^{}]{1,200}\}")
_CLASS: Final = re.compile(r"\[[^\]]{1,80}\](?:[+*]\??|\{[\d,]{1,9}\})?")
_ANY: Final = re.compile(r"(?:\\[dDwWsS]|\.)(?:[+*]\??|\{[\d,]{1,9}\})")
_GROUP: Final = re.compile(r"(?<=/)\((?:\?:)?[^()/?$#]{1,80}\)(?=[/$(\\?]|\Z)")
_TAIL: Final = re.compile(r"\((?:\?[:=])?\\{0,2}[?$#/|]")
_LEFT_OUT: Final = re.compile(r"\([^()]{0,100}\)\?\$?")
_END: Final = re.compile(r"\\{0,2}[(?$#]")
_ESCAPE: Final = re.compile(r"\\(.)")
_PATH: Final = re.compile(r"(?:/(?:\{\}|[\w.~@-]{1,80})+){1,12}/?\Z")
_WORD: Final = re.compile(r"/[\w.~@-]*[A-Za-z]")


def path_of_pattern(written: str) -> str | None:
    """The path that a regular expression, or a text with holes that becomes one, stands for; None where it is none.

    What follows a question mark, or may, is no part of it.
    """
    if len(written) > _LONGEST:
        return None
    text = _HOLE.sub(OPEN, written.removeprefix("^")).replace("\\/", "/")
    if not text.startswith("/"):
        return None
    for form in (_CLASS, _ANY, _GROUP):
        text = form.sub(OPEN, text)
    end = _END.search(text)
    if end is not None:
        text, rest = text[: end.start()], text[end.start() :]
        is_query = rest.lstrip("\\")[0] in "?#"
        is_left_out = _LEFT_OUT.fullmatch(rest) is not None
        if not (is_query or is_left_out) and (
            "/" in rest.rstrip("/") or (rest[0] == "(" and not _TAIL.match(rest))
        ):
            return None
    text = _ESCAPE.sub(r"\1", text)
    return text if _PATH.match(text) and _WORD.search(text) else None
