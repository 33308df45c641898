import pytest

from drift.project import values
from drift.project.settings import Config, settings_by_key, settings_table


def test_the_documented_defaults_are_the_defaults():
    config = Config()

    assert config.mcp.analysis_cache_enabled is True
    assert (
        config.mcp.analysis_rate_limit,
        config.mcp.memory_rate_limit,
        config.mcp.expensive_rate_limit,
    ) == (120, 600, 15)
    assert config.mcp.memory_enabled == "auto"
    assert (config.mcp.http_host, config.mcp.http_port, config.mcp.http_cors_origins) == (
        "127.0.0.1",
        3000,
        (),
    )
    assert config.mcp.tool_rate_limits == {}
    assert config.mcp.packs.custom_dir == ".drift/packs"
    assert config.cortex.db_path == ""
    assert (config.log.level, config.log.file) == ("info", "")


def test_the_seed_names_of_variables_are_kept():
    rows = settings_by_key()

    assert rows["mcp.http_port"].env_names == ("DRIFT_MCP_HTTP_PORT", "DRIFT_MCP_PORT")
    assert rows["mcp.analysis_cache_enabled"].env_names == (
        "DRIFT_MCP_ANALYSIS_CACHE_ENABLED",
        "DRIFT_MCP_CACHE",
    )
    assert rows["mcp.analysis_rate_limit"].env_names == (
        "DRIFT_MCP_ANALYSIS_RATE_LIMIT",
        "DRIFT_MCP_RATE_LIMIT",
    )
    assert rows["log.level"].env_names == ("DRIFT_LOG_LEVEL", "DRIFT_LOG")
    assert rows["log.file"].env_names == ("DRIFT_LOG_FILE",)
    assert rows["mcp.packs.disabled"].env_names == ("DRIFT_MCP_PACKS_DISABLED",)


def test_no_two_settings_share_a_variable():
    names = [name for row in settings_table() for name in row.env_names]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("row", settings_table(), ids=lambda row: row.key)
def test_every_row_is_documented_and_its_default_allowed(row):
    default = list(row.default) if isinstance(row.default, tuple) else row.default

    assert row.kind.accept(default) == row.default
    assert row.description[0].isupper() or row.description.startswith("`")
    assert not row.description.endswith(".")
    assert row.kind.allowed
    assert row.kind.type_name


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../up", "a/../../up", "~/x", "C:\\x", "C:x", "\\\\host\\share", "a\\..\\..\\up", "\\x"],
)
def test_a_path_that_could_leave_the_project_does_not_stay_inside(path):
    assert not values.stays_inside(path)


@pytest.mark.parametrize("path", ["", ".drift/packs", "a/b", "..a/b", "a..", "./a"])
def test_a_plain_relative_path_stays_inside(path):
    assert values.stays_inside(path)
