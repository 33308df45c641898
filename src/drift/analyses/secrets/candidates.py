"""The lines of a file that may hold a secret, found without looking at every line with every rule.

What a rule can find has a word beside it, or is itself a long run of letters and digits. Both are searched for over the
bytes of the file; the rules then see the lines where something was found, a few of a hundred.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from drift.kernel.redaction.table import load_table

# Longer than any name, and with digits: keys, tokens, hashes.
_RUN: Final = re.compile(rb"[A-Za-z0-9_+/=\-.~]{16,400}")
_DIGITS: Final = b"0123456789"
_FEWEST_DIGITS: Final = 3
_FEWEST_LETTERS: Final = 5
_NAME: Final = re.compile(rb"[a-z_]{1,40}(?:[._\-][a-z_]{0,40}\d{0,4}){1,20}")
# A value beside a name, which a digit or a mark must be in.
_VALUE: Final = re.compile(rb"[:=>,(\s][\s\"'`]{0,10}[^\s\"'`]{4,400}")
_TELLING: Final = re.compile(rb"[0-9!#%^&*+@?~$]")
_URL: Final = re.compile(rb"://[^\s:/@\"'<>]{0,100}:[^\s/@\"'<>]{1,200}@")
_BLOCK: Final = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE)")
_OPEN: Final = frozenset({b">", b"=", b"|", b"("})
_BEFORE: Final = 300
_BEHIND: Final = 1_200
_MOST_LINES: Final = 20_000


class Line(NamedTuple):
    """A line, or the part of a long one where something was found, and where it begins in the file."""

    number: int
    text: str
    start: int


def candidate_lines(content: bytes) -> Iterator[Line]:
    """The lines worth a look, in order, each once."""
    lowered = content.lower()
    certain = (found.start() for pattern in (_URL, _BLOCK) for found in pattern.finditer(content))
    places = sorted({*_runs(content), *_words(lowered), *certain})
    number, counted, end = 1, 0, -1
    for place in places[:_MOST_LINES]:
        if place < end:
            continue  # in a line that was told
        number, counted = number + content.count(b"\n", counted, place), place
        start = max(content.rfind(b"\n", 0, place) + 1, place - _BEFORE)
        end = content.find(b"\n", place, place + _BEHIND)
        end = min(len(content), place + _BEHIND) if end < 0 else end
        if content[max(place, end - 1) : end] in _OPEN:
            end = content.find(b"\n", end + 1, place + _BEHIND)
            end = min(len(content), place + _BEHIND) if end < 0 else end
        yield Line(number, content[start:end].decode("utf-8", "replace"), start)


def _runs(content: bytes) -> Iterator[int]:
    for found in _RUN.finditer(content):
        run = found[0]
        letters = run.translate(None, _DIGITS)
        digits = len(run) - len(letters)
        is_mixed = digits >= _FEWEST_DIGITS and len(letters) >= _FEWEST_LETTERS and not _NAME.fullmatch(run)
        # A key without digits is rare: it is told by what it begins with.
        if is_mixed or _beginnings().match(run.rpartition(b"=")[2]) is not None:
            yield found.start()


@cache
def _beginnings() -> re.Pattern[bytes]:
    """What keys begin with that a service can be told by."""
    needs = {
        word for row in load_table()["rules"] if row.get("tells") for word in row["needs"] if " " not in word
    }
    return re.compile(b"|".join(sorted(re.escape(word.encode()) for word in needs)), re.IGNORECASE)


def _words(lowered: bytes) -> Iterator[int]:
    for word in _searched():
        at = lowered.find(word)
        while at >= 0:
            end = lowered.find(b"\n", at)
            end = min(len(lowered), at + _BEHIND) if end < 0 else min(end, at + _BEHIND)
            if lowered[max(at, end - 1) : end] in _OPEN:  # what belongs to it stands in the next line
                end = lowered.find(b"\n", end + 1)
                end = min(len(lowered), at + _BEHIND) if end < 0 else min(end, at + _BEHIND)
            value = _VALUE.search(lowered, at + len(word), end)
            if value is not None and _TELLING.search(lowered, value.start() + 1, end):
                yield at
                at = lowered.find(word, end)  # a line is told once
            else:
                at = lowered.find(word, at + len(word))


@cache
def _searched() -> tuple[bytes, ...]:
    return tuple(word.encode() for word in load_table()["searched"]["words"])
