from datetime import UTC, datetime
from pathlib import Path

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.project import ProjectRegistry, open_project, setup_state
from drift.project.identity import project_id


def test_a_project_is_named_after_its_directory(tmp_path):
    (tmp_path / "shop").mkdir()

    project = open_project(tmp_path / "shop", {})

    assert (project.name, project.root, project.id) == (
        "shop",
        tmp_path / "shop",
        project_id(tmp_path / "shop"),
    )
    assert project.state.path == tmp_path / "shop" / ".drift"


def test_its_settings_may_name_it(tmp_path):
    (tmp_path / "drift.toml").write_text('[project]\nname = "Shop"\n')

    assert open_project(tmp_path, {}).name == "Shop"


def test_opening_writes_nothing(tmp_path):
    open_project(tmp_path, {})

    assert list(tmp_path.iterdir()) == []


def test_a_link_leads_to_the_same_project(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    assert open_project(tmp_path / "link", {}) == open_project(tmp_path / "real", {})


def test_the_top_of_the_file_system_still_has_a_name():
    assert open_project(Path("/"), {}).name == "project"


def test_a_missing_directory_is_no_project(tmp_path):
    with pytest.raises(DriftError) as caught:
        open_project(tmp_path / "gone", {})
    assert caught.value.code == ErrorCode.PROJECT_NOT_FOUND


def test_wrong_settings_are_refused(tmp_path):
    (tmp_path / "drift.toml").write_text("[mcp]\nhttp_port = 'x'\n")

    with pytest.raises(DriftError) as caught:
        open_project(tmp_path, {})
    assert caught.value.code == ErrorCode.CONFIG_INVALID


def test_a_path_setting_starts_at_the_root(tmp_path):
    project = open_project(tmp_path, {})

    assert project.path_of("mcp.packs.custom_dir") == tmp_path / ".drift/packs"


def test_a_path_from_a_variable_may_lie_anywhere(tmp_path):
    project = open_project(tmp_path, {"DRIFT_CORTEX_DB_PATH": "/var/lib/cortex.db"})

    assert project.memory_db == Path("/var/lib/cortex.db")


def test_a_place_for_memories_that_the_repository_names_is_not_followed(tmp_path):
    (tmp_path / "drift.toml").write_text('[cortex]\ndb_path = "planted.db"\n')

    project = open_project(tmp_path, {})

    assert project.memory_db == project.stores.memory_db
    assert "planted.db" in project.notes[0]


def test_a_path_setting_through_a_link_out_of_the_project_is_refused(tmp_path):
    root = tmp_path / "root"
    (root / ".drift").mkdir(parents=True)
    (root / ".drift" / "packs").symlink_to(tmp_path)

    with pytest.raises(DriftError) as caught:
        open_project(root, {}).path_of("mcp.packs.custom_dir")
    assert caught.value.code == ErrorCode.PATH_OUTSIDE_PROJECT


def test_what_of_the_set_up_cannot_be_looked_at_counts_as_absent(tmp_path):
    registry = ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC))

    # No file system holds such a name, so every look at it fails, as one into a closed folder does.
    state = setup_state(tmp_path / ("x" * 300), registry)

    assert (state.has_state_dir, state.has_config, state.has_index) == (False, False, False)
