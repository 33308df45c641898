"""A repository that holds modules of the names Drift imports: none of them ever runs, and all of it is read."""

import json
import re
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from drift.cli.clients import launch_command
from drift.index import IndexReader
from drift.project import StateDir

pytestmark = pytest.mark.slow

THIRD_PARTY = {name for name in packages_distributions() if name.isidentifier()}
STARTERS = {"sitecustomize", "usercustomize", "__main__", "conftest", "drift"}
NAMES = sorted({*sys.stdlib_module_names, *THIRD_PARTY, *STARTERS})
# What `python -m` has imported from the working directory before the first line of any program runs.
OF_PYTHON_ITSELF = subprocess.run(
    [sys.executable, "-I", "-c", "import runpy, sys; print(*sys.modules)"],
    capture_output=True,
    check=True,
    text=True,
).stdout.split()
ASKED = (
    ("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    ("notifications/initialized", None),
    ("tools/call", {"name": "drift_scan", "arguments": {"force": True}}),
)  # fmt: skip


class Planted:
    """The repository, the file that its modules would write to, and commands that run in it."""

    def __init__(self, place, names=NAMES, *, has_folder=False):
        self.root, self.environ = place.project, {**place.environ, "PYTHONPATH": ""}
        self.marker = place.home / "ran.txt"
        for name in names:
            file = (
                self.root / "drift" / "__init__.py"
                if has_folder and name == "drift"
                else self.root / f"{name}.py"
            )
            file.parent.mkdir(exist_ok=True)
            file.write_text(
                f"with open({str(self.marker)!r}, 'a') as marker:\n    marker.write(__name__ + '\\n')\n"
            )
        (self.root / "planted.pth").write_text(f"import sys; open({str(self.marker)!r}, 'a')\n")
        self.files = len(names) + 1  # and pyproject.toml

    def run(self, *command, stdin=b"", environ=()):
        done = subprocess.run(
            command,
            cwd=self.root,
            env={**self.environ, **dict(environ)},
            input=stdin,
            capture_output=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def check(self):
        assert not self.marker.exists(), self.marker.read_text()
        with IndexReader(StateDir(self.root).index_db) as reader:
            stamps = list(reader.files.stamps())
        assert {stamp.path: stamp.problem for stamp in stamps if stamp.status != "ok"} == {}
        assert len(stamps) == self.files


@pytest.fixture
def planted(place, request):
    return Planted(place, has_folder=getattr(request, "param", True))


def script():
    """The command as it is installed; else as an entry for a client names it."""
    return launch_command(Path("/"))


def test_a_scan_by_the_installed_command(planted):
    planted.run(*script(), "scan", ".")

    planted.check()


@pytest.mark.parametrize("planted", [False, True], ids=["drift.py", "drift/"], indirect=True)
def test_a_scan_by_the_interpreter(planted):
    planted.run(sys.executable, "-P", "-m", "drift", "scan", ".")

    planted.check()


@pytest.mark.parametrize("path", ["", "missing:.:./"])
def test_a_scan_with_relative_parts_in_the_search_path(place, path):
    names = sorted({*NAMES} - {*OF_PYTHON_ITSELF, *STARTERS, *what_is_loaded_first()})
    planted = Planted(place, names)

    planted.run(sys.executable, "-m", "drift", "scan", ".", environ={"PYTHONPATH": path})

    planted.check()


def what_is_loaded_first():
    """What the interpreter and a script's own first line load."""
    program = "import sys; import drift.kernel.search_path; print(*sys.modules)"
    return subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, check=True, text=True
    ).stdout.split()


def test_a_server_over_standard_input(planted):
    lines = [
        json.dumps(
            {"jsonrpc": "2.0", "method": method} | ({"id": number, "params": params} if params else {})
        )
        for number, (method, params) in enumerate(ASKED, 1)
    ]
    said = planted.run(
        *script(), "mcp", "analysis", "--surface", "full", stdin="\n".join([*lines, ""]).encode()
    )

    answers = {each.get("id"): each for each in map(json.loads, said.splitlines())}
    assert not answers[3]["result"].get("isError"), answers[3]
    planted.check()


def test_a_first_scan_in_a_process_of_its_own(planted):
    said = json.loads(planted.run(*script(), "call", "drift_files_list", "--json"))

    assert said["data"]
    planted.check()


def test_a_server_over_http(planted):
    with serving(planted) as address:
        session, said = {}, ""
        for number, (method, params) in enumerate(ASKED, 1):
            message = {"jsonrpc": "2.0", "method": method} | (
                {"id": number, "params": params} if params else {}
            )
            headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            request = urllib.request.Request(
                f"{address}/analysis", json.dumps(message).encode(), headers | session
            )
            with urllib.request.urlopen(request, timeout=300) as answer:
                said = answer.read().decode()
                session |= {"Mcp-Session-Id": answer.headers["Mcp-Session-Id"] or session["Mcp-Session-Id"]}

    assert '"generation"' in said
    planted.check()


@contextmanager
def serving(planted):
    command = [*script(), "serve", "--port", "0", "--surface", "full"]
    with subprocess.Popen(
        command, cwd=planted.root, env=planted.environ, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        try:
            said = ""
            while not (found := re.search(r"http://[\d.]+:\d+", said)):
                line = process.stderr.readline().decode()
                assert line, said
                said += line
            yield found[0]
        finally:
            process.terminate()
            process.stderr.read()


def test_a_hook(planted):
    planted.run(*script(), "scan", ".")
    message = {
        "session_id": "s",
        "cwd": str(planted.root),
        "hook_event_name": "SessionStart",
        "source": "startup",
    }

    planted.run(*script(), "memory", "hook", "session-start", stdin=json.dumps(message).encode())

    planted.check()
    assert not (StateDir(planted.root).path / "hooks.log").exists()


def test_what_the_checks_start(planted):
    planted.run(*script(), "scan", ".")
    planted.run(*script(), "doctor", environ={"PYTHONSTARTUP": "sitecustomize.py"})

    planted.check()


def test_an_innocent_repository_with_such_names_is_read_whole(place):
    (place.project / "drift").mkdir()
    for name in ("drift/__init__.py", "drift/scan.py", "types.py", "pickle.py", "struct.py"):
        (place.project / name).write_text("def used():\n    pass\n")

    report = json.loads(place.spawn("scan", ".", "--json").out)

    assert report["failures"] == []
    assert report["symbols"] == 10
