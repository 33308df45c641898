"""How the words of a name are joined."""

import re
from typing import Final

# Names longer than that are no names: loops are bound, so that no text takes long.
_CASINGS: Final = (
    ("SCREAMING_SNAKE", re.compile(r"[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,20}")),
    ("snake_case", re.compile(r"[a-z0-9]{1,60}(?:_[a-z0-9]{1,60}){1,20}")),
    ("kebab-case", re.compile(r"[a-z0-9]{1,60}(?:-[a-z0-9]{1,60}){1,20}")),
    ("Train-Case", re.compile(r"[A-Z][a-zA-Z0-9]{0,60}(?:-[A-Z][a-zA-Z0-9]{0,60}){1,20}")),
    ("camelCase", re.compile(r"[a-z][a-z0-9]{0,60}[A-Z][a-zA-Z0-9]{0,120}")),
    ("PascalCase", re.compile(r"(?=[A-Z0-9]{0,60}[a-z])[A-Z][a-zA-Z0-9]{0,120}")),
    ("dot.case", re.compile(r"[a-z0-9]{1,60}(?:\.[a-z0-9]{1,60}){1,20}")),
)

CASINGS: Final = tuple(name for name, _ in _CASINGS)


def casing_of(name: str) -> str | None:
    """The casing of a name; None where it does not show, as in a name of one word in small letters."""
    return next((casing for casing, pattern in _CASINGS if pattern.fullmatch(name)), None)
