"""What an attribute such as `#[Route('/x', methods: ['GET'])]` was given, read from its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.languages.facts import Decorator

_FIRST = re.compile(r"""\(\s*['"]([^'"]*)['"]""")
# Of one path for each language the first is kept.
_LOCALIZED = re.compile(r"""(?:\(|\bpath\s*:)\s*\[\s*['"][\w-]{1,20}['"]\s*=>\s*['"]([^'"]*)['"]""")
_NAMED = re.compile(r"""\b(path|name)\s*:\s*['"]([^'"]*)['"]""")
_EVENT = re.compile(r"""\b(event|method)\s*:\s*['"]?([\w\\.]{1,100}(?:::\w{1,60})?)""")
_METHODS = re.compile(r"""\bmethods\s*:\s*(\[[^\]]{0,500}\]|['"][^'"]{0,200}['"])""")
_QUOTED = re.compile(r"""['"]([A-Za-z]+)['"]""")


def is_attribute(decorator: Decorator, name: str) -> bool:
    """Whether an attribute has this name, in whatever namespace."""
    return decorator.name.rpartition("\\")[2] == name


def attribute_arguments(decorator: Decorator) -> dict[str, str]:
    """Path, name and methods as far as they are literals; the first argument counts as either of the former."""
    text = decorator.text
    found: dict[str, str] = {}
    if first := _FIRST.search(text):
        found["path"] = found["name"] = first[1]
    elif localized := _LOCALIZED.search(text):
        found["path"] = localized[1]
    found.update((match[1], match[2]) for match in _NAMED.finditer(text))
    found.update((match[1], match[2].removesuffix("::class")) for match in _EVENT.finditer(text))
    if methods := _METHODS.search(text):
        found["methods"] = ",".join(word.upper() for word in _QUOTED.findall(methods[1]))
    return found
