"""What each command may load: starting is a budget."""

import json
import subprocess
import sys

import pytest

from drift.tools import MODULES

pytestmark = pytest.mark.slow
PROBE = """
import json, sys
from drift.cli import main
code = main(sys.argv[1:])
print("\\n" + json.dumps(sorted(sys.modules)))
sys.exit(code)
"""


def modules_after(place, *words):
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROBE, *words],
        cwd=place.project,
        env=place.environ,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("words", [["version"], ["version", "--json"], ["--help"]])
def test_what_needs_no_tools_loads_none(place, words):
    loaded = modules_after(place, *words)

    assert not loaded & {
        "asyncio",
        "mcp",
        "jsonschema_rs",
        "orjson",
        "drift.tools",
        "drift.registry",
        "sqlite3",
    }


@pytest.mark.parametrize("words", [["status"], ["projects"], ["tools"], ["call", "drift_status"]])
def test_calling_a_tool_loads_no_protocol(place, words):
    loaded = modules_after(place, *words)

    assert not loaded & {
        "mcp",
        "mcp_types",
        "pydantic",
        "starlette",
        "uvicorn",
        "anyio",
        "drift.servers",
        "drift.protocol",
    }


def test_a_command_loads_the_module_of_its_own_tool_alone(place):
    loaded = modules_after(place, "status")

    assert {name.removeprefix("drift.tools.") for name in loaded} & set(MODULES) == {"discovery"}


def test_an_answer_for_a_person_loads_nothing_that_counts_tokens(place):
    assert "splintr" not in modules_after(place, "status")
    assert "splintr" in modules_after(place, "status", "--json")
