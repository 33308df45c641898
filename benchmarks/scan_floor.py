"""The least a scan can cost in Python: parsing, looking at every node, and writing the rows, beside ctags.

    python benchmarks/scan_floor.py SCANNED_REPOSITORY

Nothing is understood here: files are parsed by tree-sitter, every node of a tree is stepped on once with its kind,
and rows that the present index holds are written into an empty one. What a scan adds to these three is meaning.
Prints CPU seconds and multiples of universal-ctags, all in one run, the best of three.
"""

import argparse
import gc
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from drift.index.connection import open_for_build, open_readonly
from drift.index.schema import create_indexes, create_tables
from drift.languages.syntax import GRAMMARS, parse
from drift.project import StateDir
from drift.scan.discover import discover
from scan import Runner, ctags_cpu_seconds

ROUNDS = 3
MOST_ROWS = 10_000

Source = tuple[str, bytes]


def parse_all(sources: Sequence[Source]) -> None:
    for language, text in sources:
        parse(language, text)


def step_on_all(sources: Sequence[Source]) -> int:
    """How many nodes there are; a tree's cursor makes no object but that of the node it stands on."""
    count = 0
    for language, text in sources:
        cursor = parse(language, text).walk()
        while True:
            count += bool(cursor.node.kind_id)
            if cursor.goto_first_child() or cursor.goto_next_sibling():
                continue
            while cursor.goto_parent():
                if cursor.goto_next_sibling():
                    break
            else:
                break
    return count


def read_tables(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of an index by the statement that puts them in; not the words for search, which it does not give back."""
    connection = open_readonly(database)
    tables = {}
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%'"
    ).fetchall():
        columns = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({name})") if not row[6]]
        named = ", ".join(columns)
        rows = connection.execute(f"SELECT {named} FROM {name}").fetchall()
        tables[f"INSERT OR REPLACE INTO {name} ({named}) VALUES ({', '.join('?' * len(columns))})"] = rows
    connection.close()
    return tables


def write_all(tables: dict[str, list[tuple[object, ...]]], place: Path) -> None:
    path = place / "floor.db"
    path.unlink(missing_ok=True)
    connection: sqlite3.Connection = open_for_build(path)
    create_tables(connection)
    connection.execute("BEGIN")
    for statement, rows in tables.items():
        for start in range(0, len(rows), MOST_ROWS):
            connection.executemany(statement, rows[start : start + MOST_ROWS])
    create_indexes(connection)
    connection.execute("COMMIT")
    connection.close()


def least_cpu(run: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        run()
        taken.append(time.process_time() - began)
    return min(taken)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("repository", type=Path)
    root: Path = options.parse_args().repository.absolute()
    files = [file for file in discover(root).files if file.language is not None]
    sources = [
        (file.language, (root / file.path).read_bytes()) for file in files if file.language in GRAMMARS
    ]
    tables = read_tables(StateDir(root).index_db)
    gc.disable()
    place = Path(tempfile.mkdtemp(prefix="drift-floor-"))
    try:
        ctags = ctags_cpu_seconds(Runner(place), root, [file.path for file in files], place)
        costs = {
            "parsing": least_cpu(lambda: parse_all(sources)),
            f"parsing, and a step on each of {step_on_all(sources):,} nodes": least_cpu(
                lambda: step_on_all(sources)
            ),
            f"writing {sum(map(len, tables.values())):,} rows": least_cpu(lambda: write_all(tables, place)),
        }
    finally:
        shutil.rmtree(place)
    print(f"universal-ctags: {f'{ctags:.2f} CPU s' if ctags else 'not installed'}")
    for what, seconds in costs.items():
        print(f"{what}: {seconds:.2f} CPU s" + (f", {seconds / ctags:.1f} times ctags" if ctags else ""))


if __name__ == "__main__":
    main()
