"""What a file of Ruby exports beside its names: which classes use a module, and which have acronyms in their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from drift.languages.facts import FileFacts
from drift.languages.kinds import PREPENDS, TYPE_KINDS
from drift.scan.link.file_semantics import FileSemantics, Piece
from drift.scan.link.keys import mixing_key, space_key

_CAPITALS: Final = re.compile(r"[A-Z][A-Z]")
ACRONYMS: Final = "\0acronyms"
"""The space of classes in whose names words are written otherwise than their small letters tell: `IPPool`."""


class RubyFiles(FileSemantics):
    """A file of Ruby opens classes and modules that others open, too."""

    frameworks = "ruby"

    declares_types_by_name = True
    separator = "::"

    def mixed_members(self, path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
        for number, symbol in enumerate(facts.symbols):
            if symbol.kind in TYPE_KINDS and not symbol.parent and _CAPITALS.search(symbol.name):
                yield space_key(facts.language, ACRONYMS, symbol.name.lower()), (path, identities[number])
            for base in symbol.bases:
                if base.kind in {"mixes", PREPENDS}:
                    yield (
                        mixing_key(facts.language, base.text.rpartition("::")[2]),
                        (path, identities[number]),
                    )
