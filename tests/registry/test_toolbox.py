from datetime import date

import pytest

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.registry import (
    Call,
    Deprecation,
    Phase,
    Toolbox,
    View,
    definition_of,
    phase_of,
    tool,
    visible_tools,
)
from drift.registry.scopes import Scope


def make(name, *, category="surgical", **metadata):
    def function(call: Call) -> Answer[str]:
        """Nothing much."""
        return Answer("", "")

    function.__name__ = name
    return definition_of(tool(category=category, title=name, tokens=(1, 1), **metadata)(function))


TODAY = date(2026, 6, 1)


def test_tools_stand_by_category_then_name_whatever_the_order_of_registration():
    tools = [make("drift_b"), make("drift_a"), make("drift_status", category="discovery")]

    names = [found.name for found in Toolbox(tools)]

    assert names == ["drift_status", "drift_a", "drift_b"]
    assert [found.name for found in Toolbox(reversed(tools))] == names


def test_the_newest_version_goes_by_the_plain_name_and_older_ones_by_number():
    old, new = make("drift_x"), make("drift_x", version=2)
    box = Toolbox([old, new])

    assert box.get("drift_x") is new
    assert box.get("drift_x_v1") is old
    assert list(box) == [new]
    assert set(visible_tools(box, View(TODAY, include_deprecated=True))) == {old, new}


def test_a_slash_in_a_name_stands_for_an_underscore():
    box = Toolbox([make("instructions_dispatch", category="catalog")])

    assert box.get("instructions/dispatch").name == "instructions_dispatch"


def test_an_unknown_name_gets_its_neighbours():
    with pytest.raises(DriftError) as caught:
        Toolbox([make("drift_callers"), make("drift_status")]).get("drift_caller")

    assert caught.value.code is ErrorCode.TOOL_NOT_FOUND
    assert caught.value.recovery.similar[0] == "drift_callers"


def test_two_tools_of_one_name_and_version_are_a_mistake():
    with pytest.raises(ValueError, match="two tools"):
        Toolbox([make("drift_x"), make("drift_x")])


@pytest.mark.parametrize(
    ("day", "phase"),
    [
        (date(2025, 12, 31), Phase.ACTIVE),
        (date(2026, 1, 1), Phase.DEPRECATED),
        (date(2026, 4, 1), Phase.HIDDEN),
        (date(2026, 6, 30), Phase.REMOVED),
    ],
)
def test_a_deprecated_tool_warns_then_hides_then_goes(day, phase):
    leaving = make("drift_x", deprecation=Deprecation(date(2026, 1, 1), "drift_y"))

    assert phase_of(leaving, day) is phase


def test_lists_hold_back_by_language_layer_scope_and_age():
    box = Toolbox(
        [
            make("drift_python", languages=frozenset({"python"})),
            make("drift_admin", scopes=frozenset({Scope.ADMIN})),
            make("drift_old", deprecation=Deprecation(date(2026, 1, 1), "drift_y")),
            make("drift_plain"),
        ]
    )

    view = View(TODAY, languages=frozenset({"go"}), scopes=frozenset({Scope.READ}))

    assert [found.name for found in visible_tools(box, view)] == ["drift_plain"]
    assert [found.name for found in visible_tools(box, View(TODAY))] == [
        "drift_admin",
        "drift_plain",
        "drift_python",
    ]


def test_the_word_that_names_begin_with_may_be_left_out():
    assert Toolbox([make("drift_callers")]).get("callers").name == "drift_callers"


def test_an_unknown_name_is_met_with_the_tool_that_lists_those_of_this_server():
    with pytest.raises(DriftError) as caught:
        Toolbox([make("drift_memory_discover"), make("recall")]).get("remember")

    assert "drift_memory_discover" in caught.value.recovery.hint
