"""How often the memory that holds the answer is found, beside plain full-text searches over the same memories.

    python benchmarks/memory_recall.py FORM=PATH … [--half even|odd|both] [--together] [--model FOLDER] [--brief]
                                       [--postgres]

FORM is one of memory_corpora.py, which says where each data set is from. A question counts for the share of its
evidence that is among the first 3, 5 or 10; MRR is one over the place of the first. Each memory gets the title that
saving it would give it. `--half` takes every second part of each data set (what was used to choose weights is said
in docs/memory-search.md), `--together` puts all parts into one store. `bm25s` is a row where it is installed. With an
embedding model, named or installed, there is a row for words and meaning; encoding the memories beforehand is not
counted, encoding the question is. With `--postgres` a cluster of its own is started, and there are rows for Drift on
PostgreSQL and for PostgreSQL's full-text search alone; CPU is then that of this process. Prints a table in Markdown.
"""

import argparse
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path

from memory_corpora import READERS, Corpus, Note

from drift.kernel.sharing import Place, share
from drift.memory import Memory, MemoryStore
from drift.memory.embeddings import Meanings, Model, installed_model
from drift.memory.embeddings.texts import read_texts
from drift.memory.search import Setting, WordCounts, search
from drift.memory.search.questions import question_stop_words
from drift.memory.titles import make_title

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from cluster import Cluster, find_programs, fresh_schema

DEPTHS = (3, 5, 10)
WORD = re.compile(r"[^\W_]+")
HALVES = {"even": slice(0, None, 2), "odd": slice(1, None, 2), "both": slice(None)}

Finder = Callable[[str], Sequence[int]]


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


def peer(notes: list[Note]) -> Finder:
    """The library bm25s with its own stop words, a search in memory that others use for such stores."""
    import bm25s

    words = bm25s.tokenize([note.text for note in notes], stopwords="en", show_progress=False)
    index = bm25s.BM25()
    index.index(words, show_progress=False)

    def find(question: str) -> list[int]:
        asked = bm25s.tokenize(question, stopwords="en", show_progress=False)
        found, scores = index.retrieve(asked, k=min(max(DEPTHS), len(notes)), show_progress=False)
        return [int(place) for place, score in zip(found[0], scores[0], strict=True) if score > 0]

    return find


def postgres_text(notes: list[Note], cluster: Cluster) -> Finder:
    """PostgreSQL's own full-text search with English stems and stop words, any word enough."""
    import psycopg

    connection = psycopg.connect(cluster.address("admin"), autocommit=True)
    connection.execute("DROP TABLE IF EXISTS notes")
    connection.execute("CREATE TABLE notes (place int, words tsvector)")
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO notes VALUES (%s, to_tsvector('english', %s))",
            [(place, note.text.replace("\0", " ")) for place, note in enumerate(notes)],
        )
    connection.execute("CREATE INDEX ON notes USING gin (words)")

    def find(question: str) -> list[int]:
        words = " | ".join(f"'{word}'" for word in dict.fromkeys(WORD.findall(question.lower())))
        sql = (
            "SELECT place FROM notes, to_tsquery('english', %s) AS asked WHERE words @@ asked"
            " ORDER BY ts_rank(words, asked, 1) DESC, place LIMIT %s"
        )
        return [row[0] for row in connection.execute(sql, (words, max(DEPTHS)))]

    return find


def drift_memory(
    notes: list[Note],
    folder: Path,
    *,
    with_sessions: bool,
    model: Model | None = None,
    cluster: Cluster | None = None,
) -> Finder:
    """Our own store and search."""
    made = folder / f"{len(notes)}-{with_sessions}-{model is not None}-{cluster is not None}"
    if cluster:
        share(made / "cortex.db", Place(cluster.address(), fresh_schema(), "memory"))
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
            type="insight",
            title=make_title(note.text, {}),
            text=note.text,
            session=(note.session or None) if with_sessions else None,
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
    return " | ".join([str(asked), *cells, f"{reciprocal / asked:.3f}", f"{1000 * cpu / asked:.1f}"])


def _kinds(
    folder: Path, model: Model | None, cluster: Cluster | None, *, is_brief: bool
) -> dict[str, Callable[[list[Note]], Finder]]:
    kinds: dict[str, Callable[[list[Note]], Finder]] = {
        "FTS5 AND": lambda notes: full_text(notes, joint=" AND ", without=question_stop_words()),
        "FTS5 OR": lambda notes: full_text(notes, joint=" OR ", without=frozenset()),
        "FTS5 OR, stop words out": lambda notes: full_text(
            notes, joint=" OR ", without=question_stop_words()
        ),
        "Drift, no sessions": lambda notes: drift_memory(notes, folder, with_sessions=False),
        "Drift": lambda notes: drift_memory(notes, folder, with_sessions=True),
    }
    if find_spec("bm25s"):
        kinds["bm25s"] = peer
    if model:
        kinds["Drift, words and meaning"] = lambda notes: drift_memory(
            notes, folder, with_sessions=True, model=model
        )
    chosen = ("FTS5 OR, stop words out", "Drift, no sessions", "Drift") if is_brief else tuple(kinds)
    found = {name: kinds[name] for name in chosen}
    if cluster:
        found["tsvector, ts_rank"] = lambda notes: postgres_text(notes, cluster)
        found["Drift on PostgreSQL"] = lambda notes: drift_memory(
            notes, folder, with_sessions=True, cluster=cluster
        )
    return found


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", nargs="+", metavar="FORM=PATH")
    parser.add_argument("--half", choices=tuple(HALVES), default="both")
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--brief", action="store_true", help="FTS5 with stop words out and Drift alone")
    parser.add_argument("--postgres", action="store_true", help="Drift on PostgreSQL as well")
    parser.add_argument("--model", type=Path, default=installed_model())
    options = parser.parse_args(arguments)
    model = Model(options.model) if options.model else None
    cluster = Cluster(find_programs()) if options.postgres else None
    try:
        _print_table(options, model, cluster)
    finally:
        if cluster:
            cluster.end()


def _print_table(options: argparse.Namespace, model: Model | None, cluster: Cluster | None) -> None:
    depths = " | ".join(f"@{depth}" for depth in DEPTHS)
    print(
        f"| memories | search | questions | recall{depths} | MRR | CPU ms |\n|---|---|---|---|---|---|---|---|"
    )
    for given in options.data:
        form, _, path = given.partition("=")
        for name, corpora in READERS[form](Path(path), HALVES[options.half]).items():
            merged = Corpus([n for c in corpora for n in c.notes], [q for c in corpora for q in c.cases])
            used = [merged] if options.together else corpora
            with tempfile.TemporaryDirectory() as folder:
                for kind, make in _kinds(Path(folder), model, cluster, is_brief=options.brief).items():
                    print(f"| {form} {name} | {kind} | {measure(used, make)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
