"""Whether the gentle order of search results costs recall: the same questions with it and without it.

    python benchmarks/memory_gentle.py FOLDER [--half even|odd|both]

FOLDER holds conversations of LoCoMo (memory_corpora.py). Every memory is given an age of up to two years, a confidence, an importance, a
type and a linked file at random, none of which has to do with the answers, and every question an intent and a file:
the worst case for an order that looks at such things, since all it can do there is harm. Prints a table in Markdown.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from unittest import mock

from memory_corpora import Note, read_locomo
from memory_recall import DEPTHS, HALVES, Finder, measure

from drift.memory import FileLink, Importance, Memory, MemoryStore
from drift.memory.search import Setting, WordCounts, intents, ranking, search
from drift.memory.types import memory_types

DAY_MS = 86_400_000
NOW_MS = 800 * DAY_MS
OLDEST_DAYS = 730
FILES = tuple(f"shop/part_{number % 10}/file_{number}.py" for number in range(100))


def make_memory(number: int, note: Note, chance: random.Random) -> Memory:
    """The note with attributes that have nothing to do with it."""
    at_ms = NOW_MS - chance.randrange(OLDEST_DAYS) * DAY_MS
    return Memory(
        id=f"m_{number:07}",
        type=chance.choice(list(memory_types())),
        text=note.text,
        session=note.session,
        confidence=chance.uniform(0.3, 1.0),
        importance=chance.choice(list(Importance)),
        files=(FileLink(chance.choice(FILES)),),
        recorded_at_ms=at_ms,
        updated_at_ms=at_ms,
    )


def finder(notes: list[Note], folder: Path, *, is_gentle: bool) -> Finder:
    """Search over a store of the notes, with the gentle order or with the words alone."""
    chance = random.Random(len(notes))
    store = MemoryStore.open(folder / f"{len(notes)}-{is_gentle}.db")
    store.add_many((make_memory(n, note, chance) for n, note in enumerate(notes)), actor="benchmark")
    counts = WordCounts()

    def find(question: str) -> list[int]:
        asked = random.Random(question)
        setting = Setting(NOW_MS, asked.choice(list(intents())), (asked.choice(FILES),))
        without = (
            nullcontext()
            if is_gentle
            else mock.patch.multiple(
                ranking, _own_gain=lambda _row, _setting: 0.0, _linked_gains=lambda *_given: {}
            )
        )
        with without, store.reading() as connection:
            found = search(connection, counts, question, setting=setting, limit=max(DEPTHS))
        return [hit.row.number - 1 for hit in found.hits]

    return find


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("even", "odd", "both"), default="odd")
    options = parser.parse_args(arguments)
    depths = " | ".join(f"@{depth}" for depth in DEPTHS)
    print(
        f"| memories | order | questions | recall{depths} | MRR | CPU ms |\n|---|---|---|---|---|---|---|---|"
    )
    for name, corpora in read_locomo(options.folder, HALVES[options.half]).items():
        with tempfile.TemporaryDirectory() as folder:
            kinds: dict[str, Callable[[list[Note]], Finder]] = {
                "words alone": lambda notes: finder(notes, Path(folder), is_gentle=False),
                "with the gentle order, at random": lambda notes: finder(notes, Path(folder), is_gentle=True),
            }
            for kind, make in kinds.items():
                print(f"| {name} | {kind} | {measure(corpora, make)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
