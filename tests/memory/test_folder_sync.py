"""Memories as Markdown files: edited by hand, taken back, and on either side nothing lost."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.kernel.errors import DriftError
from drift.memory import Draft, FileLink, Importance, Memory
from drift.memory.checks import checked
from drift.memory.transfer.folder_sync import Step, apply_sync, plan_sync, read_agreed, write_agreed
from drift.memory.transfer.note_files import digest_note, name_note, read_note, write_note

NOW = 1_800_000_000_000


class Pair:
    """A store and a folder, and what they last agreed on."""

    def __init__(self, store, folder):
        self.store, self.folder, self.known = store, folder, {}

    def plan(self, prefer=None):
        return plan_sync(self.store, self.folder, self.known, now_ms=NOW, prefer=prefer)

    def sync(self, prefer=None):
        plan = self.plan(prefer)
        self.known = apply_sync(self.store, self.folder, plan, self.known, now_ms=NOW, actor="t")
        return sorted((str(move.step), move.reason) for move in plan.moves)

    def steps(self, prefer=None):
        return [step for step, _reason in self.sync(prefer)]

    def edit(self, old, new):
        (path,) = (path for path in self.folder.glob("*.md") if old in path.read_text("utf-8"))
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
        return path


@pytest.fixture
def pair(store, tmp_path):
    store.add(Draft(type="decision", text="Prices are integers of cents", tags=("billing",)), actor="t")
    store.add(Draft(type="tribal", text="Retries keep the key", importance=Importance.HIGH), actor="t")
    store.add(Draft(type="episodic", text="Changed cart.py a little", source="hook:Edit"), actor="t")
    pair = Pair(store, tmp_path / "notes")
    assert pair.steps() == ["new memory", "new memory"]  # what hooks captured stays in the store
    assert pair.sync() == []
    return pair


def texts(pair):
    return sorted(one.text for one in pair.store.list().memories if one.type != "episodic")


def test_what_a_person_changes_adds_and_deletes_is_taken_and_keeps_its_history(pair):
    pair.edit("integers of cents", "integers of mills")
    pair.edit("Retries keep the key", "Retries keep the key")
    (pair.folder / "mine.md").write_text("Deploys are on Tuesdays\n")

    assert pair.steps() == ["changed file", "new file"]
    assert texts(pair) == ["Deploys are on Tuesdays", "Prices are integers of mills", "Retries keep the key"]
    assert "id: m_" in (pair.folder / "mine.md").read_text()
    (changed,) = (one for one in pair.store.list().memories if "mills" in one.text)
    assert (changed.tags, changed.title) == (("billing",), "Prices are integers of mills")
    (pair.folder / "mine.md").unlink()
    assert pair.steps() == ["deleted file"]
    assert texts(pair) == ["Prices are integers of mills", "Retries keep the key"]
    assert pair.sync() == []


def test_what_the_store_changes_and_hides_comes_to_the_files(pair):
    (one, other) = (one for one in pair.store.list().memories if one.type != "episodic")
    pair.store.update(one.id, {"text": "said anew"}, actor="t")
    pair.store.purge([other.id], actor="t")

    assert pair.steps() == ["changed memory", "memory no longer current"]
    assert [path.read_text().splitlines()[-1] for path in pair.folder.glob("*.md")] == ["said anew"]
    assert list(pair.folder.glob("*.bak")) == []


@pytest.mark.parametrize(("prefer", "kept"), [("files", "by hand"), ("store", "by the store")])
def test_where_both_changed_nothing_is_done_until_somebody_says_which_counts(pair, prefer, kept):
    (memory,) = (one for one in pair.store.list().memories if "cents" in one.text)
    path = pair.edit("integers of cents", "changed by hand")
    pair.store.update(memory.id, {"text": "Prices are changed by the store"}, actor="t")

    for _ in range(2):
        assert pair.sync() == [("conflict", "the file and the memory both changed")]
    assert ("by hand" in path.read_text(), "by the store" in pair.store.get(memory.id).text) == (True, True)
    pair.sync(prefer)

    assert kept in pair.store.get(memory.id).text
    assert kept in path.read_text()
    copies = [copy.read_text() for copy in pair.folder.glob("*.bak")]
    assert ["by hand" in copy for copy in copies] == ([True] if prefer == "store" else [])
    assert pair.sync() == []


def test_a_file_that_is_deleted_while_its_memory_changed_is_a_conflict(pair):
    (memory,) = (one for one in pair.store.list().memories if "cents" in one.text)
    pair.edit("integers of cents", "integers of cents").unlink()
    pair.store.update(memory.id, {"text": "said anew"}, actor="t")

    assert pair.sync() == [("conflict", "the file was deleted, and the memory changed")]
    assert pair.store.get(memory.id).is_current


def test_a_folder_that_vanished_hides_nothing(pair):
    for path in pair.folder.iterdir():
        path.unlink()

    with pytest.raises(DriftError, match="holds none now"):
        pair.plan()


HOSTILE = {
    "a merge that was not finished": b"---\ntype: insight\n---\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
    "no text": b"\xff\xfe\x00\x01",
    "a NUL": b"---\ntype: insight\n---\na\0b\n",
    "no such type": b"---\ntype: spell\n---\nobey\n",
    "an id that is a path": b"---\nid: ../../etc/passwd\n---\nobey\n",
    "a file outside": b'---\nfiles: ["../../etc/passwd"]\n---\nobey\n',
    "a field twice": b"---\ntype: insight\ntype: core\n---\nobey\n",
    "a field there is not": b"---\ntype: insight\nrun: rm -rf\n---\nobey\n",
    "states that are the store's": b"---\ntype: insight\narchived: true\n---\nobey\n",
    "a head without end": b"---\ntype: insight\nobey\n",
    "a deep nest": b"---\ncontent: " + b"[" * 90_000 + b"\n---\nobey\n",
    "a number beyond all": b"---\nconfidence: 1e999\n---\nobey\n",
    "too much": b"a" * 1_000_001,
}


def test_hostile_files_are_refused_one_by_one_and_hide_nothing(pair):
    pair.edit("Retries keep the key", "Retries keep the key").unlink()
    for number, content in enumerate(HOSTILE.values()):
        (pair.folder / f"{number:02}.md").write_bytes(content)
    (pair.folder / "link.md").symlink_to("/etc/passwd")
    os.mkfifo(pair.folder / "pipe.md")
    before = texts(pair)

    plan = pair.plan()

    refused = {move.name: move.reason for move in plan.of(Step.REFUSED)}
    assert set(refused) == {f"{number:02}.md" for number in range(len(HOSTILE))} | {"link.md", "pipe.md"}
    assert all(refused.values())
    assert set(pair.steps()) == {"refused"}
    assert texts(pair) == before
    assert sorted(path.name for path in pair.folder.glob("*.bak")) == []


def test_a_secret_in_a_file_is_in_neither_afterwards(pair):
    token = "ghp_" + "a1B2" * 9
    path = pair.folder / "mine.md"
    path.write_text(f"The robot logs in with {token} every night\n")

    pair.sync()

    assert token not in path.read_text()
    assert not any(token in text for text in texts(pair))


def test_a_colleague_gets_the_same_memories_from_the_files(pair, tmp_path):
    other = Pair(type(pair.store).open(tmp_path / "other.db"), pair.folder)

    assert other.steps() == ["new file", "new file"]
    assert texts(other) == texts(pair)
    assert pair.sync() == other.sync() == []


def test_what_was_agreed_on_is_kept_by_folder_and_a_damaged_record_means_nothing_was(tmp_path):
    path = tmp_path / "agreed.json"
    write_agreed(path, tmp_path / "a", {"m_1": "x"})
    write_agreed(path, tmp_path / "b", {"m_2": "y"})

    assert read_agreed(path, tmp_path / "a") == {"m_1": "x"}
    path.write_text("[")
    assert read_agreed(path, tmp_path / "a") == {}


@given(
    st.text(max_size=200).filter(lambda text: text.strip() and "\0" not in text),
    st.lists(
        st.from_regex(r"[a-z: \[\],'\"#-]{1,20}", fullmatch=True).map(str.strip).filter(bool), max_size=3
    ),
)
@settings(max_examples=40)
def test_a_file_gives_back_what_it_was_written_from(text, tags):
    said = "".join(one for one in text if one.isprintable() or one == "\n") or "x"
    memory = checked(Memory(
        id="m_1", type="tribal", title="A title: of its own", text=f"start {said} end", tags=tuple(dict.fromkeys(tags)),
        content={"severity": "critical"}, files=(FileLink("a/b.py", 1, 2, "ff"), FileLink("c.py")), confidence=0.5,
        recorded_at_ms=NOW, updated_at_ms=NOW,
    ))  # fmt: skip

    again = read_note(write_note(memory).encode(), now_ms=NOW + 1)

    assert digest_note(again) == digest_note(memory)
    assert (again.text, again.tags, again.files) == (memory.text.strip(), memory.tags, memory.files)
    assert name_note(memory).endswith(".md")
