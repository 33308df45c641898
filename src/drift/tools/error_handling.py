"""Where errors end: gaps, boundaries, paths that nothing guards, and how well functions deal with them."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final, Literal, NamedTuple

from drift.analyses.error_handling.listing import (
    GAP_SORTS,
    ranked_boundaries,
    ranked_gaps,
    ranked_profiles,
    ranked_unhandled,
    status_summary,
)
from drift.analyses.error_handling.picture import Picture, look_at_errors
from drift.analyses.error_handling.rows import ErrorHandlingData, Severity
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import needed
from drift.kernel.text import plural
from drift.registry import Call, Page, Tier, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer

Action = Literal["status", "gaps", "boundaries", "unhandled", "analyze"]


@tool(
    category="analysis",
    title="Error handling",
    tokens=(300, 2000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    examples=(
        {"action": "status"},
        {"action": "gaps", "minSeverity": "high"},
        {"action": "analyze", "target": "total"},
    ),
)
def drift_error_handling(
    call: Call,
    action: Action = "status",
    target: Annotated[str | None, "analyze: symbol, path:line or file"] = None,
    path: Annotated[str | None, "gaps, boundaries, unhandled: only files that begin so"] = None,
    min_severity: Annotated[Severity, "gaps, unhandled: least"] = "low",
    page: Page = Page(limit=15, sorts=tuple(GAP_SORTS)),
) -> Answer[ErrorHandlingData]:
    """Where thrown errors end. Gaps with their risk, boundaries, paths from entry points that nothing guards, quality."""
    with opened_index(call) as reader:
        picture = look_at_errors(reader, call.project.root)
        return _ANSWERS[action](_Asked(call, page, target, path or "", min_severity), reader, picture)


class _Asked(NamedTuple):
    """What the caller wants of the action."""

    call: Call
    page: Page
    target: str | None
    path: str
    least: Severity


def _status(asked: _Asked, _reader: IndexReader, picture: Picture) -> Answer[ErrorHandlingData]:
    status = picture.status
    following = (
        [asked.call.suggest(drift_error_handling, "the worst of them", action="gaps")] if status.gaps else []
    )
    if status.unhandled:
        why = "from where errors come up unhandled"
        following.append(asked.call.suggest(drift_error_handling, why, action="unhandled"))
    data = ErrorHandlingData(status=status)
    return Answer(status_summary(status), data, next=tuple(following), warnings=picture.warnings())


def _gaps(asked: _Asked, _reader: IndexReader, picture: Picture) -> Answer[ErrorHandlingData]:
    found = ranked_gaps(picture, path=asked.path, least=asked.least)
    return list_answer(
        asked.call,
        asked.page,
        found,
        lambda shown: ErrorHandlingData(gaps=shown),
        summary=plural(len(found.rows), "gap"),
        warnings=picture.warnings(),
    )


def _boundaries(asked: _Asked, _reader: IndexReader, picture: Picture) -> Answer[ErrorHandlingData]:
    found = ranked_boundaries(picture, path=asked.path)
    framework = sum(one.is_framework_boundary for one in found.rows)
    told = f"{plural(framework, 'boundary', 'boundaries')} of frameworks, {len(found.rows) - framework} functions that catch errors of others"
    return list_answer(
        asked.call, asked.page, found, lambda shown: ErrorHandlingData(boundaries=shown), summary=told
    )


def _unhandled(asked: _Asked, _reader: IndexReader, picture: Picture) -> Answer[ErrorHandlingData]:
    found = ranked_unhandled(picture, path=asked.path, least=asked.least)
    told = f"{plural(len(found.rows), 'throw comes', 'throws come')} up to an entry point with no handler between"
    return list_answer(
        asked.call,
        asked.page,
        found,
        lambda shown: ErrorHandlingData(unhandled=shown),
        summary=told,
        warnings=picture.warnings(),
    )


def _analyze(asked: _Asked, reader: IndexReader, picture: Picture) -> Answer[ErrorHandlingData]:
    found, told = ranked_profiles(reader, picture, needed("target", asked.target, when="action=analyze"))
    return list_answer(
        asked.call, asked.page, found, lambda shown: ErrorHandlingData(profiles=shown), summary=told
    )


_ANSWERS: Final[Mapping[Action, Callable[[_Asked, IndexReader, Picture], Answer[ErrorHandlingData]]]] = {
    "status": _status,
    "gaps": _gaps,
    "boundaries": _boundaries,
    "unhandled": _unhandled,
    "analyze": _analyze,
}
