"""An instruction: what a project asks of those who work on it, with who answers for it and how long it holds."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple

from drift.kernel.wire import Json, camel

Audience = Literal["individual", "group", "all"]
Requirement = Literal["mandatory", "critical", "recommended", "optional", "deprecated"]
Status = Literal["draft", "review", "approved", "deprecated"]
Classification = Literal["public", "internal", "restricted"]
PriorityTier = Literal["P1", "P2", "P3", "P4"]

SCHEMA_VERSION: Final = "2"


class Change(NamedTuple):
    """One line of an instruction's own history."""

    version: str
    changed_at: str
    summary: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction in its normal form. Times are UTC, ISO 8601 with milliseconds.

    A time that the file does not give is None until `enrich` writes one down.
    """

    id: str
    title: str
    body: str
    priority: int  # 1 is the highest, 100 the lowest
    audience: Audience
    requirement: Requirement
    categories: tuple[str, ...]
    version: str
    status: Status
    owner: str
    classification: Classification
    priority_tier: PriorityTier
    created_at: str | None
    updated_at: str | None
    source_hash: str
    governance_hash: str
    schema_version: str = SCHEMA_VERSION
    last_reviewed_at: str | None = None
    next_review_due: str | None = None
    review_interval_days: int | None = None
    change_log: tuple[Change, ...] = ()
    supersedes: str | None = None
    deprecated_by: str | None = None
    workspace_id: str | None = None
    user_id: str | None = None
    team_ids: tuple[str, ...] = ()
    rationale: str | None = None
    description: str | None = None
    semantic_summary: str | None = None
    examples: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    risk_score: float | None = None
    # What a file has beyond the fields above is kept when the file is written again.
    extra: Mapping[str, Json] | None = None

    @property
    def is_deprecated(self) -> bool:
        """Whether it no longer holds."""
        return self.requirement == "deprecated" or self.status == "deprecated"

    @property
    def scope(self) -> tuple[str | None, str | None, tuple[str, ...]]:
        """Whom it is for: workspace, user and teams."""
        return self.workspace_id, self.user_id, self.team_ids

    def is_overdue(self, now: str) -> bool:
        """Whether its review was due before `now`."""
        return self.next_review_due is not None and self.next_review_due < now

    def as_wire(self) -> dict[str, Any]:
        """The instruction with its names on the wire; fields without a value are left out."""
        values = zip(_WIRE_NAMES, _read_fields(self), strict=True)
        kept = {wire: value for wire, value in values if value is not None and value != ()}
        kept |= {wire: list(kept[wire]) for wire in _LISTS if wire in kept}
        kept["categories"] = list(self.categories)
        if self.change_log:
            kept["changeLog"] = [
                {"version": line.version, "changedAt": line.changed_at, "summary": line.summary}
                for line in self.change_log
            ]
        return {**kept, **(self.extra or {})}


_WIRE: Final = tuple(
    (field.name, camel(field.name))
    for field in fields(Instruction)
    if field.name not in {"extra", "change_log"}
)
_WIRE_NAMES: Final = tuple(wire for _, wire in _WIRE)
_read_fields: Final = attrgetter(*(name for name, _ in _WIRE))
_LISTS: Final = ("teamIds", "examples", "tags", "dependencies")
_LIST_FIELDS: Final = frozenset({"categories", "team_ids", "examples", "tags", "dependencies"})
FIELD_OF: Final = {wire: name for name, wire in _WIRE} | {"changeLog": "change_log"}
"""The field each name on the wire stands for."""


def from_normal(values: Mapping[str, Any]) -> Instruction:
    """The instruction whose `as_wire` gave `values`. It checks nothing: `parse` is for input."""
    given: dict[str, Any] = {FIELD_OF[wire]: value for wire, value in values.items() if wire in FIELD_OF}
    extra: dict[str, Json] = {}
    if len(given) != len(values):
        extra = {wire: value for wire, value in values.items() if wire not in FIELD_OF}
    for name in _LIST_FIELDS & given.keys():
        given[name] = tuple(given[name])
    if lines := given.get("change_log"):
        given["change_log"] = tuple(
            Change(line["version"], line["changedAt"], line["summary"]) for line in lines
        )
    given.setdefault("created_at", None)
    given.setdefault("updated_at", None)
    return Instruction(**given, extra=extra or None)
