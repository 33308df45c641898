"""What a project is called: an id for machines, a name for people."""

import hashlib
import os
from pathlib import Path

from drift.kernel.errors import invalid
from drift.kernel.text import shorten

MOST_NAME_CHARACTERS = 100

_ID_DIGITS = 12


def project_id(root: Path) -> str:
    """A short hash of the real path: the same for every way to write it, stable over time."""
    real = os.path.normcase(os.path.realpath(root))
    return hashlib.sha256(os.fsencode(real)).hexdigest()[:_ID_DIGITS]


def directory_name(root: Path) -> str:
    """The directory's own name, fit to be shown: printable and of bounded length."""
    name = "".join(char if char.isprintable() else "_" for char in root.name).strip()
    return shorten(name, MOST_NAME_CHARACTERS) or "project"


def check_name(name: str) -> str:
    """The name without outer blanks; INVALID_ARGUMENT unless it is one line of 1 to 100 characters."""
    trimmed = name.strip()
    if not trimmed or len(trimmed) > MOST_NAME_CHARACTERS or not trimmed.isprintable():
        raise invalid("name", f"must be 1 to {MOST_NAME_CHARACTERS} printable characters on one line")
    return trimmed
