"""What tools need of a caller, against what they may change."""

from drift.registry import Effect, Scope
from drift.tools import declared_tools

TO_CHANGE = {Scope.WRITE, Scope.ADMIN, Scope.MEMORY}
# Doors, which need what they lead to, and what every caller may do: say what an answer was worth, count a use.
FOR_ALL = {
    "drift_batch", "drift_tool", "feedback_dispatch", "feedback_submit", "instructions_batch", "instructions_dispatch",
    "usage_flush", "usage_track",
}  # fmt: skip


def test_what_changes_something_needs_the_right_to_change_it():
    unguarded = {
        tool.name
        for tool in declared_tools()
        if tool.effect is not Effect.READS
        and not tool.scopes & TO_CHANGE
        and not any(scopes & TO_CHANGE for scopes in tool.action_scopes.values())
    }

    assert unguarded == FOR_ALL


def test_what_tells_of_weaknesses_needs_the_right_to_know_them():
    by_name = {tool.name: tool for tool in declared_tools()}
    guarded = {name for name, tool in by_name.items() if Scope.SECURITY in tool.scopes}

    assert guarded >= {"drift_boundaries", "drift_security_summary", "drift_taint"}
    assert Scope.SECURITY in by_name["drift_constants"].rights_for({"action": "secrets"})
