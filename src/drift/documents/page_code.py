"""What the expressions of a page say of code: the pages it takes in, and the tags, filters and members it names.

Known limits: a page whose name is put together; what a variable of the page stands for.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

from drift.documents.items import Item

TAKEN, TAG, FILTER, CALLED, MEMBER, SHOWN = (
    "page", "page-tag", "page-filter", "page-call", "page-member", "page-value",
)  # fmt: skip
"""Kinds of items: a page that is taken in, a tag, a filter, a function that is called, a member that is read, a text of an object."""
_CLOSING: Final = {"{%": "%}", "{{": "}}", "{#": "#}"}
_LONGEST: Final = 2_000
_MOST: Final = 3_000
_STRING: Final = re.compile(r"\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'")
_FILTER: Final = re.compile(r"\|\s{0,9}([A-Za-z_]\w{0,99})")
_WORD: Final = re.compile(r"(?<![\w.|])(?:[A-Za-z_.][\w.]{0,200})(\s{0,9}\()?")
_TAG: Final = re.compile(r"[-+\s]{0,9}([A-Za-z_]\w{0,99})")


class _Names(NamedTuple):
    sign: str
    taking: frozenset[str]
    plain: frozenset[str]
    filters: frozenset[str]
    words: frozenset[str]


def read_page_code(text: str) -> Iterator[Item]:
    """What a page says of code, each once where it stands first; nothing of a page that no such engine fills."""
    names = _names()
    if names.sign not in text:
        return
    seen: set[tuple[str, str, str | None]] = set()
    line, counted = 1, 0
    read: set[tuple[str, bool]] = set()
    for at, written, is_tag in _holes(text):
        if (written, is_tag) in read:
            continue
        read.add((written, is_tag))
        for kind, name, owner in _said(written, names, is_tag=is_tag):
            if (kind, name, owner) in seen:
                continue
            if len(seen) >= _MOST:
                return
            seen.add((kind, name, owner))
            line, counted = line + text.count("\n", counted, at), at
            yield Item(line, kind, name, owner)


def _holes(text: str) -> Iterator[tuple[int, str, bool]]:
    """The expressions of a page in its order, and whether each is a tag."""
    at = 0
    ends = dict.fromkeys(
        _CLOSING.values(), 0
    )  # where each closes next: a page of openings is gone through once
    while (at := text.find("{", at)) >= 0:
        closing = _CLOSING.get(text[at : at + 2])
        if closing is None:
            at += 1
            continue
        if 0 <= ends[closing] < at + 2:
            ends[closing] = text.find(closing, at + 2)
        end = ends[closing]
        if not 0 <= end <= at + _LONGEST:
            at += 2
            continue
        if closing != "#}":
            yield at, text[at + 2 : end], closing == "%}"
        at = end + 2


def _said(written: str, names: _Names, *, is_tag: bool) -> Iterator[tuple[str, str, str | None]]:
    tag = _TAG.match(written) if is_tag else None
    if tag is not None:
        if tag[1] in names.taking:
            yield from ((TAKEN, each[1:-1], None) for each in _STRING.findall(written))
        if tag[1] not in names.plain and not tag[1].startswith("end"):
            yield TAG, tag[1], None
        written = written[tag.end() :]
    plain = _STRING.sub("''", written)
    yield from ((FILTER, each, None) for each in _FILTER.findall(plain) if each not in names.filters)
    is_first = not is_tag
    for found in _WORD.finditer(plain):
        yield from _named(found, names, is_shown=is_first)
        is_first = False


def _named(found: re.Match[str], names: _Names, *, is_shown: bool) -> Iterator[tuple[str, str, str | None]]:
    """What a word of an expression says, with what stands behind its dots."""
    parts = found[0].rstrip("( \t\n").split(".")
    is_called, last = found[1] is not None, parts[-1]
    if is_called and len(parts) == 1 and last not in names.words:
        yield CALLED, last, None
    for owner, name in pairwise(parts):
        if name and not name[0].isdigit() and owner not in names.words:
            yield MEMBER, name, owner or None
    if is_shown and not is_called and last and last not in names.words:
        yield SHOWN, last, None


@cache
def _names() -> _Names:
    table = tomllib.loads(files("drift.documents").joinpath("page_code.toml").read_text("utf-8"))
    return _Names(table["sign"], *(frozenset(table[each]) for each in _Names._fields[1:]))
