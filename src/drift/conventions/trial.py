"""What a dimension of the project itself matches, tried without writing anything."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from drift.conventions.gathering import gather
from drift.conventions.rulebook import Rulebook
from drift.dimensions import Dimension
from drift.index import IndexReader
from drift.index.path_text import text_to_path
from drift.kernel.errors import invalid
from drift.scan.describing import Task
from drift.scan.pool import read_files

_MOST_FILES: Final = 5_000


class Match(NamedTuple):
    """A site that a dimension matches."""

    file: str
    line: int
    variant: str


def require_own(rulebook: Rulebook, name: str) -> Dimension:
    """The project's dimension of an id; INVALID_ARGUMENT with what is wrong with its file."""
    found = next((each for each in rulebook.own if each.id == name), None)
    if found is not None:
        return found
    known = ", ".join(each.id for each in rulebook.own) or "none that can be used"
    wrong = "; ".join(rulebook.problems)
    raise invalid(
        "RULE", f"{name} is no rule of this project; there are {known}" + (f"; {wrong}" if wrong else "")
    )


def try_dimension(reader: IndexReader, root: Path, dimension: Dimension) -> Iterator[Match]:
    """Where the dimension matches now: queries over files as they are, finders over the index."""
    languages = {language for rule in dimension.sites if rule.query for language in rule.languages}
    tasks = [
        Task(each.id, text_to_path(each.path), each.language, each.role, 0, 0)
        for each in reader.sites.files()
        if each.language in languages
    ][:_MOST_FILES]
    for rows in read_files(root, tasks, jobs=1):
        for _, _, line, _, name, variant in rows.sites:
            if name == dimension.id:
                yield Match(rows.file.path, int(str(line)), str(variant))
    finding = tuple(rule for rule in dimension.sites if rule.finder)
    if finding:
        found = gather(reader, [dimension])
        for site in found.sites():
            yield Match(found.files[site.file_id].path, site.line, site.variant)
