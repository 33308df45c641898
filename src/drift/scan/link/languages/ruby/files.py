"""What a file of Ruby exports beside its names: which classes use a module."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages.facts import FileFacts
from drift.scan.link.file_semantics import FileSemantics, Piece
from drift.scan.link.keys import mixing_key


class RubyFiles(FileSemantics):
    """A file of Ruby opens classes and modules that others open, too."""

    declares_types_by_name = True
    separator = "::"

    def mixed_members(self, path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
        for number, symbol in enumerate(facts.symbols):
            for base in symbol.bases:
                if base.kind == "mixes":
                    yield (
                        mixing_key(facts.language, base.text.rpartition("::")[2]),
                        (path, identities[number]),
                    )
