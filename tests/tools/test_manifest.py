"""The manifest says what the modules define, and keeps them out of every start."""

import json
import subprocess
import sys
from dataclasses import fields
from datetime import date
from importlib.resources import files

import pytest

from drift.kernel.answer import Answer
from drift.kernel.wire import to_wire
from drift.registry import (
    Call,
    Deprecation,
    Page,
    ServerName,
    Tier,
    Toolbox,
    definition_of,
    read_manifest,
    tool,
    write_manifest,
)
from drift.registry.scopes import Scope
from drift.tools import MODULES, all_tools, declared_tools, tools_of

SERVED = """
import atexit, sys
atexit.register(lambda: print("loaded", *sys.modules, file=sys.stderr))
from drift.cli import main
sys.exit(main(sys.argv[1:]))
"""
OPENING = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list", "params": {}},
)


def facts(definition):
    """All that is known of a tool without its code."""
    known = {each.name: getattr(definition, each.name) for each in fields(definition) if each.name != "load"}
    return known | {"examples": to_wire(definition.examples), "purpose": definition.purpose}


def loaded_tool_modules(names):
    return {name.removeprefix("drift.tools.") for name in names} & set(MODULES)


def run(program, *words, **options):
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stderr
    return done


def test_the_manifest_is_what_the_modules_define():
    written = files("drift.tools").joinpath("manifest.json").read_text("utf-8").splitlines()
    wanted = write_manifest(declared_tools()).splitlines()

    differing = [json.loads(line.strip(","))["name"] for line in set(wanted) - set(written)]
    assert (differing, written == wanted) == ([], True), "the manifest is out of date: run `make docs`"


def test_a_tool_of_the_manifest_is_the_tool_of_its_module():
    declared = {tool.name: facts(tool) for tool in declared_tools()}

    # Read anew, because a loaded module becomes a name of the package, and must not hide one it uses.
    listed = all_tools.__wrapped__()

    assert {tool.name: facts(tool) for tool in listed} == declared
    assert all(tool.code.function.__name__ == tool.name for tool in listed)


def test_whatever_a_tool_may_say_of_itself_is_read_as_it_was_written():
    @tool(
        category="setup",
        title="Leave",
        tokens=(1, 2),
        tier=Tier.EXPENSIVE,
        action_scopes={"go": frozenset({Scope.ADMIN, Scope.WRITE})},
        person_actions={"gone": "drift leave"},
        languages=frozenset({"python"}),
        version=2,
        deprecation=Deprecation(date(2026, 1, 1), "drift_stay", removed_from=date(2027, 1, 1)),
        stamp=lambda _project, _environ: "",
        asks={"where": lambda: ("here",)},
        examples=({"where": "here"},),
    )
    async def drift_leave(
        call: Call, where: str, tags: tuple[str, ...] = (), page: Page = Page(limit=7, sorts=("name", "age"))
    ) -> Answer[str]:
        """Go away. For good."""
        raise NotImplementedError

    definition = definition_of(drift_leave)

    (found,) = read_manifest(write_manifest(Toolbox([definition])).encode())

    assert facts(found) == facts(definition)


def test_a_tool_that_its_module_has_lost_says_how_to_mend_the_manifest():
    row = {**json.loads(write_manifest(all_tools()).splitlines()[1].strip(",")), "name": "drift_gone"}

    (found,) = read_manifest(json.dumps([row]).encode())

    with pytest.raises(LookupError, match="make docs"):
        _ = found.code


def test_every_tool_belongs_to_a_server():
    assert {tool.name for server in ServerName for tool in tools_of(server)} == {
        tool.name for tool in all_tools()
    }


@pytest.mark.parametrize(
    ("server", "surface"),
    [
        ("analysis", "full"),
        ("memory", "full"),
        ("catalog", "full"),
    ],
)
@pytest.mark.slow
def test_a_server_lists_its_tools_and_loads_none(tmp_path, server, surface):
    messages = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in OPENING)

    done = run(SERVED, "mcp", server, "--surface", surface, input=messages, cwd=tmp_path)

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert any(answer.get("id") == 2 and answer["result"]["tools"] for answer in answers)
    loaded = next(line for line in done.stderr.splitlines() if line.startswith("loaded "))
    assert "drift.tools" in loaded.split()
    assert loaded_tool_modules(loaded.split()) == set()


def test_the_first_call_of_a_tool_loads_the_module_it_stands_in():
    program = (
        "import sys; from drift.tools import all_tools; callers = all_tools().get('drift_callers')\n"
        "print(*sys.modules); callers.code; print(*sys.modules)"
    )

    before, after = run(program).stdout.splitlines()

    heavy = {
        "drift.scan.engine",
        "drift.scan.link",
        "drift.index.reader",
        "tree_sitter",
        "pathspec",
        "sqlite3",
    }
    assert not heavy & set(before.split())
    assert loaded_tool_modules(before.split()) == set()
    assert loaded_tool_modules(after.split()) == {"callgraph"}
