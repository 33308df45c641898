"""Complexity, churn, debt that comments admit, dead code."""

from functools import partial
from typing import Annotated, Literal

from drift.analyses.dead_code.finding import Level
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.quality.churn import read_churn
from drift.quality.churn_report import CHURN_SORTS, ChurnData, churn_summary, ranked_churn, told_churn
from drift.quality.complexity import MAX_COGNITIVE, MAX_CYCLOMATIC, Limits, measure
from drift.quality.complexity_report import (
    FINDING_SORTS,
    ComplexityData,
    ranked_findings,
    told_complexity,
    view_of,
)
from drift.quality.satd import find_debt, with_ages
from drift.quality.satd_report import SATD_SORTS, SatdData, ranked_satd, satd_summary, told_satd
from drift.quality.scope import choose_scope
from drift.quality.trend import complexity_trend
from drift.quality.unused import (
    UNUSED_SORTS,
    UnusedData,
    find_unused,
    ranked_unused,
    told_unused,
    unused_summary,
)
from drift.registry import WHOLE_PROJECT, Call, KnownPath, MustExist, Page, Range, Tier, tool
from drift.registry.indexes import opened_index
from drift.tools.quality.answering import document_writer, in_form, told_answer

_MOST_BLAMED: Literal[30] = 30


@tool(
    category="quality",
    title="Complexity",
    tokens=(300, 3000),
    needs=Layer.CALLS,
    is_method=True,
    examples=({}, {"project_path": "shop", "top_files": 5}, {"base": "HEAD", "max_cognitive": 10}),
)
def analyze_complexity(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    toolchain: Annotated[str | None, "rust, python-uv, node, …: its languages alone"] = None,
    max_cyclomatic: Annotated[int, Range(1, 1000)] = MAX_CYCLOMATIC,
    max_cognitive: Annotated[int, Range(0, 1000)] = MAX_COGNITIVE,
    top_files: Annotated[int, Range(0, 1000), "0: violations alone"] = 0,
    base: Annotated[str | None, "Commit to compare with"] = None,
    include: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude: Annotated[tuple[str, ...], "No paths that match"] = (),
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["summary", "detailed", "json", "markdown", "csv", "sarif"], "summary has no violations"
    ] = "detailed",
    page: Page = Page(limit=20, sorts=tuple(FINDING_SORTS)),
) -> Answer[ComplexityData]:
    """Cyclomatic and cognitive complexity, nesting, Halstead and maintainability: what is over a limit, how it spreads, where."""
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, toolchain=toolchain, include=include, exclude=exclude)
        measures = measure(reader, scope)
    view = view_of(measures, Limits(max_cyclomatic, max_cognitive), scope=scope)
    against = partial(complexity_trend, call.project.root, scope, measures, check=call.check_cancelled)
    trend, write = against(base=base) if base else None, document_writer(call, format)
    data = told_complexity(view, format, top_files=top_files, trend=trend, write=write)
    return told_answer(
        call, page, ranked_findings(view), data, summary=view.summary, form=format, warnings=view.notes
    )


@tool(
    category="quality",
    title="Code churn",
    tokens=(200, 2000),
    ttl=0,  # a commit does not change the index that answers are kept under
    is_method=True,
    examples=({}, {"project_path": "shop", "period_days": 90}),
)
def analyze_code_churn(
    call: Call,
    project_path: Annotated[KnownPath, "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    period_days: Annotated[int, Range(1, 3650), "Days up to HEAD's"] = 30,
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["summary", "detailed", "json", "markdown", "csv"], "summary has no files"
    ] = "detailed",
    page: Page = Page(limit=20, sorts=tuple(CHURN_SORTS)),
) -> Answer[ChurnData]:
    """How often and how much each file changed: commits, authors, lines, renames followed, in days up to HEAD's."""
    churn = read_churn(call.project.root, days=period_days, area=project_path)
    summary = churn_summary(churn, period_days)
    data = told_churn(churn, summary, subject=project_path, write=document_writer(call, format))
    return told_answer(
        call, page, ranked_churn(churn), in_form(data, format),
        summary=summary, form=format, warnings=churn.notes,
    )  # fmt: skip


@tool(
    category="quality",
    title="Debt that comments admit",
    tokens=(200, 2500),
    needs=Layer.SYMBOLS,
    is_method=True,
    examples=({}, {"project_path": "shop", "format": "summary"}),
)
def analyze_satd(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    include: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude: Annotated[tuple[str, ...], "No paths that match"] = (),
    include_tests: bool = True,
    with_age: Annotated[bool, "Ask git how old the lines are, in the first 30 files"] = True,
    top_files: Annotated[int, Range(0, 1000)] = 10,
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["summary", "detailed", "json", "markdown", "csv", "sarif"], "summary has no comments"
    ] = "detailed",
    page: Page = Page(limit=20, sorts=tuple(SATD_SORTS)),
) -> Answer[SatdData]:
    """Comments that admit debt (TODO, FIXME, workarounds, doubts) in every form: what about, how grave, how old."""
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, include=include, exclude=exclude, with_tests=include_tests)
        rows = find_debt(reader, call.project.root, scope)
    if with_age and format != "summary":
        rows = with_ages(rows, call.project.root, most_files=_MOST_BLAMED)
    data = told_satd(rows, subject=scope.subject, top_files=top_files, write=document_writer(call, format))
    return told_answer(
        call, page, ranked_satd(rows), in_form(data, format),
        summary=satd_summary(rows), form=format, warnings=scope.notes,
    )  # fmt: skip


@tool(
    category="quality",
    title="Dead code by file",
    tokens=(200, 2000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_method=True,
    examples=({}, {"project_path": "shop", "min_level": "high"}),
)
def analyze_dead_code(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    include: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude: Annotated[tuple[str, ...], "No paths that match"] = (),
    include_tests: bool = False,
    min_level: Annotated[Level, "Least confidence"] = "medium",
    top_files: Annotated[int, Range(0, 1000)] = 10,
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["summary", "detailed", "json", "markdown", "csv", "sarif"], "summary has no symbols"
    ] = "detailed",
    page: Page = Page(limit=20, sorts=tuple(UNUSED_SORTS)),
) -> Answer[UnusedData]:
    """Functions, methods and classes without a known use, with confidence and doubts, and how much of each file they are."""
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, include=include, exclude=exclude, with_tests=include_tests)
        found = find_unused(reader, call.project.root, scope, min_level=min_level, check=call.check_cancelled)
    data = told_unused(found, scope, top_files=top_files, write=document_writer(call, format))
    return told_answer(
        call, page, ranked_unused(found), in_form(data, format),
        summary=unused_summary(found), form=format, warnings=scope.notes,
    )  # fmt: skip
