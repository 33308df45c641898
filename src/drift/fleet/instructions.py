"""One catalog of instructions for all repositories: a folder of the fleet, read beside each repository's own and never written."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from drift.catalog import Catalog, Filters, Instruction, Places
from drift.fleet.choosing import find_fleet
from drift.fleet.listing import Fleet
from drift.kernel.errors import DriftError
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import first_sentence
from drift.project import Project

_MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class SharedRow:
    """An instruction that holds for all repositories; its whole text where one is asked for by its id."""

    id: str
    title: str
    requirement: str
    priority: int
    categories: tuple[str, ...]
    text: str


SHARED_SORTS: Final[Mapping[str, Sort[SharedRow]]] = {
    "priority": Sort(lambda row: (row.priority, row.id)),
    "name": Sort(lambda row: (row.id,)),
}


def open_shared_catalog(fleet: Fleet) -> Catalog | None:
    """The fleet's catalog; None where it names no folder, or one that is not there."""
    folder = fleet.instructions
    return _open(folder, fleet.home) if folder is not None and folder.is_dir() else None


@lru_cache(maxsize=4)  # an open catalog knows which files it has read
def _open(folder: Path, home: Path) -> Catalog:
    home.mkdir(parents=True, exist_ok=True)
    journal = home / "instructions.db"
    return Catalog(
        Places(folder, journal_db=journal, index_db=home / "instructions-index.db", feedback_db=journal)
    )


def find_shared_catalog(project: Project) -> Catalog | None:
    """The catalog of the fleet that the project's user has named."""
    fleet = find_fleet(project)
    return None if fleet is None else open_shared_catalog(fleet)


def shared_stamp(project: Project) -> str:
    """Another text for every change of the fleet's instructions."""
    try:
        catalog = find_shared_catalog(project)
        return str(catalog.stamp()) if catalog is not None else "-"
    except DriftError as error:
        return f"{error.code} {error.message}"


def find_shared(fleet: Fleet, words: str | None) -> Ranked[SharedRow]:
    """The instructions that hold for all: those with the words, or the one of that id."""
    catalog = open_shared_catalog(fleet)
    if catalog is None:
        return Ranked((), SHARED_SORTS)
    exact = _of_id(catalog, words) if words else None
    if exact is not None:
        return Ranked([_row(exact, is_whole=True)], SHARED_SORTS)
    if words:
        found = [hit.instruction for hit in catalog.search(words, limit=_MOST).hits]
    else:
        found = list(catalog.query(Filters(), limit=_MOST).items)
    return Ranked([_row(each, is_whole=False) for each in found], SHARED_SORTS)


def _of_id(catalog: Catalog, text: str) -> Instruction | None:
    try:
        return catalog.get(text)
    except DriftError:
        return None  # words are no id


def _row(found: Instruction, *, is_whole: bool) -> SharedRow:
    text = found.body if is_whole else first_sentence(found.body)
    return SharedRow(found.id, found.title, found.requirement, found.priority, found.categories, text)
