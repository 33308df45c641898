"""Whether the content of a memory fits its type, and the words in it."""

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from drift.kernel.errors import DriftError, invalid
from drift.kernel.similar import similar_names
from drift.memory.types import ContentField, FieldKind, MemoryType

_DEEPEST: Final = 12
_MOST_VALUES: Final = 5_000
_LARGEST_INTEGER: Final = 2**53  # beyond it, JSON readers disagree

_WORDING: Final = {
    FieldKind.TEXT: "a text",
    FieldKind.TEXTS: "a list of texts",
    FieldKind.INTEGER: "an integer",
    FieldKind.NUMBER: "a number",
    FieldKind.BOOLEAN: "true or false",
    FieldKind.TIME: "an ISO 8601 date or time",
    FieldKind.OBJECT: "an object",
    FieldKind.RECORD: "an object",
    FieldKind.RECORDS: "a list of objects",
}


def check_content(memory_type: MemoryType, content: Mapping[str, Any]) -> None:
    """Raise INVALID_ARGUMENT unless every field is one of the type's and holds what it may."""
    if not isinstance(content, dict):
        raise invalid("content", "must be an object")
    check_json(content, "content")
    _check_fields(memory_type.fields, content, path="content", owner=memory_type.name)


def check_json(value: Any, path: str) -> None:
    """Raise INVALID_ARGUMENT unless the value can be written as JSON and read again the same."""
    for count, (one, depth) in enumerate(_walk(value, 0)):
        if count > _MOST_VALUES:
            raise invalid(path, f"has more than {_MOST_VALUES:,} values")
        if depth > _DEEPEST:
            raise invalid(path, f"is nested deeper than {_DEEPEST} levels")
        problem = _find_problem(one)
        if problem:
            raise invalid(path, problem)


def check_text(text: Any, argument: str, *, most: int) -> None:
    """Raise INVALID_ARGUMENT unless it is a text that SQLite gives back as it was, of at most `most` characters."""
    if not isinstance(text, str):
        raise invalid(argument, "must be a text")
    if len(text) > most:
        raise invalid(argument, f"has {len(text):,} characters; at most {most:,} are kept")
    problem = _find_problem(text)
    if problem:
        raise invalid(argument, problem)


def texts_in(value: Any) -> Iterator[str]:
    """Every text inside a JSON value, in order; not the names of fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts_in(one)


def _walk(value: Any, depth: int) -> Iterator[tuple[Any, int]]:
    yield value, depth
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for key, one in value.items():
            yield key if isinstance(key, str) else (key,), depth
            yield from _walk(one, depth + 1)
    elif isinstance(value, list):
        for one in value:
            yield from _walk(one, depth + 1)


def _find_problem(value: Any) -> str | None:
    if isinstance(value, str):
        if "\0" in value:
            return "holds a NUL character; leave it out"
        return None if value.isascii() or _is_encodable(value) else "holds half of a surrogate pair"
    if value is None or isinstance(value, bool | dict | list):
        return None
    if isinstance(value, int):
        return None if abs(value) <= _LARGEST_INTEGER else "holds an integer beyond 2^53; give it as text"
    if isinstance(value, float):
        return None if math.isfinite(value) else "holds a number that JSON has not"
    return f"holds a {type(value).__name__}, which is no JSON"


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_fields(
    fields: Mapping[str, ContentField], content: Mapping[str, Any], *, path: str, owner: str
) -> None:
    for name, value in content.items():
        known = fields.get(name)
        if known is None:
            raise _unknown(fields, name, path=path, owner=owner)
        _check_field(known, value, path=f"{path}.{name}", owner=owner)


def _unknown(fields: Mapping[str, ContentField], name: str, *, path: str, owner: str) -> DriftError:
    return invalid(
        f"{path}.{name[:60]}",
        f"a memory of type {owner} has no such field",
        hint=f"Fields there: {', '.join(fields)}. Other things belong into the text or the tags.",
        similar=similar_names(name, fields),
    )


def _check_field(known: ContentField, value: Any, *, path: str, owner: str) -> None:
    if known.kind is FieldKind.CHOICE:
        if value not in known.choices:
            raise invalid(path, f"must be one of {', '.join(known.choices)}")
        return
    if not _fits(known.kind, value):
        raise invalid(path, f"must be {_WORDING[known.kind]}")
    if known.kind is FieldKind.RECORD:
        _check_fields(known.fields, value, path=path, owner=owner)
    elif known.kind is FieldKind.RECORDS:
        for position, record in enumerate(value):
            _check_fields(known.fields, record, path=f"{path}[{position}]", owner=owner)


def _fits(kind: FieldKind, value: Any) -> bool:
    match kind:
        case FieldKind.TEXT:
            return isinstance(value, str)
        case FieldKind.TEXTS:
            return isinstance(value, list) and all(isinstance(one, str) for one in value)
        case FieldKind.INTEGER:
            return isinstance(value, int) and not isinstance(value, bool)
        case FieldKind.NUMBER:
            return isinstance(value, int | float) and not isinstance(value, bool)
        case FieldKind.BOOLEAN:
            return isinstance(value, bool)
        case FieldKind.TIME:
            return isinstance(value, str) and _is_time(value)
        case FieldKind.RECORDS:
            return isinstance(value, list) and all(isinstance(one, dict) for one in value)
        case _:
            return isinstance(value, dict)


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
