"""Errors: the types there are, where they are raised and caught, and handlers that hide them."""

from dataclasses import dataclass
from typing import Annotated, Literal

from drift.analyses.error_types import (
    ErrorPlaceRow,
    ErrorTypeRow,
    OutsideErrorRow,
    find_error_places,
    find_error_types,
    find_ignored,
    is_broad,
)
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, page_info, page_position, tool
from drift.tools.targets import opened_index

_MOST_OUTSIDE = 10


@dataclass(frozen=True, slots=True)
class ErrorsData:
    """What was asked for; the other lists are absent."""

    types: tuple[ErrorTypeRow, ...] | None = None
    outside: tuple[OutsideErrorRow, ...] | None = None
    places: tuple[ErrorPlaceRow, ...] | None = None


@tool(
    category="surgical",
    title="Error types",
    tokens=(200, 1200),
    needs=Layer.SYMBOLS,
    examples=({}, {"action": "places", "type": "ValueError"}, {"action": "ignored"}),
)
def drift_errors(
    call: Call,
    action: Annotated[
        Literal["types", "places", "ignored"], "places: of one type; ignored: empty handlers"
    ] = "types",
    type: Annotated[str | None, Length(200), "Error type, with action=places"] = None,  # noqa: A002 - the word agents use
    include_tests: Annotated[bool, "Empty handlers of tests, too"] = False,
    page: Page = Page(limit=20),
) -> Answer[ErrorsData]:
    """Error types with how often each is raised and caught; places of one; handlers that do nothing."""
    after = page_position(call, page) or 0
    if not isinstance(after, int):
        raise DriftError(ErrorCode.INVALID_CURSOR, "The cursor is of another list")
    end = after + page.limit
    with opened_index(call) as reader:
        if action == "types":
            found = find_error_types(reader)
            total = len(found.declared)
            data = ErrorsData(types=found.declared[after:end], outside=found.outside[:_MOST_OUTSIDE])
            summary = f"{plural(total, 'error type')} declared, {len(found.outside)} from outside in use"
        elif action == "ignored":
            ignored = find_ignored(reader, with_tests=include_tests)
            total = len(ignored)
            data = ErrorsData(places=ignored[after:end])
            blind = sum(is_broad(row.types) for row in ignored)
            summary = f"{plural(total, 'handler')} do nothing, {blind} of them whatever is raised"
        else:
            places = find_error_places(reader, _needed(type))
            if not places:
                raise _unknown(type or "", [row.type for row in find_error_types(reader).declared])
            total = len(places)
            data = ErrorsData(places=places[after:end])
            raised = sum(row.does == "raises" for row in places)
            summary = f"{type}: raised in {plural(raised, 'place')}, caught in {total - raised}"
    return Answer(
        summary, data, pagination=page_info(call, page, total=total, last_key=end if end < total else None)
    )


def _needed(name: str | None) -> str:
    if not name:
        raise DriftError(
            ErrorCode.MISSING_REQUIRED_PARAM,
            "type: required when action=places",
            Recovery(details={"argument": "type"}),
        )
    return name


def _unknown(name: str, known: list[str]) -> DriftError:
    if name.rpartition(".")[2] in {each.rpartition(".")[2] for each in known}:
        return invalid("type", f"{name!r} is declared, and no code raises or catches it by name")
    return DriftError(
        ErrorCode.SYMBOL_NOT_FOUND,
        f"No code raises or catches {name!r}.",
        Recovery(similar=similar_names(name, known)),
    )
