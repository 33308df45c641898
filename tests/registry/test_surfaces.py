from datetime import date

import orjson
import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.registry import (
    Intent,
    Scope,
    ServerName,
    Surface,
    Toolbox,
    View,
    check_surface,
    consolidated_tools,
    list_surface,
    load_packs,
    parse_surface,
    route,
    short_list,
    tools_for,
)
from drift.registry.consolidated import Consolidated, Option
from drift.tools import all_tools
from drift.tools.catalogs.actions import find_action

VIEW = View(date(2026, 6, 1))
ANALYSIS = all_tools().of_server(ServerName.ANALYSIS)


def listed_on(kind, server=ServerName.ANALYSIS, view=VIEW):
    return list_surface(Surface(kind), all_tools().of_server(server), load_packs(), server=server, view=view)


def names(surface, server=ServerName.ANALYSIS, view=VIEW):
    return [tool.name for tool in listed_on(surface.kind, server, view)]


def test_the_entry_surface_lists_the_doors_that_are_registered():
    assert names(Surface("entry")) == ["drift_context", "drift_discover", "drift_tool"]
    assert names(Surface("entry"), ServerName.MEMORY) == [
        "drift_memory_context", "save_memory", "recall", "drift_memory_discover", "drift_memory_manage",
    ]  # fmt: skip
    assert names(Surface("entry"), ServerName.CATALOG) == [
        "instructions_dispatch", "feedback_dispatch", "catalog_discover",
    ]  # fmt: skip


def test_the_full_surface_lists_every_tool_by_its_own_name():
    assert names(Surface("full")) == [tool.name for tool in ANALYSIS]


def test_sixteen_tools_are_kept_as_data_and_those_with_something_behind_them_are_listed():
    assert len(consolidated_tools()) == 16
    listed = names(Surface("consolidated"))
    assert {"drift_context", "drift_discover", "drift_setup"} < set(listed)
    assert set(listed) <= set(consolidated_tools())


def test_a_surface_with_nothing_to_show_shows_the_doors():
    assert names(Surface("consolidated"), ServerName.CATALOG) == names(Surface("entry"), ServerName.CATALOG)


def test_the_simple_surface_of_the_memory_server_is_two_tools():
    assert names(Surface("simple"), ServerName.MEMORY) == ["save_memory", "recall"]


def test_a_pack_lists_its_registered_tools_and_the_way_to_all_others(tmp_path):
    (tmp_path / "mine.json").write_bytes(
        orjson.dumps(
            {"name": "mine", "title": "Mine", "description": "d", "tools": ["drift_status", "drift_gone"]}
        )
    )
    packs = load_packs(tmp_path)

    listed = list_surface(Surface("pack", "mine"), ANALYSIS, packs, server=ServerName.ANALYSIS, view=VIEW)

    assert [tool.name for tool in listed] == ["drift_status", "drift_tool"]


def test_every_listed_tool_has_both_schemas_a_title_a_description_and_hints():
    for server in ServerName:
        for kind in ("entry", "core", "consolidated", "full"):
            box = all_tools().of_server(server)
            for tool in list_surface(Surface(kind), box, load_packs(), server=server, view=VIEW):
                assert tool.title
                assert tool.description
                assert tool.input_schema["type"] == tool.output_schema["type"] == "object"
                assert "readOnlyHint" in tool.annotations


def test_a_consolidated_call_becomes_the_tool_it_means():
    surface = Surface("consolidated")

    assert route(surface, "drift_discover", {"action": "status"}, ANALYSIS) == ("drift_status", {})
    assert route(surface, "drift_discover", {"section": "packs"}, ANALYSIS) == (
        "drift_discover",
        {"section": "packs"},
    )
    assert route(surface, "drift_setup", {"action": "init", "name": "x"}, ANALYSIS) == (
        "drift_setup", {"action": "init", "name": "x"},
    )  # fmt: skip


def test_a_targets_own_action_goes_by_another_name_behind_a_selector():
    routed = route(
        Surface("consolidated"), "drift_discover", {"action": "projects", "operation": "recent"}, ANALYSIS
    )
    listed = consolidated_tools()["drift_discover"].input_schema(ANALYSIS)

    assert routed == ("drift_projects", {"action": "recent"})
    assert "recent" in listed["properties"]["operation"]["enum"]
    assert listed["properties"]["action"]["enum"] == ["overview", "status", "capabilities", "projects"]


def test_a_wrong_selector_says_what_is_allowed():
    with pytest.raises(DriftError) as caught:
        route(Surface("consolidated"), "drift_discover", {"action": "statsu"}, ANALYSIS)
    assert "status" in caught.value.recovery.similar

    with pytest.raises(DriftError) as caught:
        route(Surface("consolidated"), "drift_lookup", {"type": "signature"}, Toolbox([]))
    assert caught.value.code is ErrorCode.NOT_REGISTERED


def test_plain_tools_answer_by_name_on_every_surface():
    assert route(Surface("entry"), "drift_status", {}, ANALYSIS) == ("drift_status", {})
    assert route(Surface("consolidated"), "drift_status", {}, ANALYSIS) == ("drift_status", {})


def test_every_consolidated_option_and_intent_names_tools_in_the_seeds_style():
    known = {option.tool for tool in consolidated_tools().values() for option in tool.options.values()}

    others = {name for name in known - {"save_memory", "recall"} if not name.startswith("drift_")}
    # Those that are methods by their own name, too, have the name that clients of the methods know.
    assert {tool.name for tool in map(all_tools().find, others) if tool and tool.method != tool.name} == set()
    assert all(tools_for(intent) <= known for intent in Intent)


def test_an_intent_narrows_the_full_list_but_never_the_doors():
    view = View(date(2026, 6, 1), intent=Intent.FIX_BUG)

    assert names(Surface("entry"), view=view) == ["drift_context", "drift_discover", "drift_tool"]
    assert set(names(Surface("full"), view=view)) < set(names(Surface("full")))


def test_surfaces_are_parsed_strictly():
    assert parse_surface("pack:bug-fix") == Surface("pack", "bug-fix")
    for wrong in ("", "pack:", "fulll", "entry:x"):
        with pytest.raises(DriftError):
            parse_surface(wrong)


def test_a_surface_that_would_list_nothing_is_refused():
    with pytest.raises(DriftError) as caught:
        check_surface(Surface("pack", "bug-fxi"), load_packs(), ServerName.ANALYSIS)
    assert caught.value.code is ErrorCode.PACK_NOT_FOUND
    assert "bug-fix" in caught.value.recovery.similar

    with pytest.raises(DriftError, match="no simple surface"):
        check_surface(Surface("simple"), load_packs(), ServerName.CATALOG)


@pytest.mark.parametrize("surface", ["entry", "core", "full", "consolidated", "pack:mine"])
def test_no_surface_lists_a_tool_the_caller_may_not_call(tmp_path, surface):
    pack = {"name": "mine", "title": "Mine", "description": "d", "tools": ["drift_status", "drift_projects"]}
    (tmp_path / "mine.json").write_bytes(orjson.dumps(pack))
    view = View(date(2026, 6, 1), scopes=frozenset({Scope.READ}))

    listed = list_surface(
        parse_surface(surface), ANALYSIS, load_packs(tmp_path), server=ServerName.ANALYSIS, view=view
    )

    assert listed
    assert {tool.name for tool in listed}.isdisjoint({"drift_projects", "drift_cache_clear"})
    setup = [tool.input_schema["properties"] for tool in listed if tool.name == "drift_setup"]
    assert [each["action"]["enum"] for each in setup] == ([["pack", "batch"]] if setup else [])


def test_a_caller_cannot_replace_the_arguments_an_option_stands_for():
    options = {"latest": Option("drift_projects", {"action": "recent", "limit": 1})}
    group = Consolidated("drift_sample", "Sample", options, selector="view")

    routed = group.route({"view": "latest", "action": "remove", "limit": 50, "name": "shop"}, ANALYSIS)

    assert routed == ("drift_projects", {"action": "recent", "limit": 1, "name": "shop"})


@pytest.mark.parametrize("server", [ServerName.ANALYSIS, ServerName.MEMORY])
def test_every_tool_that_is_no_door_is_an_action_of_the_consolidated_surface(server):
    box = all_tools().of_server(server)
    listed = set(names(Surface("consolidated"), server))

    reached = {
        tool.name
        for group in consolidated_tools().values()
        if group.name in listed
        for tool in group.available(box).values()
    }

    assert {tool.name for tool in box if not tool.is_relay} - reached == set()


def test_every_tool_of_the_catalog_is_an_action_of_its_dispatcher():
    box = all_tools().of_server(ServerName.CATALOG)
    doors = set(names(Surface("consolidated"), ServerName.CATALOG))

    for tool in box:
        if tool.name not in doors:
            assert find_action(box, "instructions", tool.name) is tool


@pytest.mark.parametrize("kind", ["entry", "core", "simple"])
def test_short_lists_name_tools_there_are_with_arguments_they_take_and_all_they_need(kind):
    for server in ServerName:
        for name, arguments in short_list(kind, server).items():
            schema = all_tools().of_server(server).get(name).listed_input_schema
            assert set(schema.get("required", [])) <= set(arguments) <= set(schema["properties"]), name


def test_the_core_surface_is_nine_tools_and_two_more_where_there_are_memories():
    def shown(**known):
        return set(names(Surface("core"), view=View(date(2026, 6, 1), **known)))

    assert len(shown(has_memories=False)) == 9
    assert shown(has_memories=True) - shown(has_memories=False) == {"save_memory", "recall"}


def test_a_tool_takes_on_a_short_list_what_the_list_leaves_out():
    tool = next(each for each in listed_on("core") if each.name == "drift_callers")

    assert "limit" not in tool.input_schema["properties"]
    assert tool.input_schema.get("additionalProperties", True)
