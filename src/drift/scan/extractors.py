"""Which module reads which language; loaded when the first file of the language comes."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Final

from drift.languages.facts import FileFacts

Extract = Callable[[bytes, str], FileFacts]

_MODULES: Final = {
    "cpp": "drift.languages.cpp",
    "csharp": "drift.languages.csharp",
    "go": "drift.languages.golang",
    "java": "drift.languages.java",
    "javascript": "drift.languages.javascript",
    "php": "drift.languages.php",
    "python": "drift.languages.python",
    "ruby": "drift.languages.ruby",
    "rust": "drift.languages.rust",
    "typescript": "drift.languages.typescript",
    "wpf": "drift.languages.xaml",
}

READABLE: Final = frozenset(_MODULES)
"""The languages Drift reads, by their names in languages/table.py."""


@cache
def extractor_of(language: str) -> Extract:
    """The function that reads a language's files."""
    extract: Extract = import_module(_MODULES[language]).extract
    return extract
