"""Files that are likely to need a fix."""

from functools import partial
from typing import Annotated, Literal

from drift.index import Layer
from drift.kernel.answer import Answer
from drift.quality.defect_probability import DefectData, find_defects
from drift.quality.scope import choose_scope
from drift.registry import WHOLE_PROJECT, Call, KnownPath, MustExist, Page, Range, Tier, tool
from drift.registry.indexes import opened_index
from drift.tools.quality.answering import document_writer, told_answer

DefectFormat = Literal["summary", "detailed", "json", "csv", "markdown", "sarif"]


@tool(
    category="quality",
    title="Defect probability",
    tokens=(300, 3000),
    ttl=0,  # a commit does not change the index that answers are kept under
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_method=True,
    is_long=True,
    examples=({}, {"explain": True, "limit": 5}, {"format": "sarif"}),
)
def analyze_defect_probability(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    min_confidence: Annotated[float, Range(0, 1), "Least share of features known"] = 0.7,
    explain: Annotated[bool, "With what each feature contributes"] = False,
    sarif: Annotated[bool, "The same as format=sarif"] = False,
    format: Annotated[DefectFormat, "summary has no files"] = "detailed",  # noqa: A002 - the name on the wire
    include: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude: Annotated[tuple[str, ...], "No paths that match"] = (),
    page: Page = Page(limit=20, sorts=("probability", "file")),
) -> Answer[DefectData]:
    """How likely a fix changes each file within a year, by a model fitted on public histories; explain gives the reasons."""
    form: DefectFormat = "sarif" if sarif else format
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, include=include, exclude=exclude)
        found = find_defects(
            reader, call.project.root, scope, min_confidence=min_confidence, check=call.check_cancelled
        )
    data = partial(found.data, form, explain=explain, write=document_writer(call, form))
    return told_answer(
        call, page, found.ranked(), data, summary=found.summary, form=form, warnings=found.notes
    )
