"""Facts as linking reads them, which is how they are kept."""

from __future__ import annotations

from drift.languages.facts import FileFacts
from drift.scan.link.languages.files import file_semantics_of
from drift.scan.link.type_reading import read_declared_types


def read_facts(facts: FileFacts) -> FileFacts:
    """The same facts, with declared types as values of them and calls by what they call."""
    semantics = file_semantics_of(facts.language)
    if semantics.declares_types_by_name:
        facts = read_declared_types(facts, are_properties_fields=semantics.are_properties_fields)
    return semantics.read_calls(facts)
