"""Where debt gathers, and whether code is good enough to go in."""

from typing import Annotated, Literal

from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.ranking import Ranked
from drift.quality.complexity_report import FINDING_SORTS
from drift.quality.debt import measure_debt
from drift.quality.debt_report import DEBT_SORTS, DebtData, debt_summary, ranked_debt, told_debt
from drift.quality.gate import Subject, gate_report, run_thresholds
from drift.quality.gate_report import GateData, refuse_violations, told_gate
from drift.quality.scope import choose_scope
from drift.registry import WHOLE_PROJECT, Call, KnownPath, MustExist, Page, Range, Tier, tool
from drift.registry.indexes import opened_index
from drift.tools.quality.answering import document_writer, in_form, told_answer


@tool(
    category="quality",
    title="Technical debt gradient",
    tokens=(300, 2500),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_method=True,
    is_long=True,
    examples=({}, {"project_path": "shop", "threshold": 2.5}),
)
def analyze_tdg(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    threshold: Annotated[float, Range(0, 5), "Least score of files shown"] = 0.0,
    include: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude: Annotated[tuple[str, ...], "No paths that match"] = (),
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["summary", "detailed", "json", "markdown", "csv", "sarif"], "summary has figures alone"
    ] = "detailed",
    page: Page = Page(limit=10, sorts=tuple(DEBT_SORTS)),
) -> Answer[DebtData]:
    """Files by debt (0-5) from complexity, churn, coupling, clones, debt comments and missing tests, with hours and their parts."""
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, include=include, exclude=exclude, with_tests=False)
        debt = measure_debt(reader, call.project.root, scope, check=call.check_cancelled)
    write = document_writer(call, format)
    data = told_debt(debt, threshold=threshold, subject=scope.subject, write=write)
    return told_answer(
        call, page, ranked_debt(debt, threshold), in_form(data, format),
        summary=debt_summary(debt), form=format, warnings=(*scope.notes, *debt.notes),
    )  # fmt: skip


@tool(
    category="quality",
    title="Quality gate",
    tokens=(200, 2500),
    tier=Tier.EXPENSIVE,
    ttl=0,  # reports of coverage change without the index
    needs=Layer.CALLS,
    is_method=True,
    is_long=True,
    examples=({}, {"complexity_threshold": 15, "duplication_threshold": 10}, {"format": "junit"}),
)
def quality_gate(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    complexity_threshold: Annotated[
        float | None, Range(1, 1000), "Highest cyclomatic complexity; default 10"
    ] = None,
    duplication_threshold: Annotated[float | None, Range(0, 100), "Most percent in clones; default 5"] = None,
    coverage_threshold: Annotated[
        float | None, Range(0, 100), "Least percent of lines run, by a report; 80 if there is one"
    ] = None,
    defect_threshold: Annotated[float | None, Range(0, 1), "Highest probability of a defect"] = None,
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["summary", "detailed", "json", "markdown", "sarif", "junit"], "summary has no findings"
    ] = "detailed",
    fail_on_violation: Annotated[bool, "An error unless it passed"] = False,
    page: Page = Page(limit=20, sorts=tuple(FINDING_SORTS)),
) -> Answer[GateData]:
    """Whether code keeps the thresholds: complexity, duplication, coverage. What was asked and cannot be told is errored, never passed."""
    wanted = (complexity_threshold, duplication_threshold, coverage_threshold, defect_threshold)
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, with_tests=False)
        run = run_thresholds(Subject(reader, call.project.root, scope, call.check_cancelled), wanted)
    write = document_writer(call, format)
    document = write(gate_report(run, tool="quality_gate", subject=scope)) if write else None
    if fail_on_violation:
        refuse_violations(run, document)
    found, data = Ranked(run.findings, FINDING_SORTS), told_gate(run, document)
    return told_answer(
        call, page, found, in_form(data, format), summary=run.summary, form=format, warnings=scope.notes
    )
