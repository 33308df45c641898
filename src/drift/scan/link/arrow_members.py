"""Members of what an object stands for that gives another, as a pointer does."""

from __future__ import annotations

from drift.languages.expressions import MemberForm
from drift.scan.link.analysis import Analysis
from drift.scan.link.members import member_values, value_member
from drift.scan.link.returns import returned_values
from drift.scan.link.type_arguments import member_objects
from drift.scan.link.values import NOTHING, Values, is_instance, is_reference, merge, symbol_of


def arrow_members(analysis: Analysis, owners: Values, read: MemberForm, scope: int) -> Values:
    """A member of what an object stands for that gives another: `box->pay()` is of what its operator gives."""
    rules = analysis.program.semantics_at(scope)
    for method in merge(
        value_member(analysis, owner, name)
        for name in rules.arrow_members
        for owner in owners
        if is_instance(owner)
    ):
        if is_reference(method):
            given = member_objects(analysis, symbol_of(method), read[1], scope)
            held = returned_values(analysis, symbol_of(method)) if given is None else given
            if found := member_values(analysis, held, read[2]):
                return found
    return NOTHING
