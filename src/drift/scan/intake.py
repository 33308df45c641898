"""Taking files into an index under way: reading them, writing what they hold, linking what that matters to."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from drift.index import IndexReader
from drift.index.file_queries import FileStamp
from drift.index.ids import FileId
from drift.index.rows import FileRows, SymbolRow
from drift.index.transaction import IndexTransaction
from drift.scan.changes import Changes
from drift.scan.describing import Task, describe_skipped
from drift.scan.discovery import Discovery, FoundFile, SkippedFile
from drift.scan.numbering import Identity, is_numbered_anew
from drift.scan.pool import read_files
from drift.scan.relinking import Touched, link_files
from drift.scan.report import Progress
from drift.scan.stored import StoredFacts

_SYMBOL_MASK: Final = (1 << 16) - 1


class Intake:
    """Reads and links the files of one scan. The transactions are the caller's to begin and to end."""

    def __init__(self, root: Path, *, jobs: int, progress: Progress) -> None:
        self._root = root
        self._jobs = jobs
        self._progress = progress

    def add_all(self, transaction: IndexTransaction, discovery: Discovery) -> StoredFacts:
        """Read every file into an empty index; the facts wait to be linked."""
        tasks = [_task(FileId(number), file) for number, file in enumerate(discovery.files, 1)]
        facts = StoredFacts({task.path: task.file_id for task in tasks})
        for rows in self._read(tasks):
            transaction.add_file(rows)
            facts.note(rows)
        looked_at = [
            each for each in discovery.skipped if each.size is not None and each.mtime_ns is not None
        ]
        for number, each in enumerate(looked_at, len(tasks) + 1):
            transaction.add_file(_left_alone(FileId(number), each))
        return facts

    def link(self, transaction: IndexTransaction, facts: StoredFacts, touched: Touched | None = None) -> None:
        """Link what the changes matter to; everything without a word about them."""
        link_files(self._root, transaction, facts, touched=touched, jobs=self._jobs, progress=self._progress)

    def apply(
        self,
        transaction: IndexTransaction,
        changes: Changes,
        *,
        before: tuple[IndexReader, Mapping[str, FileStamp]],
        is_linked: bool,
    ) -> tuple[int, int]:
        """Bring an index, as it was `before`, up to date; how many files were read and how many are gone."""
        reader, stamps = before
        facts = StoredFacts.of_index(reader, stamps)
        gone = [each.path for each in changes.removed] + [each.old.path for each in changes.renamed]
        for path in gone:
            transaction.remove_file(stamps[path].id)
            facts.forget(path)
        for file in changes.touched:
            transaction.restamp_file(
                stamps[file.path].id, size=file.size, mtime_ns=file.mtime_ns, role=file.role
            )
        tasks = _number(changes, facts, next_id=transaction.next_file_id())
        former = {task.path: task.former for task in tasks}
        renumbered = set()
        for rows in self._read(tasks):
            transaction.replace_file(rows)
            facts.note(rows)
            if is_numbered_anew(former[rows.file.path], _identities(rows)):
                renumbered.add(rows.file.path)
        next_id = transaction.next_file_id()
        for number, each in enumerate(changes.left, next_id):
            if each.path in stamps and each.path not in gone:
                transaction.remove_file(stamps[each.path].id)
            transaction.add_file(_left_alone(FileId(number), each))
        come = {file.path for file in changes.added} | {each.new.path for each in changes.renamed}
        touched = Touched(frozenset(former), frozenset(come), frozenset(gone), frozenset(renumbered))
        self.link(transaction, facts, touched if is_linked else None)
        return len(tasks), len(gone)

    def _read(self, tasks: Sequence[Task]) -> Iterator[FileRows]:
        for done, rows in enumerate(read_files(self._root, tasks, jobs=self._jobs), 1):
            self._progress("extract", done, len(tasks))
            yield rows


def _left_alone(file: FileId, found: SkippedFile) -> FileRows:
    left = Task(file, found.path, None, "source", found.size or 0, found.mtime_ns or 0)
    return describe_skipped(left, found.reason)


def _number(changes: Changes, facts: StoredFacts, *, next_id: FileId) -> list[Task]:
    """What is to be read, each file under the id it had or a new one."""
    tasks = []
    for file in (*changes.added, *changes.changed, *(each.new for each in changes.renamed)):
        if file.path not in facts.ids:
            facts.ids[file.path] = next_id
            next_id = FileId(next_id + 1)
        tasks.append(_task(facts.ids[file.path], file)._replace(former=facts.former(file.path)))
    return tasks


def _task(file_id: FileId, file: FoundFile) -> Task:
    return Task(file_id, file.path, file.language, file.role, file.size, file.mtime_ns)


def _identities(rows: FileRows) -> list[Identity]:
    symbols = map(SymbolRow._make, rows.symbols)
    return [(symbol.id & _SYMBOL_MASK, symbol.kind, symbol.qualname) for symbol in symbols]
