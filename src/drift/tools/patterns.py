"""Conventions of the project: which there are, where they hold, what shows them, and how they fare."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Final, Literal

from drift.conventions.examples import ExamplesData, find_examples
from drift.conventions.feedback import read_likings
from drift.conventions.genes import DnaData, dna_summary, profile
from drift.conventions.origins import with_origins
from drift.conventions.picture import Picture, conventions_stamp, look
from drift.conventions.places import FilePatternsData, describe_file, file_summary, require_place
from drift.conventions.rows import (
    PATTERN_SORTS,
    PatternDetail,
    PatternRow,
    PatternsData,
    Status,
    Wish,
    count_undecided,
    describe_pattern,
    detail_summary,
    list_patterns,
    pattern_links,
    patterns_data,
    patterns_summary,
    require_convention,
    wanted_conventions,
)
from drift.conventions.trends import TrendsData, find_trends, keep_day, trends_summary
from drift.dimensions import Category
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.kernel.arguments import Range
from drift.kernel.text import plural
from drift.registry import Call, Length, MustExist, Page, ProjectFile, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import Next, list_answer
from drift.tools.overview import last_health

_DAYS: Final = {"7d": 7, "30d": 30, "90d": 90}


@tool(
    category="exploration",
    title="List conventions",
    tokens=(500, 1500),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
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
    picture, wish = _seen(call), Wish(categories, status, min_confidence, search)
    found, undecided = list_patterns(picture, wish), count_undecided(picture, wish)
    answer = list_answer(
        call,
        page,
        found,
        partial(patterns_data, picture, undecided),
        summary=patterns_summary(found, undecided),
        next=lambda shown: _next(call, shown),
        warnings=picture.rulebook.problems,
    )
    return replace(answer, links=pattern_links(answer.data.patterns))


@tool(
    category="detail",
    title="One convention",
    tokens=(800, 2500),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
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
    detail = with_origins(call.project.root, detail)
    why = "code that shows how it is done"
    return Answer(
        detail_summary(detail), detail, next=(call.suggest(drift_code_examples, why, pattern=detail.id),)
    )


@tool(
    category="detail",
    title="Examples of conventions",
    tokens=(800, 4000),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
    examples=({"pattern": "structural/import-style"}, {"categories": ["errors"], "maxExamples": 1}),
)
def drift_code_examples(
    call: Call,
    categories: Annotated[tuple[Category, ...], "Only of these"] = (),
    pattern: Annotated[str | None, Length(300), "Id of one convention"] = None,
    max_examples: Annotated[int, Range(1, 10), "Of each convention"] = 3,
    context_lines: Annotated[int, Range(0, 40), "Around each place"] = 10,
) -> Answer[ExamplesData]:
    """Code of the project that shows its conventions: typical, of files that conform, well rated, one of a file."""
    with opened_index(call) as reader:
        picture = seen_picture(call, reader)
    chosen = wanted_conventions(picture, categories, pattern)
    likings = read_likings(call.project, datetime.now(UTC))
    found = find_examples(
        picture, call.project.root, chosen, likings, most=max_examples, context=context_lines
    )
    told = f"{plural(len(found.examples), 'example')} of {plural(found.patterns, 'convention')}"
    return Answer(told, found)


@tool(
    category="detail",
    title="Conventions of a file",
    tokens=(400, 2500),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
    examples=({"file": "shop/pricing.py"},),
)
def drift_file_patterns(
    call: Call,
    file: Annotated[ProjectFile, MustExist(), "Path from the root"],
    category: Category | None = None,
) -> Answer[FilePatternsData]:
    """What a file follows, where it does otherwise, and what else applies to code written there."""
    with opened_index(call) as reader:
        picture = seen_picture(call, reader)
    data = describe_file(picture, require_place(picture, file), category=category)
    return Answer(file_summary(data), data)


@tool(
    category="detail",
    title="DNA profile",
    tokens=(500, 2500),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
    examples=({}, {"gene": "structural"}),
)
def drift_dna_profile(
    call: Call, gene: Annotated[Category | None, "One category of decisions"] = None
) -> Answer[DnaData]:
    """How the project decides, by category: what dominates, how evenly, what mutates, and a score from counts."""
    with opened_index(call) as reader:
        data = profile(seen_picture(call, reader), gene=gene)
    return Answer(dna_summary(data), replace(data, project_health=last_health(call)))


@tool(
    category="exploration",
    title="Trends of conventions",
    tokens=(200, 1500),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
    examples=({}, {"period": "30d"}),
)
def drift_trends(call: Call, period: Literal["7d", "30d", "90d"] = "7d") -> Answer[TrendsData]:
    """Which conventions got weaker or stronger since a day: score, compliance, outliers."""
    with opened_index(call) as reader:
        picture = seen_picture(call, reader)
    data = find_trends(call.project, picture, days=_DAYS[period], now=datetime.now(UTC))
    return Answer(trends_summary(data), data)


def seen_picture(call: Call, reader: IndexReader) -> Picture:
    """The conventions of the call's project; that they were seen, and what they come to, is kept once a day."""
    picture = look(reader, call.project, call.runtime.today())
    keep_day(call.project, picture, datetime.now(UTC))
    return picture


def _seen(call: Call) -> Picture:
    with opened_index(call) as reader:
        return seen_picture(call, reader)


def _next(call: Call, shown: tuple[PatternRow, ...]) -> Next:
    deviating = next((row.id for row in shown if row.outliers), None)
    return (call.suggest(drift_pattern_get, "see who deviates", id=deviating),) if deviating else ()
