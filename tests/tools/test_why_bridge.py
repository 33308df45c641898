"""The tools that drift-analysis lends from the memory server, shown once there are memories."""

import asyncio
from datetime import UTC, datetime

import pytest

from drift.memory import Draft
from drift.memory.opened import close_stores, memory_store
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import Caller, ServerName, Surface, visible_tools
from drift.tools import all_tools
from store_places import memory_db

BRIDGES = {"drift_why", "drift_memory_learn"}


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text("A = 1\n")
    return folder


@pytest.fixture
def runtime(root, tmp_path):
    registry = ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC))
    tools = all_tools().of_server(ServerName.ANALYSIS)
    found = ServerRuntime(ServerName.ANALYSIS, tools, Surface("full"), at=Environment(root, registry, {}))
    yield found
    found.close()
    close_stores()


def shown(runtime):
    view = runtime.view(runtime.project, Caller())
    return {tool.name for tool in visible_tools(runtime.toolbox, view)}


def test_bridges_are_shown_once_the_project_has_memories(runtime, root):
    before = shown(runtime)
    memory_store(memory_db(root)).add(Draft(type="tribal", title="A is one"), actor="test")

    assert not BRIDGES & before
    assert shown(runtime) >= BRIDGES


def test_a_bridge_answers_on_the_analysis_server(runtime):
    asyncio.run(runtime.call("drift_memory_learn", {"original": "a", "feedback": "Never write a here."}))

    outcome = asyncio.run(runtime.call("drift_why", {"focus": "never write a here"}))

    assert not outcome.is_error
    assert outcome.structured()["data"]["sources"]


def test_other_memory_tools_stay_on_their_own_server(runtime):
    assert runtime.toolbox.find("drift_memory_search") is None
    assert all_tools().of_server(ServerName.MEMORY).find("drift_why") is not None
