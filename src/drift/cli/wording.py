"""Names and values of an answer as people say them: words for camelCase, time and size in units."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from drift.kernel.text import plural

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_+")
_INSTANT: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)")
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_JUST_NOW_SECONDS: Final = 10
_LONGEST_AGO_DAYS: Final = 60  # further back a date says more
_DIGITS: Final = 3
_LARGEST_WHOLE: Final = 10**15  # beyond it floats have no digits for ones
_KILO: Final = 1_000


def say_name(key: str) -> str:
    """`callers outside tests` for `callersOutsideTests`, `test` for `isTest`; units and `at` go to the value."""
    words = [word for word in _HUMP.split(key) if word]
    if len(words) > 1 and words[0] in ("is", "has"):
        words = words[1:]
    if len(words) > 1 and words[-1].lower() in ("at", *_UNITS):
        words = words[:-1]
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def say_value(key: str, value: Any, *, now: datetime) -> str:
    """A number, a time or any other scalar; its name may say the unit."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        unit = _HUMP.split(key)[-1].lower()
        return _UNITS[unit](value) if unit in _UNITS and len(_HUMP.split(key)) > 1 else _say_number(value)
    return say_instant(str(value), now=now)


def say_instant(text: str, *, now: datetime) -> str:
    """How long ago a time was, or the date where that is long ago or still to come; any other text as it is."""
    if not _INSTANT.fullmatch(text):
        return text
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:  # has the form of a time, and is none
        return text
    seconds = (now - instant).total_seconds()
    if seconds < -_MINUTE or seconds >= _LONGEST_AGO_DAYS * _DAY:
        return instant.astimezone(UTC).strftime("%Y-%m-%d")
    return "just now" if seconds < _JUST_NOW_SECONDS else f"{_say_long(seconds)} ago"


def say_seconds(seconds: float) -> str:
    """A length of time: `12 ms`, `1.2 s`, `3 minutes`."""
    if seconds < 1:
        return f"{seconds * 1_000:.0f} ms"
    return f"{seconds:.1f} s" if seconds < _MINUTE else _say_long(seconds)


def say_bytes(size: float) -> str:
    """`812 bytes`, `3.4 kB`, `12.0 MB`."""
    if size < _KILO:
        return plural(int(size), "byte")
    for unit in ("kB", "MB"):
        size /= _KILO
        if size < _KILO:
            return f"{size:.1f} {unit}"
    return f"{size / _KILO:.1f} GB"


def _say_long(seconds: float) -> str:
    units = ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute"))
    length, name = next((unit for unit in units if seconds >= unit[0]), (1, "second"))
    return plural(int(seconds // length), name)


def _say_number(value: float) -> str:
    rounded = round(value, _DIGITS)
    return f"{rounded:.0f}" if abs(rounded) < _LARGEST_WHOLE and rounded % 1 == 0 else str(rounded)


def _say_milliseconds(value: float) -> str:
    return say_seconds(value / 1_000)


# What the last word of a name says of its number.
_UNITS: Final[dict[str, Callable[[float], str]]] = {
    "ms": _say_milliseconds,
    "seconds": say_seconds,
    "bytes": say_bytes,
}
