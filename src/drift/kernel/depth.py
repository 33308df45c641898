"""How deep JSON nests, found out without recursion: deep input is hostile."""

import re
from array import array
from itertools import accumulate
from typing import Any, Final

# A string runs to its closing quote or, unterminated, to the end; possessive, so hostile input stays linear.
_JSON_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)
_STEPS: Final = bytes(1 if byte in b"[{" else 255 if byte in b"]}" else 0 for byte in range(256))
_NOT_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")


def json_depth_exceeds(document: object, limit: int) -> bool:
    """Whether JSON text (bytes), or a value already parsed, nests deeper than `limit` levels.

    Text is scanned without being parsed, in time linear in its length; it need not be valid JSON.
    """
    if isinstance(document, (bytes, bytearray)):
        return _text_depth_exceeds(document, limit)
    level = [document]
    for _ in range(limit):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return any(isinstance(value, (dict, list)) for value in level)


def _children(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _text_depth_exceeds(text: bytes | bytearray, limit: int) -> bool:
    # Nearly every message has fewer brackets than levels allowed, which two counts at C speed show.
    if text.count(b"{") + text.count(b"[") <= limit:
        return False
    brackets = _JSON_STRING.sub(b"", text).translate(_STEPS, _NOT_BRACKETS)
    # As signed bytes the steps read +1 and -1, so their running sum is the depth.
    return max(accumulate(array("b", brackets)), default=0) > limit
