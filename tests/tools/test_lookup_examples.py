"""The examples of the look-up tools, and their answers on the sample project of every language."""

import asyncio
import shutil
import subprocess
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import (
    all_tools,
    dependencies,
    errors,
    explaining,
    files,
    frameworks,
    history,
    lookup,
    similarity,
)

PROJECTS = Path(__file__).parent.parent / "projects"
MODULES = (dependencies, errors, explaining, files, frameworks, history, lookup, similarity)
EXAMPLES = [
    (tool.name, example)
    for tool in all_tools()
    if tool.code.function.__module__ in {module.__name__ for module in MODULES}
    for example in tool.examples
]


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    runtimes = {}

    def run(language, name, arguments):
        if language not in runtimes:
            home = tmp_path_factory.mktemp(language)
            root = shutil.copytree(PROJECTS / language, home / "project")
            scan(root, ScanOptions(jobs=0))
            subprocess.run(["git", "init", "-q"], cwd=root, check=True)
            at = Environment(
                root,
                ProjectRegistry(home / "projects.json", lambda: datetime.now(UTC)),
                {},
                today=lambda: date(2026, 6, 10),
            )
            tools = all_tools().of_server(ServerName.ANALYSIS)
            runtimes[language] = ServerRuntime(ServerName.ANALYSIS, tools, Surface("full"), at=at)
        return asyncio.run(runtimes[language].call(name, arguments)).body

    yield run
    for runtime in runtimes.values():
        runtime.close()


@pytest.mark.parametrize(("name", "arguments"), EXAMPLES)
def test_every_example_has_an_answer(ask, name, arguments):
    answer = ask("python", name, arguments)

    assert "code" not in answer
    assert answer["summary"]


def test_every_look_up_tool_has_an_example():
    named = {name for name, _ in EXAMPLES}

    assert {
        tool.name for tool in all_tools() if tool.code.function.__module__ in {m.__name__ for m in MODULES}
    } == named


@pytest.mark.parametrize(
    ("language", "type_name", "kind", "some_members"),
    [
        ("python", "Cart", "class", {"load", "fetch"}),
        ("java", "Cart", "class", {"cheapest", "close"}),
        ("go", "Store", "struct", {"Close", "Watch"}),
        ("typescript", "OrdersController", "class", {"create", "paid"}),
    ],
)
def test_types_of_each_language_have_their_members(ask, language, type_name, kind, some_members):
    data = ask(language, "drift_type", {"type": type_name})["data"]

    assert (data["symbol"], data["kind"]) == (type_name, kind)
    assert some_members <= {row["name"] for row in data["methods"]}


@pytest.mark.parametrize(
    "language", ["cpp", "csharp", "go", "java", "javascript", "php", "python", "rust", "typescript"]
)
def test_every_file_of_every_language_can_be_explained(ask, language):
    listed = ask(language, "drift_files_list", {"limit": 100})["data"]["files"]

    explained = [ask(language, "drift_explain", {"target": row["file"]}) for row in listed if row["symbols"]]

    assert explained
    assert [answer for answer in explained if "code" in answer] == []
