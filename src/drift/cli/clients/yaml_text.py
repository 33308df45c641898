"""Entries for clients that keep their servers in YAML. Such a file is read for our names and never changed.

A change that keeps comments, anchors and order would need a parser that keeps them; pasting a few lines does not.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

from drift.cli.clients.json_text import Section

_NAMES: Final = re.compile(
    r"""^[ \t]*(?:-[ \t]*)?(?:name:[ \t]*)?["']?(drift-(?:analysis|memory|catalog))["']?[ \t]*+:?[ \t]*+$""",
    re.MULTILINE,
)
_ADVICE: Final = "it is YAML, which Drift does not edit"


def read_entries(text: str, _section: Section) -> dict[str, Any]:
    """The names of ours in the file; what they say is not read."""
    return {name: {} for name in _NAMES.findall(text)}


def put_entries(_text: str, _section: Section, _entries: Mapping[str, Mapping[str, Any]]) -> NoReturn:
    """Refuse."""
    raise ValueError(_ADVICE)


def drop_entries(_text: str, _section: Section, _names: Iterable[str]) -> NoReturn:
    """Refuse."""
    raise ValueError(_ADVICE)


def write_entries(section: Section, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The entries as a person would paste them: values are JSON, which YAML takes.

    A section that ends in "-" is a list, whose items say their names themselves.
    """
    *outer, last = section
    lines = [f"{'  ' * depth}{key}:" for depth, key in enumerate(outer)]
    indent = "  " * len(outer)
    if last != "-":
        lines.append(f"{indent}{last}:")
        indent += "  "
    for name, entry in entries.items():
        members = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
        first, *rest = members
        head = [f"{indent}- {first}"] if last == "-" else [f"{indent}{name}:", f"{indent}  {first}"]
        lines += [*head, *(f"{indent}  {member}" for member in rest)]
    return "\n".join(lines)
