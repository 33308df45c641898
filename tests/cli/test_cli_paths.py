"""Paths as a person names them: from where they stand."""

import subprocess
import sys

import pytest

from drift.cli.calling import settle_paths
from drift.cli.exits import Exit
from drift.cli.project_choice import find_standing, looks_like_path, open_registry
from drift.kernel.answer import Answer
from drift.registry import Call, ProjectFile, definition_of, tool
from drift.tools import all_tools


@tool(category="surgical", title="Look", tokens=(1, 2))
def drift_look(call: Call, file: ProjectFile, path: str | None = None) -> Answer[str]:
    """Look at a file."""
    return Answer(f"{file} {path}", str(call))


LOOK = definition_of(drift_look)


@pytest.fixture
def inner(place):
    folder = place.project / "src"
    folder.mkdir()
    (folder / "app.py").touch()
    return folder


def settle(place, cwd, tool=LOOK, **arguments):
    return settle_paths(tool, arguments, place.console(cwd=cwd), root=place.project)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("app.py", "src/app.py"),
        ("../src/app.py", "src/app.py"),
        ("src/app.py", "src/app.py"),
        ("missing.py", "missing.py"),
        ("../../elsewhere", "../../elsewhere"),
        ("bad\0name", "bad\0name"),
        ("", ""),
    ],
)
def test_a_file_of_the_project_is_named_from_the_working_directory(place, inner, given, meant):
    assert settle(place, inner, file=given)["file"] == meant


def test_an_absolute_path_into_the_project_is_understood(place, inner):
    assert settle(place, inner, file=str(inner / "app.py"))["file"] == "src/app.py"


def test_a_file_outside_of_the_project_is_left_for_the_pipeline_to_refuse(place, inner):
    outside = place.home / "secret"
    outside.touch()

    assert settle(place, inner, file=str(outside))["file"] == str(outside)


def test_a_place_on_this_machine_becomes_absolute(place, inner):
    projects = all_tools().get("drift_projects")

    assert settle(place, inner, projects, path=".")["path"] == str(inner)
    assert settle(place, inner, projects, path="~/x")["path"] == str(place.home / "x")
    assert settle(place, inner, projects, path="/x")["path"] == "/x"


@pytest.mark.parametrize(
    ("name", "arguments", "meant"),
    [
        ("drift_dead_code", {"path": "."}, {"path": "src"}),
        ("drift_explain", {"target": "app.py:3"}, {"target": "src/app.py:3"}),
        ("drift_explain", {"target": "app"}, {"target": "app"}),
        ("drift_test_topology", {"files": ["app.py", "Cart"]}, {"files": ["src/app.py", "Cart"]}),
    ],
)
def test_what_a_question_is_about_is_named_from_the_working_directory(place, inner, name, arguments, meant):
    (inner / "app").mkdir()

    assert settle(place, inner, all_tools().get(name), **arguments) == meant


@pytest.mark.parametrize(
    ("text", "is_path"), [(".", True), ("..", True), ("a/b", True), ("~", True), ("shop", False)]
)
def test_a_project_is_named_by_place_or_by_name(text, is_path):
    assert looks_like_path(text) is is_path


def test_a_home_with_the_user_wide_directory_is_no_project(place):
    (place.home / ".drift").mkdir()
    console = place.console(cwd=place.home)
    projects = open_registry(console)
    projects.add(place.project, "shop")
    projects.switch("shop")

    assert find_standing(console, projects) == place.project


def test_closed_streams_are_no_fault_of_ours(place):
    command = f"{sys.executable} -P -m drift call drift_status --args - <&- 2>&1"

    done = subprocess.run(
        ["bash", "-c", command],
        cwd=place.project,
        env=place.environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == Exit.USAGE
    assert "args: is no JSON" in done.stdout


def test_a_working_directory_that_is_gone_is_told(place, tmp_path):
    result = place.run("status", cwd=tmp_path / "gone")

    assert "PROJECT_NOT_FOUND" in result.err
