"""The freshener with real scans, in this process and in others."""

import asyncio
import itertools
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from pipeline_samples import make_tool

from drift.index import IndexReader, Layer, read_index_state
from drift.kernel.answer import Answer
from drift.kernel.folder_watch import FolderWatch
from drift.pipeline import auto_fresh, scan_process
from drift.pipeline.auto_fresh import AutoFreshener, Patience
from drift.pipeline.handler import time_left
from drift.registry import Call
from drift.registry.indexes import opened_index
from drift.scan import ScanOptions, scan
from drift.scan.choices import Choices, choose_files

PROGRAM = Path(__file__).with_name("fresh_stdio_program.py")
PATIENT = Patience(first_scan_seconds=300, rescan_seconds=300, update_seconds=300)
HURRIED = Patience(first_scan_seconds=0, rescan_seconds=0, update_seconds=300)
ONE_PROCESS = ScanOptions(jobs=0)


@pytest.fixture
def environ():
    return dict(os.environ)


@pytest.fixture
def ask(root, runtime_with, environ):
    """Ask how many symbols have a name, within some patience."""

    def count(call: Call, name: str) -> Answer[int]:
        """Count symbols."""
        with IndexReader(call.project.state.index_db) as reader:
            found = len(reader.symbols.named(name))
        return Answer(f"{found} found", found)

    runtimes = {}

    def ask_within(patience, name, **settings):
        key = (patience, *settings.items())
        if key not in runtimes:
            surroundings = environ | settings
            runtimes[key] = runtime_with(
                make_tool(count, needs=Layer.CALLS, ttl=300),
                environ=surroundings,
                # A clock that stands still: on a busy machine no look may count as a costly one.
                freshener=AutoFreshener(surroundings, patience, clock=lambda: 0.0),
            )
        return asyncio.run(runtimes[key].call("count", {"name": name}))

    return ask_within


def write(root, name, text):
    (root / name).write_text(text)


def test_the_first_call_scans(root, ask):
    write(root, "a.py", "def first(): pass\n")

    outcome = ask(PATIENT, "first")

    assert (outcome.body["data"], outcome.meta.freshness) == (1, "fresh")
    assert outcome.meta.data_age is not None


def test_a_first_scan_that_takes_long_goes_on_while_the_caller_is_told(root, ask):
    write(root, "a.py", "def first(): pass\n")

    refused = ask(HURRIED, "first")
    while not read_index_state(root / ".drift/drift.db").layers >= {Layer.CALLS}:
        time.sleep(0.05)
    answered = ask(HURRIED, "first")

    assert refused.code == "SCAN_REQUIRED"
    assert "under way" in refused.body["message"]
    assert refused.body["retryAfterMs"] > 0
    assert answered.body["data"] == 1


def test_what_is_answered_before_all_is_linked_says_so(root, runtime_with, environ, monkeypatch):
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    with closing(sqlite3.connect(root / ".drift/drift.db")) as index, index:
        index.execute("UPDATE meta SET value = 'files,symbols' WHERE key = 'layers'")
    under_way = SimpleNamespace(is_running=True, error=None, stand="linking 1 of 2", kill=lambda: None)
    monkeypatch.setattr(scan_process, "ScanProcess", lambda *_: under_way)

    def count(call: Call) -> Answer[int]:
        """Count symbols."""
        return Answer("1 found", 1)

    runtime = runtime_with(
        make_tool(count, needs=Layer.SYMBOLS), environ=environ, freshener=AutoFreshener(environ, HURRIED)
    )
    outcome = asyncio.run(runtime.call("count", {}))

    assert outcome.body["data"] == 1
    assert outcome.body["warnings"] == [
        "The first scan is still under way (linking 1 of 2), and what rests on links is missing"
    ]


def count_callers(call: Call, symbol: str) -> Answer[int]:
    """Count callers."""
    with opened_index(call) as reader:
        (found,) = reader.symbols.named(symbol)
        places = reader.calls.callers(found.id)
    return Answer(f"{len(places)} found", len(places))


@pytest.fixture
def before_links(root, runtime_with, environ, monkeypatch, tmp_path):
    """A server whose project has been read, and whose scan goes on linking for ever."""
    write(root, "a.py", "def first(): pass\n")
    write(root, "b.py", "from a import first\n\ndef second():\n    return first()\n")
    scan(root, ONE_PROCESS)
    with closing(sqlite3.connect(root / ".drift/drift.db")) as index, index:
        index.execute("UPDATE meta SET value = 'files,symbols' WHERE key = 'layers'")
        index.execute("DELETE FROM edges")
    under_way = SimpleNamespace(
        is_running=True, error=None, stand=scan_process.Stand("linking", 1, 2), kill=lambda: None
    )
    monkeypatch.setattr(scan_process, "ScanProcess", lambda *_: under_way)
    monkeypatch.setattr(auto_fresh, "_SECONDS_FOR_ALL", 0.0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return runtime_with(
        make_tool(count_callers, needs=Layer.CALLS, first_links="symbol", ttl=300),
        environ=environ,
        freshener=AutoFreshener(environ, HURRIED),
    )


def test_callers_of_one_symbol_are_told_before_all_is_linked(before_links, tmp_path):
    outcome = asyncio.run(before_links.call("count_callers", {"symbol": "first"}))

    assert outcome.body["data"] == 1
    (notice,) = outcome.body["warnings"]
    assert notice.startswith(
        "Partial: the first scan is still under way (linking 1/2 (50 %)); for this answer all 2 files that mention it were linked"
    )
    assert not list(tmp_path.glob("drift-first-links-*"))


def test_a_partial_answer_is_kept_for_nobody(before_links):
    first, second = (asyncio.run(before_links.call("count_callers", {"symbol": "first"})) for _ in range(2))

    assert (first.meta.cached, second.meta.cached) == (False, False)


def test_a_name_that_nobody_has_waits_for_the_scan(before_links):
    outcome = asyncio.run(before_links.call("count_callers", {"symbol": "third"}))

    assert outcome.code == "SCAN_REQUIRED"


def test_an_index_of_an_earlier_version_is_built_anew_by_the_first_call(root, ask):
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    with closing(sqlite3.connect(root / ".drift/drift.db")) as index:
        index.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
        index.execute("PRAGMA user_version = 1")
        index.commit()

    outcome = ask(PATIENT, "first")

    assert (outcome.body["data"], outcome.meta.freshness) == (1, "fresh")


def claim_other_engine(root):
    with closing(sqlite3.connect(root / ".drift/drift.db")) as index, index:
        index.execute("UPDATE meta SET value = 'another' WHERE key = 'engine'")


def test_an_index_of_another_engine_answers_while_it_is_built_anew(root, ask):
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    claim_other_engine(root)

    meanwhile = ask(HURRIED, "first")
    while not read_index_state(root / ".drift/drift.db").is_of_this_engine:
        time.sleep(0.05)
    answered = ask(PATIENT, "first")

    assert (meanwhile.body["data"], meanwhile.meta.freshness) == (1, "stale")
    assert "built by another version of Drift" in meanwhile.body["warnings"][0]
    assert (answered.body["data"], answered.meta.freshness) == (1, "fresh")


def test_an_index_is_built_anew_once_where_another_engine_goes_on_building_it(root, ask, monkeypatch):
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    # As in a server that runs older code than is installed by now: what its scans build is never of its engine.
    monkeypatch.setattr("drift.index.engine.engine_digest", lambda: "older")

    first, built = ask(PATIENT, "first"), read_index_state(root / ".drift/drift.db").generation
    second = ask(PATIENT, "first")

    assert (first.meta.freshness, second.meta.freshness) == ("fresh", "fresh")
    assert read_index_state(root / ".drift/drift.db").generation == built


def test_without_automatic_scans_an_index_of_another_engine_is_named(root, ask):
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    claim_other_engine(root)

    outcome = ask(PATIENT, "first", DRIFT_SCAN_AUTO="false")

    assert outcome.meta.freshness == "stale"
    assert "drift scan builds it anew" in outcome.body["warnings"][0]


def test_an_edit_is_in_the_next_answer(root, ask):
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    before = ask(HURRIED, "second")
    write(root, "a.py", "def second(): pass\n")

    after = ask(HURRIED, "second")

    assert (before.body["data"], after.body["data"]) == (0, 1)
    assert (before.meta.freshness, after.meta.freshness) == ("fresh", "fresh")


@pytest.mark.parametrize("seconds_per_look", [0.0, 0.3], ids=["cheap looks", "costly looks"])
def test_every_edit_of_many_is_in_the_next_answer(root, runtime_with, environ, seconds_per_look):
    times = itertools.count()
    fresh = AutoFreshener(environ, HURRIED, clock=lambda: next(times) * seconds_per_look)
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    runtime = runtime_with(make_tool(names, needs=Layer.CALLS, ttl=300), environ=environ, freshener=fresh)
    if seconds_per_look and not is_told_of_changes(root):
        pytest.skip("where changes are not told, costly looks are shared for a while")

    async def edit_and_ask():
        for number in range(6):
            if number % 3 < 2:
                write(root, "a.py", f"def edit{number}(): pass\n")
            else:
                write(root, f"new{number}.py", f"def edit{number}(): pass\n")
            outcome = await runtime.call("names", {})
            again = await runtime.call("names", {})
            assert f"edit{number}" in outcome.body["data"]
            assert again.body["data"] == outcome.body["data"]

    asyncio.run(edit_and_ask())


def names(call: Call) -> Answer[list[str]]:
    """The names of all functions."""
    with IndexReader(call.project.state.index_db) as reader:
        found = [symbol.name for symbol in reader.symbols.of_kind("function")]
    return Answer(f"{len(found)} found", found)


def is_told_of_changes(root):
    return not FolderWatch(root).is_off


def test_many_changes_are_scanned_beside_while_the_last_index_answers(root, ask):
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    generation = read_index_state(root / ".drift/drift.db").generation
    for number in range(60):
        write(root, f"new{number}.py", "def fresh_name(): pass\n")

    stale = ask(HURRIED, "fresh_name")
    while read_index_state(root / ".drift/drift.db").generation == generation:
        time.sleep(0.05)
    later = ask(PATIENT, "fresh_name")

    assert (stale.body["data"], stale.meta.freshness) == (0, "stale")
    assert any("60 files changed" in warning for warning in stale.body["warnings"])
    assert (later.body["data"], later.meta.freshness) == (60, "fresh")
    assert "warnings" not in later.body


def test_nothing_is_scanned_where_it_is_switched_off(root, ask):
    write(root, "a.py", "def first(): pass\n")

    refused = ask(PATIENT, "first", DRIFT_SCAN_AUTO="false")

    assert refused.code == "SCAN_REQUIRED"
    assert not (root / ".drift/drift.db").exists()


def test_switched_off_the_index_answers_and_says_that_nobody_looked(root, ask):
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    write(root, "a.py", "def second(): pass\n")

    outcome = ask(PATIENT, "second", DRIFT_SCAN_AUTO="false")

    assert (outcome.body["data"], outcome.meta.freshness) == (0, "unknown")


def test_a_look_that_fails_is_told_with_its_reason(root, ask):
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    ask(HURRIED, "first")
    (root / "drift.toml").write_text("[scan]\nlanguages = ['klingon']\n")

    outcome = ask(HURRIED, "first")

    assert (outcome.body["data"], outcome.meta.freshness) == (1, "unknown")
    assert any("klingon" in warning for warning in outcome.body["warnings"])


def test_a_first_scan_that_fails_says_why(root, ask):
    write(root, "a.py", "def first(): pass\n")
    (root / ".drift").write_text("in the way")

    outcome = ask(PATIENT, "first")

    assert outcome.code == "STORE_UNAVAILABLE"


def test_what_a_scan_was_told_to_leave_out_stays_out(root, ask):
    write(root, "a.py", "def first(): pass\n")
    write(root, "b.py", "def left_out(): pass\n")
    choices = Choices(exclude=("b.py",))
    from drift.project.settings import ScanSettings

    scan(root, ScanOptions(choose_files(ScanSettings(), choices), choices, jobs=0))
    write(root, "a.py", "def renamed(): pass\n")

    assert ask(HURRIED, "renamed").body["data"] == 1
    assert ask(HURRIED, "left_out").body["data"] == 0


class Server:
    """A server in a process of its own."""

    def __init__(self, root, environ):
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(root)],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def send(self, name):
        self.process.stdin.write(f"{name}\n")
        self.process.stdin.flush()

    def receive(self):
        return self.process.stdout.readline().split()

    def leave(self):
        self.process.stdin.close()
        self.process.wait(300)
        self.process.stdout.close()


@pytest.mark.slow
def test_two_servers_at_once_share_one_first_scan(root, environ):
    write(root, "a.py", "def first(): pass\n")
    servers = [Server(root, environ), Server(root, environ)]
    try:
        for server in servers:
            server.send("first")
        first = [server.receive() for server in servers]
        generation = read_index_state(root / ".drift/drift.db").generation
        write(root, "a.py", "def second(): pass\n")
        for server in servers:
            server.send("second")
        second = [server.receive() for server in servers]
    finally:
        for server in servers:
            server.leave()

    assert first == [["fresh", "1"], ["fresh", "1"]]
    assert second == [["fresh", "1"], ["fresh", "1"]]
    assert read_index_state(root / ".drift/drift.db").generation > generation


def test_a_scan_ends_with_its_server(root, environ):
    from drift.pipeline.scan_process import ScanProcess

    for number in range(300):
        write(root, f"new{number}.py", "def name(): pass\n")
    process = ScanProcess(root, environ)

    process.kill()

    assert not process.is_running
    assert process.error is not None
    assert not read_index_state(root / ".drift/drift.db").layers >= {Layer.CALLS}


def test_an_update_that_takes_long_goes_on_beside_the_answers(root, runtime_with, environ, monkeypatch):
    may_go_on = threading.Event()
    really_update = auto_fresh.update_project

    def update_slowly(*given, **named):
        may_go_on.wait()
        really_update(*given, **named)

    monkeypatch.setattr(auto_fresh, "update_project", update_slowly)
    write(root, "a.py", "def first(): pass\n")
    scan(root, ONE_PROCESS)
    write(root, "a.py", "def second(): pass\n")
    fresh = AutoFreshener(environ, Patience(update_seconds=0.05))
    runtime = runtime_with(make_tool(names, needs=Layer.CALLS), environ=environ, freshener=fresh)

    async def ask_all():
        early = [await runtime.call("names", {}) for _ in range(3)]
        may_go_on.set()
        fresh._patience = Patience()  # on a busy machine every look may take longer than the time till now
        while (late := await runtime.call("names", {})).meta.freshness != "fresh":  # noqa: ASYNC110 -- no event tells of it
            await asyncio.sleep(0.01)  # the update needs the interpreter, too
        return early, late

    early, late = asyncio.run(ask_all())

    # A look may be over the time as well, on a busy machine.
    assert {each.meta.freshness for each in early} <= {"stale", "unknown"}
    assert not any("second" in str(each.body["data"]) for each in early)
    assert "second" in str(late.body["data"])


def test_time_spent_on_a_fresh_index_counts_and_leaves_a_tool_half():
    assert [time_left(20, spent) for spent in (0, 4, 10, 45)] == [20, 16, 10, 10]
