"""Facts as linking reads them, which is how they are kept."""

from __future__ import annotations

from drift.languages.facts import FileFacts
from drift.scan.link.call_reading import read_calls
from drift.scan.link.type_reading import read_declared_types


def read_facts(facts: FileFacts) -> FileFacts:
    """The same facts, with declared types as values of them and calls by what they call."""
    return read_calls(read_declared_types(facts))
