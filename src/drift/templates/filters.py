"""What a template may do to a value: other ways to write a name, and quoting for the formats that need it."""

import html
import json
from collections.abc import Callable, Mapping
from typing import Final

from drift.kernel.words import split_parts


def _snake(text: str) -> str:
    return "_".join(part.lower() for part in split_parts(text))


def _kebab(text: str) -> str:
    return "-".join(part.lower() for part in split_parts(text))


def _pascal(text: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in split_parts(text))


def _flat(text: str) -> str:
    return "".join(part.lower() for part in split_parts(text))


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _path(text: str) -> str:
    """`com.example.app` as `com/example/app`."""
    return text.replace(".", "/")


FILTERS: Final[Mapping[str, Callable[[str], str]]] = {
    "snake": _snake,
    "kebab": _kebab,
    "pascal": _pascal,
    "flat": _flat,
    "upper": str.upper,
    "json": _json,
    "xml": html.escape,
    "path": _path,
}
