import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drift.kernel.errors import DriftError, ErrorCode
from drift.project.config import load_config
from drift.project.settings import Config, Source, settings_by_key, settings_table


def write(root, text):
    (root / "drift.toml").write_text(text, encoding="utf-8")


def write_user(home, text):
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(text, encoding="utf-8")
    return {"DRIFT_HOME": str(home)}


def refused(root, environ=None):
    with pytest.raises(DriftError) as caught:
        load_config(root, environ or {})
    assert caught.value.code == ErrorCode.CONFIG_INVALID
    return caught.value


def outcome(root, environ):
    try:
        return load_config(root, environ)
    except DriftError as error:
        return error


def test_without_a_file_and_variables_all_is_default(tmp_path):
    config = load_config(tmp_path, {})

    assert config.mcp == Config().mcp
    assert set(config.sources) == {row.key for row in settings_table()}
    assert set(config.sources.values()) == {Source("default")}


def test_a_file_of_the_user_sets_values_of_every_type(tmp_path):
    environ = write_user(
        tmp_path / "home",
        """
        [project]
        name = "Shop"
        [mcp]
        analysis_cache_enabled = false
        analysis_rate_limit = 0
        memory_enabled = true
        tool_rate_limits = { drift_scan = 2, "instructions/dispatch" = 0 }
        http_cors_origins = ["https://example.org", "http://localhost:5173"]
        [mcp.packs]
        disabled = ["refactor"]
        [log]
        level = "debug"
        """,
    )

    config = load_config(tmp_path, environ)

    assert config.project.name == "Shop"
    assert config.mcp.analysis_cache_enabled is False
    assert config.mcp.analysis_rate_limit == 0
    assert config.mcp.memory_enabled is True
    assert config.mcp.tool_rate_limits == {"drift_scan": 2, "instructions/dispatch": 0}
    assert config.mcp.http_cors_origins == ("https://example.org", "http://localhost:5173")
    assert config.mcp.packs.disabled == ("refactor",)
    assert config.log.level == "debug"
    assert config.mcp.memory_rate_limit == 600
    assert config.sources["mcp.memory_enabled"] == Source("user", str(tmp_path / "home" / "settings.toml"))
    assert config.sources["mcp.memory_rate_limit"] == Source("default")


def test_the_example_of_the_specification_loads(tmp_path):
    write(
        tmp_path,
        """
        [mcp]
        analysis_cache_enabled = true
        analysis_cache_l1_size = 200
        analysis_rate_limit = 120          # requests per minute
        analysis_verbose = false
        memory_enabled = true              # Auto-detect Cortex
        memory_rate_limit = 60
        http_port = 3000
        http_cors_origins = ["*"]
        [mcp.packs]
        custom_dir = ".drift/packs"
        disabled = []
        [cortex]
        enabled = "auto"
        db_path = ".drift/memory/cortex.db"
        """,
    )

    config = load_config(tmp_path, {})

    assert config.mcp.memory_rate_limit == 60
    assert config.mcp.http_cors_origins == ()
    assert [text.split()[1] for text in config.refused] == ["mcp.http_cors_origins", "cortex.db_path"]


def test_a_variable_wins_over_the_file_and_is_named_as_the_source(tmp_path):
    write(tmp_path, "[mcp]\nhttp_port = 4000\n")

    config = load_config(tmp_path, {"DRIFT_MCP_PORT": " 5000 "})

    assert config.mcp.http_port == 5000
    assert config.sources["mcp.http_port"] == Source("environment", "DRIFT_MCP_PORT")


def test_the_full_name_wins_over_the_short_one(tmp_path):
    config = load_config(tmp_path, {"DRIFT_MCP_PORT": "1", "DRIFT_MCP_HTTP_PORT": "2"})

    assert config.mcp.http_port == 2


def test_a_blank_variable_counts_as_unset(tmp_path):
    assert load_config(tmp_path, {"DRIFT_MCP_PORT": ""}).mcp.http_port == 3000


@pytest.mark.parametrize(
    ("name", "text", "key", "value"),
    [
        ("DRIFT_MCP_CACHE", "off", "analysis_cache_enabled", False),
        ("DRIFT_MCP_CACHE", "TRUE", "analysis_cache_enabled", True),
        ("DRIFT_MCP_RATE_LIMIT", "0", "analysis_rate_limit", 0),
        ("DRIFT_MCP_MEMORY_ENABLED", "Auto", "memory_enabled", "auto"),
        ("DRIFT_MCP_MEMORY_ENABLED", "no", "memory_enabled", False),
        (
            "DRIFT_MCP_HTTP_CORS_ORIGINS",
            "https://a.org, https://b.org,",
            "http_cors_origins",
            ("https://a.org", "https://b.org"),
        ),
        (
            "DRIFT_MCP_TOOL_RATE_LIMITS",
            "drift_scan=2, drift_why=5",
            "tool_rate_limits",
            {"drift_scan": 2, "drift_why": 5},
        ),
        ("DRIFT_MCP_SURFACE", "full", "surface", "full"),
        ("DRIFT_MCP_STRUCTURED", "Never", "structured", "never"),
    ],
)
def test_variables_are_read_by_the_type_of_their_setting(tmp_path, name, text, key, value):
    assert getattr(load_config(tmp_path, {name: text}).mcp, key) == value


def test_the_log_level_may_be_written_in_any_case_in_a_variable(tmp_path):
    assert load_config(tmp_path, {"DRIFT_LOG": "WARNING"}).log.level == "warning"


@pytest.mark.parametrize("row", settings_table(), ids=lambda row: row.key)
def test_every_setting_can_be_overridden_by_its_variable(tmp_path, row):
    texts = {"boolean": "true", "integer": "101", "path": "/elsewhere", '"auto" or boolean': "true"}
    texts |= {"list of texts": "*" if "origins" in row.key else "pack", "table of integers": "tool=1"}
    texts |= {'"auto" or integer': "3"}
    addresses = ("http_public_url", "auth.issuer", "auth.jwks_url", "auth.introspection_url")
    by_key = {f"mcp.{name}": "https://example.org/x" for name in addresses}
    by_key |= {"log.level": "debug", "mcp.structured": "always"}
    by_key |= {
        "mcp.auth.method": "both",
        "mcp.auth.algorithms": "ES384",
        "team.database": "postgresql://host/name",
    }
    text = by_key.get(row.key) or texts.get(row.kind.type_name, "name")

    config = load_config(tmp_path, {row.env_names[0]: text})

    assert config.sources[row.key] == Source("environment", row.env_names[0])


@pytest.mark.parametrize(
    ("toml", "key"),
    [
        ("[mcp]\nstructured = 'sometimes'", "mcp.structured"),
        ("[mcp]\nstructured = true", "mcp.structured"),
        ("[mcp]\nhttp_port = '3000'", "mcp.http_port"),
        ("[mcp]\nhttp_port = 3000.0", "mcp.http_port"),
        ("[mcp]\nhttp_port = true", "mcp.http_port"),
        ("[mcp]\nhttp_port = 65536", "mcp.http_port"),
        ("[mcp]\nanalysis_rate_limit = -1", "mcp.analysis_rate_limit"),
        ("[mcp]\nanalysis_cache_enabled = 1", "mcp.analysis_cache_enabled"),
        ("[mcp]\nmemory_enabled = 'yes'", "mcp.memory_enabled"),
        ("[mcp]\nmemory_enabled = 1", "mcp.memory_enabled"),
        ("[mcp]\nhttp_cors_origins = '*'", "mcp.http_cors_origins"),
        ("[mcp]\nhttp_cors_origins = ['javascript:alert(1)']", "mcp.http_cors_origins"),
        ("[mcp]\nhttp_cors_origins = ['https://user@host']", "mcp.http_cors_origins"),
        ("[mcp]\ntool_rate_limits = { a = true }", "mcp.tool_rate_limits"),
        ("[mcp]\ntool_rate_limits = { 'a b' = 1 }", "mcp.tool_rate_limits"),
        ("[mcp]\nhttp_host = ''", "mcp.http_host"),
        ("[mcp]\nhttp_port = 2024-01-01", "mcp.http_port"),
        ("[log]\nlevel = 'loud'", "log.level"),
        ('[project]\nname = "a\\nb"', "project.name"),
        ("mcp = 3", "mcp"),
        ("[[mcp]]\nhttp_port = 1", "mcp"),
        ("mcp.packs = []", "mcp.packs"),
    ],
)
def test_a_wrong_value_is_refused_with_key_value_and_what_is_allowed(tmp_path, toml, key):
    write(tmp_path, toml)

    error = refused(tmp_path)

    details = error.recovery.details
    assert details["key"] == key
    assert details["allowed"]
    assert details["found"] in error.message
    assert f"drift.toml: {key} is" in error.message


@pytest.mark.parametrize("text", ["abc", "-1", "70000", "1_000", "٣", "9" * 10_000])
def test_a_wrong_variable_is_refused_by_its_own_name(tmp_path, text):
    error = refused(tmp_path, {"DRIFT_MCP_PORT": text})

    assert error.message.startswith("DRIFT_MCP_PORT: mcp.http_port is")
    assert len(error.message) < 300


def test_a_misspelt_key_is_refused_with_the_right_spelling(tmp_path):
    write(tmp_path, "[mcp]\nanalysis_rate_limt = 5\n")

    error = refused(tmp_path)

    assert error.recovery.similar[0] == "mcp.analysis_rate_limit"
    assert "Did you mean mcp.analysis_rate_limit?" in error.message


def test_an_unknown_section_is_refused(tmp_path):
    write(tmp_path, "[zebra]\nstripes = 12\n")

    assert refused(tmp_path).recovery.details["key"] == "zebra"


def test_an_unknown_key_is_shown_short_and_printable(tmp_path):
    write(tmp_path, f'"bad\\u001b[31m{"x" * 5000}" = 1\n')

    message = refused(tmp_path).message

    assert message.isprintable()
    assert len(message) < 300


@pytest.mark.parametrize("key", ["cortex.db_path", "mcp.packs.custom_dir", "log.file"])
@pytest.mark.parametrize("path", ["/etc/cron.d/x", "../../x", "~/.bashrc", "C:/x"])
def test_a_file_from_a_stranger_cannot_place_anything_outside_the_project(tmp_path, key, path):
    section, _, name = key.rpartition(".")
    write(tmp_path, f'[{section}]\n{name} = "{path}"\n')

    config = load_config(tmp_path, {})

    (told,) = config.refused
    assert settings_by_key()[key].env_names[0] in told
    assert config.sources[key] == Source("default")


def test_the_user_may_place_things_anywhere_by_variable(tmp_path):
    config = load_config(tmp_path, {"DRIFT_LOG_FILE": "~/drift.log", "HOME": "/home/me"})

    assert config.log.file == "/home/me/drift.log"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[mcp\n", "not valid TOML"),
        (b"a = 1\na = 2\n", "not valid TOML"),
        (b"\xff\xfe", "not UTF-8"),
        (b"a = " + b"9" * 5000, "not valid TOML"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"#" * 1_000_001, "larger than"),
        (b"a" + b".a" * 499_000 + b" = 1", "dots"),
    ],
)
def test_a_malformed_file_is_refused_with_the_reason(tmp_path, content, reason):
    (tmp_path / "drift.toml").write_bytes(content)

    assert reason in refused(tmp_path).message


def test_a_value_nested_deeper_than_python_can_show_is_refused(tmp_path):
    write(tmp_path, "mcp.http_port" + ".a" * 4_000 + " = 1")

    assert refused(tmp_path).recovery.details["key"] == "mcp.http_port"


def test_a_byte_order_mark_is_no_obstacle(tmp_path):
    (tmp_path / "drift.toml").write_bytes(b"\xef\xbb\xbf[mcp]\nmax_tokens = 101\n")

    assert load_config(tmp_path, {}).mcp.max_tokens == 101


@pytest.mark.parametrize("kind", ["directory", "pipe"])
def test_what_is_not_a_file_is_refused_and_never_waited_for(tmp_path, kind):
    path = tmp_path / "drift.toml"
    path.mkdir() if kind == "directory" else os.mkfifo(path)

    assert "not a regular file" in refused(tmp_path).message


_TOML_VALUES = st.one_of(
    st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.lists(st.integers(), max_size=3)
)


@given(st.sampled_from([row.key for row in settings_table()]), _TOML_VALUES)
def test_a_value_is_accepted_in_its_own_type_or_not_at_all(key, value):
    kind = settings_by_key()[key].kind

    accepted = kind.accept(value)

    if accepted is not None:
        again = list(accepted) if isinstance(accepted, tuple) else accepted
        assert kind.accept(again) == accepted


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.sampled_from([name for row in settings_table() for name in row.env_names]), st.text())
def test_any_text_in_a_variable_gives_a_config_or_a_clear_refusal(tmp_path, name, text):
    result = outcome(tmp_path, {name: text})

    assert isinstance(result, Config) or (result.code == ErrorCode.CONFIG_INVALID and name in result.message)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.binary(max_size=200))
def test_any_bytes_in_the_file_give_a_config_or_a_clear_refusal(tmp_path, content):
    (tmp_path / "drift.toml").write_bytes(content)

    result = outcome(tmp_path, {})

    assert isinstance(result, Config) or result.code == ErrorCode.CONFIG_INVALID


# What SECURITY.md and docs/configuration.md promise: a change here is a change of what a stranger may do.
REPOSITORY_MAY = {
    "yes": {
        "project.name", "mcp.analysis_cache_enabled", "mcp.memory_enabled", "mcp.surface", "mcp.structured",
        "mcp.intent", "mcp.packs.custom_dir", "mcp.packs.disabled", "cortex.enabled", "scan.auto", "scan.include",
        "scan.exclude", "scan.languages",
    },
    "tighten": {
        "mcp.analysis_cache_l1_size", "mcp.analysis_rate_limit", "mcp.memory_rate_limit", "mcp.catalog_rate_limit",
        "mcp.expensive_rate_limit", "mcp.tool_rate_limits", "mcp.max_tokens", "mcp.call_timeout_seconds",
        "mcp.http_max_sessions", "mcp.http_max_sessions_per_caller", "mcp.http_max_requests_per_caller",
        "scan.max_file_size",
    },
    "no": {
        "mcp.state_url", "mcp.telemetry_arguments", "mcp.http_public_url", "mcp.auth.issuer", "mcp.auth.method", "mcp.auth.audience", "mcp.auth.jwks_url",
        "mcp.auth.introspection_url", "mcp.auth.client_id", "mcp.auth.client_secret_file", "mcp.auth.algorithms",
        "mcp.auth.clock_skew_seconds", "mcp.auth.strict", "mcp.auth.scope_claim",
        "mcp.cache_l2_enabled", "mcp.analysis_verbose", "mcp.http_host", "mcp.http_port", "mcp.http_cors_origins",
        "cortex.db_path", "cortex.embeddings_model", "cortex.user_store", "scan.jobs", "scan.reuse", "scan.snapshots", "fleet.file", "team.database", "team.name", "team.project", "log.level", "log.file",
    },
}  # fmt: skip


def test_each_setting_says_what_a_repository_may_do_with_it():
    found = {each: set() for each in REPOSITORY_MAY}
    for row in settings_table():
        found[row.repository.may_set].add(row.key)

    assert found == REPOSITORY_MAY


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("mcp.analysis_rate_limit", "0"),
        ("mcp.analysis_rate_limit", "121"),
        ("mcp.expensive_rate_limit", "1000"),
        ("mcp.tool_rate_limits", "{ drift_scan = 0 }"),
        ("mcp.call_timeout_seconds", "3600"),
        ("mcp.http_max_sessions", "5000"),
        ("mcp.max_tokens", "200000"),
        ("mcp.analysis_cache_l1_size", "100000"),
        ("scan.max_file_size", "100000000"),
        ("scan.jobs", "64"),
        ("mcp.http_host", '"0.0.0.0"'),
        ("mcp.http_port", "80"),
        ("mcp.http_cors_origins", '["*"]'),
        ("cortex.db_path", '".drift/mine.db"'),
        ("cortex.user_store", "true"),
        ("log.file", '".drift/log"'),
        ("log.level", '"debug"'),
    ],
)
def test_a_repository_cannot_loosen_or_choose_what_is_the_user_s(tmp_path, key, value):
    section, _, name = key.rpartition(".")
    text = f"[{section}]\n{name} = {value}\n"
    write(tmp_path, text)

    config = load_config(tmp_path, {"DRIFT_HOME": str(tmp_path / "none")})

    assert config.sources[key] == Source("default")
    (told,) = config.refused
    assert key in told
    assert settings_by_key()[key].env_names[0] in told
    assert "settings.toml" in told
    by_user = load_config(tmp_path, write_user(tmp_path / "home", text))
    assert by_user.sources[key].kind == "user"
    assert by_user.refused == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("mcp.analysis_rate_limit", "60"),
        ("mcp.tool_rate_limits", "{ drift_scan = 2 }"),
        ("mcp.call_timeout_seconds", "10"),
        ("mcp.max_tokens", "8000"),
        ("scan.max_file_size", "5000000"),
        ("scan.exclude", '["build/"]'),
        ("mcp.surface", '"full"'),
        ("cortex.enabled", "false"),
        ("mcp.http_port", "3000"),  # the default, which changes nothing
    ],
)
def test_a_repository_may_tighten_and_choose_what_is_harmless(tmp_path, key, value):
    section, _, name = key.rpartition(".")
    write(tmp_path, f"[{section}]\n{name} = {value}\n")

    config = load_config(tmp_path, {"DRIFT_HOME": str(tmp_path / "none")})

    assert config.sources[key] == Source("file", "drift.toml")
    assert config.refused == ()


def test_the_user_goes_over_the_repository_and_a_variable_over_both(tmp_path):
    write(tmp_path, "[mcp]\nmax_tokens = 1000\nanalysis_rate_limit = 10\nmemory_rate_limit = 10\n")
    environ = write_user(tmp_path / "home", "[mcp]\nmax_tokens = 2000\nanalysis_rate_limit = 20\n")

    config = load_config(tmp_path, environ | {"DRIFT_MCP_MAX_TOKENS": "3000"})

    assert (config.mcp.max_tokens, config.mcp.analysis_rate_limit, config.mcp.memory_rate_limit) == (
        3000,
        20,
        10,
    )


def test_the_user_sets_values_for_one_project_alone(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    environ = write_user(
        tmp_path / "home",
        f'[mcp]\nmax_tokens = 2000\n[projects."{here}".mcp]\nmax_tokens = 9000\n',
    )

    assert load_config(here, environ).mcp.max_tokens == 9000
    assert load_config(there, environ).mcp.max_tokens == 2000


@pytest.mark.parametrize(
    "text", ["[mcp]\nmax_tokens = 'many'\n", "[nothing]\n", "[mcp", "projects = 1\n", "[projects]\nx = 1\n"]
)
def test_a_wrong_file_of_the_user_is_an_error_that_names_it(tmp_path, text):
    error = refused(tmp_path, write_user(tmp_path / "home", text))

    assert "settings.toml" in error.message


def test_no_two_projects_share_a_store_by_one_line_of_the_user(tmp_path):
    line = 'db_path = "/kept/memories.db"\n'
    wrong = write_user(tmp_path / "wrong", f"[cortex]\n{line}")
    right = write_user(tmp_path / "right", f'[projects."{tmp_path}".cortex]\n{line}')

    assert "only for one project" in refused(tmp_path, wrong).message
    assert load_config(tmp_path, right).cortex.db_path == "/kept/memories.db"


def test_a_path_of_the_user_may_lie_anywhere(tmp_path):
    environ = write_user(tmp_path / "home", '[log]\nfile = "~/drift.log"\n') | {"HOME": "/home/me"}

    assert load_config(tmp_path, environ).log.file == "/home/me/drift.log"
