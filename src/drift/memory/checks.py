"""Whether a memory or an edge may be kept: every value is a stranger's until it passed here."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

import orjson

from drift.kernel.errors import invalid
from drift.memory.content import check_content, check_json, check_text
from drift.memory.ids import check_id
from drift.memory.records import CausalEdge, Draft, EvidenceKind, FileLink, Importance, Relation, Session
from drift.memory.titles import MOST_TITLE, make_title
from drift.memory.types import memory_type

MOST_TEXT: Final = 200_000
_MOST_CONTENT_BYTES: Final = 500_000
_MOST_NAME: Final = 1_000
_MOST_PATH: Final = 4_096
_MOST_LINKS: Final = 1_000
_MOST_EVIDENCE: Final = 100
_LATEST_MS: Final = 253_402_300_800_000  # the year 10000, where datetime ends
_IMPORTANCES: Final = tuple(Importance)  # an enum makes them anew whenever it is asked
_NAME_LISTS: Final = ("tags", "functions", "patterns", "constraints")
_MOST_LINE: Final = 2**31

AnyDraft = TypeVar("AnyDraft", bound=Draft)


def checked(draft: AnyDraft) -> AnyDraft:
    """The draft with a title and its links in one order. Raises INVALID_ARGUMENT naming what is wrong."""
    check_content(memory_type(draft.type), draft.content)
    check_text(draft.text, "text", most=MOST_TEXT)
    check_text(draft.title, "title", most=MOST_TITLE)
    if len(orjson.dumps(draft.content)) > _MOST_CONTENT_BYTES:
        raise invalid("content", f"has more than {_MOST_CONTENT_BYTES:,} bytes as JSON")
    check_share(draft.confidence, "confidence")
    if draft.importance not in _IMPORTANCES:
        raise invalid("importance", f"must be one of {', '.join(Importance)}")
    for name in ("source", "kind", "session", "created_by"):
        _check_name(getattr(draft, name), name)
    check_time(draft.valid_from_ms, "validFromMs")
    check_time(draft.valid_until_ms, "validUntilMs")
    _check_period(draft)
    title = draft.title.strip() or make_title(draft.text, draft.content)
    if not title:
        raise invalid("text", "there is nothing to keep: text, title and content are empty")
    return _ordered(draft, title)


def check_edge(edge: CausalEdge) -> None:
    """Raise INVALID_ARGUMENT unless the edge may be kept."""
    check_id(edge.source)
    check_id(edge.target)
    if edge.source == edge.target:
        raise invalid("target", "a memory has no edge to itself")
    if edge.relation not in tuple(Relation):
        raise invalid("relation", f"must be one of {', '.join(Relation)}")
    check_share(edge.strength, "strength")
    check_time(edge.validated_at_ms, "validatedAtMs")
    if len(edge.evidence) > _MOST_EVIDENCE:
        raise invalid("evidence", f"has more than {_MOST_EVIDENCE} items")
    for one in edge.evidence:
        if one.kind not in tuple(EvidenceKind):
            raise invalid("evidence.kind", f"must be one of {', '.join(EvidenceKind)}")
        check_text(one.description, "evidence.description", most=_MOST_NAME)
        check_share(one.confidence, "evidence.confidence")
        _check_name(one.reference, "evidence.reference")


def check_session(session: Session) -> None:
    """Raise INVALID_ARGUMENT unless the session may be kept."""
    check_id(session.id)
    if not isinstance(session.state, dict):
        raise invalid("state", "must be an object")
    check_json(session.state, "state")
    if session.summary is not None:
        check_text(session.summary, "summary", most=MOST_TEXT)
    for name in ("started_at_ms", "last_active_ms", "ended_at_ms"):
        check_time(getattr(session, name), name)


def check_share(value: Any, argument: str) -> None:
    """Raise INVALID_ARGUMENT unless the value is a number from 0 to 1."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not 0 <= value <= 1:
        raise invalid(argument, "must be a number from 0 to 1")


def check_time(value: Any, argument: str) -> None:
    """Raise INVALID_ARGUMENT unless the value is a time in Unix milliseconds, or None."""
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _LATEST_MS:
        raise invalid(argument, "must be a time in Unix milliseconds, from 1970 on")


def _check_name(value: Any, argument: str) -> None:
    if value is not None:
        check_text(value, argument, most=_MOST_NAME)


def _check_period(draft: Draft) -> None:
    begins, ends = draft.valid_from_ms, draft.valid_until_ms
    if begins is not None and ends is not None and ends < begins:
        raise invalid("validUntilMs", "lies before validFromMs")


def _ordered(draft: AnyDraft, title: str) -> AnyDraft:
    ordered: dict[str, Any] = {
        "title": title,
        "confidence": float(draft.confidence),
        "importance": Importance(draft.importance),
        "files": _files(draft.files),
        **{name: _names(getattr(draft, name), name) for name in _NAME_LISTS},
    }
    # A copy takes longer than the rest, and most drafts are in order; 1 and 1.0 are equal and stored differently.
    is_same = all(
        getattr(draft, name) == value and type(getattr(draft, name)) is type(value)
        for name, value in ordered.items()
    )
    return draft if is_same else replace(draft, **ordered)


def _names(names: Sequence[str], argument: str) -> tuple[str, ...]:
    if not names and isinstance(names, tuple):
        return ()
    if isinstance(names, str) or len(names) > _MOST_LINKS:
        raise invalid(argument, f"must be a list of at most {_MOST_LINKS:,} texts")
    for name in names:
        check_text(name, argument, most=_MOST_NAME)
        if not name.strip():
            raise invalid(argument, "has an empty item")
    return tuple(sorted(set(names)))


def _files(links: Sequence[FileLink]) -> tuple[FileLink, ...]:
    if len(links) > _MOST_LINKS:
        raise invalid("files", f"has more than {_MOST_LINKS:,} items")
    by_place: dict[tuple[str, int, int], FileLink] = {}
    for link in links:
        check_text(link.path, "files.path", most=_MOST_PATH)
        if not link.path:
            raise invalid("files.path", "is empty")
        start, end = link.start_line or 0, link.end_line or 0
        if not 0 <= start <= _MOST_LINE or not 0 <= end <= _MOST_LINE or (end and end < start):
            raise invalid("files", f"{link.path[:60]} has lines {start} to {end}")
        _check_name(link.content_hash, "files.contentHash")
        is_plain = link.start_line != 0 and link.end_line != 0
        by_place[link.path, start, end] = (
            link if is_plain else replace(link, start_line=start or None, end_line=end or None)
        )
    return tuple(link for _place, link in sorted(by_place.items(), key=lambda item: item[0]))
