"""Explanations: what a file or a symbol is, and everything around one function, in one call."""

from collections.abc import Sequence
from typing import Annotated

from drift.analyses.explain import (
    ROWS,
    Depth,
    ExplainData,
    FileExplanation,
    SymbolExplanation,
    explain_file,
    explain_symbol,
)
from drift.analyses.file_standing import FileStanding
from drift.analyses.graph_rows import silence_warnings
from drift.analyses.named_files import named_file_warnings
from drift.analyses.reaching_tests import FunctionData, analyze_functions, say_tests
from drift.analyses.signatures import Wanted
from drift.analyses.symbol_choice import choose_symbols
from drift.analyses.targets import find_file_meant
from drift.analyses.unseen_ways import find_unseen_way, unseen_caller_warnings
from drift.analyses.usages.beside_code import beside_warnings
from drift.conventions.glance import glance_stamp, read_glance
from drift.index import IndexReader, Layer, SymbolRecord
from drift.kernel.answer import Answer, NextAction
from drift.kernel.text import plural
from drift.registry import Call, Length, Range, tool
from drift.registry.indexes import opened_index


@tool(
    category="generation",
    title="Explain a file or symbol",
    tokens=(300, 2500),
    needs=Layer.CALLS,
    stamp=glance_stamp,
    examples=({"target": "Cart.load"}, {"target": "shop/models.py", "depth": "detailed"}),
)
def drift_explain(
    call: Call,
    target: Annotated[str, Length(4096), "File, symbol or path:line"],
    file: Annotated[str | None, Length(4096), "The symbol's path or its end"] = None,
    depth: Depth = "summary",
) -> Answer[ExplainData]:
    """What a file or symbol is, its parts, who uses it, what it uses, tests that reach it directly."""
    rows = ROWS[depth]
    with opened_index(call) as reader:
        record = find_file_meant(reader, target) if file is None else None
        if record is not None:
            standing = read_glance(call.project, reader.generation()).standing(record.path)
            named = named_file_warnings(reader, record.path)
            return _about_file(explain_file(reader, record, rows=rows), standing, named)
        symbols, several = choose_symbols(reader, target, file=file)
        found = [explain_symbol(reader, one, rows=max(1, rows // len(symbols))) for one in symbols]
        silence = _silence(call, reader, symbols[0]) if len(symbols) == 1 else ()
        return _about_symbols(call, found, (*several, *silence))


def _silence(call: Call, reader: IndexReader, symbol: SymbolRecord) -> tuple[str, ...]:
    return (*silence_warnings(reader, symbol), *beside_warnings(reader, call.project.root, symbol))


def _unseen_ways(reader: IndexReader, symbol: SymbolRecord) -> tuple[str, ...]:
    """That what calls a caller of it from outside may do so in tests; of the symbol itself silence is told already."""
    way = find_unseen_way(reader, symbol)
    return unseen_caller_warnings(reader, [symbol]) if way is None or not way.is_itself else ()


def _about_file(
    found: FileExplanation, standing: FileStanding | None, named: tuple[str, ...]
) -> Answer[ExplainData]:
    lines = f"{plural(found.lines, 'line')}, " if found.lines is not None else ""
    summary = (
        f"{found.file} ({found.language or 'no known language'}, {found.role}): {lines}"
        f"{plural(found.symbol_count, 'symbol')}; used by {plural(found.using_files, 'file')}, "
        f"uses {plural(found.used_files, 'file')}"
    )
    next_actions = (
        NextAction("drift_impact_analysis", {"target": found.file}, "see what a change would reach"),
    )
    warnings = (*((found.problem,) if found.problem else ()), *(named if not found.using_files else ()))
    data = ExplainData(file=found, conventions=standing)
    return Answer(summary, data, next=next_actions, warnings=warnings)


def _about_symbols(
    call: Call, found: Sequence[SymbolExplanation], warnings: tuple[str, ...]
) -> Answer[ExplainData]:
    """What is told of symbols of one name: of each what is told of one."""
    answers = [_about_symbol(call, one, ()) for one in found]
    notes = tuple(dict.fromkeys(note for one in answers for note in one.warnings))
    return Answer(
        "; ".join(one.summary for one in answers),
        ExplainData(symbol=found[0], others=tuple(found[1:]) or None),
        next=answers[0].next,
        warnings=(*warnings, *notes) if len(found) > 1 else (*notes, *warnings),
    )


def _about_symbol(call: Call, found: SymbolExplanation, silence: tuple[str, ...]) -> Answer[ExplainData]:
    place = f"{found.file}:{found.line}"
    used = f"{plural(found.caller_count, 'caller')} in {plural(found.calling_files, 'file')}"
    summary = (
        f"{found.kind} {found.symbol} at {place}: {used}, {plural(found.reference_count, 'other use')}, "
        f"{plural(found.test_users, 'test')} directly; calls {found.callee_count} of the project"
    )
    warnings = (
        (f"{plural(found.unresolved_calls, 'call')} in it could not be resolved and may lead anywhere",)
        if found.unresolved_calls
        else ()
    )
    return Answer(
        summary,
        ExplainData(symbol=found),
        next=(
            NextAction("drift_impact_analysis", {"target": place}, "see what a change would reach"),
            call.suggest("drift_signature", "read it", symbol=place, include_body=True, priority="low"),
        ),
        warnings=(*warnings, *silence),
    )


_FUNCTIONS = frozenset({"function", "method", "constructor", "macro", "property"})


@tool(
    category="orchestration",
    title="Analyze a function",
    tokens=(500, 3000),
    needs=Layer.CALLS,
    examples=({"function": "Cart.load"},),
)
def drift_analyze_function(
    call: Call,
    function: Annotated[str, Length(500), "Name, Class.method or path:line"],
    file: Annotated[str | None, Length(4096), "Path or its end"] = None,
    include_body: bool = True,
    depth: Annotated[int | None, Range(1, 20), "Also count what is within so many calls"] = None,
) -> Answer[FunctionData]:
    """Signature, body, complexity, callers, callees and tests of one function, in one call."""
    with opened_index(call) as reader:
        symbols, several = choose_symbols(reader, function, file=file, kinds=_FUNCTIONS)
        wanted = Wanted(body_root=call.project.root if include_body else None)
        data = analyze_functions(reader, symbols, wanted, depth=depth)
        silence = (*several, *_silence(call, reader, symbols[0]))
        ways = _unseen_ways(reader, symbols[0]) if all(one.perhaps for one in data.tests) else ()
    brief = _about_symbol(call, data.surroundings, silence)
    summary = f"{brief.summary}; {say_tests(data.tests, data.test_count)}"
    return Answer(summary, data, next=brief.next[:1], warnings=(*brief.warnings, *ways))
