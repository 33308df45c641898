"""What a file of C# exports beside its names: `global using`, which holds in all files."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages import FileFacts
from drift.scan.link.call_reading import read_constructor_calls
from drift.scan.link.file_semantics import FileSemantics, Piece
from drift.scan.link.keys import sharing_key


class CSharpFiles(FileSemantics):
    """A file of C# may import for all others."""

    declares_types_by_name = True
    frameworks = "csharp"
    configuration = ("*.csproj", "Directory.Build.props")
    are_properties_fields = True

    def read_calls(self, facts: FileFacts) -> FileFacts:
        return read_constructor_calls(facts)

    def shared_imports(self, path: str, facts: FileFacts) -> Iterator[Piece]:
        shared = [one for one in facts.imports if one.is_reexport]
        if shared:
            yield sharing_key(facts.language), (path, [(one.module, one.name, one.alias) for one in shared])
