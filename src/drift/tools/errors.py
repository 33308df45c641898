"""Errors: the types there are, where they are raised and caught, and handlers that hide them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from drift.analyses.error_types import (
    ErrorPlaceRow,
    ErrorTypeRow,
    OutsideErrorRow,
    find_error_places,
    find_error_types,
    find_ignored,
    ignored_key,
    is_broad,
    place_key,
    type_key,
)
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import Key, Sort, sort_page

_MOST_OUTSIDE = 10
_SORTS = ("relevance", "file")


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
    include_tests: Annotated[bool, "Types and empty handlers of tests and examples, too"] = False,
    page: Page = Page(limit=20, sorts=_SORTS),
) -> Answer[ErrorsData]:
    """Error types with how often each is raised and caught; places of one; handlers that do nothing."""
    with opened_index(call) as reader:
        match action:
            case "types":
                return _types(call, reader, page, include_tests=include_tests)
            case "ignored":
                return _ignored(call, reader, page, include_tests=include_tests)
            case "places":
                return _places(call, reader, page, _needed(type))


def _types(call: Call, reader: IndexReader, page: Page, *, include_tests: bool) -> Answer[ErrorsData]:
    found = find_error_types(reader, with_tests=include_tests)
    shown, pagination = sort_page(
        call,
        page,
        found.declared,
        sorts={"relevance": Sort(type_key, "desc"), "file": Sort(lambda row: (row.file, row.line))},
    )
    beside = f" ({found.left_out} more in tests and examples)" if found.left_out else ""
    named = next((row.type for row in shown if row.raised or row.caught), None)
    named = named or next((row.type for row in found.outside), None)
    return Answer(
        f"{plural(len(found.declared), 'error type')} declared{beside}, {len(found.outside)} from outside in use",
        ErrorsData(types=shown, outside=found.outside[:_MOST_OUTSIDE]),
        pagination=pagination,
        next=(call.suggest("drift_errors", "where it is raised and caught", action="places", type=named),)
        if named
        else (),
    )


def _ignored(call: Call, reader: IndexReader, page: Page, *, include_tests: bool) -> Answer[ErrorsData]:
    found = find_ignored(reader, with_tests=include_tests)
    shown, pagination = sort_page(call, page, found, sorts=_by_place(ignored_key))
    blind = sum(is_broad(row.types) for row in found)
    return Answer(
        f"{plural(len(found), 'empty handler')}, {blind} of them for whatever is raised",
        ErrorsData(places=shown),
        pagination=pagination,
    )


def _places(call: Call, reader: IndexReader, page: Page, name: str) -> Answer[ErrorsData]:
    found = find_error_places(reader, name)
    warnings = () if found else (_why_nowhere(reader, name),)
    shown, pagination = sort_page(call, page, found, sorts=_by_place(place_key))
    raised = sum(row.does == "raises" for row in found)
    return Answer(
        f"{name}: raised in {plural(raised, 'place')}, caught in {len(found) - raised}",
        ErrorsData(places=shown),
        pagination=pagination,
        warnings=warnings,
    )


def _by_place(relevance: Callable[[ErrorPlaceRow], Key]) -> dict[str, Sort[ErrorPlaceRow]]:
    return {"relevance": Sort(relevance, "desc"), "file": Sort(lambda row: (row.file, row.line))}


def _needed(name: str | None) -> str:
    if not name:
        raise DriftError(
            ErrorCode.MISSING_REQUIRED_PARAM,
            "type: required when action=places",
            Recovery(details={"argument": "type"}),
        )
    return name


def _why_nowhere(reader: IndexReader, name: str) -> str:
    """What to say of a type that is declared and never raised; an error where there is none of that name."""
    declared = find_error_types(reader, with_tests=True).declared
    last = name.rpartition(".")[2]
    own = next((row for row in declared if row.type.rpartition(".")[2] == last), None)
    if own is None:
        raise DriftError(
            ErrorCode.SYMBOL_NOT_FOUND,
            f"No code raises or catches {name!r}.",
            Recovery(similar=similar_names(name, [row.type for row in declared])),
        )
    if own.raised is None:
        return (
            f"{own.type} at {own.file}:{own.line} is returned, not thrown: see drift_callers and drift_type"
        )
    return f"{own.type} at {own.file}:{own.line} is declared, and no code raises or catches it by name"
