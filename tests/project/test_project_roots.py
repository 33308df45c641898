from pathlib import Path

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.project.roots import find_root


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def environ(home):
    return {"HOME": str(home)}


def make(directory: Path, *names: str) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    for name in names:
        if name.endswith("/"):
            (directory / name).mkdir()
        else:
            (directory / name).touch()
    return directory


def assert_no_project(*args, **kwargs):
    with pytest.raises(DriftError) as caught:
        find_root(*args, **kwargs)
    assert caught.value.code == ErrorCode.PROJECT_NOT_FOUND
    return caught.value.message


def test_a_given_path_wins_over_everything(home, environ):
    given = make(home / "given")
    around = make(home / "around", ".git/")

    found = find_root(str(given), cwd=around, environ={**environ, "DRIFT_PROJECT_ROOT": str(around)})

    assert found == given


def test_a_given_path_is_relative_to_the_working_directory(home, environ):
    make(home / "work" / "inner")

    assert find_root("inner", cwd=home / "work", environ=environ) == home / "work" / "inner"


def test_a_given_tilde_is_the_home_since_no_shell_expanded_it(home, environ):
    make(home / "shop")

    assert find_root("~/shop", cwd=home, environ=environ) == home / "shop"


def test_links_in_the_given_path_are_resolved(home, environ):
    real = make(home / "real")
    (home / "link").symlink_to(real)

    assert find_root(str(home / "link"), cwd=home, environ=environ) == real


def test_the_variable_wins_over_the_surroundings(home, environ):
    named = make(home / "named")
    around = make(home / "around", ".git/")

    assert find_root(None, cwd=around, environ={**environ, "DRIFT_PROJECT_ROOT": str(named)}) == named


def test_a_blank_variable_counts_as_unset(home, environ):
    around = make(home / "around", ".git/")

    assert find_root(None, cwd=around, environ={**environ, "DRIFT_PROJECT_ROOT": " "}) == around


@pytest.mark.parametrize("marker", [".git/", ".git", "drift.toml", ".drift/"])
def test_a_boundary_above_wins_over_a_nearer_manifest(home, environ, marker):
    repo = make(home / "repo", marker)
    package = make(repo / "packages" / "cart", "package.json")

    assert find_root(None, cwd=package, environ=environ) == repo


def test_the_nearest_boundary_wins(home, environ):
    make(home / "repo", ".git/")
    part = make(home / "repo" / "part", "drift.toml")

    assert find_root(None, cwd=make(part / "src"), environ=environ) == part


@pytest.mark.parametrize(
    "manifest", ["go.mod", "build.gradle.kts", "Shop.csproj", "Shop.sln", "CMakeLists.txt"]
)
def test_without_a_boundary_the_nearest_manifest_wins(home, environ, manifest):
    make(home / "outer", "package.json")
    inner = make(home / "outer" / "inner", manifest)

    assert find_root(None, cwd=make(inner / "src" / "deep"), environ=environ) == inner


def test_without_any_marker_the_working_directory_is_the_project(home, environ):
    plain = make(home / "plain")

    assert find_root(None, cwd=plain, environ=environ) == plain


def test_markers_in_the_home_directory_do_not_make_it_the_project(home, environ):
    make(home, ".git/", "package.json", ".drift/")
    plain = make(home / "notes" / "today")

    assert find_root(None, cwd=plain, environ=environ) == plain


def test_nothing_above_the_home_directory_is_found(home, environ):
    make(home.parent, ".git/")
    plain = make(home / "plain")

    assert find_root(None, cwd=plain, environ=environ) == plain


def test_started_in_the_home_directory_it_is_the_project(home, environ):
    assert find_root(None, cwd=home, environ=environ) == home


def test_the_top_of_the_file_system_is_only_the_project_when_started_there():
    assert find_root(None, cwd=Path("/"), environ={}) == Path("/")


def test_a_user_wide_directory_called_dot_drift_is_no_marker(home, environ):
    make(home / "data", ".drift/")
    plain = make(home / "data" / "plain")

    found = find_root(None, cwd=plain, environ={**environ, "DRIFT_HOME": str(home / "data" / ".drift")})

    assert found == plain


@pytest.mark.parametrize("given", ["", "  ", "gone", "a\0b", "x" * 5000, "../" * 50 + "gone"])
def test_a_path_that_leads_nowhere_is_refused(home, environ, given):
    assert_no_project(given, cwd=home, environ=environ)


def test_a_file_is_no_project(home, environ):
    make(home, "file.txt")

    assert "not an existing directory" in assert_no_project("file.txt", cwd=home, environ=environ)


def test_a_variable_the_client_left_in_the_path_is_pointed_out(home, environ):
    message = assert_no_project("${workspaceFolder}", cwd=home, environ=environ)

    assert "did not replace" in message


def test_a_variable_naming_nothing_is_refused_rather_than_passed_over(home, environ):
    around = make(home / "around", ".git/")

    message = assert_no_project(None, cwd=around, environ={**environ, "DRIFT_PROJECT_ROOT": "/no/such/place"})

    assert "DRIFT_PROJECT_ROOT" in message


def test_a_working_directory_that_was_deleted_is_refused(home, environ):
    assert_no_project(None, cwd=home / "deleted", environ=environ)
