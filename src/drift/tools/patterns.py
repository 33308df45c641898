"""Conventions of the project: which there are, and one of them with its places and outliers."""

from datetime import UTC, datetime
from typing import Annotated

from drift.conventions.picture import Picture, look, note_seen
from drift.conventions.rows import (
    PATTERN_SORTS,
    PatternDetail,
    PatternRow,
    PatternsData,
    Status,
    Wish,
    describe_pattern,
    list_patterns,
    patterns_data,
    patterns_summary,
    require_convention,
)
from drift.dimensions import Category
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.kernel.arguments import Range
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import Next, list_answer


@tool(
    category="exploration",
    title="List conventions",
    tokens=(500, 1500),
    needs=Layer.CALLS,
    examples=({}, {"categories": ["errors", "testing"]}, {"minConfidence": 0.85}),
)
def drift_patterns_list(
    call: Call,
    categories: Annotated[tuple[Category, ...], "Only of these"] = (),
    status: Status | None = None,
    min_confidence: Annotated[float, Range(0, 1), "Least score"] = 0.0,
    search: Annotated[str | None, Length(200), "Words of the rule or its id"] = None,
    page: Page = Page(limit=20, sorts=PATTERN_SORTS),
) -> Answer[PatternsData]:
    """Conventions this project follows: the rule, how sure, how many places follow it and how many do not."""
    with opened_index(call) as reader:
        picture = seen_picture(call, reader)
        found = list_patterns(picture, Wish(categories, status, min_confidence, search))
        return list_answer(
            call,
            page,
            found,
            lambda shown: patterns_data(picture, shown),
            summary=patterns_summary(picture, found),
            next=lambda shown: _next(call, shown),
            warnings=picture.rulebook.problems,
        )


@tool(
    category="detail",
    title="One convention",
    tokens=(800, 2500),
    needs=Layer.CALLS,
    examples=({"id": "structural/import-style"},),
)
def drift_pattern_get(
    call: Call,
    id: Annotated[str, Length(300), "Of a convention, as drift_patterns_list shows it"],  # noqa: A002 - the word agents use
    include_locations: Annotated[bool, "Places that follow it"] = True,
    include_outliers: Annotated[bool, "Places that do otherwise"] = True,
    max_locations: Annotated[int, Range(1, 100), "Of each at most"] = 20,
) -> Answer[PatternDetail]:
    """A convention with its counts, why it matters, places that follow it and outliers with an example near each."""
    with opened_index(call) as reader:
        picture = seen_picture(call, reader)
        detail = describe_pattern(
            picture, require_convention(picture, id), most=max_locations,
            locations=include_locations, outliers=include_outliers,
        )  # fmt: skip
    told = f"{detail.rule}: {detail.followed} of {detail.sites} places, {detail.confidence.level} ({detail.status})"
    return Answer(told, detail)


def seen_picture(call: Call, reader: IndexReader) -> Picture:
    """The conventions of the call's project; that they were seen is kept."""
    picture = look(reader, call.project, call.runtime.today())
    note_seen(call.project, picture, datetime.now(UTC))
    return picture


def _next(call: Call, shown: tuple[PatternRow, ...]) -> Next:
    deviating = next((row.id for row in shown if row.outliers), None)
    return (call.suggest("drift_pattern_get", "see who deviates", id=deviating),) if deviating else ()
