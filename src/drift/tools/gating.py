"""Whether a change may go in: gates over what it does to the project's conventions, rules and boundaries."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal

from drift.guards.gating.answers import GateWish, PolicyData, Surroundings, judge, kept, told_policy
from drift.guards.gating.form import new_ones
from drift.guards.gating.policies import BY_BRANCH, DEFAULT, own_policies, policy_names
from drift.guards.gating.running import PolicyRun, policy_report
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.ranking import Ranked
from drift.quality.complexity_report import FINDING_SORTS
from drift.quality.reporters import Format
from drift.registry import Call, KnownPath, Length, Page, Question, Tier, tool
from drift.registry.indexes import opened_index
from drift.tools.quality.answering import DOCUMENT, in_form, person_writer, told_answer

_WAIT_SECONDS: Final = 60.0


@tool(
    category="quality",
    title="Quality gates of a change",
    tokens=(300, 2500),
    tier=Tier.EXPENSIVE,
    ttl=0,  # what changed is asked of git
    needs=Layer.CALLS,
    is_long=True,
    examples=({"against": "working"}, {"against": "all", "policy": "ci-fast", "format": "summary"}),
)
async def drift_quality_gate(
    call: Call,
    files: Annotated[tuple[KnownPath, ...], "Only findings in these"] = (),
    policy: Annotated[
        str | None,
        Length(100),
        "default, strict, relaxed, ci-fast, thresholds, security, branch (by its name), or an own one; else asked once, or default",
    ] = None,
    *,
    gates: Annotated[tuple[str, ...], "Only these gates"] = (),
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["text", "summary", "json", "github", "gitlab", "sarif", "junit", "markdown"],
        "summary has no findings",
    ] = "text",
    verbose: Annotated[bool, "Numbers of each gate"] = False,
    branch: Annotated[str | None, Length(300), "Name for policy=branch"] = None,
    base_branch: Annotated[
        str | None, Length(300), "What to compare with; default: the default branch"
    ] = None,
    against: Annotated[
        str | None, Length(300), "all, staged, working, a commit, or A..B with B checked out"
    ] = None,
    page: Page = Page(limit=20, sorts=tuple(FINDING_SORTS)),
) -> Answer[PolicyData]:
    """Whether what changed may go in: conventions, constraints, impact, boundaries and own rules, on changed lines. Fails closed."""
    chosen = policy or await _chosen_policy(call)
    wish = GateWish(chosen, files, gates, branch, base_branch, against)
    form: Format = "detailed" if format == "text" else format
    run = await asyncio.to_thread(_run, call, wish)
    write = person_writer(call, form)
    data = told_policy(run, write(policy_report(run)) if write else None, verbose=verbose)
    shown = DOCUMENT if write else form
    rows = Ranked(new_ones(run.findings), FINDING_SORTS)
    return told_answer(
        call, page, rows, in_form(data, form), summary=run.summary, form=shown, warnings=run.notes
    )


def _run(call: Call, wish: GateWish) -> PolicyRun:
    with opened_index(call) as reader:
        found = judge(reader, call.project, wish, surroundings_of(call))
    return kept(call.project, found, by=call.caller.id, now=datetime.now(UTC))


_chosen: Final[dict[Path, str]] = {}
"""What was chosen for a project since this process began: nobody wants to be asked after each edit."""


async def _chosen_policy(call: Call) -> str:
    """The policy that the person chooses, once; the default one where nobody can be asked."""
    root = call.project.root
    if root not in _chosen:
        names = [*policy_names(), BY_BRANCH, *own_policies(call.project.state)]
        field = {"type": "string", "title": "Policy", "enum": names, "default": DEFAULT}
        schema = {"type": "object", "properties": {"policy": field}}
        asked = Question("policy", "Which policy is to judge the change?", schema, _WAIT_SECONDS)
        reply = await call.client.ask(asked)
        if reply is None:
            return DEFAULT
        named = str(reply.content.get("policy") or DEFAULT) if reply.accepted else DEFAULT
        _chosen[root] = named if named in names else DEFAULT
    return _chosen[root]


def surroundings_of(call: Call) -> Surroundings:
    """What a run takes from outside the project."""
    return Surroundings(call.runtime.today(), call.runtime.environ, call.check_cancelled)
