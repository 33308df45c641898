"""A text that is not in the index, such as an edit before it is made: read and linked as a scan would, and written nowhere."""

import tempfile
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from drift.index import IndexReader
from drift.index.ids import FileId
from drift.index.path_text import text_to_path
from drift.index.rows import FileRows, LinkRows
from drift.kernel.errors import invalid
from drift.languages.table import language_of
from drift.scan.describing import Task
from drift.scan.extractors import READABLE
from drift.scan.link import Linker
from drift.scan.linking import link_rows
from drift.scan.pool import read_files
from drift.scan.roles import role_rules
from drift.scan.stored import StoredFacts, StoredSources


class Unsaved(NamedTuple):
    """What a scan would write of the text; `rows.file.status` says whether it could be read."""

    rows: FileRows
    links: LinkRows


def read_unsaved(reader: IndexReader, root: Path, path: str, content: bytes) -> Unsaved:
    """The text's facts, and where its imports, parents and calls lead in the project as the index knows it.

    `path` is where the text is to stand, relative to the root; a file that stands there is looked away from.
    What other files would make of the change is not asked.
    """
    facts = StoredFacts.of_index(reader, {text_to_path(each.path): each for each in reader.files.stamps()})
    place = text_to_path(_checked(path))
    file = facts.ids.setdefault(place, FileId(max(facts.ids.values(), default=0) + 1))
    directory, _, name = place.rpartition("/")
    language = language_of(name)
    role = role_rules().role_of(directory, name, language)
    task = Task(file, place, language, role, len(content), 0, facts.former(place))
    rows = _read(root, task, content)
    facts.note(rows)
    if language not in READABLE or not rows.packed:
        return Unsaved(rows, LinkRows(file))
    sources = StoredSources(root, facts)
    with closing(Linker(sources)) as linker:
        linked = next(linker.link_changed([place], set(), {}))
        links = link_rows(
            place, sources.facts_of(place), linked.links, ids=facts.ids, numbers_of=sources.numbers_of
        )
    return Unsaved(rows, links)


def _checked(path: str) -> str:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or not parts.name or "\0" in path:
        raise invalid("file", f"{path!r} is no path within the project")
    return parts.as_posix()


def _read(root: Path, task: Task, content: bytes) -> FileRows:
    """The rows, read by a worker from a folder of its own: a parser may do anything with a text."""
    with tempfile.TemporaryDirectory(prefix="drift-unsaved-") as folder:
        place = Path(folder, task.path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        return next(iter(read_files(Path(folder), [task], jobs=1, rules_of=root)))
