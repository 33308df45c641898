"""Files: how they are named and placed."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from drift.conventions.finders.form import Finder, Source, fits_none, fits_one, is_true, is_within
from drift.dimensions import casing_of
from drift.index.site_queries import Run
from drift.index.site_records import SiteFile, SiteTop

_TEST_FOLDERS: Final = frozenset({"tests", "test", "__tests__", "spec", "specs", "testing"})
_HIDDEN: Final = frozenset({"private", "package"})
_DECLARING: Final = frozenset(
    {"class", "struct", "interface", "trait", "enum", "type", "function", "constant"}
)


class _File(NamedTuple):
    """A file with what stands at its top and around it."""

    file_id: int
    line: int
    end_line: int
    folder: str
    name: str
    lines: int
    tops: tuple[SiteTop, ...]
    place: str | None

    @property
    def stem(self) -> str:
        return self.name.partition(".")[0]

    @property
    def only(self) -> SiteTop | None:
        """The one thing that the file declares for others."""
        shown = [each for each in self.tops if each.kind in _DECLARING and each.visibility not in _HIDDEN]
        exported = [each for each in shown if "exported" in each.modifiers.split()]
        chosen = exported or shown
        return chosen[0] if len(chosen) == 1 else None


def product_folders(files: Iterable[SiteFile]) -> frozenset[tuple[str, str | None]]:
    """The folders that have code of the product, by language: the place of a test is told by them."""
    return frozenset((each.path.rpartition("/")[0], each.language) for each in files if each.role == "source")


def _rows(source: Source, run: Run) -> Iterator[_File]:
    tops: dict[int, list[SiteTop]] = {}
    for top in source.sites.tops(run):
        tops.setdefault(top.file_id, []).append(top)
    products = product_folders(source.files.values())
    for each in source.files.values():
        if not is_within(run, each.id):
            continue
        folder, _, name = each.path.rpartition("/")
        place = _place(folder, each.language, products) if each.role == "test" else None
        yield _File(each.id, 1, 1, folder, name, each.code_lines, tuple(tops.get(each.id, ())), place)


def _place(folder: str, language: str | None, products: frozenset[tuple[str, str | None]]) -> str:
    above, _, last = folder.rpartition("/")
    if (folder, language) in products:
        return "beside"
    return "folder" if last in _TEST_FOLDERS and above and (above, language) in products else "tree"


def _matches(row: _File) -> str | None:
    only = row.only
    if only is None:
        return None
    if row.stem == only.name:
        return "same"
    if _squeezed(row.stem) != _squeezed(only.name):
        return None
    return casing_of(row.stem) or "lower"


def _squeezed(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


FILES: Final = Finder(
    rows=_rows,
    rests_on="folders",
    texts={
        "name": lambda row: row.name,
        "stem": lambda row: row.stem,
        "ending": lambda row: row.name[len(row.stem) :],
        "folder": lambda row: row.folder.rpartition("/")[2],
        "place": lambda row: row.place,
        "matches": _matches,
        "lines": lambda row: str(row.lines),
    },
    tests={
        "names": fits_one(lambda row: row.name),
        "not_names": fits_none(lambda row: row.name),
        "declares": lambda row, values: any(each.kind in values for each in row.tops),
        "only": is_true(lambda row: row.only is not None),
    },
)
