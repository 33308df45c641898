"""What Drift knows of programming languages, and which ones a project uses."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from drift.languages.detect import DetectedLanguage, detect_languages
from drift.languages.table import LANGUAGES, Language

if TYPE_CHECKING:
    from drift.languages.facts import Access, Call, FileFacts, Import, Symbol

__all__ = [
    "LANGUAGES",
    "Access",
    "Call",
    "DetectedLanguage",
    "FileFacts",
    "Import",
    "Language",
    "Symbol",
    "detect_languages",
]

# Who only asks which languages there are pays nothing for the form of facts.
_FACTS: Final = frozenset({"Access", "Call", "FileFacts", "Import", "Symbol"})


def __getattr__(name: str) -> Any:
    if name in _FACTS:
        return getattr(import_module("drift.languages.facts"), name)
    raise AttributeError(name)
