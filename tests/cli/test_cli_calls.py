"""Tools on the command line, in processes of their own: the paths people walk."""

import json

import pytest

from drift import __version__
from drift.cli.exits import Exit


def test_version_tells_what_runs(place):
    shown = place.spawn("version")
    as_json = json.loads(place.spawn("version", "--json").out)

    assert shown.out.startswith(f"drift {__version__} (Python 3.")
    assert as_json["version"] == __version__
    assert as_json["name"] == "drift-mcp"


def test_status_as_json_is_the_whole_answer(place):
    result = place.spawn("status", "--json")

    answer = json.loads(result.out)
    assert result.code == Exit.OK
    assert answer["data"]["project"]["root"] == str(place.project)
    assert answer["meta"]["requestId"]


def test_status_for_a_person_is_tables_and_lines(place):
    result = place.spawn("status")

    assert result.code == Exit.OK
    assert result.out.startswith("shop (python): not scanned yet")
    assert str(place.project) in result.out
    assert "python    high" in result.out


@pytest.mark.parametrize("name", ["files-list", "files_list", "drift_files_list"])
def test_a_command_is_found_however_its_words_are_joined(place, name):
    result = place.run(name, "--help")

    assert result.code == Exit.OK
    assert "files-list" in result.out


def test_a_project_is_added_by_a_relative_path_and_listed(place):
    added = place.spawn("projects", "add", ".", "--name", "my shop")
    listed = json.loads(place.spawn("projects", "--json").out)

    assert added.code == Exit.OK
    assert [entry["name"] for entry in listed["data"]["projects"]] == ["my shop"]
    assert [entry["path"] for entry in listed["data"]["projects"]] == [str(place.project)]


def test_another_project_is_asked_about_by_path_and_by_name(place, tmp_path):
    other = tmp_path / "warehouse"
    other.mkdir()
    place.run("projects", "add", str(other))

    by_path = place.run("status", "--project", "../warehouse", "--json")
    by_name = place.run("status", "--project", "warehouse", "--json")

    assert json.loads(by_path.out)["data"]["project"]["root"] == str(other.resolve())
    assert json.loads(by_name.out)["data"]["project"]["root"] == str(other.resolve())


def test_outside_of_any_project_the_active_one_is_meant(place, tmp_path):
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    place.run("projects", "add", ".", "--name", "shop")
    place.run("projects", "switch", "shop")

    result = place.run("status", "--json", cwd=nowhere)

    assert json.loads(result.out)["data"]["project"]["root"] == str(place.project)
    assert "the active one, shop" in result.err


def test_inside_a_project_the_active_one_never_counts(place, tmp_path):
    other = tmp_path / "warehouse"
    other.mkdir()
    place.run("projects", "add", str(other))
    place.run("projects", "switch", "warehouse")

    assert json.loads(place.run("status", "--json").out)["data"]["project"]["name"] == "shop"


def test_call_takes_pairs_typed_by_the_schema(place):
    result = place.run("call", "drift_status", "metrics=true", "max-tokens=5000", "--json")

    assert "metrics" in json.loads(result.out)["data"]


@pytest.mark.parametrize("name", ["drift_setup", "setup"])
def test_call_takes_json_a_file_or_a_pipe(place, name):
    (place.project / "arguments.json").write_text('{"action": "status"}')

    direct = place.run("call", name, "--args", '{"action": "status"}', "--json")
    from_file = place.run("call", name, "--args", "@arguments.json", "--json")
    from_pipe = place.run("call", name, "--args", "-", "--json", stdin=b'{"action": "status"}')

    answers = [json.loads(result.out)["data"] for result in (direct, from_file, from_pipe)]
    assert answers[0] == answers[1] == answers[2]


def test_pairs_add_to_the_json(place):
    result = place.run("call", "drift_discover", "--args", '{"section": "tools"}', "category=setup", "--json")

    assert {row["category"] for row in json.loads(result.out)["data"]["tools"]} == {"setup"}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nothing_like_it"], Exit.FAILED, "TOOL_NOT_FOUND"),
        (["drift_status", "metrics"], Exit.USAGE, "no key=value pair"),
        (["drift_status", "metrics=perhaps"], Exit.USAGE, "allowed: true or false"),
        (["drift_status", "metrics=true", "metrics=false"], Exit.USAGE, "given twice"),
        (["drift_status", "--args", "{"], Exit.USAGE, "is no JSON"),
        (["drift_status", "--args", "[]"], Exit.USAGE, "must be a JSON object"),
        (["drift_status", "--args", "@missing.json"], Exit.USAGE, "cannot be read"),
        (["drift_status", "--args", "@."], Exit.USAGE, "cannot be read"),
        (["drift_status", "colour=red"], Exit.FAILED, "takes no such argument"),
        (["drift_status", "--server", "memory"], Exit.FAILED, "TOOL_NOT_FOUND"),
        (["drift_memory_get", "id=m_nope"], Exit.FAILED, "RESOURCE_NOT_FOUND"),
    ],
)
def test_a_wrong_call_says_why(place, words, code, message):
    result = place.run("call", *words)

    assert result.code == code
    assert message in result.err
    assert result.out == ""


def test_arguments_that_are_too_large_are_refused_unread(place):
    result = place.run("call", "drift_status", "--args", "-", stdin=b" " * 2_000_000)

    assert result.code == Exit.FAILED
    assert "TOO_LARGE" in result.err


def test_arguments_that_are_no_text_are_refused(place):
    assert "not UTF-8" in place.run("call", "drift_status", "--args", "-", stdin=b"\xff\xfe{}").err


def test_an_action_style_name_finds_the_server_that_has_its_tools(place):
    result = place.run("call", "drift_memory", "action=discover")

    assert result.code == Exit.OK
    assert "memory tools" in result.out


def test_a_language_that_the_project_has_not_is_said(place):
    assert "has no Python" in place.run("call", "drift_language", "language=python").out


def test_a_batch_is_given_as_json(place):
    result = place.run("batch", '[{"tool": "drift_status"}, {"tool": "nothing"}]', "--json")

    assert json.loads(result.out)["data"]["failed"] == 1


def test_next_steps_are_commands_that_work(place):
    suggested = [
        line.split("#")[0].split()[1:]
        for line in place.run("capabilities").out.splitlines()
        if line.startswith("  drift ")
    ]

    assert suggested
    assert all(place.run(*words).code == Exit.OK for words in suggested)


def test_init_sets_the_project_up_and_says_what_comes_next(place):
    first = place.spawn("init", "--name", "corner shop", "--yes")
    again = json.loads(place.run("init", "--yes", "--json").out)

    assert first.code == Exit.OK
    assert "corner shop is set up" in first.out
    assert "drift install" in first.out
    assert (place.project / ".drift" / ".gitignore").is_file()
    assert again["data"]["state"]["isRegistered"]
    assert again["data"]["done"] == []


def test_init_can_leave_the_list_of_projects_alone(place):
    place.run("init", "--no-register", "--yes")

    assert json.loads(place.run("projects", "--json").out)["data"]["projects"] == []


def test_init_asks_on_a_terminal(place):
    result = place.run("init", is_screen=True, stdin=b"typed name\nn\n")

    assert result.code == Exit.OK
    assert "Project name [shop]:" in result.err
    assert 'name = "typed name"' in (place.project / "drift.toml").read_text()
    assert json.loads(place.run("projects", "--json").out)["data"]["projects"] == []


def test_init_of_a_place_that_is_not_there_says_so(place):
    result = place.run("init", "missing")

    assert result.code == Exit.FAILED
    assert "PROJECT_NOT_FOUND" in result.err


def test_tools_lists_every_tool_of_every_server(place):
    listed = json.loads(place.run("tools", "--json").out)["tools"]
    shown = place.run("tools").out

    assert {row["server"] for row in listed} == {"analysis", "memory", "catalog"}
    assert all(row["name"] in shown for row in listed)
    assert all(place.run(*row["command"].split()[1:], "--help").code == Exit.OK for row in listed)


def test_tools_tells_all_about_one(place):
    shown = place.run("tools", "projects").out
    detail = json.loads(place.run("tools", "drift_projects", "--json").out)

    assert "--new-name" in shown
    assert "example: drift projects list" in shown
    assert detail["usage"].startswith("drift projects")
    assert detail["inputSchema"]["properties"]["newName"]


def test_tools_answers_an_unknown_name_with_the_nearest(place):
    result = place.run("tools", "projcts")

    assert result.code == Exit.FAILED
    assert "drift_projects" in result.err
