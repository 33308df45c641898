"""Errors: the types there are, where they are raised and caught, and handlers that hide them."""

from typing import Annotated, Literal

from drift.analyses.error_types import (
    ERROR_SORTS,
    ErrorPlaceRow,
    ErrorsData,
    ErrorTypeRow,
    find_error_types,
    list_error_places,
    list_ignored,
)
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import needed
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import Next, list_answer


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
    page: Page = Page(limit=20, sorts=ERROR_SORTS),
) -> Answer[ErrorsData]:
    """Error types with how often each is raised and caught; places of one; handlers that do nothing."""
    with opened_index(call) as reader:
        if action == "types":
            return _types(call, reader, page, include_tests=include_tests)
        if action == "ignored":
            found = list_ignored(reader, with_tests=include_tests)
        else:
            found = list_error_places(reader, needed("type", type or None, when="action=places"))
        return list_answer(
            call, page, found.ranked(), _places, summary=found.summary, warnings=found.warnings
        )


def _types(call: Call, reader: IndexReader, page: Page, *, include_tests: bool) -> Answer[ErrorsData]:
    found = find_error_types(reader, with_tests=include_tests)

    def following(shown: tuple[ErrorTypeRow, ...]) -> Next:
        named = found.named_in(shown)
        why = "where it is raised and caught"
        return (call.suggest("drift_errors", why, action="places", type=named),) if named else ()

    return list_answer(call, page, found.ranked(), found.data, summary=found.summary, next=following)


def _places(shown: tuple[ErrorPlaceRow, ...]) -> ErrorsData:
    return ErrorsData(places=shown)
