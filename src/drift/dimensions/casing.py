"""How the words of a name are joined."""

import re
from typing import Final

_CASINGS: Final = (
    ("SCREAMING_SNAKE", re.compile(r"[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++")),
    ("snake_case", re.compile(r"[a-z0-9]++(?:_[a-z0-9]++)++")),
    ("kebab-case", re.compile(r"[a-z0-9]++(?:-[a-z0-9]++)++")),
    ("Train-Case", re.compile(r"[A-Z][a-zA-Z0-9]*+(?:-[A-Z][a-zA-Z0-9]*+)++")),
    ("camelCase", re.compile(r"[a-z][a-z0-9]*+[A-Z][a-zA-Z0-9]*+")),
    ("PascalCase", re.compile(r"(?=[A-Z0-9]{0,60}[a-z])[A-Z][a-zA-Z0-9]*+")),
    ("dot.case", re.compile(r"[a-z0-9]++(?:\.[a-z0-9]++)++")),
)

CASINGS: Final = tuple(name for name, _ in _CASINGS)


def casing_of(name: str) -> str | None:
    """The casing of a name; None where it does not show, as in a name of one word in small letters."""
    return next((casing for casing, pattern in _CASINGS if pattern.fullmatch(name)), None)
