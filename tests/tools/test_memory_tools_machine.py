"""Any sequence of calls to the tools keeps what was promised: nothing lost, words found, the log complete."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule
from memory_world import MemoryWorld

from drift.memory.opened import memory_store
from drift.memory.storage.rows import words_of

TEXTS = st.sampled_from(
    [
        "The timeout of orders is 30 s",
        "The timeout of orders is 60 s",
        "Never retry orders without a key",
        "Always retry orders, because the queue drops some",
        "Orders are exported at midnight UTC",
        "Orders are exported every day at midnight UTC",
        "Key AKIAIOSFODNN7EXAMPLF opens the queue",
        'NEAR("a" b*) AND NOT c:d',
        "\u202eorders\u2066 ```\n---\n# x\n```",
    ]
)
TYPES = st.sampled_from(["tribal", "decision", "insight", "episodic", "semantic"])


class ToolsMachine(RuleBasedStateMachine):
    memories = Bundle("memories")

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.world = MemoryWorld(Path(self.folder.name))
        self.known = set()
        self.count = 0

    @initialize(target=memories, text=TEXTS)
    def begin(self, text):
        return self.remember(self.world.add(text))

    def teardown(self):
        self.world.close()
        self.folder.cleanup()

    def remember(self, *ids):
        self.known.update(ids)
        return multiple(*ids)

    @rule(target=memories, text=TEXTS, kind=TYPES, other=memories)
    def add(self, text, kind, other):
        return self.remember(
            self.world.add(text, type=kind, causedBy=[other], linkedFiles=["shop/orders.py"])
        )

    @rule(target=memories, text=TEXTS, old=memories)
    def replace_one(self, text, old):
        # It may be the very same or close a circle, which is refused.
        outcome = self.world.call("drift_memory_add", type="tribal", text=text, supersedes=old)
        return self.remember(outcome.body["data"]["id"]) if not outcome.is_error else multiple()

    @rule(memory=memories, text=TEXTS, confidence=st.floats(0, 1), archived=st.none() | st.booleans())
    def update(self, memory, text, confidence, archived):
        given = {} if archived is None else {"archived": archived}
        self.world.data("drift_memory_update", id=memory, text=text, confidence=confidence, **given)

    @rule(memory=memories, restore=st.booleans())
    def delete(self, memory, restore):
        self.world.data("drift_memory_delete", id=memory, restore=restore)

    @rule(memory=memories, action=st.sampled_from(["confirm", "reject", "modify"]), details=TEXTS)
    def judge(self, memory, action, details):
        note = self.world.data("drift_memory_feedback", memoryId=memory, action=action, details=details)[
            "note"
        ]
        self.known.add(note)

    @rule(target=memories, feedback=TEXTS)
    def learn(self, feedback):
        data = self.world.data("drift_memory_learn", original="retry()", feedback=feedback)
        return self.remember(data["id"])

    @rule(target=memories, texts=st.lists(TEXTS, max_size=4), overwrite=st.booleans())
    def take_in(self, texts, overwrite):
        records = [{"id": f"r{place}", "type": "core", "text": text} for place, text in enumerate(texts)]
        if not records:
            return multiple()
        self.world.data("drift_memory_import", memories=records, overwrite=overwrite)
        return self.remember(*(one["id"] for one in records))

    @rule()
    def tend(self):
        before = self.store.counts().total
        data = self.world.data("drift_memory_consolidate", dryRun=False)
        self.world.data("drift_memory_hygiene", dryRun=False, tier="all")
        self.world.data("drift_memory_validate", autoHeal=True, removeInvalid=True)
        self.count_new(before, data)

    def count_new(self, before, _data):
        page = self.store.list(replace_all(), limit=1_000)
        self.known.update(one.id for one in page.memories)
        assert self.store.counts().total >= before

    @rule()
    def carry_out_and_in(self):
        self.count += 1
        path = f"export{self.count}.json"
        path = self.world.data("drift_memory_export", path=path, includeArchived=True)["path"]
        data = self.world.data("drift_memory_import", path=path)
        assert (data["imported"], data["replaced"], data["edges"]) == (0, 0, 0)
        records = json.loads((self.world.root / path).read_text())["memories"]
        assert {one["id"] for one in records} == self.known

    @property
    def store(self):
        return memory_store(self.world.store)

    @invariant()
    def nothing_is_lost_and_the_status_tells_the_truth(self):
        counts = self.store.counts()
        assert self.store.get_many(self.known).keys() == self.known
        assert counts.total == len(self.known)
        if self.known:
            status = self.world.data("drift_memory_status")
            assert (status["total"], status["current"]) == (counts.total, counts.current)

    @invariant()
    def the_log_replays_to_the_same_state(self):
        if not self.known:
            return
        now = self.store.get_many(self.known)
        told = {one.id: one for one in self.store.history.memories_at()}
        plain = {
            key: replace(one, supersedes=(), access_count=0, last_accessed_ms=None)
            for key, one in now.items()
        }
        assert told == plain
        assert set(self.store.history.edges_at()) == set(self.store.edges.all())

    @invariant()
    def the_word_index_equals_the_content_and_holds_no_secret(self):
        if not self.known:
            return
        with self.store.transaction() as connection:
            connection.execute("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)")
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
            kept = dict(connection.execute("SELECT id, words FROM memories"))
        memories = self.store.get_many(self.known)
        assert kept == {key: words_of(one) for key, one in memories.items()}
        assert all(
            "AKIAIOSFODNN7EXAMPLF" not in f"{one.title}{one.text}{one.content}" for one in memories.values()
        )


def replace_all():
    from drift.memory.storage.listing import Listing

    return Listing(include_archived=True, include_purged=True, include_superseded=True)


ToolsMachine.TestCase.settings = settings(max_examples=8, stateful_step_count=15)
TestAnySequenceOfCalls = ToolsMachine.TestCase
