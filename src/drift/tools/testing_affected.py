"""The answer about a change: the fewest tests that run it, or all, and the commands that run those."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any

from drift.analyses.callables import CALLABLE_KINDS
from drift.analyses.changes import find_changed_symbols, parse_diff, read_diff
from drift.analyses.middleware import middleware_warnings
from drift.analyses.symbol_choice import choose_symbols
from drift.analyses.targets import find_file_meant
from drift.analyses.testing.affected import (
    MOST_FUNCTIONS,
    Chosen,
    find_neighbourhood,
    list_reaching,
    match_durations,
    reach_nearest,
    replaced_by_case,
    select_tests,
)
from drift.analyses.testing.case_frameworks import CaseFrameworks
from drift.analyses.testing.commands import commands_for
from drift.analyses.testing.coverage import percent
from drift.analyses.testing.frameworks import frameworks_in
from drift.analyses.testing.inherited_cases import as_inherited
from drift.analyses.testing.mocks import find_mocks
from drift.analyses.testing.near_tests import find_near_tests
from drift.analyses.testing.reach import Reach
from drift.analyses.testing.report_files import find_reports
from drift.analyses.testing.suites import Case, suites_of
from drift.analyses.unseen_ways import unseen_caller_warnings
from drift.analyses.usages.rendering import find_rendering
from drift.index import IndexReader, SymbolId, SymbolRecord
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.text import plural
from drift.registry import Call, Page
from drift.tools.testing_measures import (
    MOST_EVIDENCE,
    MOST_LEFT,
    blind_warnings,
    page_of,
    place_text,
    texts_of,
)
from drift.tools.testing_rows import AffectedData, ChosenRow, TestTopologyData

_FUNCTIONS = frozenset({"function", "method", "constructor", "property"})
_PROPERTY = "property"
_MADE = frozenset({"class", "struct"})


def answer_affected(
    call: Call,
    reader: IndexReader,
    wanted: tuple[str, ...] | None,
    *,
    base: str,
    all_tests: bool,
    page: Page,
) -> Answer[TestTopologyData]:
    symbols, warnings = _changed(call, reader, wanted, base)
    known = {one.id: one for one in symbols}
    suites = suites_of(reader)
    rendering = find_rendering(reader, call.project.root, symbols[:MOST_FUNCTIONS])
    around = find_neighbourhood(reader, suites, known, rendering=rendering)
    cases = {case: suites.cases[case] for case in around.cases}
    mocks = find_mocks(reader, suites, {case.file_id for case in cases.values()}, texts_of(call))
    replaced = replaced_by_case(suites, mocks)
    near, mocked = reach_nearest(around, suites, replaced)
    reports = find_reports(call.project.root)
    seconds = match_durations(cases.values(), reports.durations)
    found = select_tests(
        near, suites, seconds=seconds, mocked=mocked, names={one.id: one.qualname for one in symbols}
    )
    faint = _faint(near)
    told = list_reaching(around, suites, replaced, seconds) if all_tests else found.chosen
    places = {one.path for one in symbols}
    told = [one._replace(case=as_inherited(reader, one.case, places)) for one in told]
    rows = [_chosen_row(one, known) for one in told]
    shown, pagination = page_of(call, page, rows, place=lambda row: (row.file, row.line))
    data = AffectedData(
        changed_functions=len(near),
        reaching_tests=len(cases),
        all_tests=suites.count_all(reader),
        changed_coverage_percent=percent(len(near) - len(found.uncovered) - len(faint), len(near)),
        commands=_commands(call, reader, told),
        direct_test_files=_direct_files(near, cases),
        not_covered=tuple(place_text(known[each]) for each in found.uncovered[:MOST_LEFT]),
        perhaps_covered=tuple(place_text(known[each]) for each in faint[:MOST_LEFT]) or None,
        may_test_them=_may_test(call, reader, [known[each] for each in found.uncovered]),
        only_mocked=tuple(place_text(known[each]) for each in found.mocked[:MOST_LEFT]),
        left_out=() if all_tests else _left_out(reader, found.redundant, places),
        seconds=_sum_known([one.seconds for one in told]),
        seconds_of_all_reaching=_sum_known([seconds.get(each) for each in cases]),
    )
    unseen = [known[each] for each in found.uncovered]
    return Answer(
        _summary(data, len(told), (len(unseen), len(faint)), base=None if wanted is not None else base),
        TestTopologyData(affected=data, tests=tuple(shown)),
        pagination=pagination,
        next=() if all_tests else _rest(wanted, base, len(cases) - len(told)),
        warnings=(
            *warnings,
            *_cut(is_cut=around.users.is_cut or len(known) > MOST_FUNCTIONS),
            *middleware_warnings(reader, symbols),
            *unseen_caller_warnings(reader, [*unseen, *(known[each] for each in faint)]),
            *(f"not read: {each}" for each in reports.problems[:MOST_EVIDENCE]),
            *blind_warnings(reader),
        ),
    )


def _faint(near: dict[SymbolId, dict[SymbolId, Reach]]) -> list[SymbolId]:
    """The functions that tests run only perhaps."""
    return [each for each, found in near.items() if found and all(reach.is_faint for reach in found.values())]


def _left_out(reader: IndexReader, cases: Sequence[Case], near: Collection[str]) -> tuple[str, ...]:
    return tuple(_case_text(as_inherited(reader, one, near)) for one in cases[:MOST_LEFT])


def _case_text(case: Case) -> str:
    return f"{case.title} {case.path}:{case.line}"


def _may_test(call: Call, reader: IndexReader, unseen: Iterable[SymbolRecord]) -> tuple[str, ...]:
    """Files that by name or history may test what no test is seen to run."""
    found = find_near_tests(reader, call.project.root, sorted({one.path for one in unseen}))
    return tuple(f"{one.path}: {one.why} ({one.confidence})" for one in found[:MOST_LEFT])


def _cut(*, is_cut: bool) -> tuple[str, ...]:
    if not is_cut:
        return ()
    return (f"only the first {MOST_FUNCTIONS} changed functions and their nearest users were followed",)


def _summary(data: AffectedData, chosen: int, without: tuple[int, int], *, base: str | None) -> str:
    """What to run, or that nothing needs a run; `base` is what the working tree was compared with, if it was.

    `without` is how many functions no test is seen to run, and how many only perhaps.
    """
    uncovered, faint = without
    if not data.changed_functions:
        where = "among these" if base is None else f"is changed since {base}"
        return f"No function {where}, so no test is chosen"
    changed = plural(data.changed_functions, "changed function")
    is_known = "seen" if data.may_test_them else "known"
    if not chosen:
        may = f"; {plural(len(data.may_test_them), 'test file')} may" if data.may_test_them else ""
        return f"No test is {is_known} to run any of {changed}{may}"
    covered = data.changed_functions - uncovered - faint
    reaching = plural(data.reaching_tests, "reaching test")
    rest = f"; of {uncovered} no test is {is_known}" if uncovered else ""
    if not covered:
        return f"{plural(chosen, 'test')} may run {faint} of {changed}; none is sure to{rest}"
    perhaps = f", and perhaps {faint} more" if faint else ""
    return f"Run {chosen} of {reaching} to cover {covered} of {changed}{perhaps}{rest}"


def _rest(wanted: tuple[str, ...] | None, base: str, left_out: int) -> tuple[NextAction, ...]:
    """How all tests are had, where the fewest are told: those stand for the others, and may miss what they find."""
    if left_out <= 0:
        return ()
    about: dict[str, Any] = {"base": base} if wanted is None else {"files": list(wanted)}
    args = {"action": "affected", **about, "allTests": True}
    return (NextAction("drift_test_topology", args, "all reaching tests: the fewest may miss a fault"),)


def _sum_known(values: list[float | None]) -> float | None:
    """The sum; None where one of them is not known, or there is none."""
    known = [each for each in values if each is not None]
    return round(sum(known), 3) if known and len(known) == len(values) else None


def _direct_files(
    kept: dict[SymbolId, dict[SymbolId, Reach]], cases: dict[SymbolId, Case]
) -> tuple[str, ...]:
    """The files with most tests that call something changed themselves."""
    direct = {case for found in kept.values() for case, reach in found.items() if reach.depth <= 1}
    counts = Counter(cases[each].path for each in direct)
    return tuple(path for path, _ in sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:MOST_LEFT])


def _changed(
    call: Call, reader: IndexReader, wanted: tuple[str, ...] | None, base: str
) -> tuple[list[SymbolRecord], tuple[str, ...]]:
    """The functions that are changed, by name or by the diff."""
    if wanted is None:
        found = find_changed_symbols(reader, parse_diff(read_diff(call.project.root, base)))
        notes = [f"{path} is deleted: what used it is not among the changed" for path in found.deleted]
        notes += [f"{path} is changed, but the index has no symbols of it" for path in found.unknown]
        plain = [one for one in found.symbols if one.kind not in CALLABLE_KINDS]
        notes += [f"{place_text(one)} is changed outside of functions" for one in plain]
        run = [one for one in found.symbols if one.kind in _FUNCTIONS]
        return [*run, *_bare_classes(reader, found.symbols)], tuple(notes[:MOST_EVIDENCE])
    if not wanted:
        raise invalid("files", "is empty; leave it out to mean the git diff")
    symbols: dict[SymbolId, SymbolRecord] = {}
    choices: list[str] = []
    for each in wanted:
        named, passed_over = _named(reader, each)
        run = [one for one in named if one.kind in _FUNCTIONS]
        bare = _bare_classes(reader, named) if all(one.kind == _PROPERTY for one in run) else []
        symbols |= {one.id: one for one in (*run, *bare)}
        choices += passed_over
    return list(symbols.values()), tuple(choices) if symbols else (*choices, "none of these has functions")


def _bare_classes(reader: IndexReader, symbols: Iterable[SymbolRecord]) -> list[SymbolRecord]:
    """Classes without a function of their own but properties: tests that make their objects, or ask for their routes, run them."""
    classes = [one for one in symbols if one.kind in _MADE]
    return [
        one
        for one in classes
        if not any(
            each.kind in _FUNCTIONS and each.kind != _PROPERTY
            for each in reader.symbols.many(reader.graph.inside([one.id]))
        )
    ]


def _named(reader: IndexReader, text: str) -> tuple[list[SymbolRecord], tuple[str, ...]]:
    """What a file or symbol has in it, and warnings about the choice."""
    record = find_file_meant(reader, text)
    if record is not None:
        return reader.symbols.of_file(record.id), ()
    symbols, passed_over = choose_symbols(reader, text)
    return list(reader.symbols.many(reader.graph.inside([one.id for one in symbols]))), passed_over


def _chosen_row(one: Chosen, known: dict[SymbolId, SymbolRecord]) -> ChosenRow:
    nearest = one.nearest
    target = known.get(nearest.path[-1])
    name = target.qualname if target is not None else ""
    how = (
        ("is changed itself" if nearest.case in known else f"is set up by {name}")
        if nearest.depth == 0
        else (f"calls {name}" if nearest.depth == 1 else f"reaches {name} through {nearest.depth - 1} more")
    )
    if nearest.is_faint:
        how = f"may run {name}: known only by a name, an import or a parent outside"
    return ChosenRow(
        one.case.title,
        one.case.path,
        one.case.line,
        tuple(known[each].qualname for each in one.covers[:MOST_EVIDENCE]),
        how,
        nearest.confidence,
        one.seconds,
    )


def _commands(call: Call, reader: IndexReader, chosen: Iterable[Chosen]) -> tuple[str, ...]:
    root, cases = call.project.root, [one.case for one in chosen]
    names = CaseFrameworks(reader, frameworks_in(reader, root), cases)
    groups: dict[str, list[Case]] = {}
    for case in cases:
        framework = names.name(case)
        if framework is not None:
            groups.setdefault(framework, []).append(case)
    has_file = cache(lambda path: (root / path).is_file())
    return tuple(
        command for framework, group in groups.items() for command in commands_for(framework, group, has_file)
    )
