"""Brings what a file or a caller gives into the normal form, in which it is kept, compared and hashed."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from drift.catalog.entry import FIELD_OF, SCHEMA_VERSION, Change, Instruction, PriorityTier
from drift.catalog.hashes import UNOWNED, Projection, hash_text
from drift.catalog.times import add_days, settle_time

# That versions begin at 1.0.0 and classifications at internal is agreed between programs; the middle of 1 to 100,
# the limits of the tiers and how often each is reviewed are our choice: agreed is only that tiers follow from
# priority and requirement, and reviews from tiers.
DEFAULT_PRIORITY: Final = 50
DEFAULT_VERSION: Final = "1.0.0"
REVIEW_DAYS: Final[Mapping[PriorityTier, int]] = {"P1": 30, "P2": 60, "P3": 90, "P4": 120}
# The lowest priority (the highest number) of each tier; what must be followed is always in the first.
_TIERS: Final[tuple[tuple[int, PriorityTier], ...]] = ((20, "P1"), (40, "P2"), (70, "P3"))
_BINDING: Final = frozenset({"mandatory", "critical"})
_SCOPE: Final = re.compile(r"\s*scope:(workspace|user|team):(.*)", re.IGNORECASE | re.DOTALL)
_TIMES: Final = ("createdAt", "updatedAt", "lastReviewedAt", "nextReviewDue")
_TEXTS: Final = (
    "rationale",
    "description",
    "semanticSummary",
    "supersedes",
    "deprecatedBy",
    "workspaceId",
    "userId",
)
_NOT_KEPT: Final = frozenset({"usageCount", "lastUsedAt"})
_LONGEST_TITLE: Final = 200
OWNER_RULE: Final = "mandatory/critical require owner"


class Scopes(NamedTuple):
    """Categories without the old words for scopes, and what those said."""

    categories: tuple[str, ...]
    workspace_id: str | None
    user_id: str | None
    team_ids: tuple[str, ...]
    words: int  # how many were such words


def normalise(given: Mapping[str, Any]) -> Instruction:
    """The instruction in its normal form, from an object whose structure was checked.

    The same object gives the same instruction, whenever and wherever. Raises ValueError for a time that is none.
    """
    values = {name: value for name, value in given.items() if value is not None}
    scopes = split_scopes(values.get("categories", ()))
    texts = {FIELD_OF[name]: values[name] for name in _TEXTS if values.get(name)}
    texts.setdefault("workspace_id", scopes.workspace_id)
    texts.setdefault("user_id", scopes.user_id)
    requirement = values.get("requirement", "optional")
    times: dict[str, str | None] = {
        FIELD_OF[name]: _settle(name, values[name]) for name in _TIMES if name in values
    }
    governed = _govern(values, texts.get("semantic_summary"))
    times["next_review_due"] = governed.next_review_due
    interval = values.get("reviewIntervalDays")
    return Instruction(
        id=governed.id,
        title=governed.title,
        body=values["body"],
        priority=int(values.get("priority", DEFAULT_PRIORITY)),
        audience=values.get("audience", "all"),
        requirement=requirement,
        categories=scopes.categories,
        version=governed.version,
        status=values.get("status", "deprecated" if requirement == "deprecated" else "draft"),
        owner=governed.owner,
        classification=values.get("classification", "internal"),
        priority_tier=governed.priority_tier,
        created_at=times.pop("created_at", None),
        updated_at=times.pop("updated_at", None),
        source_hash=hash_text(values["body"]),
        governance_hash=hash_text(governed.as_line()),
        schema_version=SCHEMA_VERSION,
        review_interval_days=None if interval is None else int(interval),
        change_log=governed.change_log,
        team_ids=_unique((*values.get("teamIds", ()), *scopes.team_ids)),
        examples=tuple(values.get("examples", ())),
        tags=_unique(values.get("tags", ())),
        dependencies=_unique(values.get("dependencies", ())),
        risk_score=values.get("riskScore"),
        extra={name: given[name] for name in given if name not in FIELD_OF and name not in _NOT_KEPT} or None,
        **texts,
        **times,
    )


def _govern(values: Mapping[str, Any], summary: str | None) -> Projection:
    tier = choose_tier(int(values.get("priority", DEFAULT_PRIORITY)), values.get("requirement", "optional"))
    due = _settle("nextReviewDue", values["nextReviewDue"]) if "nextReviewDue" in values else None
    if due is None and "lastReviewedAt" in values:
        reviewed = _settle("lastReviewedAt", values["lastReviewedAt"])
        due = add_days(reviewed, int(values.get("reviewIntervalDays", REVIEW_DAYS[tier])))
    return Projection(
        values["id"],
        values.get("title", "").strip() or make_title(values["body"], values["id"]),
        values.get("version", DEFAULT_VERSION),
        values.get("owner", "").strip() or UNOWNED,
        tier,
        due,
        summary,
        tuple(_change(line) for line in values.get("changeLog", ())),
    )


def project(instruction: Instruction) -> Projection:
    """What of an instruction is governed."""
    return Projection(
        instruction.id,
        instruction.title,
        instruction.version,
        instruction.owner,
        instruction.priority_tier,
        instruction.next_review_due,
        instruction.semantic_summary,
        instruction.change_log,
    )


def choose_tier(priority: int, requirement: str) -> PriorityTier:
    """The tier that a priority and a requirement make."""
    if requirement in _BINDING:
        return "P1"
    return next((tier for lowest, tier in _TIERS if priority <= lowest), "P4")


def lacks_owner(instruction: Instruction) -> bool:
    """Whether somebody must answer for it and nobody does."""
    return instruction.requirement in _BINDING and instruction.owner == UNOWNED


def split_scopes(words: Iterable[str]) -> Scopes:
    """Categories in lower case, each once and sorted, with old words such as `scope:user:ann` taken out."""
    categories: list[str] = []
    said: dict[str, list[str]] = {"workspace": [], "user": [], "team": []}
    found = 0
    for word in words:
        scope = _SCOPE.fullmatch(word)
        if scope is None:
            categories.append(word.strip().lower())
            continue
        found += 1
        if value := scope[2].strip():
            said[scope[1].lower()].append(value)
    first = {kind: values[0] if values else None for kind, values in said.items()}
    return Scopes(_unique(categories), first["workspace"], first["user"], _unique(said["team"]), found)


def make_title(body: str, instruction_id: str) -> str:
    """The first line with words in it, without the marks of a heading; else the id."""
    lines = (line.lstrip("#").strip() for line in body.splitlines())
    return next((line[:_LONGEST_TITLE].strip() for line in lines if line), instruction_id)


def fill_times(given: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """The object with the times a new instruction has: made, changed and reviewed now."""
    moment = now.isoformat()
    return {
        "createdAt": moment,
        "updatedAt": moment,
        "lastReviewedAt": given.get("createdAt") or moment,
        **given,
    }


def _settle(name: str, text: str) -> str:
    try:
        return settle_time(text)
    except ValueError:
        raise ValueError(f"{name}: is not a time in ISO 8601") from None


def _change(line: Mapping[str, Any]) -> Change:
    return Change(line["version"], _settle("changeLog", line["changedAt"]), line["summary"])


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({stripped for word in words if (stripped := word.strip())}))
