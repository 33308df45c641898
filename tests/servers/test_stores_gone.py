"""Servers whose files are deleted under them: what they acknowledged is there afterwards."""

import os
import shutil
import subprocess
from contextlib import closing

import pytest
from test_memory_server import calls, exchange, send

from drift.catalog.journal import Journal
from drift.memory import MemoryStore
from forked import start_drift
from store_places import catalog_db, memory_db

PATIENCE_SECONDS = 300
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "tests", "version": "1"},
}


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.fixture(params=["home", "no home"])
def environ(request, tmp_path):
    """With a home, and without one, where all is kept in the project."""
    (tmp_path / "file").touch()
    home = tmp_path / "home" if request.param == "home" else tmp_path / "file" / "home"
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "user"),
        "DRIFT_HOME": str(home),
        "TMPDIR": str(tmp_path),
    }


@pytest.fixture
def start(root, environ):
    running = []

    def begin(server, **more):
        process = start_drift(
            "mcp", server, "--surface", "full", cwd=root, environ=environ | more, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        running.append(process)
        exchange(process, [("initialize", HELLO)])
        send(process, [{"jsonrpc": "2.0", "method": "notifications/initialized"}])
        return process

    yield begin
    for process in running:
        process.kill()  # what was acknowledged needs no orderly end
        process.communicate(timeout=PATIENCE_SECONDS)


def clean(root):
    subprocess.run(["git", "-C", str(root), "clean", "-xdffq"], check=True)


def answered(process, name, arguments):
    answers = exchange(process, calls(name, arguments))
    assert not [each for each in answers if each.get("isError")], answers
    return [each["structuredContent"]["data"] for each in answers]


def delete(how, root, environ):
    if how == "clean":
        clean(root)
    else:
        shutil.rmtree(memory_db(root, environ).parent, ignore_errors=True)
        for path in catalog_db(root, environ).parent.glob("catalog.db*"):
            path.unlink()


@pytest.fixture
def temporary_files_of_the_server(monkeypatch, tmp_path):
    """Without a home, the key is among the temporary files: this process must look where the server does."""
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.mark.slow
@pytest.mark.usefixtures("temporary_files_of_the_server")
@pytest.mark.parametrize("how", ["clean", "rm"])
def test_memories_outlive_what_is_deleted_under_a_server(root, environ, start, how):
    process = start("memory", DRIFT_MCP_MEMORY_RATE_LIMIT="0")
    texts = [f"Shelf {number} holds the parts of model {number * 7}." for number in range(6)]

    kept = answered(process, "save_memory", [{"text": text} for text in texts[:3]])
    delete(how, root, environ)
    kept += answered(process, "save_memory", [{"text": text} for text in texts[3:]])
    process.kill()

    with closing(MemoryStore(memory_db(root, environ))) as store:
        assert {one.text for one in store.get_many([each["id"] for each in kept]).values()} == set(texts)


@pytest.mark.slow
@pytest.mark.usefixtures("temporary_files_of_the_server")
@pytest.mark.parametrize("how", ["clean", "rm"])
def test_feedback_and_counts_outlive_what_is_deleted_under_a_server(root, environ, start, how):
    process = start("catalog", MCP_ENABLE_MUTATION="1")
    report = {"type": "issue", "severity": "low", "title": "Slow", "description": "It is slow."}

    answered(process, "feedback_submit", [report] * 3)
    delete(how, root, environ)
    answered(process, "feedback_submit", [report] * 3)
    entry = {"id": "use-uv", "body": "Install packages with uv."}
    answered(process, "instructions_dispatch", [{"action": "add", "params": {"entry": entry, "lax": True}}])
    answered(process, "usage_track", [{"id": "use-uv"}])
    process.kill()

    journal = Journal(catalog_db(root, environ))
    with journal.reading() as connection:
        assert connection.execute("SELECT count(*) FROM feedback").fetchone() == (6,)
        assert connection.execute("SELECT count FROM usage").fetchall() == [(1,)]
    journal.close()


@pytest.mark.slow
@pytest.mark.parametrize("environ", ["home"], indirect=True)
def test_a_server_whose_project_was_moved_writes_into_no_ghost(root, environ, start, tmp_path):
    process = start("memory")
    answered(process, "save_memory", [{"text": "The bank refuses cents."}])
    root.rename(tmp_path / "moved")
    root.mkdir()

    (refused,) = exchange(process, calls("save_memory", [{"text": "Nobody hears this."}]))

    assert refused["structuredContent"]["code"] == "PROJECT_NOT_FOUND"
    assert list(root.iterdir()) == []
    with closing(MemoryStore(memory_db(tmp_path / "moved", environ))) as store:
        assert [one.text for one in store.list().memories] == ["The bank refuses cents."]
