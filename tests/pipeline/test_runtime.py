import asyncio
import logging
import threading
import time
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Annotated

import pytest
from pipeline_samples import Rows, make_tool

from drift.index import IndexState, Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import Refreshed
from drift.pipeline.projects import OpenProjects
from drift.project import ProjectRegistry
from drift.registry import (
    WHOLE_PROJECT,
    Call,
    Caller,
    Deprecation,
    Effect,
    InputRequired,
    KnownPath,
    MustExist,
    Outcome,
    ProjectFile,
    Question,
    Scope,
    Tier,
)


def call(runtime, name="drift_sample", arguments=None, **who):
    return asyncio.run(runtime.call(name, arguments or {}, **who))


def test_a_call_goes_through_and_carries_its_meta(runtime_with):
    outcome = call(runtime_with(make_tool()), arguments={"word": "hello"})

    answer = outcome.structured()
    assert answer["summary"] == "got hello"
    assert answer["data"] == {"rows": ["hello"]}
    assert answer["meta"]["cached"] is False
    assert answer["meta"]["freshness"] == "unknown"
    assert answer["meta"]["requestId"] == "analysis-1"
    assert "hello" in outcome.full_text


def test_the_second_identical_call_is_cached(runtime_with):
    runtime = runtime_with(make_tool())
    call(runtime)

    assert call(runtime).meta.cached
    assert runtime.metrics().cache_hit_rate == 0.5


def test_a_tool_is_loaded_by_its_first_call_and_not_where_other_calls_wait(runtime_with):
    sample, loaders = make_tool(), []

    def load():
        loaders.append(threading.current_thread())
        return sample.load()

    runtime = runtime_with(replace(sample, load=load))
    assert loaders == []

    for word in ("hello", "again"):
        assert call(runtime, arguments={"word": word}).structured()["summary"] == f"got {word}"

    assert len(loaders) == 1
    assert threading.current_thread() not in loaders


def test_the_cache_can_be_switched_off(runtime_with):
    runtime = runtime_with(make_tool(), environ={"DRIFT_MCP_CACHE": "false"})
    call(runtime)

    assert not call(runtime).meta.cached


def test_an_unexpected_exception_becomes_a_clean_error_and_the_cause_is_logged(runtime_with, caplog):
    def drift_boom(call: Call) -> Answer[Rows]:
        """Boom."""
        raise RuntimeError("the password is hunter2")

    with caplog.at_level(logging.ERROR):
        outcome = call(runtime_with(make_tool(drift_boom)), "drift_boom")

    assert outcome.code == "INTERNAL_ERROR"
    assert "hunter2" not in outcome.full_text
    assert "hunter2" in caplog.text


def test_an_unknown_tool_raises_for_the_border_to_decide(runtime_with):
    with pytest.raises(DriftError) as caught:
        call(runtime_with(make_tool()), "drift_smaple")

    assert caught.value.recovery.similar == ("drift_sample",)


def test_the_servers_own_root_wins_over_the_globally_active_project(runtime_with, tmp_path):
    def drift_where(call: Call) -> Answer[str]:
        """Where."""
        return Answer(call.project.name, call.project.root.as_posix())

    other = tmp_path / "other"
    other.mkdir()
    runtime = runtime_with(make_tool(drift_where))
    runtime.projects.add(str(other), "other")
    runtime.projects.switch("other")

    assert call(runtime, "drift_where").body["summary"] == "shop"
    assert call(runtime, "drift_where", {"project": "other"}).body["summary"] == "other"
    assert call(runtime, "drift_where", {"project": "othr"}).code == "PROJECT_NOT_FOUND"
    assert call(runtime, "drift_where", {"project": str(tmp_path)}).code == "PROJECT_NOT_FOUND"


def test_a_path_in_another_registered_project_makes_the_call_about_that_one(runtime_with, root, tmp_path):
    def drift_where(call: Call, project_path: KnownPath = WHOLE_PROJECT) -> Answer[str]:
        """Where."""
        return Answer(call.project.name, project_path)

    other, unknown = tmp_path / "other" / "src", tmp_path / "unknown"
    for folder in (other, unknown):
        folder.mkdir(parents=True)
    runtime = runtime_with(make_tool(drift_where))
    runtime.projects.add(str(tmp_path / "other"), "other")

    def where(path, **given):
        return call(runtime, "drift_where", {"project_path": str(path)}, **given)

    assert (where(other).body["summary"], where(other).body["data"]) == ("other", "src")
    assert where(root).body["summary"] == where("./").body["summary"] == "shop"
    refused = where(unknown)
    assert refused.code == "PATH_OUTSIDE_PROJECT"
    assert "drift projects add" in refused.body["command"]
    assert where("../other").code == "PATH_OUTSIDE_PROJECT"
    reader = Caller("reader", frozenset({Scope.READ}))
    assert where(other, caller=reader).code == "PATH_OUTSIDE_PROJECT"


def test_paths_are_proved_to_lie_inside_the_project(runtime_with, root):
    def drift_read(call: Call, file: Annotated[ProjectFile, MustExist()]) -> Answer[str]:
        """Read."""
        return Answer("read", str(file))

    (root / "a.py").write_text("x")
    (root / "link").symlink_to("/etc/passwd")
    runtime = runtime_with(make_tool(drift_read))

    assert call(runtime, "drift_read", {"file": "a.py"}).body["data"] == "a.py"
    assert call(runtime, "drift_read", {"file": str(root / "a.py")}).body["data"] == "a.py"
    assert call(runtime, "drift_read", {"file": "b.py"}).code == "FILE_NOT_FOUND"
    for hostile in ("../x", "/etc/passwd", "link", "a/../../x"):
        assert call(runtime, "drift_read", {"file": hostile}).code == "PATH_OUTSIDE_PROJECT"


def test_a_token_without_the_scope_is_refused_and_audited(runtime_with, caplog):
    runtime = runtime_with(make_tool(scopes=frozenset({Scope.ADMIN})))

    with caplog.at_level(logging.INFO, "drift.audit"):
        refused = call(runtime, caller=Caller("bob", frozenset({Scope.READ})))
        allowed = call(runtime, caller=Caller("ann", frozenset({Scope.ADMIN})))

    assert refused.code == "FORBIDDEN"
    assert refused.body["requiredScopes"] == ["drift:admin"]
    assert not allowed.is_error
    assert "caller=bob" in caplog.text
    assert "caller=ann" not in caplog.text


def test_writes_are_audited_without_their_arguments(runtime_with, caplog):
    with caplog.at_level(logging.INFO, "drift.audit"):
        call(runtime_with(make_tool(effect=Effect.WRITES)), arguments={"word": "s3cret"})

    assert "tool=drift_sample" in caplog.text
    assert "s3cret" not in caplog.text


def test_rate_limits_come_from_the_configuration(runtime_with):
    runtime = runtime_with(make_tool(), environ={"DRIFT_MCP_RATE_LIMIT": "2", "DRIFT_MCP_CACHE": "false"})

    codes = [call(runtime).code for _ in range(3)]

    assert codes == [None, None, "RATE_LIMITED"]
    assert all(
        not call(runtime_with(make_tool(), environ={"DRIFT_MCP_RATE_LIMIT": "0"})).is_error for _ in range(3)
    )


def test_a_deprecated_tool_warns_and_a_removed_one_says_where_to_go(runtime_with):
    leaving = make_tool(deprecation=Deprecation(date(2026, 5, 1), "drift_new"))
    gone = make_tool(deprecation=Deprecation(date(2025, 1, 1), "drift_new"))

    warned = call(runtime_with(leaving))
    refused = call(runtime_with(gone))

    assert "use drift_new" in warned.body["warnings"][0]
    assert refused.code == "TOOL_REMOVED"
    assert refused.body["alternativeTools"] == ["drift_new"]


class FixedIndex:
    def __init__(self, **state):
        self.state = IndexState(exists=True, path=None, **state)

    async def refresh(self, request, project):
        return Refreshed(self.state, "fresh")

    def release(self, project):
        pass

    def close(self):
        pass


def test_an_answer_from_before_a_change_says_how_old_it_is_in_every_form(runtime_with, monkeypatch):
    monkeypatch.setattr("drift.pipeline.cache._LONG_SECONDS", 0.0)
    costly = make_tool(needs=Layer.CALLS, serves_old=lambda _arguments: True)
    index = FixedIndex(layers=frozenset({Layer.CALLS}), generation=7, scanned_at="2026-01-01T00:00:00Z")
    runtime = runtime_with(costly, freshener=index)
    before = call(runtime)
    index.state = replace(index.state, generation=8, scanned_at="2026-01-02T00:00:00Z")

    old = call(runtime)

    assert old.body["data"] == before.body["data"]
    assert (old.meta.freshness, old.meta.data_age, old.meta.cached) == ("stale", "2026-01-01T00:00:00Z", True)
    assert "a new answer is being made" in old.body["warnings"][0]
    assert "a new answer is being made" in old.full_text
    assert "[older than the files (scanned 2026-01-01T00:00:00Z)]" in old.full_text


def test_a_tool_whose_layer_is_missing_asks_for_a_scan(runtime_with):
    needy = make_tool(needs=Layer.CALLS)

    without = call(runtime_with(needy))
    having = call(runtime_with(needy, freshener=FixedIndex(layers=frozenset({Layer.CALLS}), generation=7)))

    assert without.code == "SCAN_REQUIRED"
    assert without.body["command"] == "drift scan"
    assert having.meta.freshness == "fresh"


def test_a_new_index_generation_never_serves_an_old_answer(runtime_with):
    index = FixedIndex(generation=1)
    runtime = runtime_with(make_tool(), freshener=index)
    call(runtime)

    index.state = IndexState(exists=True, path=None, generation=2)

    assert not call(runtime).meta.cached


def test_plain_functions_run_beside_the_event_loop_and_hear_of_cancellation(runtime_with):
    started, ended = threading.Event(), threading.Event()

    def drift_long(call: Call) -> Answer[Rows]:
        """Long."""
        started.set()
        try:
            while True:
                call.check_cancelled()
                time.sleep(0.005)
        finally:
            ended.set()

    async def scenario():
        task = asyncio.create_task(runtime_with(make_tool(drift_long)).call("drift_long", {}))
        await asyncio.to_thread(started.wait, 300)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.to_thread(ended.wait, 300)

    assert asyncio.run(scenario())


def test_work_beyond_its_time_is_ended_with_a_clear_error(runtime_with):
    def drift_slow(call: Call) -> Answer[Rows]:
        """Slow."""
        while True:
            call.check_cancelled()
            time.sleep(0.01)

    outcome = call(
        runtime_with(make_tool(drift_slow), environ={"DRIFT_MCP_CALL_TIMEOUT_SECONDS": "1"}), "drift_slow"
    )

    assert outcome.code == "TIMEOUT"


@pytest.mark.parametrize("name", ["drift_endless", "drift_door"])
def test_long_work_has_no_time_of_its_own_also_through_a_relay_and_ends_when_cancelled(runtime_with, name):
    late, ended = threading.Event(), threading.Event()

    def drift_endless(call: Call) -> Answer[Rows]:
        """Endless."""
        started_at = time.monotonic()
        while not call.cancelled.wait(0.01):
            if time.monotonic() - started_at > 1.2:
                late.set()
        ended.set()
        return Answer("stopped", Rows(()))

    async def drift_door(call: Call) -> Outcome:
        """Door."""
        return await call.dispatch("drift_endless", {})

    async def scenario():
        tools = (make_tool(drift_endless, is_long=True), make_tool(drift_door, tier=Tier.RELAY))
        runtime = runtime_with(*tools, environ={"DRIFT_MCP_CALL_TIMEOUT_SECONDS": "1"})
        task = asyncio.create_task(runtime.call(name, {}))
        was_late = await asyncio.to_thread(late.wait, 300)
        is_waiting = not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return was_late, is_waiting, await asyncio.to_thread(ended.wait, 300)

    assert asyncio.run(scenario()) == (True, True, True)


def test_other_calls_are_answered_while_many_long_ones_run(runtime_with):
    def drift_endless(call: Call) -> Answer[Rows]:
        """Endless."""
        call.cancelled.wait(300)
        return Answer("stopped", Rows(()))

    def drift_short(call: Call) -> Answer[Rows]:
        """Short."""
        return Answer("done", Rows(()))

    async def scenario():
        runtime = runtime_with(make_tool(drift_endless, is_long=True), make_tool(drift_short))
        long = [asyncio.create_task(runtime.call("drift_endless", {})) for _ in range(40)]
        await asyncio.sleep(0)
        outcome = await runtime.call("drift_short", {})
        for task in long:
            task.cancel()
        await asyncio.gather(*long, return_exceptions=True)
        return outcome

    assert not asyncio.run(scenario()).is_error


def test_a_question_to_the_caller_passes_through_uncounted(runtime_with):
    async def drift_ask(call: Call) -> Answer[Rows]:
        """Ask."""
        raise InputRequired(Question("k", "why?", {}))

    runtime = runtime_with(make_tool(drift_ask))

    with pytest.raises(InputRequired):
        call(runtime, "drift_ask")
    assert runtime.metrics().calls == 0


def test_a_relay_counts_once_as_what_it_relays_to(runtime_with):
    async def drift_relay(call: Call, name: str):
        """Relay."""
        return await call.dispatch(name, {"word": "via"})

    relay = make_tool(drift_relay, tier=Tier.RELAY)
    runtime = runtime_with(make_tool(), relay)

    outcome = call(runtime, "drift_relay", {"name": "drift_sample"})

    assert outcome.body["data"] == {"rows": ["via"]}
    assert list(runtime.metrics().by_tool) == ["drift_sample"]
    assert call(runtime, "drift_relay", {"name": "drift_relay"}).code == "INVALID_ARGUMENT"
    assert call(runtime, "drift_relay", {"name": "nope"}).code == "TOOL_NOT_FOUND"
    assert call(runtime, "drift_relay", {"nme": "x"}).is_error


def test_metrics_count_by_tool_category_and_code(runtime_with):
    runtime = runtime_with(make_tool(), environ={"DRIFT_MCP_CACHE": "false"})
    call(runtime)
    call(runtime)
    call(runtime, arguments={"word": 5})

    snapshot = runtime.metrics()

    assert (snapshot.calls, snapshot.errors) == (3, 1)
    assert snapshot.by_tool["drift_sample"].calls == 3
    assert snapshot.by_category == {"surgical": 3}
    assert snapshot.errors_by_code == {"INVALID_ARGUMENT": 1}
    assert snapshot.latency_ms.p50 > 0
    assert snapshot.tokens > 0


def test_a_verbose_server_logs_each_call_without_the_values(runtime_with, caplog):
    runtime = runtime_with(make_tool(), environ={"DRIFT_MCP_ANALYSIS_VERBOSE": "true"})

    with caplog.at_level(logging.INFO, "drift.pipeline.metrics"):
        call(runtime, arguments={"word": "s3cret"})

    assert "drift_sample(word): ok" in caplog.text
    assert "s3cret" not in caplog.text


def test_a_second_level_cache_that_cannot_be_kept_breaks_no_call(runtime_with, root, caplog):
    (root / ".drift").write_text("not a folder")
    runtime = runtime_with(make_tool(), environ={"DRIFT_MCP_CACHE_L2_ENABLED": "true"})

    assert not call(runtime).is_error
    assert call(runtime).meta.cached
    assert caplog.text.count("the second-level cache is off") == 1


def test_an_intent_nobody_knows_is_a_wrong_setting_and_no_fault_of_ours(runtime_with):
    runtime = runtime_with(make_tool(), environ={"DRIFT_MCP_INTENT": "fix_bugs"})

    with pytest.raises(DriftError) as refused:
        runtime.view(runtime.project, Caller())

    assert refused.value.code is ErrorCode.CONFIG_INVALID
    assert refused.value.recovery.similar[0] == "fix_bug"


def test_a_folder_of_packs_that_leads_out_of_the_project_is_reported_and_not_read(
    runtime_with, root, tmp_path
):
    (tmp_path / "elsewhere").mkdir()
    (root / ".drift").mkdir()
    (root / ".drift/packs").symlink_to(tmp_path / "elsewhere")
    runtime = runtime_with(make_tool())

    packs = runtime.packs(runtime.project)

    assert len(packs.by_name) == 6
    assert "leads outside the project" in packs.problems[0]


def test_a_token_reaches_other_projects_only_with_the_admin_scope(runtime_with, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    runtime = runtime_with(make_tool(scopes=frozenset({Scope.READ})))
    runtime.projects.add(str(other), "other")
    reader = Caller("bob", frozenset({Scope.READ}))
    admin = Caller("ann", frozenset({Scope.READ, Scope.ADMIN}))

    assert call(runtime, arguments={"project": "other"}, caller=reader).code == "FORBIDDEN"
    assert call(runtime, arguments={"project": "nope"}, caller=reader).code == "FORBIDDEN"
    assert not call(runtime, arguments={"project": "shop"}, caller=reader).is_error
    assert not call(runtime, arguments={"project": "other"}, caller=admin).is_error


def test_a_project_that_was_named_counts_as_used(runtime_with, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    runtime = runtime_with(make_tool())
    runtime.projects.add(str(tmp_path / "one"), "one")
    runtime.projects.add(str(tmp_path / "two"), "two")

    call(runtime, arguments={"project": "one"})

    assert runtime.projects.recent(1)[0].name == "one"


def test_languages_are_looked_for_again_after_a_minute_or_with_another_index(tmp_path):
    now = [0.0]
    registry = ProjectRegistry(tmp_path / "projects.json", lambda: datetime.now(UTC))
    root = tmp_path / "shop"
    root.mkdir()
    (root / "go.mod").write_text("module shop\n")
    projects = OpenProjects(root, registry, {}, clock=lambda: now[0])

    def seen(generation):
        return {found.language for found in projects.languages(projects.own, generation)}

    assert seen(1) == {"go"}
    (root / "Cargo.toml").write_text("[package]\nname = 'shop'\n")
    assert seen(1) == {"go"}
    assert seen(2) == {"go", "rust"}
    (root / "go.mod").unlink()
    now[0] += 61
    assert seen(2) == {"rust"}


class Pool:
    """Registered projects named a to g, and those that were closed."""

    def __init__(self, tmp_path):
        registry = ProjectRegistry(tmp_path / "projects.json", lambda: datetime.now(UTC))
        for name in ["own", *"abcdefg"]:
            (tmp_path / name).mkdir()
            if name != "own":
                registry.add(str(tmp_path / name), name)
        self.now = 0.0
        self.closed = []
        self.open = OpenProjects(
            tmp_path / "own",
            registry,
            {},
            clock=lambda: self.now,
            on_close=lambda project: self.closed.append(project.name),
        )


def test_of_many_projects_the_five_used_last_stay_open(tmp_path):
    pool = Pool(tmp_path)
    first = {name: pool.open.find(name) for name in "abcde"}

    again = pool.open.find("a")
    pool.open.find("f")

    assert again is first["a"]
    assert pool.closed == ["b"]
    assert pool.open.find("e") is first["e"]


def test_a_project_that_nobody_used_for_half_an_hour_is_closed(tmp_path):
    pool = Pool(tmp_path)
    pool.open.find("a")
    pool.now = 29 * 60
    kept = pool.open.find("b")

    pool.now = 31 * 60
    with pool.open.using(pool.open.own):
        pass

    assert pool.closed == ["a"]
    assert pool.open.find("b") is kept


def test_a_project_that_a_call_is_about_stays_open(tmp_path):
    pool = Pool(tmp_path)
    with pool.open.using(pool.open.find("a")):
        pool.now = 60 * 60
        for name in "bcdefg":
            pool.open.find(name)
        assert "a" not in pool.closed

    pool.now = 2 * 60 * 60
    pool.open.find("b")
    assert "a" in pool.closed


def test_what_a_closed_project_held_is_let_go_of(runtime_with, tmp_path):
    released = []

    class Releasing(FixedIndex):
        def release(self, project):
            released.append(project.name)

    freshener = Releasing(layers=frozenset(), generation=1)
    runtime = runtime_with(make_tool(), freshener=freshener)
    for name in "abcdef":
        (tmp_path / name).mkdir()
        runtime.projects.add(str(tmp_path / name), name)
        call(runtime, arguments={"project": name})

    assert released == ["a"]
