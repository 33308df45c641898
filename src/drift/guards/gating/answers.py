"""What an answer tells of a policy's run."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, NamedTuple

from drift.guards.baseline import read_baseline
from drift.guards.changed_lines import read_change
from drift.guards.gating.form import Subject, new_ones
from drift.guards.gating.policies import find_policy
from drift.guards.gating.running import GATES, PolicyRun, Verdict, run_policy
from drift.index import IndexReader
from drift.kernel.errors import DriftError, invalid
from drift.kernel.similar import similar_names
from drift.project import Project
from drift.project.git import git_branch, git_head
from drift.quality import Finding
from drift.quality.keeping import keep_run
from drift.quality.reporters import CheckStatus
from drift.state import Run, find_switched_off


@dataclass(frozen=True, slots=True)
class GateRow:
    """How a gate came out; `score` is null where it did not run."""

    gate: str
    status: CheckStatus
    summary: str
    score: float | None
    findings: int
    details: dict[str, float | int | str] | None = None


@dataclass(frozen=True, slots=True)
class PolicyData:
    """The verdict, each gate with its numbers, and new findings; those in the baseline are counted only."""

    status: Verdict
    passed: bool
    exit_code: int
    score: float | None
    policy: str
    compared: str
    gates: tuple[GateRow, ...]
    total_findings: int
    in_baseline: int
    findings: tuple[Finding, ...] | None = None
    document: str | None = None


@dataclass(frozen=True, slots=True)
class GateWish:
    """What a run is asked for, as a caller says it."""

    policy: str
    files: tuple[str, ...] = ()
    gates: tuple[str, ...] = ()
    branch: str | None = None
    base_branch: str | None = None
    against: str | None = None


class Surroundings(NamedTuple):
    """What a run takes from outside the project: the day, variables of CI, and whether somebody still waits."""

    today: date
    environ: Mapping[str, str]
    check_cancelled: Callable[[], None] = lambda: None


def judge(reader: IndexReader, project: Project, wish: GateWish, around: Surroundings) -> PolicyRun:
    """Run the wanted policy over what was asked for."""
    for each in wish.gates:
        if each not in GATES:
            raise invalid(
                "gates",
                f"{each!r} is no gate; there are {', '.join(GATES)}",
                similar=tuple(similar_names(each, list(GATES))),
            )
    branch = wish.branch or git_branch(project.root)
    policy = find_policy(project.state, wish.policy, GATES, branch=branch)
    change = read_change(project.root, wish.against, base_branch=wish.base_branch, environ=around.environ)
    subject = Subject(
        reader,
        project,
        around.today,
        change,
        frozenset(wish.files) or None,
        read_baseline(project.state),
        around.check_cancelled,
        find_switched_off(project.stores.state_db),
    )
    return run_policy(policy, subject, only=wish.gates)


def kept(project: Project, run: PolicyRun, *, by: str, now: datetime) -> PolicyRun:
    """The run, kept among the runs of the project; with a note where its store cannot be written."""
    checks = [{"gate": each.gate, "status": each.status, "score": each.score} for each in run.gates]
    scope: Literal["project", "change"] = "project" if run.is_whole else "change"
    row = Run(
        now, by, run.policy.name, scope, run.status, run.score, git_head(project.root), json.dumps(checks)
    )
    try:
        keep_run(project, row)
    except DriftError as error:
        return run._replace(notes=(*run.notes, f"The run was not kept: {error.message}"))
    return run


def told_policy(
    run: PolicyRun, document: str | None, *, verbose: bool
) -> Callable[[tuple[Finding, ...]], PolicyData]:
    """How a page of findings is told."""
    new = len(new_ones(run.findings))
    rows = tuple(
        GateRow(
            each.gate,
            each.status,
            each.message,
            each.score,
            len(new_ones(each.findings)),
            dict(each.details) if verbose and each.details else None,
        )
        for each in run.gates
    )
    return lambda shown: PolicyData(
        run.status,
        run.exit_code == 0,
        run.exit_code,
        run.score,
        run.policy.name,
        run.told,
        rows,
        new,
        len(run.findings) - new,
        shown or None,
        document,
    )
