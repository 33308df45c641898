"""What clients and registries install Drift from says what is true of this version, and works."""

import json
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from drift import __version__
from drift.registry import ServerName
from drift.tools import all_tools

ROOT = Path(__file__).resolve().parents[2]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundles")
    command = [sys.executable, str(ROOT / ".ci" / "bundle.py")]
    made = [
        subprocess.run(
            [*command, str(folder / name)], check=True, capture_output=True, text=True
        ).stdout.strip()
        for name in ("one", "two")
    ]
    return [Path(path) for path in made]


def test_a_bundle_is_the_same_when_made_again_and_holds_no_rubbish(bundles):
    one, two = bundles

    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        names = archive.namelist()
    assert not [name for name in names if "__pycache__" in name or name.startswith(("/", "tests", ".."))]
    assert len(names) == len(set(names))


def test_what_a_bundle_starts_is_in_it_and_answers(bundles, tmp_path):
    with zipfile.ZipFile(bundles[0]) as archive:
        archive.extractall(tmp_path / "installed")
    installed = tmp_path / "installed"
    told = json.loads((installed / "manifest.json").read_text())
    project = tmp_path / "project"
    project.mkdir()
    asked = {"${__dirname}": str(installed), "${user_config.project}": str(project)}
    words = [asked.get(word, word) for word in told["server"]["mcp_config"]["args"]]

    # What uv puts before it is an environment with the package; here the package is taken from the bundle itself.
    done = subprocess.run(
        [sys.executable, "-m", *words[words.index("drift") :]],
        input=json.dumps(INITIALIZE) + "\n",
        env={"PYTHONPATH": str(installed / "src"), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert told["version"] == __version__
    assert (installed / told["server"]["entry_point"]).is_file()
    assert set(re.findall(r"\$\{user_config\.(\w+)\}", json.dumps(told["server"]))) == set(
        told["user_config"]
    )
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["version"] == __version__


def test_the_entry_for_the_registry_fits_the_package(monkeypatch):
    entry = json.loads((ROOT / "server.json").read_text())
    package = entry["packages"][0]

    assert entry["version"] == package["version"] == __version__
    assert 0 < len(entry["description"]) <= 100
    assert f"mcp-name: {entry['name']}" in (ROOT / "README.md").read_text()
    assert f'name = "{package["identifier"]}"' in (ROOT / "pyproject.toml").read_text()
    assert f'{package["identifier"]} = "drift.cli:main_mcp"' in (ROOT / "pyproject.toml").read_text()


def test_the_container_is_made_of_files_that_are_there():
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    copied = [shlex.split(line)[1:-1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    started = [json.loads(line.partition(" ")[2]) for line in lines if line.startswith(("ENTRYPOINT", "CMD"))]

    for name in (name for names in copied for name in names):
        assert (ROOT / name).exists()
        assert name in allowed
    assert started == [["drift"], ["mcp", "analysis", "/project"]]
    assert any(line.startswith("USER ") for line in lines)


def test_the_plugin_starts_commands_that_there_are_and_names_tools_that_there_are(tmp_path):
    plugin = ROOT / "plugin"
    listed = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())["plugins"][0]
    told = json.loads((plugin / ".claude-plugin" / "plugin.json").read_text())
    servers = json.loads((plugin / ".mcp.json").read_text())["mcpServers"]
    hooks = json.loads((plugin / "hooks" / "hooks.json").read_text())["hooks"]
    commands = [hook["command"] for each in hooks.values() for group in each for hook in group["hooks"]]

    assert (ROOT / listed["source"]).resolve() == plugin
    assert listed["name"] == told["name"]
    assert told["version"] == __version__
    assert {server["args"][1] for server in servers.values()} <= {name.value for name in ServerName}
    for event in {command.removeprefix("drift memory hook ") for command in commands}:
        done = subprocess.run(
            [sys.executable, "-m", "drift", "memory", "hook", event],
            input="{}",
            cwd=tmp_path,
            env={
                "HOME": str(tmp_path),
                "DRIFT_HOME": str(tmp_path / "home"),
                "PYTHONPATH": str(ROOT / "src"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, ""), event
    named = re.findall(r"name `(\w+)`", "".join(path.read_text() for path in plugin.glob("commands/*.md")))
    assert named
    assert all(all_tools().find(name) for name in named)


def test_the_page_about_hooks_shows_those_of_the_plugin():
    page = (ROOT / "docs" / "memory-hooks.md").read_text()

    shown = re.search(r'```json\n(\{\n  "hooks".*?)```', page, re.DOTALL)

    assert shown
    assert json.loads(shown[1]) == json.loads((ROOT / "plugin" / "hooks" / "hooks.json").read_text())
