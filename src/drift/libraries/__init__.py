"""Models of libraries as data: where data comes from, where it does harm, what makes it harmless, what hands it on."""

from drift.libraries.form import (
    Check,
    Condition,
    Confidence,
    Kind,
    Library,
    Object,
    Propagator,
    Sanitizer,
    Scalar,
    Selector,
    Sink,
    Source,
    Trust,
)
from drift.libraries.kinds import kinds
from drift.libraries.loading import (
    OwnLibraries,
    libraries_by_language,
    read_own_libraries,
    shipped_libraries,
    used_libraries,
)
from drift.libraries.reading import LibraryError, read_library

__all__ = [
    "Check",
    "Condition",
    "Confidence",
    "Kind",
    "Library",
    "LibraryError",
    "Object",
    "OwnLibraries",
    "Propagator",
    "Sanitizer",
    "Scalar",
    "Selector",
    "Sink",
    "Source",
    "Trust",
    "kinds",
    "libraries_by_language",
    "read_library",
    "read_own_libraries",
    "shipped_libraries",
    "used_libraries",
]
