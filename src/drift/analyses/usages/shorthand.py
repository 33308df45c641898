"""Short forms of scripts in which one word is two names: `{ total }` is a property and a variable."""

import re
from typing import Final

_LOOK_AROUND: Final = 4_000
_LOOK_BACK: Final = 500
# `component={Page}`, and no `const pages={Page}`.
_ATTRIBUTE: Final = re.compile(rb"(?<!const )(?<!let )(?<!var )(?<![\w.$-])[\w:-]{1,80}=\Z")
_BEHIND_TAG: Final = re.compile(rb"<[\w./][^<>]{0,400}(?<![=-])>[^<>{}();=]{0,200}\Z")
_PAIRS: Final = {b"}": b"{", b")": b"(", b"]": b"["}
_EXPORTS: Final = (b"exports =", b"exports=")
_BEFORE_OBJECTS: Final = (b"(", b",", b"=", b":", b"[", b"return", b"?", b"&&", b"||", b"yield", b"...")


def is_alone_in_braces(content: bytes, start: int, end: int) -> bool:
    """Whether the word stands for a property and a variable, whether an object is made or taken apart."""
    before, after = content[max(start - _LOOK_AROUND, 0) : start], content[end : end + _LOOK_AROUND].lstrip()
    if before.rstrip()[-1:] not in {b"{", b","} or after[:1] not in {b"}", b",", b"="}:
        return False
    opened = find_opening(before)
    return opened is not None and before[opened : opened + 1] == b"{"


def is_shorthand(content: bytes, start: int, end: int) -> bool:
    """Whether the word stands alone in an object, whose property would get another name with it.

    Not so in lists of imports and exports, and where values are taken out of an object.
    """
    before = content[max(start - _LOOK_AROUND, 0) : start]
    after = content[end : end + _LOOK_AROUND]
    if before.rstrip()[-1:] not in {b"{", b","} or after.lstrip()[:1] not in {b"}", b","}:
        return False
    opened = find_opening(before)
    if opened is None or before[opened : opened + 1] != b"{":
        return False
    head = before[:opened].rstrip()
    if head.endswith(_EXPORTS) or not head.endswith(_BEFORE_OBJECTS):
        return False
    if _ATTRIBUTE.search(before[:opened]) or _BEHIND_TAG.search(before[max(opened - _LOOK_BACK, 0) : opened]):
        return False  # the value of an attribute, or text between tags
    closed = after.find(b"}")
    behind = after[closed + 1 :].lstrip() if closed >= 0 else b""
    is_taken_out = behind.startswith(b"=") and not behind.startswith((b"==", b"=>"))
    is_parameter = behind.startswith(b")") and behind[1:].lstrip().startswith((b"=>", b"{", b":"))
    return not (is_taken_out or is_parameter)


def find_opening(before: bytes) -> int | None:
    """The bracket that is open at the end of a text."""
    waiting: list[bytes] = []
    for at in range(len(before) - 1, -1, -1):
        one = before[at : at + 1]
        if one in _PAIRS:
            waiting.append(_PAIRS[one])
        elif one in {b"{", b"(", b"["}:
            if not waiting:
                return at
            if waiting.pop() != one:
                return None
    return None
