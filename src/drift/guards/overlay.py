"""A project as it would be with texts that are not on disk: read, linked against the index, nothing written.

    with overlaid(root, reader, {"shop/cart.py": text, "shop/old.py": None}) as overlay:
        for call in overlay.files["shop/cart.py"].calls(): ...

What is asked of it (where a name leads, what a class has) is asked within the block.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.kernel.errors import invalid
from drift.languages.facts import Call, CallDetail, FileFacts, Import, Symbol
from drift.languages.table import language_of
from drift.scan.describing import qualified_names
from drift.scan.drafts import Draft, Linking, linked_drafts
from drift.scan.link.links import CallLink, ImportLink, Place


class OverlaidCall(NamedTuple):
    """A call in a text: where it leads, and how it stands in the code around it (`CallTrait`s)."""

    number: int
    call: Call
    link: CallLink
    traits: int


@dataclass(frozen=True)
class OverlaidFile:
    """One text, with its facts, and where each of them leads."""

    draft: Draft

    @property
    def path(self) -> str:
        return self.draft.path

    @property
    def facts(self) -> FileFacts:
        return self.draft.facts

    @cached_property
    def names(self) -> list[str]:
        """The qualified name of each symbol."""
        return qualified_names(self.draft.facts)

    @cached_property
    def text(self) -> str:
        return self.draft.content.decode("utf-8", "replace")

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends; the first is at 0."""
        return self.text.split("\n")

    @cached_property
    def details(self) -> dict[int, CallDetail]:
        """What more there is of calls, by their numbers."""
        return {each.call: each for each in self.draft.facts.call_details}

    def calls(self) -> Iterator[OverlaidCall]:
        """Every call with where it leads."""
        for number, (call, link) in enumerate(zip(self.facts.calls, self.draft.links.calls, strict=False)):
            detail = self.details.get(number)
            yield OverlaidCall(number, call, link, detail.traits if detail is not None else 0)

    def imports(self) -> Iterator[tuple[Import, ImportLink]]:
        """Every imported name with where it leads."""
        yield from zip(self.facts.imports, self.draft.links.imports, strict=False)


class Overlay:
    """The texts by path, and the project around them."""

    def __init__(self, root: Path, reader: IndexReader, linking: Linking) -> None:
        self.root = root
        self.reader = reader
        self.linking = linking
        self.files = {path: OverlaidFile(draft) for path, draft in linking.drafts.items()}
        self.gone = linking.gone

    def symbol(self, place: Place) -> Symbol:
        """A symbol of the project with the texts in it."""
        return self.linking.sources.facts_of(place.path).symbols[place.symbol]

    def symbol_id(self, place: Place) -> SymbolId | None:
        """Its id in the index; None where the index does not have its file."""
        return self.linking.symbol_id(place)


@contextmanager
def overlaid(root: Path, reader: IndexReader, texts: Mapping[str, str | bytes | None]) -> Iterator[Overlay]:
    """The project with these texts at their paths; None for a file that is to be gone."""
    contents = {path: text.encode() if isinstance(text, str) else text for path, text in texts.items()}
    with linked_drafts(root, reader, contents) as linking:
        yield Overlay(root, reader, linking)


def require_code(argument: str, path: str) -> None:
    """Refuse a file of a language that is not read: nothing could be told of it."""
    if language_of(path.rpartition("/")[2]) is None:
        raise invalid(argument, f"{path} is of no language that Drift reads as code")
