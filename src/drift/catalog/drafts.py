"""What a caller gives, made into an instruction that can be kept, or refused with the reason."""

import re
from collections.abc import Mapping
from datetime import datetime
from math import isfinite
from typing import Any, Final, Literal

from drift.catalog.entry import Instruction
from drift.catalog.files import MOST_FILE_BYTES
from drift.catalog.ids import check_id
from drift.catalog.normalisation import (
    DEFAULT_PRIORITY,
    OWNER_RULE,
    fill_times,
    lacks_owner,
    make_title,
    normalise,
)
from drift.catalog.refusals import refuse, refuse_entry, too_large
from drift.catalog.settings import CatalogSettings
from drift.catalog.structure import check_structure, schema
from drift.catalog.times import format_time
from drift.kernel.similar import similar_names

Bump = Literal["major", "minor", "patch", "none"]

_LINE_ENDS: Final = re.compile(r"\r\n?")
_COMPUTED: Final = (
    "sourceHash",
    "governanceHash",
    "priorityTier",
    "schemaVersion",
    "usageCount",
    "lastUsedAt",
)
_KEPT_ON_OVERWRITE: Final = ("createdAt", "version", "changeLog", "owner", "status", "classification")
_PATCHABLE: Final = frozenset(
    {
        "title", "owner", "status", "classification", "priority", "requirement", "audience", "reviewIntervalDays",
        "lastReviewedAt", "nextReviewDue", "semanticSummary", "supersedes", "deprecatedBy", "riskScore", "rationale",
        "changeSummary",
    }
)  # fmt: skip


def draft(
    entry: Mapping[str, Any],
    *,
    lax: bool,
    settings: CatalogSettings,
    now: datetime,
    previous: Instruction | None,
) -> Instruction:
    """A new instruction from what the caller gave. `previous` is the one it takes the place of.

    Raises INVALID_ARGUMENT, or TOO_LARGE.
    """
    check_id(entry.get("id"))
    _check_text(entry)
    given = _fill_defaults(entry) if lax else dict(entry)
    check_structure(given, lax=lax)
    given = {name: value for name, value in given.items() if name not in _COMPUTED}
    if not settings.keeps_line_ends:
        given["body"] = _LINE_ENDS.sub("\n", given["body"])
    if previous is not None:
        before = previous.as_wire()
        given = {**{name: before[name] for name in _KEPT_ON_OVERWRITE if name in before}, **given}
        given["updatedAt"] = format_time(now)
    elif settings.workspace_id:
        given.setdefault("workspaceId", settings.workspace_id)
    return settle(fill_times(given, now), entry)


def settle(given: Mapping[str, Any], entry: Mapping[str, Any]) -> Instruction:
    """The normal form of an object that is whole, if the rules allow it; `entry` is what a refusal quotes."""
    try:
        instruction = normalise(given)
    except ValueError as error:
        raise refuse_entry(str(error), entry, hint="Give times as 2026-01-31T09:30:00Z.") from None
    if lacks_owner(instruction):
        raise refuse_entry(OWNER_RULE, entry, hint="Name the owner who answers for it.")
    return instruction


def merge(previous: Instruction, entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry's fields over those of the instruction there is; categories and tags are joined."""
    before = {name: value for name, value in previous.as_wire().items() if name not in _COMPUTED}
    merged = {**before, **{name: value for name, value in entry.items() if value is not None}}
    for name in ("categories", "tags", "teamIds", "dependencies"):
        new, old = entry.get(name), before.get(name)
        if isinstance(new, list) and isinstance(old, list):
            merged[name] = [*old, *(each for each in new if each not in old)]
    return merged


def patch_governance(
    previous: Instruction, patch: Mapping[str, Any], *, bump: Bump, now: datetime
) -> Instruction:
    """The instruction with governed fields changed, its version raised and a line in its history."""
    unknown = sorted(patch.keys() - _PATCHABLE)
    if unknown:
        raise refuse(
            "patch",
            f"{unknown[0][:60]!a} is not a governed field",
            hint=f"Governed fields: {', '.join(sorted(_PATCHABLE))}.",
            similar=similar_names(unknown[0], _PATCHABLE),
        )
    _check_text(patch)
    fields = {name: value for name, value in patch.items() if name != "changeSummary"}
    summary = patch.get("changeSummary") or f"changed {', '.join(sorted(fields)) or 'nothing'}"
    before = previous.as_wire()
    if "lastReviewedAt" in fields or "reviewIntervalDays" in fields:
        before.pop("nextReviewDue", None)  # it follows from them unless it is given too
    moment = format_time(now)
    version = raise_version(previous.version, bump)
    line = {"version": version, "changedAt": moment, "summary": summary}
    given = {**before, **fields, "version": version, "updatedAt": moment}
    given["changeLog"] = [*before.get("changeLog", []), line]
    given = {name: value for name, value in given.items() if value is not None}
    check_structure(given, lax=True)
    return settle(given, {"id": previous.id, **patch})


def raise_version(version: str, bump: Bump) -> str:
    """The next version of the kind; what follows a hyphen or plus is dropped."""
    if bump == "none":
        return version
    major, minor, patch = (int(part) for part in re.split(r"[-+]", version, maxsplit=1)[0].split("."))
    if bump == "major":
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if bump == "minor" else f"{major}.{minor}.{patch + 1}"


def _fill_defaults(entry: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in entry.items() if value is not None}
    body = given.get("body")
    title = make_title(body, str(given.get("id"))) if isinstance(body, str) else ""
    defaults = {
        "title": title,
        "priority": DEFAULT_PRIORITY,
        "audience": "all",
        "requirement": "optional",
        "categories": [],
    }
    if not given.get("title"):
        given.pop("title", None)
    return {**{name: value for name, value in defaults.items() if value != ""}, **given}


def _check_text(entry: Mapping[str, Any]) -> None:
    """Refuse what no file could hold: too much, no JSON, half characters, NUL."""
    import orjson  # 20 ms, and a start that writes nothing needs none of it

    body = entry.get("body")
    most = schema()["properties"]["body"]["maxLength"]
    if isinstance(body, str) and len(body) > most:
        raise too_large("body", len(body), most, unit="characters")
    try:
        text = orjson.dumps(dict(entry))
    except (TypeError, RecursionError) as error:
        raise refuse_entry(f"is not JSON in UTF-8: {error}", entry) from None
    # Such a number would be written as null, and what is read back would be another entry.
    if b"null" in text and _has_endless_number(entry):
        raise refuse_entry("is not JSON: has a number that is infinite or none at all", entry)
    size = len(text)
    if size > MOST_FILE_BYTES // 2:  # indenting makes it larger
        raise too_large("entry", size, MOST_FILE_BYTES // 2, unit="bytes")
    if isinstance(body, str) and "\0" in body:
        raise refuse_entry("body has a NUL character", entry)


def _has_endless_number(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_endless_number, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_has_endless_number, value))
    return isinstance(value, float) and not isfinite(value)
