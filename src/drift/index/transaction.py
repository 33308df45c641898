"""One change of the index: files come and go, links are set; all of it or nothing."""

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from drift.index import statements
from drift.index.design_rows import AnsweringRow, OperationRow, read_answering, read_operations
from drift.index.failures import translated
from drift.index.ids import FileId, SymbolId, calls_of_file, fingerprints_of_file, symbols_of_file
from drift.index.incoming import forget_imports_of, forget_links_into
from drift.index.link_words import LinkWords
from drift.index.meta import write_surroundings
from drift.index.path_text import clean_text, path_to_text
from drift.index.route_rows import (
    MethodRow,
    RouteRow,
    RouteRows,
    methods_named,
    read_route_rows,
    replace_documented,
    write_whole,
)
from drift.index.rows import FileRow, FileRows, LinkRows, Rows, Value
from drift.index.schema import create_link_indexes, drop_link_indexes
from drift.index.words import search_row


class IndexTransaction:
    """Takes the rows of a change. IndexWriter makes one and commits it."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, is_new: bool) -> None:
        self._connection = connection
        self._path = path  # for messages
        # Where there are no links yet, none need be looked for: in a new index, which has no indexes to
        # look with, and after a first build that brought the files alone.
        is_unlinked = is_new or not self._has_links()
        self._linked: set[FileId] | None = set() if is_unlinked else None
        self._is_new = is_new
        self._touched: set[FileId] = set()
        self._words = LinkWords(connection)
        self._has_link_indexes = not is_new
        if is_unlinked:
            with translated(path):
                self._words.take_all()

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

    def remove_file(self, file: FileId) -> None:
        """Take a file and all that belongs to it out.

        Links of others that led into it are taken away, and those files must be linked again. A file that is not
        there is no error.
        """
        with translated(self._path):
            forget_links_into(self._connection, [symbols_of_file(file)], self._words)
            forget_imports_of(self._connection, file)
            self._delete_all(file)

    def replace_file(self, file: FileRows) -> None:
        """Put a changed file in the place of the one with its id.

        The file itself must be linked again. What led from other files to a symbol that is still there is
        kept, and taken away where the symbol is gone.
        """
        number = file.file.id
        with translated(self._path):
            gone = self._symbols_of(number) - {row[0] for row in file.symbols}
            forget_links_into(self._connection, [(symbol, symbol) for symbol in sorted(gone)], self._words)
            self._delete_all(number)
        self.add_file(file)

    def restamp_file(self, file: FileId, *, size: int, mtime_ns: int, role: str) -> None:
        """Note that a file was touched, its content being what it was."""
        with translated(self._path):
            self._connection.execute(statements.RESTAMP_FILE, (size, mtime_ns, role, file))

    def fail_file(self, file: FileId, problem: str, *, is_read_anew: bool = False) -> None:
        """Note that nothing could be made of a file, and why; `is_read_anew` has the next scan take it for changed."""
        with translated(self._path):
            self._connection.execute(statements.SET_STATUS, ("failed", problem, file))
            if is_read_anew:
                self._connection.execute(statements.FORGET_STAMP, (file,))

    def restore_file(self, file: FileId, status: str, problem: str | None) -> None:
        """Note that a file which had failed has not this time."""
        with translated(self._path):
            self._connection.execute(statements.SET_STATUS, (status, problem, file))

    def set_links(self, links: LinkRows) -> None:
        """Put these links of a file in the place of those it had."""
        self._touched.add(links.file_id)
        with translated(self._path):
            if self._may_have_links(links.file_id):
                self._delete_links(links.file_id)
            try:
                self._insert_links(links)
            except UnicodeEncodeError:
                self._delete_links(links.file_id)
                self._insert_links(
                    links._replace(imports=_cleaned_rows(links.imports), bases=_cleaned_rows(links.bases))
                )

    def route_rows(self) -> RouteRows:
        """The routes and mounts there are now."""
        with translated(self._path):
            return read_route_rows(self._connection)

    def set_route(self, route: RouteRow) -> None:
        """Say of a route what its whole path is, and what stands before it."""
        with translated(self._path):
            write_whole(self._connection, route)

    def methods_named(self, names: Iterable[str]) -> list[MethodRow]:
        """The methods of these names, in whatever class."""
        with translated(self._path):
            return methods_named(self._connection, names)

    def operations(self) -> list[OperationRow]:
        """The operations that documents of OpenAPI declare."""
        with translated(self._path):
            return read_operations(self._connection)

    def answering(self, names: Iterable[str], *, dotted: Iterable[str]) -> list[AnsweringRow]:
        """What may answer operations of these names."""
        with translated(self._path):
            return read_answering(self._connection, names, dotted=dotted)

    def replace_documented(self, before: Iterable[RouteRow], now: Iterable[tuple[RouteRow, int]]) -> None:
        """Put the routes that documents tell, each with its line, in the place of those they told before."""
        with translated(self._path):
            replace_documented(self._connection, before, now)

    def set_surroundings(self, found: Mapping[str, str]) -> None:
        """Say what linking found of files that are not in the index."""
        with translated(self._path):
            write_surroundings(self._connection, found)

    def complete(self) -> None:
        """Make the indexes that the first links of an index were put in without. IndexWriter calls it."""
        if self._linked is not None and not self._has_link_indexes:
            create_link_indexes(self._connection)
            self._has_link_indexes = True

    def stamp(self, generation: int) -> None:
        """Note of the files whose facts or links were put in that it was for this state. IndexWriter calls it."""
        if self._is_new:
            self._connection.execute(statements.SET_EVERY_GENERATION, (generation,))
        else:
            values = ((generation, file) for file in sorted(self._touched))
            self._connection.executemany(statements.SET_GENERATION, values)

    def _has_links(self) -> bool:
        with translated(self._path):
            (has_links,) = self._connection.execute(statements.ANY_LINK).fetchone()
        return bool(has_links)

    def _may_have_links(self, file: FileId) -> bool:
        if self._linked is None or file in self._linked:
            return True
        if self._has_link_indexes:
            # As when an index is built: filling the tables first takes half the time.
            drop_link_indexes(self._connection)
            self._has_link_indexes = False
        self._linked.add(file)
        return False

    def _symbols_of(self, file: FileId) -> set[int]:
        return {
            symbol
            for (symbol,) in self._connection.execute(statements.SYMBOLS_OF_FILE, symbols_of_file(file))
        }

    def _insert_file(self, file: FileRows) -> None:
        described = file.file._replace(path=path_to_text(file.file.path))
        self._connection.execute(statements.INSERT_FILE, described)
        self._connection.execute(statements.INSERT_PACKED, (described.id, file.packed, file.provides))
        words = self._words
        for field, statement in statements.INSERT_FACTS.items():
            rows = getattr(file, field)
            if field == "sites":
                rows = tuple(
                    [(*place, words[dimension], words[variant]) for *place, dimension, variant in rows]
                )
            self._insert(statement, rows)
        self._touched.add(described.id)
        # Last: a text that cannot be encoded has shown itself by now, and no search row must be undone.
        self._insert(statements.INSERT_SEARCH, file.search)

    def _insert_links(self, links: LinkRows) -> None:
        words = self._words
        numbered: dict[str, Rows] = {
            # Tuples of lists: there are hundreds of thousands of rows, and generators take longer.
            "calls": tuple(
                [
                    (
                        call,
                        caller,
                        line,
                        column,
                        words[text],
                        count,
                        words[kind],
                        words[outcome],
                        words[external],
                    )
                    for call, caller, line, column, text, count, kind, outcome, external in links.calls
                ]
            ),
            "edges": tuple(
                [
                    (callee, caller, call, line, round(confidence * 10_000), words[reason])
                    for callee, caller, call, line, confidence, reason in links.edges
                ]
            ),
            "references": tuple(
                [
                    (
                        symbol,
                        place,
                        line,
                        column,
                        words[kind],
                        target,
                        round(confidence * 10_000),
                        words[reason],
                    )
                    for symbol, place, line, column, kind, target, confidence, reason in links.references
                ]
            ),
        }
        for field, statement in statements.INSERT_LINKS.items():
            self._insert(statement, numbered[field] if field in numbered else getattr(links, field))
        self._connection.execute(statements.SET_TRACES, (links.traces, links.file_id))

    def _insert(self, statement: str, rows: Rows) -> None:
        if rows:
            self._connection.executemany(statement, rows)

    def _delete_all(self, file: FileId) -> None:
        self._delete_links(file)
        self._delete_search(file)
        self._delete_rows(file)

    def _delete_search(self, file: FileId) -> None:
        found = self._connection.execute(statements.SEARCHED_SYMBOLS, symbols_of_file(file)).fetchall()
        rows = tuple(
            search_row(SymbolId(symbol), kind=kind, name=name, qualname=qualname, path=path, doc=doc)
            for symbol, kind, name, qualname, path, doc in found
        )
        self._insert(statements.DELETE_SEARCH, rows)

    def _delete_rows(self, file: FileId) -> None:
        for statement in statements.DELETE_FACTS_BY_SYMBOL:
            self._connection.execute(statement, symbols_of_file(file))
        for statement in statements.DELETE_FACTS_BY_FILE:
            self._connection.execute(statement, (file, file))
        self._connection.execute(statements.DELETE_FINGERPRINTS, fingerprints_of_file(file))
        self._connection.execute(statements.DELETE_CALL_DETAILS, calls_of_file(file))

    def _delete_links(self, file: FileId) -> None:
        for statement in statements.DELETE_LINKS_BY_SYMBOL:
            self._connection.execute(statement, symbols_of_file(file))
        self._connection.execute(statements.DELETE_CALLS, calls_of_file(file))


def _cleaned_file(file: FileRows) -> FileRows:
    # The path has a form of its own for bytes that are no UTF-8, which the question mark would lose.
    described = FileRow._make(_cleaned(file.file._replace(path=path_to_text(file.file.path))))
    facts = (value if isinstance(value, bytes) else _cleaned_rows(value) for value in file[1:])
    return FileRows._make((described, *facts))


def _cleaned_rows(rows: Rows) -> Rows:
    return tuple(map(_cleaned, rows))


def _cleaned(row: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(clean_text(value) if isinstance(value, str) else value for value in row)
