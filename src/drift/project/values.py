"""What a setting may hold: one function per kind of value.

Each kind says in words what it allows, checks a value as TOML gives it, and reads the text of a
DRIFT_* variable into such a value. A value that is not allowed comes back as None: the caller knows
the key and where the value stood, so the caller words the error.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath, PureWindowsPath
from typing import Generic, Literal, TypeVar

T = TypeVar("T")
W = TypeVar("W", bound=str)

AutoOrBoolean = Literal["auto"] | bool

_TRUE_WORDS = frozenset({"true", "1", "yes", "on"})
_FALSE_WORDS = frozenset({"false", "0", "no", "off"})
# Python's int() would also take "1_000" and the digits of other scripts, and is quadratic in length.
_INTEGER_TEXT = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_TOOL_NAME = re.compile(r"[A-Za-z0-9_./-]{1,128}", re.ASCII)
_MOST_ITEMS = 1000
NO_LIMIT = "no limit"


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """One kind of setting value."""

    type_name: str
    allowed: str  # completes the sentence "allowed: ..."
    accept: Callable[[object], T | None]
    parse: Callable[[str], object]  # what TOML would hold; `accept` checks it
    is_path: bool = False
    is_secret: bool = False  # never shown, not even where it is wrong
    is_within: Callable[[T, T], bool] = operator.eq  # whether the first is as tight as the second


def boolean() -> Kind[bool]:
    return Kind("boolean", "true or false", _accept_boolean, _parse_boolean)


def auto_or_boolean() -> Kind[AutoOrBoolean]:
    """On, off, or on when what it needs is there."""

    def accept(value: object) -> AutoOrBoolean | None:
        return "auto" if value == "auto" else _accept_boolean(value)

    def parse(text: str) -> object:
        return "auto" if text.casefold() == "auto" else _parse_boolean(text)

    return Kind('"auto" or boolean', '"auto", true or false', accept, parse)


def integer(least: int, most: int, *, zero_means: str = "") -> Kind[int]:
    def accept(value: object) -> int | None:
        # bool is a subclass of int, yet `http_port = true` is a mistake.
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return value if least <= value <= most else None

    def is_within(value: int, bound: int) -> bool:
        return bound == 0 or 0 < value <= bound if is_unlimited_at_zero else value <= bound

    is_unlimited_at_zero = zero_means == NO_LIMIT
    zero = f" (0: {zero_means})" if zero_means else ""
    allowed = f"an integer from {least} to {most}{zero}"
    return Kind("integer", allowed, accept, _parse_integer, is_within=is_within)


def auto_or_integer(least: int, most: int, *, zero_means: str = "") -> Kind[Literal["auto"] | int]:
    """A number, or "auto" for one that fits the machine."""
    number = integer(least, most, zero_means=zero_means)

    def accept(value: object) -> Literal["auto"] | int | None:
        return "auto" if value == "auto" else number.accept(value)

    def parse(given: str) -> object:
        return "auto" if given.casefold() == "auto" else number.parse(given)

    return Kind('"auto" or integer', f'"auto" or {number.allowed}', accept, parse)


def choice(*words: W) -> Kind[W]:
    """One of a few words."""

    def accept(value: object) -> W | None:
        return next((word for word in words if word == value), None)

    return Kind("text", " or ".join((", ".join(words[:-1]), words[-1])), accept, str.casefold)


def log_levels() -> Kind[str]:
    """A level for all, and levels of rooms before it: `pipeline=debug,info`."""
    level = r"(?:[a-z_][a-z0-9_.]*=)?(?:debug|info|warning|error)"

    def accept(value: object) -> str | None:
        return value if isinstance(value, str) and re.fullmatch(f"{level}(?:,{level})*", value) else None

    def parse(given: str) -> object:
        return "".join(given.split()).casefold()

    allowed = 'debug, info, warning or error, with levels of rooms before it if wanted: "pipeline=debug,info"'
    return Kind("text", allowed, accept, parse)


def text(form: str = "one line of printable text", pattern: str = ".*", *, most: int = 100) -> Kind[str]:
    """One line of printable text that matches `pattern`, which `form` puts in words."""

    def accept(value: object) -> str | None:
        if not isinstance(value, str) or len(value) > most or not value.isprintable():
            return None
        return value if re.fullmatch(pattern, value) else None

    return Kind("text", f"{form}, at most {most} characters", accept, str)


def secret(kind: Kind[str]) -> Kind[str]:
    """The same, never shown."""
    return replace(kind, is_secret=True)


def text_list(item: Kind[str]) -> Kind[tuple[str, ...]]:
    """A list of texts of one form; separated by commas in a variable."""

    def accept(value: object) -> tuple[str, ...] | None:
        if not isinstance(value, list) or len(value) > _MOST_ITEMS:
            return None
        accepted = [each for each in map(item.accept, value) if each is not None]
        return tuple(accepted) if len(accepted) == len(value) else None

    def parse(listed: str) -> object:
        return [part for part in map(str.strip, listed.split(",")) if part]

    return Kind("list of texts", f"a list, each item {item.allowed}", accept, parse)


def rate_table(rate: Kind[int]) -> Kind[Mapping[str, int]]:
    """Calls per minute by tool name; `name=5, other=10` in a variable."""

    def accept(value: object) -> Mapping[str, int] | None:
        if not isinstance(value, dict) or len(value) > _MOST_ITEMS:
            return None
        rates = {name: rate.accept(given) for name, given in value.items() if _TOOL_NAME.fullmatch(name)}
        accepted = {name: per_minute for name, per_minute in rates.items() if per_minute is not None}
        return accepted if len(accepted) == len(value) else None

    def parse(listed: str) -> object:
        pairs = [part.partition("=") for part in listed.split(",") if part.strip()]
        return {name.strip(): rate.parse(given.strip()) for name, _, given in pairs}

    def is_within(value: Mapping[str, int], bound: Mapping[str, int]) -> bool:
        # Zero is no limit, and a tool without one in the bound has none either.
        return all(
            per_minute > 0 and rate.is_within(per_minute, bound.get(name, 0))
            for name, per_minute in value.items()
        )

    allowed = f"a table of tool names, each with {rate.allowed}"
    return Kind("table of integers", allowed, accept, parse, is_within=is_within)


def project_path(*, may_be_empty: bool = False) -> Kind[str]:
    """A file or directory, relative to the project root unless absolute."""
    line = text(most=4096)

    def accept(value: object) -> str | None:
        return line.accept(value) if value or may_be_empty else None

    allowed = "a path, or empty for none" if may_be_empty else "a path"
    return Kind("path", allowed, accept, str, is_path=True)


def stays_inside(path: str) -> bool:
    """Whether the path is relative and never climbs, by the rules of POSIX and of Windows."""
    windows = PureWindowsPath(path)
    is_rooted = PurePosixPath(path).is_absolute() or windows.drive or windows.root or path.startswith("~")
    return not is_rooted and ".." not in windows.parts


def _accept_boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _parse_boolean(given: str) -> object:
    word = given.casefold()
    return word in _TRUE_WORDS if word in _TRUE_WORDS | _FALSE_WORDS else given


def _parse_integer(given: str) -> object:
    return int(given) if _INTEGER_TEXT.fullmatch(given) else given
