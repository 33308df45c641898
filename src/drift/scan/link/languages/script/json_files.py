"""JSON as configuration files of scripts have it: with comments and trailing commas."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_PARTS: Final = re.compile(r'("(?:\\.|[^"\\])*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING: Final = re.compile(r'("(?:\\.|[^"\\])*+"?)|,(?=\s*[}\]])')


def parse_object(text: str | None) -> dict[str, Any]:
    """The object a text says; an empty one for anything else, since a broken file configures nothing."""
    if text is None:
        return {}
    bare = _TRAILING.sub(_keep_string, _PARTS.sub(_keep_string, text.removeprefix("\ufeff")))
    try:
        value = json.loads(bare)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def texts_in(value: object) -> list[str]:
    """The texts of a list, or the one text that stands for a list of one."""
    if isinstance(value, str):
        return [value]
    return [part for part in value if isinstance(part, str)] if isinstance(value, list) else []


def _keep_string(match: re.Match[str]) -> str:
    return match[1] or ""
