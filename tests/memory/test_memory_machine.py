"""Any sequence of changes, imports, reopenings and crashes keeps the store's promises."""

import itertools
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from drift.memory import (
    CausalEdge,
    Draft,
    FileLink,
    Importance,
    Memory,
    MemoryStore,
    OnConflict,
    Relation,
)
from drift.memory.storage.rows import words_of

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30).map(
    lambda text: f"x {text}"
)
NAMES = st.sampled_from(["auth", "db", "cache"])
DRAFTS = st.builds(
    Draft,
    type=st.just("tribal"),
    text=TEXTS,
    content=st.fixed_dictionaries({}, optional={"topic": TEXTS, "warnings": st.lists(TEXTS, max_size=2)}),
    tags=st.lists(NAMES, max_size=2).map(tuple),
    files=st.lists(st.builds(FileLink, NAMES, st.none() | st.integers(1, 3)), max_size=2).map(tuple),
    importance=st.sampled_from(Importance),
    confidence=st.floats(0, 1),
)


class Crash(Exception):  # noqa: N818 - it stands for a power cut, not for an error
    """The process ends in the middle of a change."""


class StoreMachine(RuleBasedStateMachine):
    memories = Bundle("memories")

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = itertools.count(1_700_000_000_000, 1_000).__next__
        self.imported = itertools.count()
        self.store = MemoryStore.open(Path(self.folder.name) / "cortex.db", now_ms=self.clock)
        self.expected = {}
        self.edges = {}

    def teardown(self):
        self.store.close()
        self.folder.cleanup()

    def keep(self, *memories):
        for memory in memories:
            self.expected[memory.id] = replace(memory, supersedes=(), access_count=0, last_accessed_ms=None)

    @rule(target=memories, draft=DRAFTS)
    def add(self, draft):
        memory = self.store.add(draft, actor="machine")
        self.keep(memory)
        return memory.id

    @rule(target=memories, drafts=st.lists(DRAFTS, max_size=4), conflict=st.sampled_from(["skip", "replace"]))
    def take_in(self, drafts, conflict):
        records = [
            Memory(
                id=f"r{next(self.imported) % 6}",
                type="core",
                title="imported",
                text=draft.text,
                tags=tuple(sorted(set(draft.tags))),
                recorded_at_ms=5,
                updated_at_ms=6,
            )
            for draft in drafts
        ]
        self.store.add_many(iter(records), actor="machine", on_conflict=OnConflict(conflict))
        for record in records:
            if conflict == "replace" or record.id not in self.expected:
                self.keep(record)
        return multiple(*(record.id for record in records))

    @rule(memory=memories, text=TEXTS, confidence=st.floats(0, 1))
    def update(self, memory, text, confidence):
        self.keep(self.store.update(memory, {"text": text, "confidence": confidence}, actor="machine"))

    @rule(memory=memories, path=NAMES, tag=NAMES)
    def link(self, memory, path, tag):
        self.keep(self.store.link(memory, files=[FileLink(path)], tags=[tag], actor="machine"))

    @rule(memory=memories, path=NAMES, tag=NAMES)
    def unlink(self, memory, path, tag):
        self.keep(self.store.unlink(memory, files=[path], tags=[tag], actor="machine"))

    @rule(
        some=st.lists(memories, max_size=3),
        verb=st.sampled_from(["purge", "restore", "unarchive", "archive"]),
    )
    def change(self, some, verb):
        reason = {"reason": "faded"} if verb == "archive" else {}
        self.keep(*getattr(self.store, verb)(some, actor="machine", **reason))

    @rule(old=consumes(memories), new=memories)
    def supersede(self, old, new):
        chain = new
        while chain is not None and chain != old:
            chain = self.expected[chain].superseded_by
        if chain is None:
            self.keep(self.store.supersede(old, new, actor="machine"))

    @rule(cause=memories, effect=memories, strength=st.floats(0, 1), stays=st.booleans())
    def connect(self, cause, effect, strength, stays):
        if cause == effect:
            return
        edge = CausalEdge(cause, effect, Relation.SUPPORTS, strength)
        if stays:
            self.store.edges.put([edge], actor="machine")
            self.edges[cause, effect] = edge
        else:
            is_gone = self.store.edges.remove(cause, effect, Relation.SUPPORTS, actor="machine")
            assert is_gone == (self.edges.pop((cause, effect), None) is not None)

    @rule(memory=memories)
    def touch(self, memory):
        self.store.touch([memory])

    @rule(draft=DRAFTS, some=st.lists(memories, max_size=2))
    def fail_halfway(self, draft, some):
        try:
            with self.store.transaction():
                self.store.add(draft, actor="machine")
                self.store.purge(some, actor="machine")
                raise Crash
        except Crash:
            pass

    @rule(draft=DRAFTS)
    def crash(self, draft):
        """Lose the connection in the middle of a change, without a rollback, as a killed process does."""
        with self.store._file._lock:
            connection = self.store._file._open(may_create=True)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE memories SET text = 'never committed'")
            connection.close()
        self.store = MemoryStore(self.store.path, now_ms=self.clock)

    @rule()
    def reopen(self):
        self.store.close()

    @invariant()
    def nothing_acknowledged_is_lost(self):
        page = self.store.get_many(self.expected)
        assert {
            memory_id: replace(memory, supersedes=(), access_count=0, last_accessed_ms=None)
            for memory_id, memory in page.items()
        } == self.expected
        assert self.store.counts().total == len(self.expected)
        assert {(edge.source, edge.target): edge for edge in self.store.edges.all()} == self.edges

    @invariant()
    def the_log_replays_to_the_same_state(self):
        assert {memory.id: memory for memory in self.store.history.memories_at()} == self.expected
        assert set(self.store.history.edges_at()) == set(self.edges.values())

    @invariant()
    def the_word_index_equals_the_content(self):
        with self.store.transaction() as connection:
            connection.execute("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)")
            kept = dict(connection.execute("SELECT id, words FROM memories"))
            indexed = connection.execute(
                "SELECT count(*) FROM memory_words WHERE memory_words MATCH 'x'"
            ).fetchone()
        assert kept == {memory_id: words_of(memory) for memory_id, memory in self.expected.items()}
        assert indexed == (len(self.expected),)


StoreMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=25)
TestAnySequenceOfChanges = StoreMachine.TestCase
