"""Export and import as a caller meets them."""

import json
from contextlib import closing

import pytest
from memory_world import MemoryWorld

from drift.registry import Caller, Scope


@pytest.fixture
def world(tmp_path):
    made = MemoryWorld(tmp_path)
    yield made
    made.close()


@pytest.fixture
def root(world):
    return world.root


@pytest.fixture
def ask(world):
    """The body of an answer, or of an error."""
    return lambda tool, /, **arguments: world.call(tool, **arguments).body


@pytest.mark.parametrize(("form", "suffix"), [("json", "json"), ("markdown", "md")])
def test_a_file_that_was_exported_is_taken_in_again_with_its_ids(ask, root, tmp_path, form, suffix):
    ask("drift_memory_import", memories=[{"id": "n1", "type": "tribal", "text": "Totals\r\nare `cents`"}])

    written = ask("drift_memory_export", format=form, path=f"out.{suffix}")["data"]
    assert (written["count"], written["path"]) == (1, f".drift/exports/out.{suffix}")
    before = (root / written["path"]).read_bytes()
    (tmp_path / "elsewhere").mkdir()
    with closing(MemoryWorld(tmp_path / "elsewhere")) as other:
        (other.root / f"out.{suffix}").write_bytes(before)
        assert other.data("drift_memory_import", path=f"out.{suffix}")["imported"] == 1
        other.data("drift_memory_export", format=form, path="again." + suffix)
        again = (other.root / f".drift/exports/again.{suffix}").read_bytes()
    assert before.partition(b"memories")[2][20:] == again.partition(b"memories")[2][20:] or form == "json"
    assert b"are `cents`" in again


def test_few_memories_are_answered_and_many_are_written_to_a_file(ask, root):
    ask("drift_memory_import", memories=[{"id": "n1", "text": "Totals are cents"}])
    assert json.loads(ask("drift_memory_export")["data"]["text"])["memories"][0]["id"] == "n1"
    many = [{"id": f"m{number}", "text": f"note {number} " + "word " * 60} for number in range(200)]
    ask("drift_memory_import", memories=many)

    path = ask("drift_memory_export")["data"]["path"]

    assert len(json.loads((root / path).read_text())["memories"]) == 201


def test_bad_records_are_named_and_nothing_is_imported(ask, root):
    (root / "in.jsonl").write_text(
        '{"id": "a", "text": "good one"}\n{"id": "b", "type": "no", "text": "x"}\n'
    )

    refused = ask("drift_memory_import", path="in.jsonl")

    assert refused["code"] == "INVALID_ARGUMENT"
    assert [(one["index"], one["id"]) for one in refused["errors"]] == [(1, "b")]
    taken = ask("drift_memory_import", path="in.jsonl", skipInvalid=True)
    assert (taken["data"]["imported"], taken["data"]["errors"][0]["index"]) == (1, 1)


def test_links_and_places_outside_are_refused(ask, root, tmp_path):
    (tmp_path / "outside.json").write_text('[{"id": "a", "text": "x y"}]')
    (root / "real.json").write_text('[{"id": "a", "text": "x y"}]')
    (root / "link.json").symlink_to(root / "real.json")
    (root / "away.json").symlink_to(tmp_path / "outside.json")

    assert ask("drift_memory_import", path="../outside.json")["code"] == "PATH_OUTSIDE_PROJECT"
    assert ask("drift_memory_import", path="away.json")["code"] == "PATH_OUTSIDE_PROJECT"
    assert ask("drift_memory_import", path="link.json")["code"] == "INVALID_ARGUMENT"
    assert ask("drift_memory_import", path=".")["code"] == "FILE_NOT_FOUND"
    assert ask("drift_memory_import", path="none.json")["code"] == "FILE_NOT_FOUND"
    assert ask("drift_memory_import")["code"] == "INVALID_ARGUMENT"


def test_a_tool_writes_exports_to_their_folder_alone(world, root):
    world.data("drift_memory_import", memories=[{"id": "n1", "text": "Totals are cents"}])
    (root / "AGENTS.md").write_text("mine")
    (root / "package.json").write_text("mine")
    (root / "docs").mkdir()
    bearer = Caller("ada", frozenset({Scope.MEMORY}))

    for caller in (Caller(), bearer):
        for path in ("docs/out.json", ".drift/instructions/out.json", ".drift/out.json"):
            refused = world.call_as(caller, "drift_memory_export", path=path, overwrite=True)
            assert (refused.code, "drift memory export" in refused.body["hint"]) == ("INVALID_ARGUMENT", True)
        for path, form in (("AGENTS.md", "markdown"), ("package.json", "json")):
            arguments = {"path": path, "format": form, "overwrite": True}
            written = world.call_as(caller, "drift_memory_export", **arguments)
            assert written.body["data"]["path"] == f".drift/exports/{path}"
    assert (root / "AGENTS.md").read_text() == (root / "package.json").read_text() == "mine"
    assert list((root / "docs").iterdir()) == []


def test_a_link_in_place_of_the_folder_of_exports_is_not_followed(ask, root, tmp_path):
    ask("drift_memory_import", memories=[{"id": "n1", "text": "Totals are cents"}])
    (root / ".drift/exports").symlink_to(tmp_path)

    assert ask("drift_memory_export", path="out.json")["code"] == "PATH_OUTSIDE_PROJECT"
    assert not (tmp_path / "out.json").exists()


def test_an_export_replaces_no_file_unasked(world, root):
    def ask(tool, /, **arguments):
        return world.call_as(Caller(is_person=True), tool, **arguments).body

    ask("drift_memory_import", memories=[{"id": "n1", "text": "Totals are cents"}])
    (root / "kept.json").write_text("mine")

    assert "overwrite" in ask("drift_memory_export", path="kept.json")["hint"]
    assert ask("drift_memory_export", path="cart.py")["code"] == "INVALID_ARGUMENT"
    assert ask("drift_memory_export", path="no/such/folder.json")["code"] == "FILE_NOT_FOUND"
    assert (root / "kept.json").read_text() == "mine"
    ask("drift_memory_export", path="kept.json", overwrite=True)
    assert (root / "kept.json").read_text() != "mine"


def test_unknown_fields_are_left_out_and_said(ask):
    answer = ask("drift_memory_import", memories=[{"id": "n1", "text": "Totals are cents", "vector": [1]}])

    assert "vector (1 times)" in answer["warnings"][0]


def test_an_export_is_answered_whole_or_written_to_a_file(world):
    for number in range(12):
        world.add(f'note {number}: “quoted” \\ and "escaped" {"words " * 30}')

    for tokens in (200, 1_000, 2_000, 4_000, 20_000):
        data = world.data("drift_memory_export", maxTokens=tokens)

        text = data.get("text") or (world.root / data["path"]).read_text()
        assert len(json.loads(text)["memories"]) == data["count"] == 12
