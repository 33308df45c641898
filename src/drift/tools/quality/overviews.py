"""All analyses in one, and a project at a glance."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from drift.context.health import HealthData, health_data, health_summary, measure_project, project_health
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.ranking import Ranked
from drift.quality.complexity_report import FINDING_SORTS
from drift.quality.comprehensive import ComprehensiveData, Wanted, analyze_all, told_all
from drift.quality.deep_context import (
    Analysis,
    Asked,
    DagType,
    DeepContextData,
    chosen_analyses,
    deep_summary,
    told_deep,
)
from drift.quality.gate import Subject
from drift.quality.overview_notes import unused_notes, wanted_parts
from drift.quality.scope import choose_scope, product_scope
from drift.registry import WHOLE_PROJECT, Call, KnownPath, MustExist, Page, Range, Tier, tool
from drift.registry.indexes import opened_index
from drift.tools.quality.answering import DOCUMENT_TOKENS, document_writer, in_form, told_answer


@tool(
    category="quality",
    title="Health of the project",
    tokens=(300, 800),
    tier=Tier.EXPENSIVE,
    ttl=0,  # rules and reports of coverage change without the index
    needs=Layer.CALLS,
    is_method=True,
    is_long=True,
    examples=({},),
)
def analyze_health(call: Call) -> Answer[HealthData]:
    """Measure the project's health (0-100): its parts with their inputs, and how it was before. Other answers show what this keeps."""
    now = datetime.now(UTC)
    with opened_index(call) as reader:
        health = measure_project(call.project, reader, now, check=call.check_cancelled)
    return Answer(health_summary(health), health_data(call.project, health, now))


@tool(
    category="quality",
    title="All analyses",
    tokens=(400, 4000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_method=True,
    is_long=True,
    examples=({}, {"project_path": "shop", "include_duplicates": False, "perf": True}),
)
def analyze_comprehensive(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    include_duplicates: bool = True,
    include_dead_code: bool = True,
    include_defects: bool = True,
    include_complexity: bool = True,
    include_tdg: bool = True,
    confidence_threshold: Annotated[
        float, Range(0, 1), "Least confidence of dead code and predictions"
    ] = 0.5,
    min_lines: Annotated[int, Range(2, 1000), "Least lines of a clone"] = 10,
    include_patterns: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude_patterns: Annotated[tuple[str, ...], "No paths that match"] = (),
    perf: Annotated[bool, "With the time of each part"] = False,
    executive_summary: Annotated[bool, "Figures alone"] = False,
    top_files: Annotated[int, Range(0, 1000)] = 10,
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["summary", "detailed", "json", "markdown", "csv", "sarif"], "summary has no findings"
    ] = "detailed",
    page: Page = Page(limit=20, sorts=tuple(FINDING_SORTS)),
) -> Answer[ComprehensiveData]:
    """Findings of complexity, debt comments, clones, dead code and the debt gradient together, tests left out, and where they meet."""
    parts = wanted_parts(complexity=include_complexity, duplicates=include_duplicates, dead_code=include_dead_code,
                         tdg=include_tdg, defects=include_defects)  # fmt: skip
    with opened_index(call) as reader:
        scope = product_scope(reader, project_path, include=include_patterns, exclude=exclude_patterns)
        subject = Subject(reader, call.project.root, scope, call.check_cancelled)
        found = analyze_all(subject, Wanted(parts, confidence_threshold, min_lines), progress=call.progress)
    form = "summary" if executive_summary else format
    write = document_writer(call, form)
    data = told_all(found, subject=scope.subject, top_files=top_files, perf=perf, write=write)
    rows = Ranked(found.findings, FINDING_SORTS)
    return told_answer(call, page, rows, in_form(data, form), summary=found.summary, form=form, warnings=scope.notes)  # fmt: skip


@tool(
    category="quality",
    title="Deep context",
    tokens=(500, 4000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_method=True,
    is_long=True,
    examples=({}, {"include_analyses": ["ast", "complexity", "satd"], "max_depth": 2}),
)
def analyze_deep_context(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    include_analyses: Annotated[tuple[Analysis, ...], "These alone"] = (),
    exclude_analyses: Annotated[tuple[Analysis, ...], "Not these"] = (),
    period_days: Annotated[int, Range(1, 3650), "For churn"] = 30,
    dag_type: DagType = "full-dependency",
    max_depth: Annotated[int | None, Range(0, 50), "Of folders in the tree"] = None,
    include_patterns: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude_patterns: Annotated[tuple[str, ...], "No paths that match"] = (),
    cache_strategy: Literal["normal", "force-refresh", "offline"] = "normal",
    parallel: Annotated[int, Range(1, 256)] = 1,
    format: Annotated[Literal["markdown", "json", "sarif"], "The data, or a text"] = "json",  # noqa: A002 - the name on the wire
) -> Answer[DeepContextData]:
    """A project at a glance: health with its parts, folders, complexity, churn, dead code, debt, hotspots, what to do first."""
    asked = Asked(chosen_analyses(include_analyses, exclude_analyses), period_days, dag_type, max_depth)
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, include=include_patterns, exclude=exclude_patterns)
        subject = Subject(reader, call.project.root, scope, call.check_cancelled)
        health = project_health(call.project, reader, datetime.now(UTC), check=call.check_cancelled)
        data, notes = told_deep(subject, asked, health=health, write=document_writer(call, format))
    warnings = (*notes, *unused_notes(cache_strategy, parallel))
    return Answer(deep_summary(data), data, warnings=warnings, max_tokens=DOCUMENT_TOKENS if data.document else None)  # fmt: skip
