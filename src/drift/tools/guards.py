"""Code checked before it is written: whether it may stand where it is to stand."""

from typing import Annotated, Literal

from drift.conventions.picture import conventions_stamp, look
from drift.guards.mending.suggesting import Issue, SuggestionsData, suggest_changes, suggestions_summary
from drift.guards.prevalidation import PrevalidationData, prevalidate, summary_of
from drift.guards.validation import ValidationData, read_change, validate_change, validation_summary
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.arguments import Range
from drift.registry import Call, Length, ProjectFile, tool
from drift.registry.indexes import opened_index


@tool(
    category="surgical",
    title="Check code before writing it",
    tokens=(300, 800),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
    examples=(
        {"code": "def add(a, b):\n    return a + b\n", "targetFile": "shop/sums.py", "kind": "function"},
    ),
)
def drift_prevalidate(
    call: Call,
    code: Annotated[str, Length(1_000_000), "What is to be written"],
    target_file: Annotated[ProjectFile, "Where; need not exist"],
    kind: Annotated[
        Literal["function", "class", "component", "test", "full-file"], "full-file: code is all of the file"
    ] = "full-file",
) -> Answer[PrevalidationData]:
    """What is wrong with code before it is written: names nobody has, calls that do not fit, conventions it breaks, code that exists."""
    with opened_index(call) as reader:
        picture = look(reader, call.project, call.runtime.today())
        data = prevalidate(reader, call.project, picture, code=code, target=target_file, kind=kind)
    return Answer(summary_of(data), data, warnings=data.missing)


@tool(
    category="generation",
    title="Validate a change",
    tokens=(1000, 3000),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
    ttl=0,  # the file on disk counts, too
    examples=({"file": "shop/cart.py", "content": "class Cart:\n    pass\n"},),
)
def drift_validate_change(
    call: Call,
    file: ProjectFile,
    content: Annotated[str | None, Length(1_000_000), "All of the file after the change"] = None,
    *,
    diff: Annotated[str | None, Length(1_000_000), "Or a unified diff against the file on disk"] = None,
    strict_mode: Annotated[bool, "Warnings fail it, too"] = False,
) -> Answer[ValidationData]:
    """What a change of a file is responsible for: new violations, callers it breaks, conventions it keeps, tests that run it."""
    change = read_change(call.project, file, content=content, diff=diff)
    with opened_index(call) as reader:
        picture = look(reader, call.project, call.runtime.today())
        data = validate_change(reader, call.project, picture, change, strict=strict_mode)
    return Answer(validation_summary(data), data, warnings=data.missing)


@tool(
    category="generation",
    title="Suggest changes",
    tokens=(1000, 3000),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
    ttl=0,  # the file on disk counts, too
    examples=({"target": "shop/pricing.py"}, {"target": "shop/pricing.py:12", "issue": "error-handling"}),
)
def drift_suggest_changes(
    call: Call,
    target: Annotated[str, Length(4096), "File, path:line or symbol"],
    issue: Annotated[Issue | None, "Only of this kind"] = None,
    *,
    pattern_id: Annotated[str | None, Length(300), "Only of this convention, constraint or rule"] = None,
    max_suggestions: Annotated[int, Range(1, 20), "At most"] = 3,
) -> Answer[SuggestionsData]:
    """Edits that mend what is wrong in a file: patches that apply, parse and remove the finding, with tests to run; else advice."""
    with opened_index(call) as reader:
        picture = look(reader, call.project, call.runtime.today())
        data = suggest_changes(
            reader,
            call.project,
            picture,
            target=target,
            issue=issue,
            pattern=pattern_id,
            most=max_suggestions,
        )
    return Answer(suggestions_summary(data), data)
