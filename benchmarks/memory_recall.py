"""How often the memory that holds the answer is found, beside plain full-text searches over the same memories.

    python benchmarks/memory_recall.py FOLDER [--half even|odd|both] [--together] [--model FOLDER]

FOLDER holds conversations in the form of the LoCoMo data set (one JSON file each, with `session_N`, `qa` and
`session_N_observation`; github.com/snap-research/locomo, `data/locomo10.zip`). Two stores are made of each: one of
all turns, one of the distilled facts. A question counts for the share of its evidence that is among the first 5,
10 or 20; MRR is one over the place of the first. Weights were chosen on the even files, the odd ones were not
looked at. `--together` puts all conversations into one store. With an embedding model, named or installed, there is
a row for words and meaning; encoding the memories beforehand is not counted, encoding the question is. Prints a
table in Markdown.
"""

import argparse
import json
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from drift.memory import Memory, MemoryStore
from drift.memory.embeddings import Meanings, Model, installed_model
from drift.memory.embeddings.texts import read_texts
from drift.memory.search import Setting, WordCounts, search
from drift.memory.search.questions import stop_words

DEPTHS = (5, 10, 20)
NO_ANSWER = 5  # the data set's category of questions that have none
WORD = re.compile(r"[^\W_]+")
TURN = re.compile(r"D\d+:\d+")


class Note(NamedTuple):
    evidence: frozenset[str]
    text: str
    session: str


class Case(NamedTuple):
    question: str
    evidence: frozenset[str]


class Corpus(NamedTuple):
    notes: list[Note]
    cases: list[Case]


Finder = Callable[[str], Sequence[int]]


def read_conversation(path: Path) -> tuple[Corpus, Corpus]:
    """The turns and the facts of a conversation, each with the questions that can be answered from them."""
    given = json.loads(path.read_text("utf-8"))
    turns, facts = [], []
    for key, value in given.items():
        if re.fullmatch(r"session_\d+", key):
            turns += [_turn(path.stem, key, one) for one in value]
        elif re.fullmatch(r"session_\d+_observation", key):
            facts += [
                Note(_evidence(path.stem, where), text, path.stem + key)
                for said in value.values()
                for text, where in said
            ]
    cases = [
        Case(one["question"], _evidence(path.stem, one.get("evidence")))
        for one in given["qa"]
        if one["category"] != NO_ANSWER
    ]
    return _answerable(turns, cases), _answerable(facts, cases)


def _turn(conversation: str, session: str, one: dict[str, Any]) -> Note:
    shown = f" [{one['blip_caption']}]" if one.get("blip_caption") else ""
    text = f"{one['speaker']}: {one['text']}{shown}"
    return Note(_evidence(conversation, one["dia_id"]), text, conversation + session)


def _evidence(conversation: str, where: object) -> frozenset[str]:
    return frozenset(f"{conversation}:{turn}" for turn in TURN.findall(str(where)))


def _answerable(notes: list[Note], cases: list[Case]) -> Corpus:
    there = frozenset().union(*(note.evidence for note in notes))
    kept = (Case(case.question, case.evidence & there) for case in cases)
    return Corpus(notes, [case for case in kept if case.evidence])


def full_text(notes: list[Note], *, joint: str, without: frozenset[str]) -> Finder:
    """Plain FTS5 with porter stems over the notes."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE notes USING fts5(text, tokenize = 'porter unicode61')")
    connection.executemany("INSERT INTO notes VALUES (?)", [(note.text,) for note in notes])

    def find(question: str) -> list[int]:
        said = WORD.findall(question.lower())
        words = [word for word in said if word not in without] or said
        match = joint.join(f'"{word}"' for word in dict.fromkeys(words))
        sql = "SELECT rowid - 1 FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT ?"
        return [row[0] for row in connection.execute(sql, (match, max(DEPTHS)))]

    return find


def drift_memory(
    notes: list[Note], folder: Path, *, with_sessions: bool, model: Model | None = None
) -> Finder:
    """Our own store and search."""
    made = folder / f"{len(notes)}-{with_sessions}-{model is not None}"
    store = MemoryStore.open(made / "cortex.db")
    store.add_many(_memories(notes, with_sessions=with_sessions), actor="benchmark")
    counts = WordCounts()
    meanings = Meanings(store.path, model) if model else None
    if meanings:
        meanings.fill(read_texts(store).texts, seconds=86_400)

    def find(question: str) -> list[int]:
        asking = meanings.asking(question) if meanings else nullcontext()
        with asking as closeness, store.reading() as connection:
            found = search(
                connection,
                counts,
                question,
                setting=Setting(now_ms=0),
                limit=max(DEPTHS),
                closeness=closeness,
            )
        return [hit.row.number - 1 for hit in found.hits]

    return find


def _memories(notes: list[Note], *, with_sessions: bool) -> Iterator[Memory]:
    for number, note in enumerate(notes):
        yield Memory(
            id=f"m_{number:07}",
            type="episodic",
            title="",
            text=note.text,
            session=note.session if with_sessions else None,
            recorded_at_ms=1,
            updated_at_ms=1,
        )


def measure(corpora: list[Corpus], make: Callable[[list[Note]], Finder]) -> str:
    """Recall at each depth, MRR and CPU milliseconds a question, as cells of a table."""
    recalls, reciprocal, asked, cpu = dict.fromkeys(DEPTHS, 0.0), 0.0, 0, 0.0
    for corpus in corpora:
        find = make(corpus.notes)
        for case in corpus.cases:
            begun = time.process_time()
            places = find(case.question)
            cpu += time.process_time() - begun
            asked += 1
            hits = [corpus.notes[place].evidence & case.evidence for place in places]
            reciprocal += next((1 / place for place, hit in enumerate(hits, start=1) if hit), 0.0)
            for depth in DEPTHS:
                recalls[depth] += len(frozenset().union(*hits[:depth])) / len(case.evidence)
    cells = [f"{100 * recalls[depth] / asked:.1f}" for depth in DEPTHS]
    return " | ".join([*cells, f"{reciprocal / asked:.3f}", f"{1000 * cpu / asked:.1f}"])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("even", "odd", "both"), default="odd")
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--model", type=Path, default=installed_model())
    options = parser.parse_args(arguments)
    model = Model(options.model) if options.model else None
    paths = sorted(options.folder.glob("*.json"))
    chosen = {"even": paths[::2], "odd": paths[1::2], "both": paths}[options.half]
    turns, facts = zip(*map(read_conversation, chosen), strict=True)
    print("| memories | search | recall@5 | @10 | @20 | MRR | CPU ms |\n|---|---|---|---|---|---|---|")
    for name, corpora in (("turns", list(turns)), ("facts", list(facts))):
        merged = Corpus([n for c in corpora for n in c.notes], [q for c in corpora for q in c.cases])
        used = [merged] if options.together else corpora
        with tempfile.TemporaryDirectory() as folder:
            kinds: dict[str, Callable[[list[Note]], Finder]] = {
                "FTS5 AND": lambda notes: full_text(notes, joint=" AND ", without=stop_words()),
                "FTS5 OR": lambda notes: full_text(notes, joint=" OR ", without=frozenset()),
                "FTS5 OR, stop words out": lambda notes: full_text(notes, joint=" OR ", without=stop_words()),
                "Drift, no sessions": lambda notes: drift_memory(notes, Path(folder), with_sessions=False),
                "Drift": lambda notes: drift_memory(notes, Path(folder), with_sessions=True),
            }
            if model:
                kinds["Drift, words and meaning"] = lambda notes: drift_memory(
                    notes, Path(folder), with_sessions=True, model=model
                )
            for kind, make in kinds.items():
                print(f"| {name} | {kind} | {measure(used, make)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
