"""What an attribute such as `#[Route('/x', methods: ['GET'])]` was given, read from its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.languages.facts import Decorator

_PATH = re.compile(r"""\(\s*(?:(?:path|name)\s*:\s*)?['"]([^'"]*)['"]""")
_NAMED = re.compile(r"""\b(path|name)\s*:\s*['"]([^'"]*)['"]""")
_METHODS = re.compile(r"""\bmethods\s*:\s*(\[[^\]]{0,500}\]|['"][^'"]{0,200}['"])""")
_QUOTED = re.compile(r"""['"]([A-Za-z]+)['"]""")


def is_attribute(decorator: Decorator, name: str) -> bool:
    """Whether an attribute has this name, in whatever namespace."""
    return decorator.name.rpartition("\\")[2] == name


def attribute_arguments(decorator: Decorator) -> dict[str, str]:
    """Path, name and methods as far as they are literals; the first argument counts as either of the former."""
    text = decorator.text
    found: dict[str, str] = {}
    if first := _PATH.search(text):
        found["path"] = found["name"] = first[1]
    found.update((match[1], match[2]) for match in _NAMED.finditer(text))
    if methods := _METHODS.search(text):
        found["methods"] = ",".join(word.upper() for word in _QUOTED.findall(methods[1]))
    return found
