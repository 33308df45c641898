"""Finders: where a decision shows in the index rather than in syntax. finders.toml in `dimensions` tells what each can do."""

from collections.abc import Mapping
from typing import Final

from drift.conventions.finders.calls import CALLS
from drift.conventions.finders.classes import CLASSES
from drift.conventions.finders.declarations import CONSTANTS, DECORATORS, FIELDS, SYMBOLS
from drift.conventions.finders.entries import ENTRIES, ROUTES
from drift.conventions.finders.files import FILES
from drift.conventions.finders.form import Finder, Source, fits
from drift.conventions.finders.handlers import HANDLERS
from drift.conventions.finders.imports import IMPORTS
from drift.conventions.finders.surroundings import COMMENTS, CONSTRUCTS, DOCUMENTS, ENVIRONMENT

FINDERS: Final[Mapping[str, Finder]] = {
    "symbols": SYMBOLS,
    "classes": CLASSES,
    "calls": CALLS,
    "imports": IMPORTS,
    "decorators": DECORATORS,
    "routes": ROUTES,
    "entries": ENTRIES,
    "files": FILES,
    "handlers": HANDLERS,
    "environment": ENVIRONMENT,
    "comments": COMMENTS,
    "constructs": CONSTRUCTS,
    "fields": FIELDS,
    "constants": CONSTANTS,
    "documents": DOCUMENTS,
}

__all__ = ["FINDERS", "Finder", "Source", "fits"]
