"""How the facts of a script are arranged."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages import FileFacts
from drift.scan.link.call_reading import read_parent_calls
from drift.scan.link.file_semantics import FileSemantics, Piece
from drift.scan.link.languages.script.bundlers import BUNDLERS
from drift.scan.link.languages.script.prototypes import read_prototypes
from drift.scan.link.languages.script.shared_names import shared_names


class JavaScriptFiles(FileSemantics):
    """Objects that nobody named have methods, which give their scope no name."""

    declares_types_by_name = True
    configuration = (
        "package.json", "tsconfig*.json", "jsconfig*.json", "lerna.json", "pnpm-workspace.yaml", *BUNDLERS,
    )  # fmt: skip
    has_nameless_objects = True
    has_open_fallbacks = True
    frameworks = "typescript"

    def read_calls(self, facts: FileFacts) -> FileFacts:
        """`super(…)` calls the parent, and functions with prototypes are classes."""
        return read_prototypes(read_parent_calls(facts))

    def mixed_members(self, path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
        return shared_names(path, facts, identities)


class TypeScriptFiles(JavaScriptFiles):
    """The same, with types."""

    types_held_functions = True
