"""Projects written out from `projects/*.txt`, and answers of tools about them as an agent reads them.

A project is one text: a line `=== path` begins a file. A case is one text below `cases/<project>/`: the call, a line
`keep: field, field` where only some fields of the data are decided, a line `wrong: reason` where the tool does not give
the answer yet that it should, an empty line, and the answer as it should be. `update.py` writes the answers anew, but
for those; whoever runs it reads the difference line by line against the project.
"""

import asyncio
import json
import os
import re
import subprocess
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from drift.kernel.render import render_answer, render_error
from drift.pipeline import FOREGROUND, AutoFreshener, Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import tools_of

HERE = Path(__file__).parent
PROJECTS = sorted(path.stem for path in (HERE / "projects").glob("*.txt"))
CASES = sorted((HERE / "cases").glob("*/*.txt"))
TODAY = date(2026, 6, 10)

_FILE_LINE = re.compile(r"^=== (\S+)\n", re.MULTILINE)
_CURSOR = re.compile(r"next cursor: \S+")


class Case(NamedTuple):
    tool: str
    arguments: dict
    kept: tuple[str, ...]
    answer: str
    wrong: str | None = None  # why the tool's answer is not the one written down

    @property
    def head(self):
        kept = f"keep: {', '.join(self.kept)}\n" if self.kept else ""
        return f"{self.tool} {json.dumps(self.arguments)}\n{kept}\n"


def read_case(path):
    head, _, answer = path.read_text("utf-8").partition("\n\n")
    call, *rest = head.splitlines()
    tool, _, arguments = call.partition(" ")
    notes = dict(line.split(": ", 1) for line in rest)
    kept = tuple(notes["keep"].split(", ")) if "keep" in notes else ()
    return Case(tool, json.loads(arguments), kept, answer, notes.get("wrong"))


def write_project(name, root):
    """The files of a project, in two commits of fixed dates: the product, then its tests."""
    parts = _FILE_LINE.split((HERE / "projects" / f"{name}.txt").read_text("utf-8"))
    for path, text in zip(parts[1::2], parts[2::2], strict=True):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    (root / ".gitignore").write_text(".drift/\n")
    tests = {path for path in parts[1::2] if re.search(r"(^|/|\.)[Tt]ests?(/|$)|_test\.", path)}
    _git(root, 1, "init", "-q")
    _git(root, 1, "add", ".")
    if tests:
        _git(root, 1, "rm", "-q", "--cached", *sorted(tests))
    _git(root, 1, "commit", "-qm", "feat: sell things")
    if tests:
        _git(root, 2, "add", ".")
        _git(root, 2, "commit", "-qm", "test: prove the totals")
    return root


def _git(root, day, *words):
    when = f"2026-06-0{day}T12:00:00+00:00"
    own = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_DATE": when,
        "GIT_COMMITTER_DATE": when,
        "GIT_AUTHOR_NAME": "Ann",
        "GIT_AUTHOR_EMAIL": "ann@example.com",
        "GIT_COMMITTER_NAME": "Ann",
        "GIT_COMMITTER_EMAIL": "ann@example.com",
    }
    subprocess.run(["git", *words], cwd=root, check=True, env={**os.environ, **own})


class Shop:
    """A project on disk with a server that answers about it."""

    def __init__(self, root, home, *, scanned=True, fresh=True, environ=None):
        self.root = root
        if scanned:
            scan(root, ScanOptions(jobs=0))
        at = Environment(
            root,
            ProjectRegistry(home / "projects.json", lambda: datetime.now(UTC)),
            environ or {},
            today=lambda: TODAY,
        )
        tools = tools_of(ServerName.ANALYSIS)
        freshener = AutoFreshener(os.environ, FOREGROUND) if fresh else None
        self.runtime = ServerRuntime(ServerName.ANALYSIS, tools, Surface("full"), at=at, freshener=freshener)

    def ask(self, tool, /, **arguments):
        """The body of the answer, or of the error."""
        return asyncio.run(self.runtime.call(tool, arguments)).body

    def answer(self, case):
        """The text an agent reads, without what differs from run to run."""
        if case.tool == "drift_explain":
            self.ask(
                "drift_patterns_list"
            )  # else it depends on what was asked before whether they are counted
        body = dict(self.ask(case.tool, **case.arguments))
        if "code" in body:
            return render_error(body) + "\n"
        if case.kept:
            body = {"summary": body["summary"], "data": _pick(body["data"], case.kept)}
        return _CURSOR.sub("next cursor: …", render_answer(body)) + "\n"

    def close(self):
        self.runtime.close()


def _pick(data, kept):
    """Fields of the data; `files.file` is one field of what is inside, of each row where that is a list."""
    picked = {}
    for field in kept:
        outer, _, inner = field.partition(".")
        held = data[outer]
        if inner:
            held = [row[inner] for row in held] if isinstance(held, list) else held[inner]
        picked[field] = held
    return picked
