"""Stores are taken into a team's database and back: all of them, compared, and never half."""

import json
import os
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cluster import fresh_schema
from drift.catalog import Catalog
from drift.cli import main
from drift.kernel.sharing import unshare
from drift.memory import CausalEdge, Draft, FileLink, MemoryStore, Relation
from drift.memory.search import Setting, WordCounts, search
from drift.project import open_project
from drift.state import Curation, Measure, Snapshot, StateStore

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A project with something in each of its stores."""
    monkeypatch.setenv("DRIFT_HOME", str(tmp_path / "home"))
    root = tmp_path / "shop"
    root.mkdir()
    monkeypatch.chdir(root)
    stores = open_project(root, os.environ).prepare().stores
    with closing(MemoryStore(stores.memory_db)) as store:
        texts = (
            "the gateway drops connections\n" + "because of the proxy " * 30,
            "Grüße: 使用Redis缓存",
            "third",
        )
        ids = [store.add(Draft(type="tribal", text=text, tags=("a",)), actor="ann").id for text in texts]
        store.link(ids[0], files=[FileLink("src/a.py", 1, 2, "h")], actor="bob")
        store.edges.put([CausalEdge(ids[0], ids[1], Relation.CAUSED, 0.5)], actor="bob")
        store.purge([ids[2]], actor="cy")
        store.touch(ids[:1])
    with closing(StateStore(stores.state_db)) as state:
        state.add_curation(Curation("a/b", NOON, "ann", "approve", "approved"))
        state.add_snapshot(Snapshot(NOON, head="h"), [Measure("project", "p", "m", 0.1)])
    with closing(Catalog.open(root, os.environ)) as catalog:
        catalog.add({"id": "use-uv", "body": "Install packages with uv."}, lax=True)
        catalog.usage.track("use-uv")
    yield root
    unshare(stores.precious.values())


def share_with(monkeypatch, cluster, role="alpha"):
    monkeypatch.setenv("DRIFT_TEAM_DATABASE", cluster.address(role))
    monkeypatch.setenv("DRIFT_TEAM_PROJECT", fresh_schema().rpartition("_")[2])


def migrate(capsys, verb):
    code = main(["admin", verb, "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured
    return {each["store"]: each for each in json.loads(captured.out)["stores"]}


def read_all(root):
    """What a project's people would find."""
    stores = open_project(root, os.environ).stores
    with closing(MemoryStore(stores.memory_db)) as store:
        entries = store.history.latest(100)
        memories, edges = store.get_many({entry.memory for entry in entries}), store.edges.all()
        with store.reading() as connection:
            hits = search(connection, WordCounts(), "redis gateway", setting=Setting(now_ms=0)).hits
        found = [hit.row.id for hit in hits]
    with closing(StateStore(stores.state_db)) as state:
        decided = state.statuses(), state.measures(1), state.add_curation(Curation("x", NOON, "a", "b"))
    with closing(Catalog.open(root, os.environ)) as catalog:
        used = catalog.usage.counts(["use-uv"]), catalog.audit.lines()
    return memories, edges, entries, found, decided[:2], used


def test_all_that_was_kept_is_there_afterwards_and_back_again(root, monkeypatch, cluster, capsys):
    before = read_all(root)
    share_with(monkeypatch, cluster)

    taken = migrate(capsys, "migrate-to-postgres")
    shared = read_all(root)
    again = migrate(capsys, "migrate-to-postgres")
    back = migrate(capsys, "migrate-to-sqlite")
    monkeypatch.delenv("DRIFT_TEAM_DATABASE")

    assert shared == before
    assert read_all(root) == before
    assert again == {}
    assert taken["memory"]["tables"] == back["memory"]["tables"]
    assert taken["catalog"]["tables"] == back["catalog"]["tables"]
    rows = {each["table"]: each["rows"] for each in taken["memory"]["tables"]}
    assert rows == {"memories": 3, "links": 4, "edges": 1, "usage": 1, "sessions": 0, "log": 6}


def test_who_was_cut_off_goes_on(root, monkeypatch, cluster, capsys):
    share_with(monkeypatch, cluster)
    taken = migrate(capsys, "migrate-to-postgres")
    for each in taken.values():  # as if it had ended before the files were moved
        aside = Path(each["keptAside"])
        aside.rename(str(aside).partition(".moved-")[0])

    again = migrate(capsys, "migrate-to-postgres")

    assert {name: each["tables"] for name, each in again.items()} == {
        name: each["tables"] for name, each in taken.items()
    }


def test_what_others_saved_there_is_not_overwritten(root, monkeypatch, cluster, capsys):
    share_with(monkeypatch, cluster)
    path = open_project(root, os.environ).stores.memory_db
    path.rename(path.with_name("mine"))
    with closing(MemoryStore(path)) as store:
        store.add(Draft(type="tribal", text="theirs"), actor="bob")
    path.with_name("mine").rename(path)

    assert main(["admin", "migrate-to-postgres"]) != 0

    assert "another memory" in capsys.readouterr().err
    path.rename(path.with_name("mine"))
    with closing(MemoryStore(path)) as store:
        assert [each.text for each in store.list().memories] == ["theirs"]


def test_without_a_database_nothing_is_moved(root, capsys):
    assert main(["admin", "migrate-to-postgres"]) != 0

    assert "DRIFT_TEAM_DATABASE" in capsys.readouterr().err
