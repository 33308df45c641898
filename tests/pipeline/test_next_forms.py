"""The calls an answer suggests can be made as they stand, on every surface."""

import asyncio
from datetime import UTC, datetime

import pytest

from drift.kernel.answer import NextAction
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, callable_on, parse_surface, route, short_list
from drift.scan import ScanOptions, scan
from drift.tools import tools_of

SURFACES = ("entry", "core", "consolidated", "full", "pack:bug-fix")
SHOP = "def pay():\n    return total()\n\n\ndef total():\n    return 1\n"


@pytest.fixture
def runtime_on(tmp_path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "shop.py").write_text(SHOP)
    scan(tmp_path / "shop", ScanOptions(jobs=0))
    opened = []

    def open_runtime(surface, server=ServerName.ANALYSIS):
        projects = ProjectRegistry(tmp_path / "projects.json", lambda: datetime.now(UTC))
        at = Environment(tmp_path / "shop", projects, {"HOME": str(tmp_path)})
        opened.append(ServerRuntime(server, tools_of(server), parse_surface(surface), at=at))
        return opened[-1]

    yield open_runtime
    for each in opened:
        each.close()


def ask(runtime, tool, /, **arguments):
    return asyncio.run(runtime.call(tool, arguments))


def meant(runtime, tool, arguments):
    """The plain call behind any form of it."""
    name, routed = route(runtime.surface, tool, arguments, runtime.toolbox)
    if runtime.toolbox.get(name).is_relay:
        return routed["name"], routed.get("args", {})
    return name, dict(routed)


@pytest.mark.parametrize("surface", SURFACES)
def test_every_form_of_a_suggested_call_means_the_same(runtime_on, surface):
    plain = ask(runtime_on("full"), "drift_discover", tool="drift_callees").body["nextActions"]

    runtime = runtime_on(surface)
    shown = ask(runtime, "drift_discover", tool="drift_callees").body["nextActions"]

    assert [meant(runtime, each["tool"], each["args"]) for each in shown] == [
        meant(runtime_on("full"), each["tool"], each["args"]) for each in plain
    ]


@pytest.mark.parametrize(
    ("surface", "form"),
    [
        ("entry", ("drift_tool", {"name": "drift_callees", "args": {"symbol": "pay"}})),
        ("core", ("drift_tool", {"name": "drift_callees", "args": {"symbol": "pay"}})),
        ("consolidated", ("drift_callers", {"type": "callees", "symbol": "pay"})),
        ("full", ("drift_callees", {"symbol": "pay"})),
    ],
)
def test_a_tool_the_surface_does_not_list_is_called_through_what_it_lists(surface, form):
    box, kind = tools_of(ServerName.ANALYSIS), parse_surface(surface)
    listed = short_list(surface, ServerName.ANALYSIS)

    found = callable_on(NextAction("drift_callees", {"symbol": "pay"}, "see"), kind, box, listed)

    assert (found.tool, found.args) == form


@pytest.mark.parametrize(
    ("server", "action", "form"),
    [
        ("memory", ("drift_memory_get", {"id": "m"}), ("drift_memory_manage", {"name": "drift_memory_get", "args": {"id": "m"}})),
        ("catalog", ("instructions_get_enhanced", {"id": "i"}), ("instructions_dispatch", {"action": "getEnhanced", "params": {"id": "i"}})),
        ("catalog", ("feedback_stats", {}), ("feedback_dispatch", {"action": "stats"})),
    ],
)  # fmt: skip
def test_every_server_has_its_door(server, action, form):
    name = ServerName(server)
    found = callable_on(
        NextAction(*action, "see"), parse_surface("entry"), tools_of(name), short_list("entry", name)
    )

    assert (found.tool, found.args) == form


def test_an_own_argument_named_like_the_selector_keeps_its_meaning():
    box, surface = tools_of(ServerName.ANALYSIS), parse_surface("consolidated")
    action = NextAction("drift_projects", {"action": "recent"}, "see")

    found = callable_on(action, surface, box, ())

    assert route(surface, found.tool, found.args, box) == ("drift_projects", {"action": "recent"})


def test_every_tool_can_be_suggested_on_the_consolidated_surface():
    box, surface = tools_of(ServerName.ANALYSIS), parse_surface("consolidated")
    for tool in box:
        arguments = dict(tool.examples[0]) if tool.examples else {}
        if not tool.is_relay:
            found = callable_on(NextAction(tool.name, arguments, "see"), surface, box, ())
            name, routed = route(surface, found.tool, found.args, box)
            assert (name, {**routed}) == (tool.name, arguments), tool.name


def test_a_surface_without_a_door_suggests_only_what_it_lists():
    box, surface = tools_of(ServerName.MEMORY), parse_surface("simple")
    listed = short_list("simple", ServerName.MEMORY)

    assert callable_on(NextAction("drift_memory_get", {"id": "m"}, "see"), surface, box, listed) is None
    assert callable_on(NextAction("recall", {"id": "m"}, "see"), surface, box, listed).tool == "recall"


def test_the_answer_of_a_relayed_call_suggests_calls_through_the_relay(runtime_on):
    outcome = ask(runtime_on("entry"), "drift_tool", name="drift_capabilities")

    assert {each["tool"] for each in outcome.body["nextActions"]} <= set(
        short_list("entry", ServerName.ANALYSIS)
    )
    assert "next: drift_discover(" in outcome.text


def test_a_pack_run_on_a_short_surface_leaves_out_calls_it_has_made_as_on_the_full_one(runtime_on):
    asked = {"action": "run", "name": "understand", "target": "pay"}
    full = ask(runtime_on("full"), "drift_pack", **asked)
    short = ask(runtime_on("entry"), "drift_tool", name="drift_pack", args=asked)

    entry = runtime_on("entry")
    assert full.body["nextActions"]
    assert [meant(entry, each["tool"], each["args"]) for each in short.body["nextActions"]] == [
        (each["tool"], each["args"]) for each in full.body["nextActions"]
    ]
