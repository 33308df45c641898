r"""Names that Laravel gives classes in all files of the global namespace: `'aliases' => ['Money' => App\Support\Money::class]`."""

from __future__ import annotations

import re
from typing import Final

from drift.languages import Import

PATH: Final = "config/app.php"
_USED: Final = re.compile(r"^use\s+\\?([\w\\]{1,200})(?:\s+as\s+(\w{1,80}))?\s*;", re.MULTILINE)
_ALIASES: Final = re.compile(r"""['"]aliases['"]\s*=>""")
_ALIAS: Final = re.compile(r"""^[ \t]*['"](\w{1,80})['"]\s*=>\s*\\?([\w\\]{1,200})::class""", re.MULTILINE)
_LONGEST: Final = 60_000


def read_aliases(text: str, own_prefixes: tuple[str, ...]) -> tuple[Import, ...]:
    """The aliases of the project's own classes, as imports that hold without standing in a file."""
    start = _ALIASES.search(text, 0, _LONGEST)
    if start is None or not own_prefixes:
        return ()
    used = {alias or name.rpartition("\\")[2]: name for name, alias in _USED.findall(text[: start.start()])}
    found = []
    for alias, written in _ALIAS.findall(text, start.end(), _LONGEST):
        first, step, rest = written.partition("\\")
        whole = f"{used.get(first, first)}{step}{rest}"
        if whole.startswith(own_prefixes):
            space, _, name = whole.rpartition("\\")
            found.append(Import(0, 1, space, name, alias))
    return tuple(found)
