"""Whether a change left every index as it was: a digest of each table of each project's index, kept and compared.

    python benchmarks/digest.py --save before.json PROJECT...     # with the code as it was
    python benchmarks/digest.py --against before.json PROJECT...  # with the code as it is now

Every project is scanned anew into a copy without its history, so that two runs see the same bytes. What may differ
between two scans of the same code is left out: times, generations, bindings to a machine. Ids of words are
replaced by the words, and packed facts are unpacked, since equal facts may be packed as other bytes (which strings
are one object in memory shows in them). Exit code 1 where a table differs; the CPU of the scans is compared as a ratio.
"""

import argparse
import hashlib
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scan_projects import LONG_AGO_NS, copy_project

from drift.project.state import StateDir
from drift.scan.packing import unpack_facts

# The columns of a table that hold ids of words, by their numbers, are found by these names.
WORD_COLUMNS: Mapping[str, frozenset[str]] = {
    "calls": frozenset({"text", "kind", "outcome", "external_name"}),
    "edges": frozenset({"reason"}),
    "refs": frozenset({"kind", "reason"}),
    "sites": frozenset({"dimension", "variant"}),
}
PACKED_COLUMNS: Mapping[str, str] = {"file_facts": "packed"}
LEFT_OUT_COLUMNS = frozenset({"generation", "mtime_ns"})
KEPT_META = frozenset({"schema_version", "layers", "file_count"})
NO_CONTENT = ("words", "meta")  # the one is resolved, the other told apart below

Digests = dict[str, str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("projects", nargs="+", type=Path)
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the digests here")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with these")
    chosen = parser.parse_args()
    found = {path.name: _measured(path) for path in chosen.projects}
    if chosen.save:
        chosen.save.write_text(json.dumps(found, indent=1, sort_keys=True))
    if not chosen.against:
        return 0
    return _compare(json.loads(chosen.against.read_text()), found)


def _measured(source: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="drift-digest-") as place:
        root = copy_project(source, Path(place))
        _make_old(root)
        seconds = _scan(root, Path(place) / "home")
        tables = digests(StateDir(root).index_db)
    print(f"{source.name:32} {seconds:7.2f} CPU-s  {len(tables)} tables", flush=True)
    return {"cpu": seconds, "tables": tables}


def _make_old(root: Path) -> None:
    for folder, _, names in os.walk(root):
        for name in names:
            os.utime(Path(folder, name), ns=(LONG_AGO_NS, LONG_AGO_NS), follow_symlinks=False)


def _scan(root: Path, home: Path) -> float:
    """Scan by the real command, and give the CPU it took with all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environ = {**os.environ, "DRIFT_HOME": str(home)}
    command = [sys.executable, "-P", "-m", "drift", "scan", str(root), "--json"]
    subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(home, ignore_errors=True)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def digests(index: Path) -> Digests:
    """A digest of the content of each table, and of what the index says about itself."""
    connection = sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True)
    connection.text_factory = bytes
    try:
        words = dict(connection.execute("SELECT id, text FROM words"))
        names = [
            name.decode()
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            )
        ]
        found = {name: _table(connection, name, words) for name in names if name not in NO_CONTENT}
        meta = connection.execute("SELECT key, value FROM meta ORDER BY key")
        found["meta"] = _digest(row for row in meta if row[0].decode() in KEPT_META)
    finally:
        connection.close()
    return found


def _table(connection: sqlite3.Connection, name: str, words: Mapping[int, bytes]) -> str:
    columns = [row[1].decode() for row in connection.execute(f'PRAGMA table_info("{name}")')]
    kept = [column for column in columns if column not in LEFT_OUT_COLUMNS]
    numbers = {kept.index(column) for column in WORD_COLUMNS.get(name, frozenset())}
    chosen = ", ".join(f'"{column}"' for column in kept)
    rows = connection.execute(f'SELECT {chosen} FROM "{name}"')
    resolved = _resolved(rows, numbers, words)
    if packed := PACKED_COLUMNS.get(name):
        resolved = _unpacked(resolved, kept.index(packed))
    return _digest(resolved)


def _resolved(rows: Iterable[Any], numbers: set[int], words: Mapping[int, bytes]) -> Iterator[Any]:
    for row in rows:
        yield tuple(words.get(each, each) if at in numbers else each for at, each in enumerate(row))


def _unpacked(rows: Iterable[Any], packed: int) -> Iterator[Any]:
    for row in rows:
        facts = unpack_facts(row[packed]) if row[packed] else None  # files that no extractor reads have none
        yield (*row[:packed], facts, *row[packed + 1 :])


def _digest(rows: Iterable[Any]) -> str:
    """The same for the same rows in any order: tables without an order of their own give theirs as it comes."""
    whole = hashlib.sha256()
    for each in sorted(hashlib.sha256(repr(row).encode()).digest() for row in rows):
        whole.update(each)
    return whole.hexdigest()[:16]


def _compare(before: Mapping[str, Any], now: Mapping[str, Any]) -> int:
    differing = 0
    for name in sorted(now):
        if name not in before:
            print(f"{name}: nothing to compare with")
            differing += 1
            continue
        old, new = before[name]["tables"], now[name]["tables"]
        changed = sorted(table for table in old.keys() | new.keys() if old.get(table) != new.get(table))
        ratio = now[name]["cpu"] / before[name]["cpu"]
        print(f"{name:32} CPU x{ratio:.3f}  {'differs in ' + ', '.join(changed) if changed else 'equal'}")
        differing += bool(changed)
    both = now.keys() & before.keys()
    whole = sum(now[name]["cpu"] for name in both) / (sum(before[name]["cpu"] for name in both) or 1)
    print(f"{len(now) - differing} of {len(now)} projects equal; CPU of all x{whole:.3f}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
