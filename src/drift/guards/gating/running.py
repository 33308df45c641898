"""A policy run over a subject: each gate's outcome, and one verdict that is never kinder than what could be told."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from drift.guards.gating.boundary import BOUNDARY, check_boundary
from drift.guards.gating.boundary import SETTINGS as BOUNDARY_SETTINGS
from drift.guards.gating.constraints import CONSTRAINTS, check_constraints
from drift.guards.gating.constraints import SETTINGS as CONSTRAINT_SETTINGS
from drift.guards.gating.custom import CUSTOM, check_custom
from drift.guards.gating.custom import SETTINGS as CUSTOM_SETTINGS
from drift.guards.gating.flows import FLOWS, check_flows
from drift.guards.gating.flows import SETTINGS as FLOW_SETTINGS
from drift.guards.gating.form import Found, Gate, Settings, Subject, new_ones, number
from drift.guards.gating.impact import IMPACT, check_impact
from drift.guards.gating.impact import SETTINGS as IMPACT_SETTINGS
from drift.guards.gating.patterns import PATTERNS, check_patterns
from drift.guards.gating.patterns import SETTINGS as PATTERN_SETTINGS
from drift.guards.gating.policies import Policy
from drift.guards.gating.regression import REGRESSION, check_regression
from drift.guards.gating.regression import SETTINGS as REGRESSION_SETTINGS
from drift.guards.gating.secrets import SECRETS, check_secrets
from drift.guards.gating.secrets import SETTINGS as SECRET_SETTINGS
from drift.guards.gating.texts import SETTINGS as TEXT_SETTINGS
from drift.guards.gating.texts import TEXTS, check_texts
from drift.guards.gating.thresholds import threshold_gates
from drift.kernel.text import plural
from drift.quality import Finding, Rule, Severity, count_severities, in_order
from drift.quality.gate import Failure, attempt
from drift.quality.reporters import CheckOutcome, CheckStatus, Report

Verdict = Literal["passed", "warned", "failed", "errored"]

GATES: Final[Mapping[str, Gate]] = {
    each.name: each
    for each in (
        Gate(PATTERNS, "new code does what the project does", PATTERN_SETTINGS, check_patterns),
        Gate(CONSTRAINTS, "what must hold still holds", CONSTRAINT_SETTINGS, check_constraints),
        Gate(REGRESSION, "no convention is weakened", REGRESSION_SETTINGS, check_regression),
        Gate(
            IMPACT,
            "the change reaches no further than allowed, and breaks nothing",
            IMPACT_SETTINGS,
            check_impact,
        ),
        Gate(BOUNDARY, "nothing goes round the guards", BOUNDARY_SETTINGS, check_boundary),
        Gate(FLOWS, "no data of others gets where it does harm", FLOW_SETTINGS, check_flows),
        Gate(TEXTS, "new lines call what there is, and hide no error", TEXT_SETTINGS, check_texts),
        Gate(SECRETS, "no new line holds a secret", SECRET_SETTINGS, check_secrets),
        Gate(CUSTOM, "the project's own rules", CUSTOM_SETTINGS, check_custom),
        *threshold_gates(),
    )
}
EXIT_CODES: Final[Mapping[Verdict, int]] = {"passed": 0, "warned": 0, "failed": 1, "errored": 2}
_COST: Final[Mapping[Severity, int]] = {"error": 10, "warning": 3, "info": 1}
_BEST: Final = 100.0


class GateOutcome(NamedTuple):
    """How a gate came out. `score` is null where it did not run."""

    gate: str
    status: CheckStatus
    message: str
    score: float | None = None
    weight: float = 1.0
    findings: tuple[Finding, ...] = ()
    details: Mapping[str, float | int | str] = {}
    rules: tuple[Rule, ...] = ()


class PolicyRun(NamedTuple):
    """How a policy came out over a subject."""

    policy: Policy
    status: Verdict
    score: float | None
    gates: tuple[GateOutcome, ...]
    told: str
    notes: tuple[str, ...] = ()
    is_whole: bool = False
    """It was about all code rather than a change."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        return in_order(each for gate in self.gates for each in gate.findings)

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.status]

    @property
    def summary(self) -> str:
        new = new_ones(self.findings)
        counts = ", ".join(plural(count, name) for name, count in count_severities(new).items() if count)
        known = len(self.findings) - len(new)
        beside = f", {known} in the baseline" if known else ""
        ran = [
            f"{each.gate} {each.status}" for each in self.gates if each.status not in {"passed", "skipped"}
        ]
        why = f" ({'; '.join(ran)})" if ran else ""
        return f"Policy {self.policy.name} {self.status}{why}: {counts or 'no findings'}{beside} {self.told}"


def run_policy(policy: Policy, subject: Subject, *, only: Sequence[str] = ()) -> PolicyRun:
    """Run the policy's gates, or some of them."""
    outcomes = []
    for name, gate in GATES.items():
        if only and name not in only:
            continue
        settings = policy.gates.get(name)
        if settings is None:
            if name in only:
                outcomes.append(GateOutcome(name, "skipped", f"the policy {policy.name} leaves it out"))
            continue
        subject.check_cancelled()
        outcomes.append(_run(gate, settings, subject, is_required=name in policy.required or name in only))
    status, score = _verdict(policy, outcomes)
    told = subject.change.told if subject.change is not None else "in all code"
    notes = subject.change.notes if subject.change else ()
    if subject.off:
        notes = (*notes, f"Switched off by ratings, and not told of: {', '.join(sorted(subject.off))}")
    return PolicyRun(policy, status, score, tuple(outcomes), told, notes, subject.change is None)


def _run(gate: Gate, settings: Settings, subject: Subject, *, is_required: bool) -> GateOutcome:
    weight = number(settings, "weight")
    found = attempt(gate.name, lambda: gate.evaluate(subject, settings))
    if isinstance(found, Failure):
        is_skipped = found.is_unmeasurable and not is_required
        return GateOutcome(gate.name, "skipped" if is_skipped else "errored", found.message, weight=weight)
    status: CheckStatus = "warned" if found.is_doubtful or not found.is_kept else "passed"
    if not found.is_kept and settings["blocking"]:
        status = "failed"
    return GateOutcome(
        gate.name, status, found.message, _score(found), weight, found.findings, found.details, found.rules
    )


def _score(found: Found) -> float:
    """100, less 10 for each error, 3 for each warning and 1 for each other finding; a limit that is not kept is one of them."""
    counts = count_severities(new_ones(found.findings))
    cost = sum(_COST[severity] * count for severity, count in counts.items())
    if not cost and (found.is_doubtful or not found.is_kept):
        cost = _COST["warning" if found.is_kept else "error"]
    return max(0.0, _BEST - cost)


def _verdict(policy: Policy, outcomes: Sequence[GateOutcome]) -> tuple[Verdict, float | None]:
    ran = [each for each in outcomes if each.score is not None]
    total = sum(each.weight for each in ran)
    score = round(sum(each.weight * (each.score or 0) for each in ran) / total, 1) if total else None
    plain = round(sum(each.score or 0 for each in ran) / len(ran), 1) if ran else None
    told = score if policy.aggregation == "weighted" else plain
    if any(each.status == "errored" for each in outcomes) or not ran:
        return "errored", told
    failed = [each for each in ran if each.status == "failed"]
    is_failed = {
        "any": bool(failed),
        "all": bool(failed) and len(failed) == len(ran),
        "weighted": (told or 0) < policy.min_score,
        "threshold": (told or 0) < policy.min_score,
    }[policy.aggregation]
    if is_failed or any(each.gate in policy.required for each in failed):
        return "failed", told
    return ("warned" if failed or any(each.status == "warned" for each in ran) else "passed"), told


def policy_report(run: PolicyRun) -> Report:
    """The run for a form that is a text."""
    checks = tuple(
        CheckOutcome(
            each.gate, each.status, each.message, each.score, None,
            tuple(dict.fromkeys(one.rule for one in each.findings)),
        )
        for each in run.gates
    )  # fmt: skip
    rules = {rule.id: rule for gate in run.gates for rule in gate.rules}
    return Report(
        "drift_quality_gate",
        run.told,
        run.summary,
        (("status", run.status), ("score", run.score), ("policy", run.policy.name)),
        (),
        run.findings,
        checks,
        run.notes,
        tuple(rules.values()),
    )
