"""Call sites of a scanned project drawn at random, with what the index says of each, to be judged by reading.

    drift scan PROJECT
    python benchmarks/call_sample.py PROJECT --language go --count 50 --seed 1

Prints for each call its line, the lines around it, and where it leads with the target's own line. Judge each as
right, wrong, or missed (said to be unknown or external though its code is in the project), and state the counts
with the seed, so that others can draw the same sample.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from drift.index import IndexReader
from drift.index.records import CallRecord, SymbolRecord
from drift.project import StateDir


def line_at(root: Path, path: str, line: int) -> str:
    lines = (root / path).read_text("utf-8", errors="replace").splitlines()
    return lines[line - 1].strip()[:160] if 0 < line <= len(lines) else ""


def calls_of(reader: IndexReader, language: str) -> list[tuple[str, SymbolRecord, CallRecord]]:
    found = []
    for stamp in reader.files.stamps():
        if stamp.language != language:
            continue
        for symbol in reader.symbols.of_file(stamp.id):
            found.extend((stamp.path, symbol, call) for call in reader.calls.calls_of(symbol.id))
    return found


def show(root: Path, reader: IndexReader, number: int, sample: tuple[str, SymbolRecord, CallRecord]) -> None:
    path, caller, call = sample
    print(f"\n{number}. {path}:{call.line} in {caller.qualname or '(file)'}: {call.text}  [{call.outcome}]")
    print(f"      {line_at(root, path, call.line)}")
    if call.external_name:
        print(f"   => outside: {call.external_name}")
    for edge in reader.calls.callees(caller.id, limit=10_000):
        if edge.call_id == call.id:
            place = f"{edge.symbol.path}:{edge.symbol.line}"
            print(f"   => {edge.symbol.qualname} at {place} ({edge.reason}, {edge.confidence:.2f})")
            print(f"      {line_at(root, edge.symbol.path, edge.symbol.line)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("--language", required=True)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    root = options.project.resolve()
    with IndexReader(StateDir(root).index_db) as reader:
        calls = calls_of(reader, options.language)
        chosen = random.Random(options.seed).sample(calls, min(options.count, len(calls)))
        for number, sample in enumerate(chosen, 1):
            show(root, reader, number, sample)


if __name__ == "__main__":
    main()
