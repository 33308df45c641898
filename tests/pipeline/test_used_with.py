import asyncio

import pytest
from pipeline_samples import answer_ok

from drift.pipeline.used_with import rules_by_tool, unused_arguments
from drift.pipeline.validate import Validator
from drift.registry import ServerName
from drift.registry.definition import SHARED_ARGUMENTS
from drift.tools import tools_of

TOOLS = {tool.name: tool for server in ServerName for tool in tools_of(server)}
WITH_ACTIONS = [
    name for name, tool in TOOLS.items() if "enum" in tool.input_schema["properties"].get("action", ())
]


@pytest.mark.parametrize("name", rules_by_tool())
def test_a_rule_names_arguments_and_values_that_the_tool_has(name):
    known = TOOLS[name].input_schema["properties"]

    for rule in rules_by_tool()[name]:
        assert {rule.argument, rule.by} <= known.keys()
        assert not rule.values or rule.values & set(known[rule.by]["enum"])


@pytest.mark.parametrize("name", WITH_ACTIONS)
def test_of_every_argument_it_is_known_which_actions_use_it(name):
    known = TOOLS[name].input_schema["properties"].keys() - SHARED_ARGUMENTS.keys() - {"action"}
    required = set(TOOLS[name].input_schema.get("required", ()))

    told = {rule.argument for rule in rules_by_tool().get(name, ())}

    assert told >= known - required


def test_an_argument_without_effect_is_told(request_for):
    request = request_for(TOOLS["drift_graph"], {"action": "central", "level": "package", "by": "callers"})

    asyncio.run(Validator()(request, answer_ok))

    assert request.warnings == ["level had no effect: it goes with action=cycles"]


def test_the_default_action_counts_as_given():
    assert list(unused_arguments(TOOLS["drift_memory_path"], {"waypoint": "error"})) == [
        "waypoint had no effect: it goes with action=note"
    ]
