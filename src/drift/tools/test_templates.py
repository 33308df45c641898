"""Tests to begin with, written the way the project writes its own."""

from typing import Annotated, Literal

from drift.analyses.symbol_choice import choose_symbol
from drift.analyses.targets import require_file
from drift.analyses.test_templates.compose import (
    check_language,
    compose_test,
    nothing_testable,
    summarize_test,
)
from drift.analyses.test_templates.rows import TestTemplate
from drift.analyses.test_templates.subjects import choose_subjects, require_wanted
from drift.index import FileRecord, IndexReader, Layer
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.registry import Call, Length, tool
from drift.registry.indexes import opened_index

TestKind = Literal["unit", "integration", "e2e"]


@tool(
    category="surgical",
    title="Test template",
    tokens=(400, 1500),
    ttl=60,  # style is read from test files as they are now
    needs=Layer.CALLS,
    examples=(
        {"targetFile": "shop/pricing.py", "function": "total"},
        {"targetFile": "shop/models.py", "type": "integration"},
    ),
)
def drift_test_template(
    call: Call,
    target_file: Annotated[str | None, Length(4096), "The file to test; else the function's"] = None,
    function: Annotated[
        str | None, Length(500), "Function, Class or Class.method; else the file's first six"
    ] = None,
    type: TestKind = "unit",  # noqa: A002 - the word agents use
) -> Answer[TestTemplate]:
    """A test in the project's framework, layout, naming and mock style, real imports; what to assert is left as a failing TODO."""
    with opened_index(call) as reader:
        file = require_file(reader, target_file or _file_of(reader, function))
        check_language(file)
        named = require_wanted(reader, file, function) if function else None
        chosen = choose_subjects(reader, file.id, named)
        if not chosen.subjects:
            raise nothing_testable(file, chosen, function)
        found, warnings = compose_test(reader, call.project.root, file, chosen, kind=type)
    return Answer(summarize_test(found), found, next=_after(call, file, found), warnings=warnings)


def _file_of(reader: IndexReader, function: str | None) -> str:
    """The file of the one function that a name means."""
    if function is None:
        raise DriftError(
            ErrorCode.MISSING_REQUIRED_PARAM,
            "targetFile: required by drift_test_template, or else function",
            Recovery(details={"argument": "targetFile"}),
        )
    symbol, _warnings = choose_symbol(reader, function)
    return symbol.path


def _after(call: Call, file: FileRecord, found: TestTemplate) -> tuple[NextAction, ...]:
    name = found.functions[0].rpartition(".")[2]
    return (
        call.suggest(
            "drift_signature", "read what it does before asserting", symbol=found.functions[0], file=file.path
        ),
        call.suggest("drift_callers", "see with which arguments it is called", symbol=name, file=file.path),
    )
