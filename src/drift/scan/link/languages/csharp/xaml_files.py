"""What a file of XAML exports: its class is found as a part of that of C#, and by no other name."""

from __future__ import annotations

from drift.languages.facts import FileFacts
from drift.scan.link.call_reading import read_constructor_calls
from drift.scan.link.file_semantics import FileSemantics


class XamlFiles(FileSemantics):
    """Types are written as in C#."""

    declares_types_by_name = True
    are_properties_fields = True

    def read_calls(self, facts: FileFacts) -> FileFacts:
        return read_constructor_calls(facts)
