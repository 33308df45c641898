"""The six actions of curation and feedback on examples, as answers show them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple

from drift.conventions.curation import (
    DoneRow,
    Evidence,
    RequirementRow,
    VerificationRow,
    approvable,
    approve,
    approve_all,
    history_of,
    ignore,
    requirements,
    verify,
)
from drift.conventions.feedback import FeedbackStats, feedback_stats, rate_example
from drift.conventions.opinions import Opinion, OpinionData, keep_opinion, of_example, opinions, restore
from drift.conventions.picture import Picture
from drift.conventions.rows import require_convention
from drift.conventions.verification.form import ClaimObject, VerifiedClaim
from drift.conventions.verification.kinds import claims_summary, count_claims, verify_claims
from drift.index import IndexReader
from drift.kernel.errors import DriftError, ErrorCode, Recovery, needed
from drift.kernel.text import plural
from drift.project import Project

_BY_HAND: Final = "what was switched off is switched on again by a person"
_RESTORE: Final = 'drift call drift_feedback --args \'{"action": "restore", "patternId": "…"}\''
FeedbackAction = Literal["rate", "stats", "restore"]
CurateAction = Literal["review", "verify", "approve", "ignore", "bulk_approve", "audit"]


@dataclass(frozen=True, slots=True)
class CurationData:
    """What was asked for; the other parts are absent."""

    review: tuple[RequirementRow, ...] | None = None
    verification: VerificationRow | None = None
    claims: tuple[VerifiedClaim, ...] | None = None
    done: tuple[DoneRow, ...] | None = None
    is_dry_run: bool | None = None
    trail: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class FeedbackData:
    """What was kept, or what was said so far."""

    number: int | None = None
    stats: FeedbackStats | None = None
    opinions: OpinionData | None = None
    switched_off: tuple[str, ...] | None = None


class FeedbackWish(NamedTuple):
    """What is to be done with feedback, and the example it is about, where it is about one."""

    action: FeedbackAction
    pattern: str | None = None
    rule: str | None = None
    file: str | None = None
    line: int | None = None


class CurationWish(NamedTuple):
    """What is to be done."""

    action: CurateAction
    pattern: str | None
    evidence: Evidence
    threshold: float
    is_dry: bool
    most: int
    claims: tuple[ClaimObject, ...] = ()


class Done(NamedTuple):
    """What was done, with a line on it."""

    summary: str
    data: CurationData


class Said(NamedTuple):
    """What became of feedback, with a line on it."""

    summary: str
    data: FeedbackData


def curate(
    project: Project, reader: IndexReader, picture: Picture, *, wish: CurationWish, by: str, now: datetime
) -> Done:
    """Do what is wished."""
    if wish.action == "verify" and wish.claims:
        verified = verify_claims(reader, project, picture, wish.claims)
        count_claims(project, verified, client=by, now=now)
        return Done(claims_summary(verified), CurationData(claims=verified))
    if wish.action == "review":
        return _review(picture, wish)
    if wish.action == "audit":
        trail = history_of(project, wish.pattern, most=wish.most)
        return Done(f"{plural(len(trail), 'decision')}, newest first", CurationData(trail=trail))
    if wish.action == "bulk_approve":
        return _approve_many(project, picture, wish, by=by, now=now)
    convention = require_convention(picture, needed("patternId", wish.pattern, when=f"action={wish.action}"))
    if wish.action == "verify":
        found = verify(picture, convention, project.root, wish.evidence)
        may = "it can be approved" if found.can_approve else "it cannot be approved yet"
        return Done(f"{convention.id}: {found.verdict}, {may}", CurationData(verification=found))
    if wish.action == "approve":
        done = approve(project, picture, convention, evidence=wish.evidence, by=by, now=now)
    else:
        done = ignore(project, convention, reason=wish.evidence.reasoning or None, by=by, now=now)
    return Done(f"{done.id} is {done.status}; see .drift/rules/conventions.toml", CurationData(done=(done,)))


def take_feedback(
    project: Project,
    wish: FeedbackWish,
    opinion: Opinion | None,
    *,
    client: str,
    is_person: bool,
    now: datetime,
) -> Said:
    """Keep a rating, tell what was said, or have something count again."""
    if wish.action == "stats":
        stats = feedback_stats(project, now)
        told = f"{plural(stats.total, 'rating')} of examples: {stats.good} good, {stats.bad} bad, {stats.irrelevant} irrelevant"
        found = opinions(project, now)
        alerts = sum(one.standing == "alert" for one in found.rates)
        more = f"; {len(found.rates)} rated tools, rules and dimensions, {alerts} in alert, {len(found.switched_off)} off"
        return Said(told + more, FeedbackData(stats=stats, opinions=found))
    if wish.action == "restore":
        if not is_person:
            raise DriftError(ErrorCode.FORBIDDEN, _BY_HAND, Recovery(command=_RESTORE))
        subject = needed("rule or patternId", wish.rule or wish.pattern, when="action=restore")
        restore(project, subject, by=client, now=now)
        return Said(f"{subject} counts again", FeedbackData())
    given = needed("rating", opinion, when="action=rate")
    if wish.file is None:
        number, off = keep_opinion(project, given, client=client, now=now)
        told = f"Kept; switched off for it: {', '.join(off)}" if off else "Kept"
        return Said(told, FeedbackData(number=number, switched_off=off or None))
    number = rate_example(
        project,
        pattern=needed("patternId", wish.pattern, when="an example is rated"),
        file=wish.file,
        line=wish.line,
        rating=of_example(given.rating),
        reason=given.reason,
        client=client,
        now=now,
    )
    return Said("Kept; examples are chosen by it from now on", FeedbackData(number=number))


def _review(picture: Picture, wish: CurationWish) -> Done:
    if wish.pattern is not None:
        chosen = [require_convention(picture, wish.pattern)]
    else:
        open_ones = [each for each in picture.mined.conventions if picture.status_of(each) == "discovered"]
        chosen = sorted(open_ones, key=lambda each: (-each.measures.score, each.id))[: wish.most]
    rows = tuple(requirements(picture, each) for each in chosen)
    return Done(f"{plural(len(rows), 'convention')} to decide about", CurationData(review=rows))


def _approve_many(project: Project, picture: Picture, wish: CurationWish, *, by: str, now: datetime) -> Done:
    chosen = approvable(picture, threshold=wish.threshold)[: wish.most]
    if wish.is_dry:
        rows = tuple(
            DoneRow(each.id, "would be approved", each.rule, round(each.measures.score, 3)) for each in chosen
        )
    else:
        reason = wish.evidence.reasoning or f"score of at least {wish.threshold:g}"
        rows = tuple(approve_all(project, chosen, by=by, now=now, reason=reason))
    verb = "would be approved; call with dryRun=false" if wish.is_dry else "approved"
    told = f"{plural(len(rows), 'convention')} {verb}"
    return Done(told, CurationData(done=rows, is_dry_run=wish.is_dry))
