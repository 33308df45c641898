"""Faults of our own: which they are, how they are told, and what stands for the file they happen in."""

from __future__ import annotations

import logging
from typing import Final

from drift.languages.facts import FileFacts, Symbol

logger = logging.getLogger(__name__)

# Not those of the disk and the database, which end the scan and are told as what they are.
FAULTS: Final = (LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError)

_NOTHING_IN_IT: Final = FileFacts("", 0, 0, 0, (Symbol("module", "", 0, 1, 0, 1, 0, 0),))


def note_fault(path: str, error: BaseException) -> str:
    """Log a fault in the linking of a file; why it is not linked, for the list of files that failed."""
    logger.error("%s could not be linked; please report this", path, exc_info=error)
    return f"could not be linked ({type(error).__name__}), so its calls stay unknown"


def stand_in(language: str = "") -> FileFacts:
    """What others see of a file of which nothing can be read: a file with nothing in it."""
    return _NOTHING_IN_IT._replace(language=language)
