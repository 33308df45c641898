"""The file that is to import something, and the imports to learn its style from."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.import_choice import family_of
from drift.index import IndexReader
from drift.index.ids import FileId
from drift.index.listing_queries import PathFilter
from drift.index.records import ImportRecord
from drift.languages.table import language_of

_MOST_NEIGHBOURS: Final = 30


class Surroundings(NamedTuple):
    """The file that is to import: where it is, its language, its own imports and those of its folder."""

    root: Path
    path: str
    family: str
    is_test: bool
    own: tuple[ImportRecord, ...]
    near: tuple[ImportRecord, ...]

    @property
    def folder(self) -> str:
        """The folder of the file; empty for the root."""
        return self.path.rpartition("/")[0]


def look_around(reader: IndexReader, root: Path, path: str) -> Surroundings | None:
    """What there is to learn from around a path; None where its language is not known."""
    record = reader.files.at(path)
    language = record.language if record else language_of(path.rpartition("/")[2])
    family = family_of(language)
    if family is None:
        return None
    own = tuple(reader.facts.imports_of(record.id)) if record else ()
    near = tuple(each for file in _neighbours(reader, path, family) for each in reader.facts.imports_of(file))
    is_test = record.role == "test" if record else "test" in path.lower()
    return Surroundings(root, path, family, is_test, own, near)


def _neighbours(reader: IndexReader, path: str, family: str) -> Iterable[FileId]:
    """Files of the same language in the same folder, and where there are none in the one above."""
    folder = path.rpartition("/")[0]
    while True:
        beginning = f"{folder}/" if folder else ""
        inside = [
            each
            for each in reader.listings.paths(PathFilter(beginning))
            if "/" not in each[len(beginning) :] and each != path
        ]
        records = [
            one for each in inside[: _MOST_NEIGHBOURS * 3] if (one := reader.files.at(each)) is not None
        ]
        same = [one.id for one in records if family_of(one.language) == family][:_MOST_NEIGHBOURS]
        if same or not folder:
            return same
        folder = folder.rpartition("/")[0]
