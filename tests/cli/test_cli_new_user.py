"""What somebody meets who has just installed Drift: help, nothing to scan, damaged stores, a wrong word."""

import json

import pytest

from drift.cli.checks import Verdict
from drift.cli.checks.project import check_project
from drift.cli.exits import Exit
from drift.cli.project_choice import open_registry
from store_places import memory_db

WITH_OWN = {"DRIFT_CORTEX_USER_STORE": "true"}.items()


def examine_project(place):
    findings = check_project(place.project, place.environ, open_registry(place.console()))
    return {finding.name: finding for finding in findings}


@pytest.mark.parametrize(
    ("command", "name"),
    [("install", "Claude Code, Cursor, VS Code"), ("serve", "MCP over HTTP"), ("call", "JSON")],
)
def test_help_writes_names_as_they_are_written(place, command, name):
    assert name in place.run(command, "--help").out


def test_the_overview_says_what_is_wrong_with_the_index_in_a_sentence_of_its_own(place):
    state = place.project / ".drift"
    state.mkdir()
    (state / "drift.db").write_text("no database at all")

    said = place.run(environ={"DRIFT_SCAN_AUTO": "false"}).out

    assert ".." not in said
    assert "; the index cannot be used: " in said
    assert "drift scan" in said


def test_drift_alone_reads_the_project_and_shows_how_it_stands_and_three_steps(place):
    (place.project / "shop.py").write_text("def sell():\n    return 1\n\n\ndef main():\n    sell()\n")

    first, again = place.run().out, place.run().out

    assert "Health " in first
    assert "measured" in again  # what was kept is shown, not measured anew
    assert first.rstrip().count("\n  drift ") == 3
    assert "drift context" in first


def test_drift_alone_reads_nothing_where_there_is_no_project(place, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()

    said = place.run(cwd=empty).out

    assert "Health" not in said
    assert "drift find" in said
    assert not (empty / ".drift").exists()


def test_a_scan_that_finds_nothing_says_what_drift_reads_instead_of_what_to_ask(place):
    (place.project / "pyproject.toml").unlink()

    said = place.run("scan").out

    assert "python, " in said
    assert "drift find" not in said


def test_a_scan_that_finds_code_says_what_to_ask(place):
    (place.project / "shop.py").write_text("def sell(): ...\n")

    assert "drift find" in place.run("scan").out


def test_the_doctor_tells_to_scan_where_the_index_cannot_be_used(place):
    state = place.project / ".drift"
    state.mkdir()
    (state / "drift.db").write_text("no database at all")

    assert examine_project(place)["index"].fix.startswith("Run: drift scan")
    assert place.run("scan").code == Exit.OK
    assert examine_project(place)["index"].verdict is Verdict.OK


def test_the_doctor_counts_the_memories(place):
    assert examine_project(place)["memory"].detail == "nothing saved yet"
    place.run("memory", "save", "retries are capped at two")

    assert examine_project(place)["memory"].detail == "1 memory"


def test_the_doctor_finds_damaged_memories_and_says_how_to_get_at_them(place):
    store = memory_db(place.project, place.environ)
    store.parent.mkdir(parents=True)
    store.write_text("no database at all")

    found = examine_project(place)["memory"]

    assert found.verdict is Verdict.FAIL
    assert "drift memory salvage" in found.fix


def test_the_doctor_leaves_memories_that_are_switched_off_alone(place):
    (place.project / "drift.toml").write_text("[cortex]\nenabled = false\n")

    assert "off" in examine_project(place)["memory"].detail


def test_the_doctor_names_instructions_that_cannot_be_read(place):
    place.run("instructions", "add", "use-uv", "--body", "Install packages with uv.")
    assert examine_project(place)["instructions"].detail == "1 instruction"
    (place.project / ".drift" / "instructions" / "broken.json").write_text("{")

    found = examine_project(place)["instructions"]

    assert found.verdict is Verdict.WARN
    assert "broken.json" in found.detail


def test_one_s_own_memories_have_the_same_flag_in_every_verb_that_knows_them(place):
    place.run("memory", "add", "--user", "commit messages are short", environ=WITH_OWN)

    for verb in ("status", "health"):
        answer = place.run("memory", verb, "--user", "--json", environ=WITH_OWN)

        assert json.loads(answer.out)["data"]["scope"] == "user", verb


def test_an_export_of_one_s_own_memories_is_taken_in_again_as_such(place):
    place.run("memory", "add", "--user", "commit messages are short", environ=WITH_OWN)

    said = place.run("memory", "export", "--user", "mine.json", environ=WITH_OWN).out

    assert "drift memory import mine.json --scope user" in said


def test_a_wrong_option_of_a_memory_verb_points_to_the_help_of_that_verb(place):
    result = place.run("memory", "hygiene", "--nonsense")

    assert result.code == Exit.USAGE
    assert "drift memory hygiene --help" in result.err


def test_a_document_that_is_named_and_cannot_be_read_is_an_error(place):
    (place.project / "bytes.md").write_bytes(b"\xff\xfe not text")

    missing = place.run("memory", "ingest", "nowhere.md")
    unreadable = place.run("memory", "ingest", "bytes.md")

    assert (missing.code, unreadable.code) == (Exit.FAILED, Exit.FAILED)
    assert "nowhere.md" in missing.err
    assert "bytes.md is not UTF-8" in unreadable.err
    assert "codec" not in unreadable.err


def test_recall_as_a_command_takes_words_as_its_verb_does(place):
    place.run("memory", "save", "retries are capped at two")

    assert "retries are capped" in place.run("recall", "retries").out


def test_an_instruction_is_removed_by_its_id_and_a_wrong_id_removes_none(place):
    place.run("instructions", "add", "use-uv", "--body", "Install packages with uv.")

    refused = place.run("instructions", "remove", "use-uv", "use-pip")
    assert refused.code == Exit.FAILED
    assert "use-pip" in refused.err
    assert "use-uv" in place.run("instructions", "list").out

    assert place.run("instructions", "remove", "use-uv").code == Exit.OK
    assert "use-uv" not in place.run("instructions", "list").out


def test_what_pruning_would_do_is_not_told_as_done(place):
    page = place.project / "AGENTS.md"
    page.write_text("# Rules\n\n## Style\nUse tabs.\n\n## Tests\nUse tables.\n")
    place.run("instructions", "sync", "--import", "--apply")
    page.write_text("# Rules\n\n## Style\nUse tabs.\n")

    planned = place.run("instructions", "sync", "--import", "--prune").out
    done = place.run("instructions", "sync", "--import", "--prune", "--apply").out

    assert "1 gone from their files and to be removed; nothing was written" in planned
    assert "1 gone from their files and removed" in done


def test_a_word_that_was_left_out_is_told_with_the_order_of_all(place):
    said = place.run("imports", "Cart").err

    assert "It takes: drift imports " in said


def test_serving_the_network_names_the_options_that_allow_it(place):
    said = place.run("serve", "--host", "0.0.0.0").err

    assert "--tokens" in said
    assert "--insecure" in said


def test_memories_without_edges_are_not_counted_as_none(place):
    place.run("memory", "save", "retries are capped at two")

    assert "0 memories" not in place.run("memory", "graph").out


def test_dead_code_that_is_unsure_is_offered_where_nothing_is_sure(place):
    (place.project / "shop.py").write_text('def _sell(): ...\n\n\nHANDLERS = ["_sell"]\n')

    answer = json.loads(place.run("dead-code", "--json").out)

    assert answer["data"]["byLevel"]["low"] > 0
    assert not answer["data"]["symbols"]
    assert answer["nextActions"][0]["args"] == {"minLevel": "low"}


def test_a_question_about_a_folder_without_code_says_that_there_is_none(place):
    (place.project / "pyproject.toml").unlink()
    (place.project / "notes.txt").write_text("nothing to run")

    result = place.run("callers", "pay")

    assert "no source file here" in result.err
