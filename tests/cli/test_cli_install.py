"""Installing into every client, into files of every kind, in a home of the test's own."""

import json
import os
import stat
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from drift import __version__
from drift.cli.clients import (
    CLIENTS,
    Places,
    Status,
    apply_change,
    config_path,
    find_client,
    is_present,
    launch_command,
    plan_install,
    section_of,
)
from drift.cli.exits import Exit
from drift.cli.parser import UsageError
from drift.kernel.errors import DriftError, ErrorCode
from drift.registry import surface_for

SECTION = ("mcpServers",)
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
everywhere = [
    (client, scope)
    for client in CLIENTS
    for scope, file in client.files.items()
    if not file.endswith(".yaml")
]
ids = [f"{client.name}-{scope}" for client, scope in everywhere]


def file_of(place, client, scope):
    return config_path(client, scope, Places.of(place.environ, place.project))


def section_in(place, client, scope):
    return section_of(client, scope, Places.of(place.environ, place.project))


def servers_in(text, path, section):
    document = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    for key in section:
        document = document[key]
    return document


def servers_of(place, client, scope):
    path = file_of(place, client, scope)
    return servers_in(path.read_text(), path, section_in(place, client, scope))


def words_of(entry):
    """The command line an entry starts."""
    command = entry["command"]
    return command if isinstance(command, list) else [command, *entry["args"]]


def install(place, name, *options):
    return place.run("install", name, *options)


@pytest.mark.parametrize(("client", "scope"), everywhere, ids=ids)
def test_a_client_without_a_file_gets_one_that_starts_the_server(place, client, scope):
    result = install(place, client.name, "--scope", scope)

    entry = servers_of(place, client, scope)["drift-analysis"]
    command, *words = words_of(entry)
    assert result.code == Exit.OK
    assert Path(command).is_absolute()
    assert os.access(command, os.X_OK)
    project = [] if scope == "user" and client.follows_project else [str(place.project)]
    surface = ["--surface", "core"] if surface_for(client.name) == "core" else []
    assert words[words.index("mcp") :] == ["mcp", "analysis", *project, *surface]
    assert all(entry[key] == value for key, value in client.extra.items())


def test_an_entry_for_everything_names_a_project_only_when_asked_or_needed(place):
    install(place, "codex", "--project", str(place.project))
    install(place, "claude-desktop")

    assert str(place.project) in words_of(servers_of(place, find_client("codex"), "user")["drift-analysis"])
    told = install(place, "gemini-cli", "--scope", "user").out
    assert "whichever project is open" in told
    assert str(place.project) in str(servers_of(place, find_client("claude-desktop"), "user"))


def test_a_surface_can_be_chosen_and_must_exist(place):
    install(place, "claude-code", "--surface", "full")

    words = words_of(servers_of(place, find_client("claude-code"), "project")["drift-analysis"])
    assert words[-2:] == ["--surface", "full"]
    assert install(place, "cursor", "--surface", "fulll").code != Exit.OK
    assert not (place.project / ".cursor").exists()


def test_some_of_the_servers_can_be_named_and_the_others_are_offered(place):
    told = install(place, "claude-code", "--servers", "analysis,memory").out

    assert list(servers_of(place, find_client("claude-code"), "project")) == [
        "drift-analysis",
        "drift-memory",
    ]
    assert "drift install claude-code --servers catalog" in told


@pytest.mark.parametrize(("client", "scope"), everywhere, ids=ids)
def test_what_we_made_ourselves_leaves_no_trace(place, client, scope):
    path = file_of(place, client, scope)
    install(place, client.name, "--scope", scope)
    install(place, client.name, "--scope", scope, "--servers", "memory")

    result = install(place, client.name, "--scope", scope, "--uninstall")

    assert result.code == Exit.OK
    assert list(path.parent.glob(f"{path.name}*")) == []


def test_the_local_scope_of_claude_code_is_the_project_in_the_users_file(place):
    path = place.home / ".claude.json"
    other = {"/elsewhere": {"mcpServers": {"x": {"command": "y"}}}, str(place.project): {"history": []}}
    before = json.dumps({"numStartups": 3, "projects": other}, indent=2)
    path.write_text(before)

    install(place, "claude-code", "--scope", "local")

    projects = json.loads(path.read_text())["projects"]
    assert list(projects[str(place.project)]) == ["history", "mcpServers"]
    assert list(projects[str(place.project)]["mcpServers"]) == ["drift-analysis"]
    assert projects["/elsewhere"] == other["/elsewhere"]
    install(place, "claude-code", "--scope", "local", "--uninstall")
    assert path.read_text() == before


@pytest.mark.parametrize(
    ("name", "line"), [("goose", "  drift-analysis:"), ("continue", '  - name: "drift-analysis"')]
)
def test_yaml_is_printed_to_be_pasted_and_never_changed(place, name, line):
    path = file_of(place, find_client(name), "user")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("model: x # mine\n")

    result = install(place, name, "--scope", "user")

    assert result.code == Exit.OK
    assert line in result.out.splitlines()
    assert str(path) in result.err
    assert path.read_text() == "model: x # mine\n"
    path.write_text(path.read_text() + result.out)
    rows = json.loads(place.run("install", "--list", "--json").out)["clients"]
    assert next(row["installed"] for row in rows if row["name"] == name) == ["drift-analysis"]
    assert install(place, name, "--scope", "user", "--uninstall").code == Exit.FAILED


def test_a_file_with_comments_beside_is_the_one_that_is_read(place):
    path = place.project / "opencode.jsonc"
    path.write_text("{\n  // mine\n}\n")

    result = install(place, "opencode")

    assert result.code == Exit.FAILED
    assert str(path) in result.err
    assert list(json.loads(result.out)["mcp"]) == ["drift-analysis"]
    assert not (place.project / "opencode.json").exists()


@pytest.mark.parametrize(("client", "scope"), everywhere, ids=ids)
def test_installing_twice_changes_nothing_the_second_time(place, client, scope):
    install(place, client.name, "--scope", scope, "--server", "all")
    path = file_of(place, client, scope)
    before = path.read_bytes(), sorted(path.parent.iterdir())

    again = install(place, client.name, "--scope", scope, "--server", "all")

    assert again.code == Exit.OK
    assert "nothing to do" in again.out
    assert (path.read_bytes(), sorted(path.parent.iterdir())) == before


@pytest.mark.parametrize(("client", "scope"), everywhere, ids=ids)
def test_a_file_in_use_keeps_all_it_had_and_gets_a_backup(place, client, scope):
    path = file_of(place, client, scope)
    path.parent.mkdir(parents=True, exist_ok=True)
    section = section_in(place, client, scope)
    inside = {"other": {"command": "npx"}}
    for key in reversed(section[1:]):
        inside = {key: inside}
    before = (
        f'# mine\nmodel = "x"\n[{section[0]}.other]\ncommand = "npx"\n'
        if path.suffix == ".toml"
        else json.dumps({"theme": "dark", section[0]: inside, "last": [1]}, indent=4)
    )
    path.write_text(before)
    path.chmod(0o600)

    result = install(place, client.name, "--scope", scope)

    backups = list(path.parent.glob(f"{path.name}.*.bak"))
    assert result.code == Exit.OK
    assert list(servers_of(place, client, scope)) == ["other", "drift-analysis"]
    assert [backup.read_text() for backup in backups] == [before]
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in (path, *backups))
    assert install(place, client.name, "--scope", scope, "--uninstall").code == Exit.OK
    assert path.read_text() == before


@pytest.mark.parametrize(
    "content",
    [
        b'// a comment\n{"mcpServers": {}}',
        b'{"mcpServers": {},}',
        b"{",
        b"[]",
        b'{"mcpServers": []}',
        b"\xff\xfe{\x00}\x00",
        b'{"a": ' * 50_000,
    ],
)
@pytest.mark.parametrize("name", [client.name for client in CLIENTS if client.name not in ("codex", "goose")])
def test_a_file_that_is_not_strict_json_is_left_and_the_entry_printed(place, name, content):
    client = find_client(name)
    path = file_of(place, client, client.default_scope)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = content.replace(b"mcpServers", client.section[0].encode())
    path.write_bytes(content)

    result = install(place, name)

    assert result.code == Exit.FAILED
    assert path.read_bytes() == content
    assert str(path) in result.err
    assert "drift-analysis" in json.loads(result.out)[client.section[0]]
    assert list(path.parent.glob("*.bak")) == []


def test_a_broken_toml_file_is_left_and_the_entry_printed(place):
    path = file_of(place, find_client("codex"), "user")
    path.parent.mkdir(parents=True)
    path.write_text("model = ")

    result = install(place, "codex")

    assert result.code == Exit.FAILED
    assert path.read_text() == "model = "
    assert "drift-analysis" in tomllib.loads(result.out)["mcp_servers"]


def test_an_entry_of_ours_that_says_something_else_is_replaced_by_force_alone(place):
    path = place.project / ".mcp.json"
    path.write_text(json.dumps({"mcpServers": {"drift-analysis": {"command": "mine", "env": {"A": "1"}}}}))
    before = path.read_bytes()

    refused = install(place, "claude-code")
    unforced = path.read_bytes()
    forced = install(place, "claude-code", "--force")

    assert refused.code == Exit.FAILED
    assert "--force" in refused.err
    assert '-{"mcpServers": {"drift-analysis": {"command": "mine"' in refused.out
    assert unforced == before
    assert forced.code == Exit.OK
    assert servers_of(place, find_client("claude-code"), "project")["drift-analysis"]["env"] == {"A": "1"}


def test_a_rehearsal_shows_the_change_and_makes_none(place):
    result = install(place, "cursor", "--dry-run")

    assert result.code == Exit.OK
    assert '+    "drift-analysis": {' in result.out
    assert not (place.project / ".cursor").exists()


def test_printing_shows_the_entry_and_where_it_belongs(place):
    result = install(place, "vscode", "--print", "--server", "all")

    assert sorted(json.loads(result.out)["servers"]) == ["drift-analysis", "drift-catalog", "drift-memory"]
    assert ".vscode/mcp.json" in result.err
    assert not (place.project / ".vscode").exists()


def test_json_tells_what_was_done(place):
    written = json.loads(install(place, "claude-code", "--json").out)
    unchanged = json.loads(install(place, "claude-code", "--json").out)
    removed = json.loads(install(place, "claude-code", "--uninstall", "--json").out)

    assert (written["status"], written["written"], written["backup"]) == ("changes", True, None)
    assert (unchanged["status"], unchanged["written"]) == ("unchanged", False)
    assert removed["backup"] is None
    assert not (place.project / ".mcp.json").exists()


def test_uninstalling_what_is_not_there_is_no_error(place):
    result = install(place, "zed", "--uninstall")

    assert result.code == Exit.OK
    assert "nothing to do" in result.out


@pytest.mark.parametrize(
    "client", [each for each in CLIENTS if "project" in each.files], ids=lambda each: each.name
)
def test_a_link_out_of_the_project_is_not_followed(place, client):
    secret = place.home / "secret.json"
    secret.write_text("{}")
    path = file_of(place, client, "project")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(secret)

    result = install(place, client.name, "--scope", "project")

    assert result.code == Exit.FAILED
    assert "PATH_OUTSIDE_PROJECT" in result.err
    assert secret.read_text() == "{}"


def test_a_linked_file_of_the_user_is_changed_where_it_lies(place):
    dotfiles = place.home / "dotfiles" / "claude.json"
    dotfiles.parent.mkdir()
    dotfiles.write_text('{"a": 1}')
    (place.home / ".claude.json").symlink_to(dotfiles)

    install(place, "claude-code", "--scope", "user")

    assert (place.home / ".claude.json").is_symlink()
    assert "drift-analysis" in json.loads(dotfiles.read_text())["mcpServers"]


@pytest.mark.parametrize("kind", ["directory", "pipe"])
def test_what_is_no_file_is_refused_without_waiting(place, kind):
    path = place.project / ".mcp.json"
    if kind == "directory":
        path.mkdir()
    else:
        os.mkfifo(path)

    assert install(place, "claude-code").code == Exit.ENVIRONMENT


def test_a_file_changed_by_another_program_in_between_is_not_overwritten(place):
    path = place.project / ".mcp.json"
    change = plan_install(path, SECTION, {"drift-analysis": {"command": "x"}}, may_replace=False)
    path.write_text('{"theirs": 1}')

    with pytest.raises(DriftError) as refusal:
        apply_change(change, now=NOW)

    assert refusal.value.code is ErrorCode.STORE_UNAVAILABLE
    assert path.read_text() == '{"theirs": 1}'


def test_two_changes_in_one_second_have_two_backups(place):
    path = place.project / ".mcp.json"
    path.write_text('{"theirs": 1}')

    for number in range(2):
        entries = {"drift-analysis": {"command": str(number)}}
        apply_change(plan_install(path, SECTION, entries, may_replace=True), now=NOW)

    assert sorted(each.name for each in path.parent.glob("*.bak")) == [
        ".mcp.json.20260102T030405Z-2.bak",
        ".mcp.json.20260102T030405Z.bak",
    ]


def test_a_byte_order_mark_is_kept(place):
    path = place.project / ".mcp.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')

    install(place, "claude-code")

    assert path.read_bytes().startswith(b'\xef\xbb\xbf{"a": 1,')


def test_a_plan_without_changes_is_not_applied(place):
    path = place.project / ".mcp.json"
    path.write_text("// not ours\n")
    change = plan_install(path, SECTION, {"drift-analysis": {}}, may_replace=True)

    assert change.status is Status.UNFIT
    assert apply_change(change, now=NOW) is None


def test_the_list_shows_every_client_and_what_is_installed(place):
    install(place, "cursor")

    rows = {row["name"]: row for row in json.loads(place.run("install", "--list", "--json").out)["clients"]}

    assert list(rows) == [client.name for client in CLIENTS]
    assert rows["cursor"]["installed"] == ["drift-analysis"]
    assert rows["zed"]["installed"] == []
    assert "cursor" in place.run("install", "--list").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Which client?"),
        (["curser"], "did you mean: cursor"),
        (["zed", "--scope", "project"], "Zed has no project scope"),
        (["zed", "--server", "all", "extra"], "unrecognized"),
        (["zed", "--servers", "analysis,memori"], "did you mean: memory"),
    ],
)
def test_a_wrong_wish_is_wrong_usage(place, words, message):
    result = place.run("install", *words)

    assert result.code == Exit.USAGE
    assert message in result.err


@pytest.mark.parametrize(
    ("platform", "file"),
    [
        ("linux", "{home}/.config/Claude/claude_desktop_config.json"),
        ("darwin", "{home}/Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", "{home}/AppData/Roaming/Claude/claude_desktop_config.json"),
    ],
)
def test_each_platform_has_its_own_customs(place, platform, file):
    places = Places.of({"HOME": str(place.home)}, place.project, platform=platform)

    assert str(config_path(find_client("claude-desktop"), None, places)) == file.format(home=place.home)


@pytest.mark.parametrize(
    ("name", "platform", "file"),
    [
        ("goose", "linux", "{home}/.config/goose/config.yaml"),
        ("goose", "win32", "{home}/AppData/Roaming/Block/goose/config/config.yaml"),
        ("opencode", "win32", "{home}/.config/opencode/opencode.json"),
        ("amp", "win32", "{home}/.config/amp/settings.json"),
        ("kiro", "darwin", "{home}/.kiro/settings/mcp.json"),
        ("copilot-cli", "linux", "{home}/.copilot/mcp-config.json"),
    ],
)
def test_later_clients_have_their_customs_too(place, name, platform, file):
    places = Places.of({"HOME": str(place.home)}, place.project, platform=platform)

    assert str(config_path(find_client(name), "user", places)) == file.format(home=place.home)


def test_codex_may_live_elsewhere(place):
    places = Places.of({**place.environ, "CODEX_HOME": "/opt/codex"}, place.project)

    assert config_path(find_client("codex"), "user", places) == Path("/opt/codex/config.toml")


def test_a_client_is_found_by_its_files_or_its_command(place):
    bin_dir = place.home / "bin"
    bin_dir.mkdir()
    (bin_dir / "zed").touch(mode=0o755)
    places = Places.of({**place.environ, "PATH": str(bin_dir)}, place.project)
    (place.home / ".cursor").mkdir()

    assert [client.name for client in CLIENTS if is_present(client, places)] == ["cursor", "zed"]


def test_the_command_is_the_script_beside_the_interpreter_or_the_interpreter(tmp_path):
    python = tmp_path / "python"
    command, *words = launch_command(tmp_path, str(python))
    started = subprocess.run(
        [sys.executable, *words, "version"], cwd="/", env={}, capture_output=True, check=True, text=True
    )

    assert (command, words[0]) == (str(python), "-I")
    assert __version__ in started.stdout

    (tmp_path / "drift").touch(mode=0o755)
    assert launch_command(tmp_path, str(python)) == [str(tmp_path / "drift")]


def test_an_unknown_client_is_answered_with_the_nearest():
    with pytest.raises(UsageError) as refusal:
        find_client("vs-code")

    assert "vscode" in refusal.value.recovery.similar
