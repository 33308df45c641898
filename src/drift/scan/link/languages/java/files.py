"""How the facts of a file of Java are read."""

from __future__ import annotations

from drift.languages import FileFacts
from drift.scan.link.call_reading import read_constructor_calls, variables_of
from drift.scan.link.file_semantics import FileSemantics


class JavaFiles(FileSemantics):
    """Variables and methods have names of their own: `f()` calls no variable f."""

    declares_types_by_name = True
    frameworks = "java"

    def read_calls(self, facts: FileFacts) -> FileFacts:
        return read_constructor_calls(facts, variables_of(facts))
