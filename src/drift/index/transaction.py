"""One change of the index: files come and go, links are set; all of it or nothing."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

from drift.index import statements
from drift.index.failures import translated
from drift.index.ids import FileId, calls_of_file, symbols_of_file
from drift.index.incoming import files_pointing_into, forget_links_into
from drift.index.path_text import clean_text, path_to_text
from drift.index.rows import FileRows, LinkRows
from drift.index.words import search_words

_Row = TypeVar("_Row", bound=NamedTuple)


class _Searched(NamedTuple):
    symbol_id: int
    kind: str
    name: str
    qualname: str
    path: str
    doc: str


class IndexTransaction:
    """Takes the rows of a change. IndexWriter makes one and commits it."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, is_new: bool) -> None:
        self._connection = connection
        self._path = path  # for messages
        # A new index has no indexes yet: looking for links to delete would read whole tables.
        self._linked: set[FileId] | None = set() if is_new else None

    def next_file_id(self) -> FileId:
        """An id that no file has."""
        with translated(self._path):
            (highest,) = self._connection.execute("SELECT max(id) FROM files").fetchone()
        return FileId((highest or 0) + 1)

    def add_file(self, file: FileRows) -> None:
        """Put a file and its facts in. Neither its id nor its path may be there already."""
        with translated(self._path):
            try:
                self._insert_file(file)
            except UnicodeEncodeError:
                # Rare enough that looking at every text beforehand would cost more.
                self._delete_rows(file.file.id)
                self._insert_file(_cleaned_file(file))

    def remove_file(self, file: FileId) -> frozenset[FileId]:
        """Take a file and all that belongs to it out; the files whose links led into it.

        Those links are taken away, and the files must be linked again. A file that is not there is
        no error.
        """
        with translated(self._path):
            pointing = files_pointing_into(self._connection, file)
            forget_links_into(self._connection, file)
            self._delete_links(file)
            self._delete_search(file)
            self._delete_rows(file)
        return pointing

    def replace_file(self, file: FileRows) -> frozenset[FileId]:
        """Put a changed file in the place of the one with its id; the files whose links led into it.

        They and the file itself must be linked again: its symbols may have other numbers now.
        """
        pointing = self.remove_file(file.file.id)
        self.add_file(file)
        return pointing

    def restamp_file(self, file: FileId, *, size: int, mtime_ns: int, role: str) -> None:
        """Note that a file was touched, its content being what it was."""
        with translated(self._path):
            self._connection.execute(statements.RESTAMP_FILE, (size, mtime_ns, role, file))

    def set_links(self, links: LinkRows) -> None:
        """Put these links of a file in the place of those it had."""
        with translated(self._path):
            if self._may_have_links(links.file_id):
                self._delete_links(links.file_id)
            try:
                self._insert_links(links)
            except UnicodeEncodeError:
                self._delete_links(links.file_id)
                self._insert_links(_cleaned_links(links))

    def _may_have_links(self, file: FileId) -> bool:
        if self._linked is None or file in self._linked:
            return True
        self._linked.add(file)
        return False

    def _insert_file(self, file: FileRows) -> None:
        execute, execute_many = self._connection.execute, self._connection.executemany
        path = path_to_text(file.file.path)
        execute(statements.INSERT_FILE, file.file._replace(path=path))
        execute(statements.INSERT_PACKED, (file.file.id, file.packed))
        execute_many(statements.INSERT_SYMBOL, file.symbols)
        for field, statement in statements.INSERT_FACTS.items():
            execute_many(statement, getattr(file, field))
        # Last: a text that cannot be encoded has shown itself by now, and no search row must be undone.
        searched = (_Searched(s.id, s.kind, s.name, s.qualname, path, s.doc) for s in file.symbols)
        execute_many(statements.INSERT_SEARCH, _search_rows(searched))

    def _insert_links(self, links: LinkRows) -> None:
        for field, statement in statements.INSERT_LINKS.items():
            self._connection.executemany(statement, getattr(links, field))

    def _delete_search(self, file: FileId) -> None:
        searched = self._connection.execute(statements.SEARCHED_SYMBOLS, symbols_of_file(file)).fetchall()
        self._connection.executemany(statements.DELETE_SEARCH, _search_rows(map(_Searched._make, searched)))

    def _delete_rows(self, file: FileId) -> None:
        for statement in statements.DELETE_FACTS_BY_SYMBOL:
            self._connection.execute(statement, symbols_of_file(file))
        for statement in statements.DELETE_FACTS_BY_FILE:
            self._connection.execute(statement, (file, file))

    def _delete_links(self, file: FileId) -> None:
        for statement in statements.DELETE_LINKS_BY_SYMBOL:
            self._connection.execute(statement, symbols_of_file(file))
        self._connection.execute(statements.DELETE_CALLS, calls_of_file(file))


def _search_rows(symbols: Iterable[_Searched]) -> Iterable[tuple[int | str, ...]]:
    for each in symbols:
        words = search_words(
            kind=each.kind, name=each.name, qualname=each.qualname, path=each.path, doc=each.doc
        )
        yield (each.symbol_id, *words)


def _cleaned_file(file: FileRows) -> FileRows:
    # The path has a form of its own for bytes that are no UTF-8, which the question mark would lose.
    described = _cleaned(file.file._replace(path=path_to_text(file.file.path)))
    facts = (tuple(map(_cleaned, rows)) for rows in file[1:-1])
    return FileRows._make((described, *facts, file.packed))


def _cleaned_links(links: LinkRows) -> LinkRows:
    return LinkRows._make((links.file_id, *(tuple(map(_cleaned, rows)) for rows in links[1:])))


def _cleaned(row: _Row) -> _Row:
    values = (clean_text(value) if isinstance(value, str) else value for value in row)
    return type(row)._make(values)
