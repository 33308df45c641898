"""Words from a command line as the JSON values a tool's schema asks for.

Only the type is settled here. Bounds, lengths and choices are the pipeline's to check, so that a person
and a model read the same message.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson

from drift.cli.parser import UsageError
from drift.kernel.errors import Recovery
from drift.kernel.text import shorten
from drift.registry.schema import Schema

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?", re.ASCII)
_BOOLEANS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
_SHOWN_CHARACTERS: Final = 60


def coerce(schema: Schema, text: str, name: str) -> Any:
    """The value a word stands for. Raises UsageError, naming the argument, for any other word."""
    if "anyOf" in schema:
        return _coerce_any(schema["anyOf"], text, name)
    kind = schema.get("type")
    if isinstance(kind, list):
        return _coerce_any([{**schema, "type": each} for each in sorted(kind, key=_strictness)], text, name)
    if "enum" in schema:
        return next((option for option in schema["enum"] if str(option) == text), text)
    return _COERCIONS[kind](schema, text, name)


def coerce_all(schema: Schema, words: Sequence[str], name: str) -> list[Any]:
    """A list from repeated words, each of which may hold several items."""
    return [item for word in words for item in _coerce_array(schema, word, name)]


def read_json(text: str, name: str) -> Any:
    """The JSON value in a text. Raises UsageError when it holds none."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UsageError(
            f"{name}: is no JSON: {shorten(str(error), 100)}",
            Recovery(hint="Quote the JSON for the shell.", details={"argument": name}),
        ) from error


def _coerce_any(schemas: Sequence[Schema], text: str, name: str) -> Any:
    for schema in schemas:
        try:
            return coerce(schema, text, name)
        except UsageError:
            continue
    return text


def _strictness(kind: str) -> int:
    return list(_COERCIONS).index(kind)


def _coerce_null(_schema: Schema, text: str, name: str) -> None:
    if text != "null":
        raise _unfit(name, text, "null")


def _coerce_integer(_schema: Schema, text: str, name: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise _unfit(name, text, "a whole number")
    return int(text)


def _coerce_number(_schema: Schema, text: str, name: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise _unfit(name, text, "a number")
    return int(text) if _INTEGER.fullmatch(text) else float(text)


def _coerce_boolean(_schema: Schema, text: str, name: str) -> bool:
    value = _BOOLEANS.get(text.casefold())
    if value is None:
        raise _unfit(name, text, "true or false")
    return value


def _coerce_object(_schema: Schema, text: str, name: str) -> dict[str, Any]:
    value = read_json(text, name)
    if not isinstance(value, dict):
        raise _unfit(name, text, "an object in JSON")
    return value


def _coerce_array(schema: Schema, text: str, name: str) -> list[Any]:
    if text.lstrip().startswith("["):
        value = read_json(text, name)
        if isinstance(value, list):
            return value
    items = schema.get("items", {})
    if items.get("type") == "object":
        return [_coerce_object(items, text, name)]
    return [coerce(items, part.strip(), name) for part in text.split(",") if part.strip()]


def _coerce_text(_schema: Schema, text: str, _name: str) -> str:
    return text


def _coerce_anything(_schema: Schema, text: str, _name: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


# From the strictest to the one that takes every word, which is the order alternatives are tried in.
_COERCIONS: Final[dict[Any, Callable[[Schema, str, str], Any]]] = {
    "null": _coerce_null,
    "integer": _coerce_integer,
    "number": _coerce_number,
    "boolean": _coerce_boolean,
    "object": _coerce_object,
    "array": _coerce_array,
    "string": _coerce_text,
    None: _coerce_anything,
}


def _unfit(name: str, text: str, allowed: str) -> UsageError:
    message = f"{name}: got {shorten(text, _SHOWN_CHARACTERS)!r}; allowed: {allowed}"
    return UsageError(message, Recovery(details={"argument": name}))
