"""A draft as constraints look at files: its own rows in memory, everything around it from the index."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from drift.guards.constraints.scene import Scene
from drift.guards.overlay import Overlay
from drift.index.ids import CallId, SymbolId
from drift.index.one_file import FactsOfOne, facts_of_one
from drift.index.path_text import path_to_text
from drift.index.site_queries import Run
from drift.index.site_records import SiteFile
from drift.index.use_queries import FileLink, MadeCall, NamedPlace
from drift.scan.routes import join_routes

if TYPE_CHECKING:
    from drift.index import IndexReader


class _Uses:
    """What the draft uses; who and what stands behind an id, also elsewhere."""

    def __init__(self, one: FactsOfOne, around: "IndexReader") -> None:
        self._one = one.uses
        self._around = around.uses

    def links(self, run: Run, *, min_confidence: float) -> list[FileLink]:
        return self._one.links(run, min_confidence=min_confidence)

    def calls(self, run: Run) -> list[MadeCall]:
        return self._one.calls(run)

    def callees(self, run: Run, *, min_confidence: float) -> list[tuple[CallId, SymbolId]]:
        return self._one.callees(run, min_confidence=min_confidence)

    def places(self, symbols: frozenset[SymbolId]) -> dict[SymbolId, NamedPlace]:
        return {**self._around.places(symbols), **self._one.places(symbols)}


class _Reader:
    """The questions that a scene asks of a reader, for one draft."""

    def __init__(self, one: FactsOfOne, around: "IndexReader") -> None:
        self.path = around.path
        self.sites = one.sites
        self.facts = one.facts
        self.uses = _Uses(one, around)


class DraftScene(Scene):
    """One draft, with the project around it."""

    def __init__(self, around: "IndexReader", file: SiteFile, one: FactsOfOne) -> None:
        super().__init__(around, (file.path,))
        self.every[file.id] = file
        self.files = {file.id: file}
        self._runs = ((file.id, file.id),)
        # It answers all that a scene asks; the rest of a reader nobody asks for here.
        self.reader = cast("IndexReader", _Reader(one, around))


@contextmanager
def scene_of(overlay: Overlay, path: str) -> Iterator[DraftScene]:
    """The scene of one draft."""
    draft = overlay.linking.drafts[path]
    row = draft.rows.file
    file = SiteFile(row.id, path_to_text(path), row.language, row.role, 0, row.code_lines or 0)
    with facts_of_one(draft.rows, overlay.linking.rows_of(path), complete=join_routes) as one:
        yield DraftScene(overlay.reader, file, one)
