"""A home and a project of their own for every test, and two ways to run a command in them."""

import io
import logging
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from drift.cli.console import Console
from drift.cli.entry import run

PATIENCE_SECONDS = 300


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@dataclass(frozen=True)
class Place:
    """Where a command runs: nothing outside of it is read or written."""

    home: Path
    project: Path
    environ: dict[str, str]

    def console(self, *, cwd=None, stdin=b"", width=100, is_screen=False, environ=()):
        stream = Screen if is_screen else io.StringIO
        typed = Screen(stdin.decode()) if is_screen else io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        surroundings = {**self.environ, **dict(environ)}
        return Console(typed, stream(), stream(), surroundings, cwd or self.project, width)

    def run(self, *words, **surroundings):
        """Run a command in this process."""
        console = self.console(**surroundings)
        code = run(list(words), console)
        return Result(code, console.stdout.getvalue(), console.stderr.getvalue())

    def spawn(self, *words, cwd=None, stdin=b"", environ=()):
        """Run a command as a person would, in a process of its own."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "drift", *words],
            cwd=cwd or self.project,
            env={**self.environ, **dict(environ)},
            input=stdin,
            capture_output=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def _make_place(folder, patch):
    home, project = folder / "home", folder / "shop"
    home.mkdir()
    project.mkdir()
    (project / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPATH") if name in os.environ}
    environ = {**kept, "HOME": str(home), "DRIFT_HOME": str(home / ".drift")}
    patch.setenv("DRIFT_HOME", environ["DRIFT_HOME"])  # commands run in this process, too
    return Place(home, project.resolve(), environ)


@pytest.fixture
def place(tmp_path, monkeypatch):
    return _make_place(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def shared_place(tmp_path_factory):
    """A place for all tests of a module, which leave it as they found it."""
    with pytest.MonkeyPatch.context() as patch:
        yield _make_place(tmp_path_factory.mktemp("place"), patch)


@pytest.fixture(autouse=True)
def log_as_before():
    """Commands set up logging for their whole process, which here is the tests'."""
    root, ours = logging.getLogger(), logging.getLogger("drift")
    handlers, level, our_level = root.handlers[:], root.level, ours.level
    yield
    for handler in root.handlers:
        if handler not in handlers:
            handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)
    ours.setLevel(our_level)
