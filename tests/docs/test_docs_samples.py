import hashlib
import io
import json
import os
import shlex
import subprocess
import sys
import tomllib
import types
from pathlib import Path

import jsonschema_rs
import pytest
from markdown_pages import DOCS, PAGES, ROOT, code_blocks, name_of, typed_commands

import drift.tools
from drift.cli.console import Console
from drift.cli.entry import run
from drift.cli.exits import Exit
from drift.project import load_config
from drift.protocol.http.tokens import StaticTokens
from drift.registry import Effect, collect_tools
from drift.tools import all_tools

CONTRIBUTING = ROOT / "CONTRIBUTING.md"


def examples():
    """The calls of tools.md: the tool and its arguments."""
    words = [shlex.split(line) for line in typed_commands(DOCS / "tools.md") if "--args" in line]
    return [(line[2], json.loads(line[line.index("--args") + 1])) for line in words]


@pytest.fixture
def sample_tool(monkeypatch):
    """The module CONTRIBUTING.md shows, as if it stood where the page says."""
    module_text, _test_text = (block.text for block in code_blocks(CONTRIBUTING, "python"))
    module = types.ModuleType("drift.tools.sizes")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(drift.tools, "sizes", module, raising=False)
    exec(compile(module_text, "sizes.py", "exec"), vars(module))
    return module


def test_the_sample_tool_passes_the_sample_test(sample_tool, tmp_path):
    _module_text, test_text = (block.text for block in code_blocks(CONTRIBUTING, "python"))
    names = {}
    exec(compile(test_text, "test_sizes.py", "exec"), names)
    tests = [value for name, value in names.items() if name.startswith("test_")]

    for test in tests:
        test(tmp_path)

    assert len(tests) == 1


def test_the_sample_tool_is_a_tool_like_any_other(sample_tool):
    (definition,) = collect_tools([sample_tool])

    assert definition.name == "drift_sizes"
    assert definition.input_schema["required"] == ["folder"]
    assert definition.output_schema["properties"]["data"]["required"] == ["lookedAt", "files"]


@pytest.mark.parametrize("path", ["src/drift/tools/sizes.py", "tests/tools/test_sizes.py"])
def test_the_sample_keeps_the_rules_of_the_house(path):
    module_text, test_text = (block.text for block in code_blocks(CONTRIBUTING, "python"))
    text = test_text if path.startswith("tests") else module_text
    ruff = [sys.executable, "-m", "ruff"]

    for command in (
        ["check", "--stdin-filename", path, "-"],
        ["format", "--diff", "--stdin-filename", path, "-"],
    ):
        done = subprocess.run(
            [*ruff, *command], input=text, capture_output=True, text=True, check=False, cwd=ROOT, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_json_and_toml_samples_are_well_formed(page):
    for block in code_blocks(page, "json"):
        json.loads(block.text)
    for block in code_blocks(page, "toml"):
        tomllib.loads(block.text)
    known = {"", "json", "mermaid", "python", "sh", "toml", "yaml"}
    assert {block.language for block in code_blocks(page)} <= known


def test_the_sample_settings_are_the_defaults(tmp_path):
    _, sample = code_blocks(DOCS / "configuration.md", "toml")
    (tmp_path / "drift.toml").write_text(sample.text)
    other = tmp_path / "other"
    other.mkdir()

    given, defaults = load_config(tmp_path, {}), load_config(other, {})

    assert {source.kind for source in given.sources.values()} == {"file"}
    assert (given.mcp, given.cortex, given.log) == (defaults.mcp, defaults.cortex, defaults.log)


def test_the_sample_token_file_is_one_that_works(tmp_path):
    sample = next(block for block in code_blocks(DOCS / "protocol.md", "json") if "sha256" in block.text)
    path = tmp_path / "tokens.json"
    path.write_text(sample.text)
    path.chmod(0o600)

    assert isinstance(StaticTokens.from_file(path), StaticTokens)


def test_the_example_calls_have_arguments_their_tools_take():
    calls = examples()
    faults = {
        name: [
            error.message
            for error in jsonschema_rs.Draft202012Validator(tool.input_schema).iter_errors(arguments)
        ]
        for name, arguments in calls
        if (tool := all_tools().find(name))
    }

    assert len(calls) > 5
    assert {name: problems for name, problems in faults.items() if problems} == {}


# These ask what one project alone has not; where it is, their own tests ask it.
ASKED_ELSEWHERE = {"drift_fleet": "tests/fleet"}


def reading_examples():
    found = [
        (name, arguments)
        for name, arguments in examples()
        if all_tools().get(name).effect is Effect.READS and name not in ASKED_ELSEWHERE
    ]
    return [pytest.param(name, arguments, id=f"{name} {json.dumps(arguments)}") for name, arguments in found]


@pytest.mark.parametrize(("name", "arguments"), reading_examples())
def test_the_example_calls_that_only_read_give_an_answer(name, arguments, example_shop):
    out, err = io.StringIO(), io.StringIO()
    console = Console(io.StringIO(), out, err, dict(os.environ), example_shop)

    code = run(["call", name, "--args", json.dumps(arguments), "--json"], console)

    assert code == Exit.OK, err.getvalue()
    assert json.loads(out.getvalue())["summary"]


def test_the_licence_is_the_standard_text():
    text = Path(ROOT / "LICENSE").read_bytes()

    assert (
        hashlib.sha256(text).hexdigest() == "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
    )
