"""Duplicated code."""

from functools import partial
from typing import Annotated, Literal

from drift.index import Layer
from drift.kernel.answer import Answer
from drift.quality.duplicate_report import DuplicatesData, Shown, duplicates_data, measured_duplicates
from drift.quality.duplicates import DetectionType, Options, kinds_of, refuse_gpu
from drift.quality.scope import choose_scope
from drift.registry import WHOLE_PROJECT, Call, KnownPath, MustExist, Page, Range, Tier, tool
from drift.registry.indexes import opened_index
from drift.tools.quality.answering import text_tokens, told_answer


@tool(
    category="quality",
    title="Duplicated code",
    tokens=(300, 3000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_method=True,
    is_long=True,
    examples=({}, {"detection_type": "renamed", "min_lines": 8}, {"format": "sarif"}),
)
def analyze_duplicates(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    detection_type: Annotated[DetectionType, "Kind of clones"] = "all",
    threshold: Annotated[float, Range(0, 1), "Least likeness of semantic clones"] = 0.85,
    min_lines: Annotated[int, Range(2, 1000), "Least lines of a clone"] = 5,
    gpu: Annotated[bool, "Refused: nothing here runs on one"] = False,
    perf: Annotated[bool, "With what the search cost"] = False,
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["summary", "detailed", "json", "csv", "markdown", "sarif"], "summary has no clusters"
    ] = "detailed",
    include: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude: Annotated[tuple[str, ...], "No paths that match"] = (),
    top_files: Annotated[int, Range(0, 1000)] = 10,
    page: Page = Page(limit=10, sorts=("weight", "size", "file")),
) -> Answer[DuplicatesData]:
    """Clones: exact, renamed, gapped and semantic, in clusters with the function to extract, and what share of the code they are."""
    refuse_gpu(wanted=gpu)
    options = Options(kinds_of(detection_type), min_lines, threshold)
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, include=include, exclude=exclude)
        found, costs = measured_duplicates(
            reader, call.project.root, scope, options, check=call.check_cancelled
        )
        shown = Shown(format, top_files, costs if perf else None, text_tokens(call))
        data = partial(duplicates_data, reader, found, shown)
        return told_answer(
            call, page, found.ranked(), data, summary=found.summary, form=format, warnings=found.notes
        )
