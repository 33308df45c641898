"""Approving and ignoring conventions, with evidence that is looked up before it is believed.

The less sure a convention is, the more has to be shown: files with places of it, pieces of their code, and a reason.
"""

import json
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, NamedTuple

from drift.conventions.auditing import advise
from drift.conventions.mining import Convention
from drift.conventions.picture import Picture
from drift.conventions.rulebook import Decision, write_decisions
from drift.index.path_text import text_to_path
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import read_text
from drift.kernel.text import plural
from drift.project import Project
from drift.state import Curation, StateStore

Verdict = Literal["verified", "partial", "failed"]

_VERIFIED: Final = 0.8
_PARTIAL: Final = 0.5
_MOST_FILE_BYTES: Final = 5_000_000
_SHORTEST_SNIPPET: Final = 8
_MOST_MATCHED: Final = 5


class Requirements(NamedTuple):
    """What has to be shown to approve a convention of a level."""

    files: int
    snippets: bool
    reasoning: int


_REQUIRED: Final = {
    "high": Requirements(1, snippets=False, reasoning=0),
    "medium": Requirements(2, snippets=True, reasoning=20),
    "low": Requirements(3, snippets=True, reasoning=60),
    "uncertain": Requirements(3, snippets=True, reasoning=120),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What somebody brings to have a convention approved: files with places of it, code that stands in them, and why."""

    files: tuple[str, ...] = ()
    snippets: tuple[str, ...] = ()
    reasoning: str = ""


class EvidenceError(DriftError):
    """What was shown is not enough to approve a convention."""

    def __init__(self, convention: Convention, missing: tuple[str, ...]) -> None:
        super().__init__(
            ErrorCode.INVALID_ARGUMENT,
            f"{convention.id} is not approved: {'; '.join(missing)}",
            Recovery(
                hint="Call with action=review to see what has to be shown.", details={"argument": "evidence"}
            ),
        )
        self.question = f"To approve `{convention.rule}` there must be shown: {'; '.join(missing)}."


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A claimed file, and whether the convention is there."""

    file: str
    verified: bool
    lines: tuple[int, ...] | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class VerificationRow:
    """How evidence came out."""

    id: str
    score: float
    verdict: Verdict
    can_approve: bool
    checks: tuple[CheckRow, ...]
    missing: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """What has to be shown, and what there is."""

    id: str
    rule: str
    status: str
    level: str
    score: float
    followed: int
    sites: int
    outliers: int
    files: int
    snippets: bool
    reasoning: int


@dataclass(frozen=True, slots=True)
class DoneRow:
    """What became of a convention."""

    id: str
    status: str
    rule: str
    score: float


def requirements(picture: Picture, convention: Convention) -> RequirementRow:
    """What has to be shown to approve a convention."""
    needed = _REQUIRED[convention.measures.level]
    return RequirementRow(
        convention.id,
        convention.rule,
        picture.status_of(convention),
        convention.measures.level,
        round(convention.measures.score, 3),
        convention.followed,
        len(convention.sites),
        len(picture.outliers(convention)),
        *needed,
    )


def verify(picture: Picture, convention: Convention, root: Path, evidence: Evidence) -> VerificationRow:
    """Whether the evidence is true and enough: files are opened, places and pieces of code looked for in them."""
    needed = _REQUIRED[convention.measures.level]
    lines: dict[str, list[int]] = {}
    for site in convention.sites:
        if site.variant == convention.variant:
            lines.setdefault(picture.path_of(site), []).append(site.line)
    texts = {file: _text(root, file) for file in dict.fromkeys(evidence.files)}
    checks = [_check(file, text, lines.get(file, []), evidence.snippets) for file, text in texts.items()]
    found = [any(_holds(text, snippet) for text in texts.values()) for snippet in evidence.snippets]
    passed = [each.verified for each in checks] + found
    score = sum(passed) / len(passed) if passed else 0.0
    missing = tuple(_missing(needed, checks, found, evidence))
    verdict: Verdict = "verified" if score >= _VERIFIED else "partial" if score >= _PARTIAL else "failed"
    can_approve = not missing and score >= _PARTIAL
    return VerificationRow(
        convention.id, round(score, 3), verdict, can_approve, tuple(checks), missing or None
    )


def approve(
    project: Project, picture: Picture, convention: Convention, *, evidence: Evidence, by: str, now: datetime
) -> DoneRow:
    """Approve a convention whose evidence holds; INVALID_ARGUMENT with what is missing where it does not."""
    found = verify(picture, convention, project.root, evidence)
    if not found.can_approve:
        raise EvidenceError(convention, found.missing or ("evidence that holds",))
    shown = json.dumps({"files": evidence.files, "snippets": len(evidence.snippets), "score": found.score})
    return _decide(
        project, convention, "approved", by=by, now=now, reason=evidence.reasoning or None, evidence=shown
    )


def ignore(
    project: Project, convention: Convention, *, reason: str | None, by: str, now: datetime
) -> DoneRow:
    """Put a convention aside: it is no longer shown as one to follow."""
    return _decide(project, convention, "ignored", by=by, now=now, reason=reason)


def approvable(picture: Picture, *, threshold: float) -> list[Convention]:
    """What an audit would have approved and nobody has decided about."""
    return [
        each
        for each in picture.mined.conventions
        if picture.status_of(each) == "discovered"
        and advise(picture, each, threshold=threshold).advice == "approve"
    ]


def approve_all(
    project: Project, conventions: Iterable[Convention], *, by: str, now: datetime, reason: str
) -> list[DoneRow]:
    """Approve what is sure enough to need no evidence."""
    return [_decide(project, each, "approved", by=by, now=now, reason=reason) for each in conventions]


def history_of(project: Project, convention: str | None, *, most: int = 20) -> tuple[str, ...]:
    """What was done, newest first, a line each."""
    with closing(StateStore(project.stores.state_db)) as store:
        rows = store.curation(convention, most=most)
    return tuple(
        f"{each.row.at.date().isoformat()} {each.row.action} {each.row.convention} by {each.row.actor}"
        + (f": {each.row.reason}" if each.row.reason else "")
        for each in rows
    )


def _decide(
    project: Project,
    convention: Convention,
    status: Literal["approved", "ignored"],
    *,
    by: str,
    now: datetime,
    reason: str | None = None,
    evidence: str | None = None,
) -> DoneRow:
    decision = Decision(
        convention.id,
        status,
        convention.variant,
        convention.rule,
        by,
        now.date().isoformat(),
        reason,
        convention.followed,
        len(convention.sites),
    )
    action = "approve" if status == "approved" else "ignore"
    with closing(StateStore(project.stores.state_db)) as store:
        store.add_curation(Curation(convention.id, now, by, action, status, reason, evidence))
    write_decisions(project.state, [decision])
    return DoneRow(convention.id, status, decision.rule or "", round(convention.measures.score, 3))


def _text(root: Path, file: str) -> str | None:
    try:
        return _plain(read_text(root, text_to_path(file), _MOST_FILE_BYTES))
    except OSError:
        return None


def _plain(text: str) -> str:
    return " ".join(text.split())


def _holds(text: str | None, snippet: str) -> bool:
    plain = _plain(snippet)
    return text is not None and len(plain) >= _SHORTEST_SNIPPET and plain in text


def _check(file: str, text: str | None, lines: list[int], snippets: tuple[str, ...]) -> CheckRow:
    if text is None:
        return CheckRow(file, verified=False, error="there is no such file in the project")
    if lines:
        return CheckRow(file, verified=True, lines=tuple(lines[:_MOST_MATCHED]))
    is_shown = any(_holds(text, snippet) for snippet in snippets)
    return CheckRow(
        file, verified=is_shown, error=None if is_shown else "no place of the convention is in it"
    )


def _missing(
    needed: Requirements, checks: list[CheckRow], found: list[bool], evidence: Evidence
) -> Iterable[str]:
    verified = sum(each.verified for each in checks)
    if verified < needed.files:
        yield f"{plural(needed.files, 'file')} with places of it, {verified} found"
    if needed.snippets and not any(found):
        yield "a piece of code that stands in one of the files"
    if len(evidence.reasoning.strip()) < needed.reasoning:
        yield f"a reason of at least {needed.reasoning} characters"
