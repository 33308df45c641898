"""The doctor, and the parts of it that look at broken things."""

import json
import os
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime

import pytest

from drift.catalog import Catalog
from drift.cli.checks import Verdict
from drift.cli.checks.clients import check_clients
from drift.cli.checks.conversation import ConversationError, converse
from drift.cli.checks.finding import warn
from drift.cli.checks.machine import check_machine
from drift.cli.checks.project import check_project
from drift.cli.checks.server import check_server
from drift.cli.checks.stores import check_stores
from drift.cli.clients import Places
from drift.cli.exits import Exit
from drift.cli.project_choice import open_registry
from drift.project import open_project
from drift.state import StateStore

OBEDIENT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    results = {"tools/list": {"tools": %s}, "tools/call": {"isError": %s, "structuredContent": {"summary": "well"}}}
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message"}), flush=True)
    print(json.dumps({"id": message["id"], "result": results.get(message["method"], {})}), flush=True)
"""


def by_name(findings):
    return {finding.name: finding for finding in findings}


def examine_project(place):
    return by_name(check_project(place.project, place.environ, open_registry(place.console())))


def examine_server(place, script, timeout_seconds=300):
    launch = [sys.executable, "-c", script]
    return list(check_server(launch, place.project, place.environ, timeout_seconds=timeout_seconds))


@pytest.mark.slow
def test_a_sound_machine_and_project_pass_with_a_server_tried_in_both_eras(place):
    result = place.spawn("doctor", "--json")

    report = json.loads(result.out)
    checks = {check["name"]: check for check in report["checks"]}
    assert result.code == Exit.OK
    assert report["ok"]
    assert checks["server 2025-06-18"]["verdict"] == "ok"
    assert "drift_status" in checks["server 2026-07-28"]["detail"]
    assert checks["state"]["verdict"] == "warn"
    assert checks["state"]["fix"] == "Run: drift init"
    assert not (place.project / ".drift").exists()


def test_wrong_settings_fail_with_the_key_named(place):
    (place.project / "drift.toml").write_text("[mcp]\nmax_tokens = 1\n")

    finding = examine_project(place)["settings"]

    assert finding.verdict is Verdict.FAIL
    assert "mcp.max_tokens" in finding.detail
    assert finding.fix


def test_settings_of_the_environment_are_named(place):
    checks = by_name(
        check_project(
            place.project, {**place.environ, "DRIFT_MCP_PORT": "81"}, open_registry(place.console())
        )
    )

    assert checks["settings"].detail == "mcp.http_port from DRIFT_MCP_PORT"


def test_settings_that_a_repository_may_not_have_are_told_and_the_rest_holds(place):
    (place.project / "drift.toml").write_text('[project]\nname = "Shop"\n[mcp]\nhttp_host = "0.0.0.0"\n')

    finding = examine_project(place)["settings"]
    status = json.loads(place.run("status", "--json").out)

    assert finding.verdict == Verdict.WARN
    assert "DRIFT_MCP_HTTP_HOST" in finding.detail
    assert any("mcp.http_host" in warning for warning in status["warnings"])
    assert status["data"]["project"]["name"] == "Shop"


def test_a_repository_that_is_not_asked_is_told_with_the_reason(place, tmp_path):
    (place.project / ".git").write_text(f"gitdir: {tmp_path}/another/.git\n")

    finding = examine_project(place)["git repository"]

    assert finding.verdict == Verdict.WARN
    assert "does not name this directory" in finding.detail
    assert "core.worktree" in finding.fix


def test_a_state_directory_that_leads_out_of_the_project_fails(place):
    (place.project / ".drift").symlink_to(place.home)

    assert examine_project(place)["state"].verdict is Verdict.FAIL


def test_a_file_in_the_place_of_the_state_directory_fails(place):
    (place.project / ".drift").write_text("")

    assert examine_project(place)["state"].verdict is Verdict.FAIL


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_project_fails(place):
    place.project.chmod(0o500)

    assert examine_project(place)["state"].verdict is Verdict.FAIL


def test_an_index_that_is_none_is_told_with_where_it_lies(place):
    (place.project / ".drift").mkdir()
    (place.project / ".drift" / "drift.db").write_bytes(b"not a database" * 100)

    finding = examine_project(place)["index"]

    assert finding.verdict is Verdict.WARN
    assert "drift.db" in (finding.fix or "")


def test_a_damaged_list_of_projects_is_told(place):
    (place.home / ".drift").mkdir()
    (place.home / ".drift" / "projects.json").write_text("{")

    assert examine_project(place)["project list"].verdict is Verdict.WARN


def test_projects_that_are_gone_are_told(place, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    open_registry(place.console()).add(gone)
    gone.rmdir()

    finding = examine_project(place)["project list"]

    assert finding.verdict is Verdict.WARN
    assert finding.fix == "Run: drift projects remove gone"


def test_clients_are_connected_or_not_or_cannot_be_read(place):
    (place.home / ".cursor").mkdir()
    (place.home / ".codex").mkdir()
    (place.home / ".codex" / "config.toml").write_text("broken = ")
    (place.project / ".mcp.json").write_text('{"mcpServers": {"drift-analysis": {}}}')
    (place.home / ".claude").mkdir()
    places = Places.of({**place.environ, "PATH": ""}, place.project)

    checks = by_name(check_clients(places))

    assert checks["client cursor"].fix == "Run: drift install cursor"
    assert "cannot be read" in checks["client codex"].detail
    assert checks["client claude-code"].verdict is Verdict.OK


def test_a_machine_without_clients_is_no_fault(place):
    findings = list(check_clients(Places.of({**place.environ, "PATH": ""}, place.project)))

    assert [finding.verdict for finding in findings] == [Verdict.OK]


def test_the_machine_is_looked_at_whole():
    checks = by_name(check_machine())

    assert checks["sqlite"].detail == sqlite3.sqlite_version
    assert checks["sqlite fts5"].verdict is Verdict.OK
    assert "mcp 2.3.0" in checks["packages"].detail
    assert "python" in checks["grammars"].detail


def test_a_server_that_answers_passes(place):
    findings = examine_server(place, OBEDIENT % ('[{"name": "t"}]', "False"))

    assert [finding.verdict for finding in findings] == [Verdict.OK, Verdict.OK]
    assert findings[0].detail == "1 tool listed; drift_status: well"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (OBEDIENT % ("[]", "False"), "lists no tools"),
        (OBEDIENT % ('[{"name": "t"}]', "True"), "drift_status failed"),
        ("import sys; sys.exit('no project')", "no project"),
        ("print('hello', flush=True); import sys; sys.stdin.read()", "something else than protocol"),
        ("print('[]', flush=True); import sys; sys.stdin.read()", "something else than protocol"),
        (
            'print(\'{"id": 1, "error": {"code": -1}}\', flush=True); import sys; sys.stdin.read()',
            "was refused",
        ),
    ],
)
def test_a_server_that_misbehaves_fails_with_what_it_did(place, script, reason):
    findings = examine_server(place, script)

    assert [finding.verdict for finding in findings] == [Verdict.FAIL, Verdict.FAIL]
    assert reason in findings[0].detail


def test_a_silent_server_is_given_up(place):
    script = "import sys\nfor line in sys.stdin: pass"

    assert "no answer to initialize in time" in examine_server(place, script, timeout_seconds=0.5)[0].detail


def test_a_program_that_cannot_be_started_is_told(place):
    with (
        pytest.raises(ConversationError, match="could not be started"),
        converse([str(place.home / "missing")], environ={}, timeout_seconds=1),
    ):
        pass


@pytest.mark.slow
def test_failing_checks_make_the_doctor_fail(place):
    (place.project / "drift.toml").write_text("nonsense = 1\n")

    result = place.spawn("doctor")

    assert result.code == Exit.FAILED
    assert "fail  settings" in result.out
    assert "fix:" in result.out


@pytest.mark.slow
def test_wrong_log_levels_are_a_finding_and_not_the_end(place):
    result = place.run("doctor", "--json", environ={"DRIFT_LOG": "loud"})

    assert result.code == Exit.FAILED
    verdicts = {check["name"]: check["verdict"] for check in json.loads(result.out)["checks"]}
    assert verdicts["settings"] == "fail"
    assert verdicts["project"] == "ok"


def test_damage_of_the_catalog_s_store_is_found(place):
    with closing(Catalog.open(place.project, place.environ)) as catalog:
        catalog.add({"id": "use-uv", "body": "Install packages with uv."}, lax=True)
        catalog.feedback.submit(kind="issue", severity="low", title="Second", description="It is slow.")
        path = catalog.places.journal_db
    path.write_bytes(path.read_bytes().replace(b"Second", b"Secont"))

    finding = by_name(check_stores(place.project, place.environ))["instructions"]

    assert finding.verdict is Verdict.WARN
    assert "damaged and left out (feedback " in finding.detail


def test_damage_of_what_was_decided_is_found(place):
    path = open_project(place.project, place.environ).prepare().stores.state_db
    assert by_name(check_stores(place.project, place.environ))["decisions"].verdict is Verdict.OK
    with closing(StateStore(path)) as store:
        store.note_seen(["errors/suffix"], datetime(2026, 6, 1, tzinfo=UTC))
    assert by_name(check_stores(place.project, place.environ))["decisions"].detail == "1 convention"

    path.write_bytes(b"no database at all")

    assert by_name(check_stores(place.project, place.environ))["decisions"].verdict is Verdict.FAIL


def test_fix_does_what_needs_no_choice_and_looks_again(place, monkeypatch):
    (place.project / "shop.py").write_text("def sell(): ...\n")
    monkeypatch.setattr(
        "drift.cli.commands.doctor.run_checks",
        lambda console: check_project(place.project, place.environ, open_registry(console)),
    )

    before = json.loads(place.run("doctor", "--json").out)
    result = place.run("doctor", "--fix", "--json")

    report = json.loads(result.out)
    assert {each["name"] for each in before["checks"] if each["mending"]} == {"state", "index"}
    assert report["mended"] == ["state", "index"]
    assert not [each for each in report["checks"] if each["mending"]]
    assert (place.project / ".drift" / "drift.db").is_file()


@pytest.mark.parametrize(("typed", "is_connected"), [("y\n", True), ("\n", False), (None, False)])
def test_fix_connects_a_client_only_if_the_person_says_so(place, monkeypatch, typed, is_connected):
    found = warn("client cursor", "not connected", "Run: drift install cursor", mending=("install", "cursor"))
    monkeypatch.setattr("drift.cli.commands.doctor.run_checks", lambda _console: [found])
    asked = {} if typed is None else {"is_screen": True, "stdin": typed.encode()}

    result = place.run("doctor", "--fix", **asked)

    assert result.code == Exit.OK
    assert (place.project / ".cursor" / "mcp.json").exists() is is_connected
