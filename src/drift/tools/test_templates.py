"""Tests to begin with, written the way the project writes its own."""

from typing import Annotated, Literal

from drift.analyses.symbol_choice import choose_symbol
from drift.analyses.targets import require_file, require_symbols
from drift.analyses.test_templates.compose import compose_test, is_testable_language
from drift.analyses.test_templates.rows import TestTemplate
from drift.analyses.test_templates.subjects import Chosen, choose_subjects
from drift.index import IndexReader, Layer
from drift.index.records import FileRecord, SymbolRecord
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.text import plural
from drift.registry import Call, Length, tool
from drift.registry.indexes import opened_index

TestKind = Literal["unit", "integration", "e2e"]
_MOST_REASONS = 8


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
        _check_language(file)
        wanted = _wanted(reader, file, function) if function else None
        chosen = choose_subjects(reader, file.id, wanted)
        if not chosen.subjects:
            raise _nothing_testable(file, chosen, function)
        found, warnings = compose_test(reader, call.project.root, file, chosen, kind=type)
    return Answer(_summary(found), found, next=_after(call, file, found), warnings=warnings)


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


def _check_language(file: FileRecord) -> None:
    if not is_testable_language(file.language):
        raise invalid("targetFile", f"{file.path!r} is of no language whose tests are known")
    if file.role == "test":
        raise invalid("targetFile", f"{file.path!r} is a test itself; give the file it tests")


def _wanted(reader: IndexReader, file: FileRecord, function: str) -> list[SymbolRecord]:
    """The symbols of the file that a name means; several of one name are all meant."""
    found = [one for one in require_symbols(reader, function, file=file.path) if one.path == file.path]
    names = {one.qualname: one for one in found if one.kind != "constructor"}
    if len(names) <= 1:
        return found
    raise DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"{function!r} means {len(names)} symbols of {file.path}.",
        Recovery(hint="Give a longer name such as Class.method, or path:line.", similar=tuple(names)[:10]),
    )


def _nothing_testable(file: FileRecord, chosen: Chosen, function: str | None) -> DriftError:
    reasons = [f"{one.symbol.qualname} {one.reason}" for one in chosen.refused[:_MOST_REASONS]]
    told = f": {'; '.join(reasons)}" if reasons else ": it has no functions"
    return DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"Nothing in {function or file.path} can be called from a test{told}.",
        Recovery(
            hint="Test it through what calls it: drift_callers names that."
            if reasons
            else "Give a file with functions.",
            alternative_tools=("drift_callers",),
        ),
    )


def _summary(found: TestTemplate) -> str:
    framework = found.conventions.framework
    learnt = f"{framework.count} of {framework.total} tests near" if framework.total else "by default"
    does = "add to" if found.exists else "create"
    count = found.existing_test_count
    listed = len(found.existing_tests or ())
    shown = f", {listed} of them listed" if listed < count else ""
    known = (
        f"; {plural(count, 'test')} of it {'exists' if count == 1 else 'exist'} already{shown}"
        if count
        else ""
    )
    what = found.functions[0] if len(found.functions) == 1 else plural(len(found.functions), "function")
    return f"{does} {found.test_file}: {what} with {framework.value} ({learnt}){known}"


def _after(call: Call, file: FileRecord, found: TestTemplate) -> tuple[NextAction, ...]:
    name = found.functions[0].rpartition(".")[2]
    return (
        call.suggest(
            "drift_signature", "read what it does before asserting", symbol=found.functions[0], file=file.path
        ),
        call.suggest("drift_callers", "see with which arguments it is called", symbol=name, file=file.path),
    )
