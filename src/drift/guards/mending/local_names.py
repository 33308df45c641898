"""Names that may be changed: what a few lines alone know (a caught error, a receiver), what is not put together."""

import re
from collections.abc import Sequence
from typing import Final

Lines = tuple[int, int]
"""The first and the last line, from 1."""

_QUOTES: Final = re.compile("(?<!\\\\)[\"'`]")
_MEMBER: Final = (".", "->", "::")
_PART: Final = re.compile(r"_{0,5}(?:[A-Z]{1,60}(?![a-z])|[A-Z]?[a-z0-9]{1,60})_{0,5}")
_TAKEN: Final = re.compile(r"\s{0,5}(?::?=(?!=)|:\s)")
"""What follows a name that is bound anew, given by keyword, or the key of something."""


def is_put_together(name: str, text: str) -> bool:
    """Whether a text seems to make the name of parts: a string that is its beginning or end, with something beside it."""
    if not name.isidentifier():
        return True
    ends = [at.end() for at in _PART.finditer(name)][:-1]
    heads, tails = [name[:end] for end in ends], [name[end:] for end in ends]
    made = [rf"[\"'`]{re.escape(head)}_?(?:[\"'`]|\$|\{{|%|#\{{)" for head in heads]
    made += [rf"(?:[\"'`]|\}}|%s){re.escape(tail)}[\"'`]" for tail in tails]
    return any(re.search(each, text) for each in made)


def with_name(lines: Sequence[str], old: str, new: str, *, inside: Lines, whole: Lines) -> list[str] | None:
    """The lines with another name for `old` between the lines `inside`; None where that might change what they do.

    It might where `whole`, the function around, knows the new name, or the old one elsewhere, and where a place may
    mean something else: a key, a keyword, a word in a text.
    """
    if not new.isidentifier() or old == new:
        return None
    word, taken = re.compile(rf"\b{re.escape(old)}\b"), re.compile(rf"\b{re.escape(new)}\b")
    made = list(lines)
    for number in range(whole[0] - 1, min(whole[1], len(lines))):
        line = lines[number]
        if taken.search(line):
            return None
        if not inside[0] - 1 <= number < inside[1]:
            if word.search(line):
                return None
            continue
        places = [one for one in word.finditer(line) if not line[: one.start()].endswith(_MEMBER)]
        is_head = number == inside[0] - 1
        if any(_is_unclear(line, one, is_head=is_head) for one in places):
            return None
        for one in reversed(places):
            line = line[: one.start()] + new + line[one.end() :]
        made[number] = line
    return made


def _is_unclear(line: str, place: "re.Match[str]", *, is_head: bool) -> bool:
    before, after = line[: place.start()], line[place.end() :]
    is_filled_in = before.endswith(("{", "${", "{$"))
    if len(_QUOTES.findall(before)) % 2 and not is_filled_in:
        return True
    is_short_pair = before.rstrip().endswith(("{", ",")) and after.lstrip().startswith(("}", ","))
    if is_short_pair and not len(_QUOTES.findall(before)) % 2 and "{" in before:
        return True
    return not is_head and _TAKEN.match(f"{after} ") is not None
