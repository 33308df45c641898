"""TOML, JSON and XML of files that nobody vouches for."""

import json
import re
import tomllib
from typing import Any, Final
from xml.etree import ElementTree as ET

from drift.manifests.contents import UnreadableManifestError, table_of

# Strings are matched too, so that what looks like a comment in one is left alone.
_COMMENTS: Final = re.compile(r'("(?:\\.|[^"\\])*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING: Final = re.compile(r'("(?:\\.|[^"\\])*+"?)|,(?=\s*[}\]])')


def parse_toml(text: str) -> dict[str, object]:
    """The tables of a TOML file."""
    try:
        return dict(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnreadableManifestError(f"not TOML: {error}") from error


def parse_json(text: str) -> dict[str, object]:
    """The object of a JSON file."""
    try:
        return table_of(json.loads(text.removeprefix("\ufeff")))
    except (ValueError, RecursionError) as error:
        raise UnreadableManifestError(f"not JSON: {error}") from error


def parse_configuration(text: str | None) -> dict[str, Any]:
    """The object of a JSON file with comments and trailing commas; an empty one where a broken file says nothing."""
    if text is None:
        return {}
    bare = _TRAILING.sub(_keep_string, _COMMENTS.sub(_keep_string, text.removeprefix("\ufeff")))
    try:
        value = json.loads(bare)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _keep_string(match: re.Match[str]) -> str:
    return match[1] or ""


def parse_xml(text: str) -> ET.Element:
    """The root of an XML file. Entities can name files and grow without end, so a file with a DOCTYPE is refused."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise UnreadableManifestError("XML with a DOCTYPE is not read")
    try:
        return ET.fromstring(text.removeprefix("\ufeff"))  # noqa: S314 - without a DOCTYPE there are no entities
    except (ET.ParseError, ValueError, RecursionError) as error:
        raise UnreadableManifestError(f"not XML: {error}") from error


def local_name(element: ET.Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]  # a comment's tag is a function


def child_text(element: ET.Element, name: str) -> str | None:
    """The text of the first child with this name."""
    for child in element:
        if local_name(child) == name:
            return (child.text or "").strip() or None
    return None


def line_naming(lines: list[str], name: str) -> int:
    """The first line with the name, or of a Maven name with its last part; 1 where it is put together."""
    word = re.compile(rf"(?<![\w@/-]){re.escape(name.rpartition(':')[2])}(?![\w/.-])")
    return next((number for number, line in enumerate(lines, 1) if word.search(line)), 1)
