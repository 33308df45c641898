"""What a file of Go exports: names of its folder, which is its package."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages import FileFacts
from drift.scan.link.file_semantics import FileSemantics, Piece
from drift.scan.link.keys import asking_key, mixing_key


class GoFiles(FileSemantics):
    """Files of one folder are one package, whatever they call it."""

    declares_types_by_name = True
    configuration = ("go.mod",)

    def space_of(self, path: str, package: str) -> str:
        return path.rpartition("/")[0]

    def mixed_members(self, path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
        """What structs embed, and interfaces by the first of their methods: what fits one has that method, too."""
        asked: dict[int, str] = {}
        for number, symbol in enumerate(facts.symbols):
            if symbol.kind == "method" and facts.symbols[symbol.parent].kind == "interface":
                asked[symbol.parent] = min(symbol.name, asked.get(symbol.parent, symbol.name))
            for base in symbol.bases if symbol.kind == "struct" else ():
                yield (
                    mixing_key(facts.language, base.text.rpartition(".")[2].lstrip("*")),
                    (path, identities[number]),
                )
        for number, name in asked.items():
            yield asking_key(facts.language, name), (path, identities[number])
