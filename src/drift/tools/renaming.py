"""Rename: the plan of a new name, what is in its way, and the patch. Nothing is written."""

from dataclasses import replace
from typing import Annotated

from drift.analyses.usages.certainty import Certainty
from drift.analyses.usages.patching import make_patch
from drift.analyses.usages.rename_listing import PlannedRename, RenameData, changed_lines
from drift.analyses.usages.renaming import check_name, plan_rename, renamed_symbol
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer
from drift.tools.references import choose_declared

_PATCH_TOKENS = 30_000


@tool(
    category="surgical",
    title="Plan a rename",
    tokens=(200, 2000),
    ttl=0,
    needs=Layer.CALLS,
    examples=(
        {"symbol": "total", "newName": "grand_total"},
        {"symbol": "Cart.load", "newName": "open", "patch": True},
    ),
)
def drift_rename(
    call: Call,
    symbol: Annotated[str, Length(500), "Name, Class.method or path:line"],
    new_name: Annotated[str, Length(200), "Without the class"],
    *,
    file: Annotated[str | None, Length(4096), "Declared in this file"] = None,
    certainty: Annotated[Certainty, "Change what is at least so sure; text: comments, docs, too"] = "likely",
    path: Annotated[str | None, Length(500), "Change only files that fit: src/**/*.py"] = None,
    patch: Annotated[bool, "Give a unified diff; its files were parsed"] = False,
    page: Page = Page(limit=60),
) -> Answer[RenameData]:
    """All places a rename changes, by certainty, with conflicts; a patch on request. Writes nothing."""
    with opened_index(call) as reader:
        target, warnings = renamed_symbol(reader, *choose_declared(reader, symbol, file=file))
        check_name(new_name, target)
        plan = plan_rename(reader, call.project.root, target, new_name, certainty=certainty, path=path)
        made = make_patch(reader, plan) if patch and not plan.is_blocked else None
    found = PlannedRename(target, plan, changed_lines(plan.changed), made, patch)
    told = (*warnings, *found.cautions())
    answer = list_answer(
        call, page, found.ranked(), found.data, summary=found.summary, next=found.following(), warnings=told
    )
    return replace(answer, pagination=None, max_tokens=_PATCH_TOKENS) if made else answer
