"""Linking: imports to files, parents to classes, calls and references to symbols, each with a reason.

Values are found on demand through the expressions that extraction left (`facts.py` says which), without
regard to the order of statements: a name may be whatever it is given anywhere in its scope. What that
leaves out, measured by benchmarks/resolution.py:

- values that flow into a function from calls in other files (flows.py says why)
- one class whose objects hold different functions: all objects of a class are one, and so are all lists of
  one place; beyond 48 values nothing is said
- elements by their key: `table["a"]` may be anything the table holds
- methods overridden more than 10 times: only the class at hand is named
- values that come back from outside the project, other than through the few functions in `known_results`
- what runs without a call in the text: operators, descriptors, `__getattr__`, frameworks
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.scan.link.link import Linked, Linker
    from drift.scan.link.links import BaseLink, CallLink, FileLinks, ImportLink, Place, ReferenceLink, Target
    from drift.scan.link.sources import MemorySources, Sources

__all__ = [
    "BaseLink",
    "CallLink",
    "FileLinks",
    "ImportLink",
    "Linked",
    "Linker",
    "MemorySources",
    "Place",
    "ReferenceLink",
    "Sources",
    "Target",
]

# Loaded when asked for: a worker process needs a few rules of it, and starts in half the time without the rest.
_ON_DEMAND = {
    "BaseLink": "drift.scan.link.links",
    "CallLink": "drift.scan.link.links",
    "FileLinks": "drift.scan.link.links",
    "ImportLink": "drift.scan.link.links",
    "Linked": "drift.scan.link.link",
    "Linker": "drift.scan.link.link",
    "MemorySources": "drift.scan.link.sources",
    "Place": "drift.scan.link.links",
    "ReferenceLink": "drift.scan.link.links",
    "Sources": "drift.scan.link.sources",
    "Target": "drift.scan.link.links",
}


def __getattr__(name: str) -> object:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_ON_DEMAND[name]), name)
