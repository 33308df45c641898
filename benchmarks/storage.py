"""What each table of an index costs: rows, bytes of the table, and bytes of its indexes.

    python benchmarks/storage.py PROJECT...

The projects must have been scanned. Pages are counted by SQLite itself (dbstat), so that what is kept out of a row, such
as packed facts, counts with its table. Prints tables in Markdown, the largest first.
"""

import argparse
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

from drift.project.state import StateDir

MB = 1_000_000
OWNERS = "SELECT name, tbl_name, type FROM sqlite_schema WHERE type IN ('table', 'index')"
PAGES = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("projects", nargs="+", type=Path)
    for project in parser.parse_args().projects:
        print(f"\n{project.name}\n")
        report(StateDir(project.absolute()).index_db)


def report(index: Path) -> None:
    """Print the table of one index."""
    with closing(sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True)) as connection:
        pages = dict(connection.execute(PAGES))
        own: Counter[str] = Counter()
        beside: Counter[str] = Counter()
        for name, table, kind in connection.execute(OWNERS):
            (own if kind == "table" else beside)[table] += pages.get(name, 0)
        names = sorted(own, key=lambda name: -(own[name] + beside[name]))
        whole = sum(pages.values())
        print("| table | rows | MB | MB of its indexes | share |\n| --- | --- | --- | --- | --- |")
        for name in names:
            bytes_of_all = own[name] + beside[name]
            if not bytes_of_all:
                continue  # the search itself: its tables stand below
            (rows,) = connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()
            share = f"{bytes_of_all / whole:.1%}"
            print(f"| {name} | {rows:,} | {own[name] / MB:.2f} | {beside[name] / MB:.2f} | {share} |")
        print(f"| all | | {whole / MB:.2f} | | |")


if __name__ == "__main__":
    main()
