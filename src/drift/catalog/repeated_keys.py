"""Whether an object of a JSON text has a key twice: readers take one of the two and say nothing."""

import re
from typing import Any, Final, NamedTuple

_APART: Final = re.compile(rb'"[ \t\r\n]+:')
_TOKEN: Final = re.compile(
    rb'(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+"?)(?P<colon>[ \t\r\n]*:)?|[{}]', re.DOTALL
)


class RepeatedKey(NamedTuple):
    """A key that its object has before, and the line of the second one."""

    key: str
    line: int


def find_repeated_key(content: bytes, parsed: object) -> RepeatedKey | None:
    """The first key that is there twice. `content` is JSON, and `parsed` is what it gave."""
    # Every file is looked at so; going through the text is for those with more colons behind quotes than keys.
    if _APART.search(content) is None and content.count(b'":') == _count_keys(parsed):
        return None
    return _search(content)


def _count_keys(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(_count_keys(each) for each in value.values() if isinstance(each, dict | list))
    return sum(_count_keys(each) for each in value) if isinstance(value, list) else 0


def _search(content: bytes) -> RepeatedKey | None:
    import orjson  # 20 ms, and a start that touches no file needs none of it

    objects: list[set[str]] = []
    for token in _TOKEN.finditer(content):
        if token["colon"] is not None:
            key = orjson.loads(token["string"])
            if key in objects[-1]:
                return RepeatedKey(key, content.count(b"\n", 0, token.start()) + 1)
            objects[-1].add(key)
        elif token[0] == b"{":
            objects.append(set())
        elif token[0] == b"}":
            objects.pop()
    return None
