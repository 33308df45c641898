"""Ids of instructions, which are file names on every system."""

import re
from typing import Final

from drift.catalog.refusals import refuse
from drift.kernel.errors import DriftError
from drift.kernel.text import shorten

LONGEST_ID: Final = 120
ENDING: Final = ".json"
UNNAMEABLE: Final = "the file's name cannot be an id: it is not text in UTF-8"
RESERVED_NAMES: Final = frozenset({"gates"})  # gates.json holds the gates, not an instruction

_NOT_INSTRUCTIONS: Final = frozenset(name + ENDING for name in RESERVED_NAMES)
_SAFE: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?", re.ASCII)
_UNDECODED: Final = re.compile("[\ud800-\udfff]")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|conin|conout|(?:com|lpt)[0-9])(?:\..*)?", re.IGNORECASE)
_HINT: Final = "Use letters, digits, '.', '_' and '-', beginning with a letter, a digit or '_'."


def check_id(given: object) -> str:
    """The id, if a file of its name is safe on every system; else INVALID_ARGUMENT says why."""
    if not isinstance(given, str):
        raise refuse("id", "missing id" if given is None else "id must be a string", hint=_HINT)
    if problem := find_fault(given):
        raise _unfit(given, problem)
    return given


def find_fault(text: str) -> str | None:
    """Why the text cannot be an id, or None if it can."""
    if not text:
        return "is empty"
    if len(text) > LONGEST_ID:
        return f"is longer than {LONGEST_ID} characters"
    if not _SAFE.fullmatch(text):
        return "is not a safe file name"
    if _DEVICE.fullmatch(text):
        return "is the name of a device on Windows"
    if text.lower() in RESERVED_NAMES:
        return "is reserved"
    return None


def is_instruction_file(name: str) -> bool:
    """Whether a file of this name in the directory claims to be an instruction."""
    return is_claim(name) and is_text(name)


def is_claim(name: str) -> bool:
    """The same of a name that may be no text at all."""
    return name.endswith(ENDING) and name[0] != "." and name not in _NOT_INSTRUCTIONS


def is_text(name: str) -> bool:
    """Whether a file's name is text; on some systems it may be any bytes, which no store and no answer can hold."""
    return name.isascii() or not _UNDECODED.search(name)


def _unfit(given: str, problem: str) -> DriftError:
    return refuse("id", f"invalid id: {shorten(given, 80)!a} {problem}", hint=_HINT)
