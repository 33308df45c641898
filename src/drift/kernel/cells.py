r"""JSON values on one line, quoted only where they could be read as something else.

A reader tells the kinds apart by how they begin: `"` opens a JSON string, `[` a small list, `{` a small object;
a bare word is text unless it is a number, `true`, `false` or `null`.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from drift.kernel.quoted import UNFIT, is_key_of_ours, quote

_OTHER_KINDS: Final = r"(?:null|true|false|nan|-?inf|-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)\Z"


_OTHER_KIND: Final = re.compile(_OTHER_KINDS)
_BEGINS_OTHER_KIND: Final = frozenset("0123456789-ntfi")
_PRINTABLE: Final = bytes(range(0x20, 0x7F))


class _Bare(NamedTuple):
    """Text that may stand without quotes: the pattern of it, and a quicker one of its usual kind."""

    pattern: re.Pattern[str]
    usual: re.Pattern[str]
    usual_bytes: bytes

    def fits(self, text: str) -> bool:
        return self.usual.match(text) is not None or self.pattern.fullmatch(text) is not None

    def fits_usual(self, texts: Collection[str]) -> bool:
        """Whether all are of the usual kind; a look at them together takes a fraction of a look at each."""
        joined = "\n".join(texts)
        if not joined.isascii() or joined.endswith(" ") or " \n" in joined:
            return False
        # Any other byte than the newlines between them is an unusual one.
        if len(joined.encode().translate(None, self.usual_bytes)) != len(texts) - 1:
            return False
        beginnings = "".join([text[:1] for text in texts])
        if len(beginnings) != len(texts) or not beginnings.isalnum():
            return False
        return _BEGINS_OTHER_KIND.isdisjoint(beginnings) or not any(map(_OTHER_KIND.match, texts))


def _bare_text(*, never_first: str, never: str) -> _Bare:
    pattern = rf"\A(?!{_OTHER_KINDS})(?![\s{never_first}])[^{re.escape(never)}{UNFIT}]+(?<!\s)"
    # Nearly all text is ASCII and begins with a letter or a digit; a small set of characters is read faster.
    usual_bytes = _PRINTABLE.translate(None, never.encode())
    usual = rf"\A(?!{_OTHER_KINDS})[A-Za-z0-9][{re.escape(usual_bytes.decode())}]*+(?<! )\Z"
    return _Bare(re.compile(pattern), re.compile(usual), usual_bytes)


_BARE_KEY: Final = re.compile(rf"(?!.*[{UNFIT}])[^\W\d][\w./@$-]*")  # some letters cannot be seen
_BARE_AFTER_KEY: Final = _bare_text(never_first=r'"\[{|', never="")
_BARE_CELL: Final = _bare_text(never_first=r'"\[{', never=",")
_BARE_ITEM: Final = _bare_text(never_first=r'"\[{|!\-', never=":")
_BARE_MEMBER: Final = _bare_text(never_first='"', never=",:=()[]{}")
_BARE_LISTED: Final = _bare_text(never_first='"', never=",[]{}")
_BARE_ARGUMENT: Final = _bare_text(never_first='"', never=",=()[]{}")


def is_scalar(value: object) -> bool:
    """Whether the value is a single word of JSON: text, a number, true, false or null."""
    return value is None or isinstance(value, (str, int, float))


def write_key(key: str) -> str:
    """A member's name as it stands before a colon."""
    return key if _BARE_KEY.fullmatch(key) else quote(key)


def write_first_key(key: str) -> str:
    """A member's name where it begins a line."""
    return quote(key) if is_key_of_ours(key) else write_key(key)


def write_path(keys: Sequence[str]) -> str:
    """Names that lead to a member of a member: `at.file`."""
    return ".".join(quote(key) if "." in key else write_key(key) for key in keys)


def write_after_key(value: Any) -> str:
    """A scalar that has the rest of a `key: ` line to itself."""
    return _write_scalar(value, _BARE_AFTER_KEY)


def write_item(value: Any) -> str:
    """A scalar where a `key: value` line could stand as well."""
    return _write_scalar(value, _BARE_ITEM)


def write_cell(value: Any) -> str:
    """A scalar, or a small list or object, between commas."""
    return _write_scalar(value, _BARE_CELL) if is_scalar(value) else write_member(value)


def write_cells(texts: Collection[str]) -> Mapping[str, str] | None:
    """Each text as it stands between commas; None where all may stand as they are."""
    return _write_texts(texts, _BARE_CELL)


def write_listed(texts: Collection[str]) -> Mapping[str, str] | None:
    """Each text as it stands in a small list; None where all may stand as they are."""
    return _write_texts(texts, _BARE_LISTED)


def write_argument(value: Any) -> str:
    """A value as it stands in a call: `name(key=value)`."""
    return _write_scalar(value, _BARE_ARGUMENT) if is_scalar(value) else write_member(value)


def write_member(value: Any) -> str:
    """Any value inside brackets: `[a,b]` and `{key:value}`, without members that are null."""
    if is_scalar(value):
        return _write_scalar(value, _BARE_MEMBER)
    if isinstance(value, Mapping):
        members = (
            f"{write_key(key)}:{write_member(item)}" for key, item in value.items() if item is not None
        )
        return f"{{{','.join(members)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_write_listed, value))}]"
    raise _not_json(value)


def _write_listed(value: Any) -> str:
    return _write_scalar(value, _BARE_LISTED) if is_scalar(value) else write_member(value)


def _write_scalar(value: Any, bare: _Bare) -> str:
    if isinstance(value, str):
        return str(value) if bare.fits(value) else quote(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    raise _not_json(value)


def _not_json(value: object) -> TypeError:
    return TypeError(f"{type(value).__name__} is not a JSON value")


def _write_texts(texts: Collection[str], bare: _Bare) -> Mapping[str, str] | None:
    # Of one text, such as a column of equal ones has, the look at all together would be the longer one.
    if len(texts) > 1 and bare.fits_usual(texts):
        return None
    return {text: text if bare.fits(text) else quote(text) for text in texts}
