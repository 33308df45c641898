"""Whose word counts on where a team keeps what it learns, and what of it is told."""

import os

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.sharing import place_of, unshare
from drift.project import load_config, open_project
from drift.project.stores import find_stores

ADDRESS = "postgresql://ann:s3cr3t@db.example.org/drift"


@pytest.fixture
def places(tmp_path):
    """Where the stores of a project are kept with an environment and settings of the user."""
    known = []

    def find(settings="", *, home="home", project="shop", **environ):
        root, folder = tmp_path / project, tmp_path / home
        root.mkdir(exist_ok=True)
        folder.mkdir(exist_ok=True)
        (folder / "settings.toml").write_text(settings.replace("ROOT", str(root)))
        stores = find_stores(root, {"DRIFT_HOME": str(folder), **environ})
        known.extend(stores.precious.values())
        return {name: place_of(path) for name, path in stores.precious.items()}

    yield find
    unshare(known)


def test_files_are_used_unless_the_user_names_a_database(places):
    assert set(places().values()) == {None}
    assert set(places("[team]\nname = 'blue'").values()) == {None}


@pytest.mark.parametrize(
    "settings",
    [
        f"[team]\ndatabase = '{ADDRESS}'\nname = 'blue'\n[projects.'ROOT'.team]\nproject = 'shop'",
        f"[projects.'ROOT'.team]\ndatabase = '{ADDRESS}'\nname = 'blue'\nproject = 'shop'",
    ],
)
def test_settings_of_the_user_name_database_team_and_project(places, settings):
    found = places(settings)

    assert {name: each.schema for name, each in found.items()} == {
        name: f"drift_blue_shop_{name}" for name in ("memory", "catalog", "state")
    }
    assert {name: each.store for name, each in found.items()} == {name: name for name in found}
    assert "s3cr3t" not in repr(found)


def test_a_project_that_nobody_named_is_one_of_its_own_also_at_the_same_place_elsewhere(places):
    variables = {"DRIFT_TEAM_DATABASE": ADDRESS}
    here, other = places(**variables), places(**variables, project="other")
    elsewhere = places(**variables, home="another-home")

    assert len({each["memory"].schema for each in (here, other, elsewhere)}) == 3
    assert places(**variables) == here


def test_what_was_shared_is_in_files_again_when_nobody_says_so_any_more(places):
    places(DRIFT_TEAM_DATABASE=ADDRESS)

    assert set(places().values()) == {None}


def test_a_repository_cannot_say_where_memories_go(tmp_path):
    (tmp_path / "drift.toml").write_text(f"[team]\ndatabase = '{ADDRESS}'\nproject = 'victim'\n")

    project = open_project(tmp_path, os.environ)

    assert {place_of(path) for path in project.stores.precious.values()} == {None}
    assert "team.database" in " ".join(project.notes)
    assert "s3cr3t" not in " ".join(project.notes)


@pytest.mark.parametrize(
    "settings",
    [
        "[team]\ndatabase = 'mysql://ann:s3cr3t@db/drift'",
        f"[team]\ndatabase = ['{ADDRESS}']",
        f"[team]\ndatabase = '{ADDRESS}'\nproject = 'one-for-all'",
        f"[team]\ndatabase = '{ADDRESS}'\nproject = 'for_all'",
        f"[team]\ndatabase = '{ADDRESS}'\n[cortex]\ndb_path = 'elsewhere.db'",
        f"[team]\ndatabase = '{ADDRESS}'\nname = 'a_b'",
    ],
)
def test_settings_that_are_wrong_are_told_without_what_is_secret(places, settings):
    with pytest.raises(DriftError) as caught:
        places(settings)

    assert caught.value.code is ErrorCode.CONFIG_INVALID
    assert "s3cr3t" not in f"{caught.value} {caught.value.as_wire()}"


def test_a_wrong_variable_is_told_without_what_is_secret(tmp_path):
    with pytest.raises(DriftError) as caught:
        load_config(tmp_path, {"DRIFT_TEAM_DATABASE": "ann:s3cr3t@db", "DRIFT_HOME": str(tmp_path)})

    assert "DRIFT_TEAM_DATABASE" in caught.value.message
    assert "s3cr3t" not in f"{caught.value} {caught.value.as_wire()}"
