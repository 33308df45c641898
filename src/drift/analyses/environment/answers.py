"""What is told of environment variables: rows of lists, one variable whole, and the picture of all of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeVar

from drift.analyses.environment.gaps import Gaps, find_gaps
from drift.analyses.environment.naming import SENSITIVITIES, Sensitivity, provider_of
from drift.analyses.environment.variables import (
    DeclarationRow,
    Kind,
    ReadRow,
    Variable,
    gather,
)
from drift.index import IndexReader
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.similar import similar_names
from drift.kernel.text import plural

Action = Literal[
    "overview", "list", "secrets", "required", "variable", "file", "unread", "undeclared", "differing"
]

_Place = TypeVar("_Place", ReadRow, DeclarationRow)

ENVIRONMENT_SORTS: Final = ("name", "sensitivity", "reads")
_MOST_PLACES: Final = 50
_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class VariableRow:
    """A variable. `is_required` is null where nothing stands in for it and nothing shows that it must be set; `place` is where it is read first, else declared; `declared_in` are kinds of documents."""

    name: str
    sensitivity: Sensitivity
    reads: int
    is_required: bool | None
    place: str
    declared_in: tuple[str, ...] = ()
    default: str | None = None
    defaults: tuple[str, ...] | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class VariableDetail:
    """All that is known of one variable. With `fails_unset` a place that reads it stops without it."""

    name: str
    kind: Kind
    sensitivity: Sensitivity
    is_required: bool | None
    fails_unset: bool
    defaults: tuple[str, ...]
    reads: tuple[ReadRow, ...]
    declarations: tuple[DeclarationRow, ...]
    asked_for: tuple[DeclarationRow, ...]
    provided_by: str | None = None


@dataclass(frozen=True, slots=True)
class EnvironmentOverview:
    """How many variables there are of each sort. Undeclared is null where no document declares any."""

    variables: int
    read: int
    declared: int
    required: int
    by_sensitivity: dict[str, int]
    by_document: dict[str, int]
    unread: int
    undeclared: int | None
    differing: int
    patterns: tuple[str, ...]
    dynamic_reads: int
    settings: int


@dataclass(frozen=True, slots=True)
class EnvironmentData:
    """What the action found; the other fields are absent."""

    overview: EnvironmentOverview | None = None
    variables: tuple[VariableRow, ...] | None = None
    variable: VariableDetail | None = None


class VariableList(NamedTuple):
    """Variables to be told as a list."""

    rows: Sequence[VariableRow]
    summary: str
    warnings: tuple[str, ...] = ()

    def ranked(self) -> Ranked[VariableRow]:
        places = {each: place for place, each in enumerate(SENSITIVITIES)}
        by_name: Sort[VariableRow] = Sort(lambda row: (row.note is not None, row.name))
        orders: tuple[Sort[VariableRow], ...] = (
            by_name,
            Sort(lambda row: (places[row.sensitivity], row.name)),
            Sort(lambda row: (-row.reads, row.name), "desc"),
        )
        return Ranked(self.rows, dict(zip(ENVIRONMENT_SORTS, orders, strict=True)))


def data(shown: tuple[VariableRow, ...]) -> EnvironmentData:
    """A page of a list."""
    return EnvironmentData(variables=shown)


def survey(reader: IndexReader, root: Path) -> tuple[str, EnvironmentData]:
    """The picture of all variables, and a sentence on it."""
    environment = gather(reader)
    gaps = find_gaps(reader, root, environment)
    variables = environment.variables.values()
    read = [each for each in variables if each.reads]
    told = EnvironmentOverview(
        len(variables),
        len(read),
        sum(bool(each.declarations) for each in variables),
        sum(each.is_required is True for each in variables),
        dict(Counter(each.sensitivity for each in variables)),
        dict(Counter(row.document for each in variables for row in each.declarations).most_common()),
        len(gaps.unread),
        len(gaps.undeclared) if gaps.has_declarations else None,
        len(gaps.differing),
        tuple(each.name for each in read if each.is_pattern),
        len(environment.unknown),
        len(gather(reader, "setting").variables),
    )
    undeclared = "" if told.undeclared is None else f", {told.undeclared} read and declared nowhere"
    summary = (
        f"{plural(told.variables, 'environment variable')}: {told.read} read, {told.declared} declared, "
        f"{told.by_sensitivity.get('secret', 0)} secret; {told.unread} declared and read nowhere{undeclared}, "
        f"{told.differing} with differing defaults"
    )
    return summary, EnvironmentData(overview=told)


def list_variables(
    reader: IndexReader,
    root: Path,
    action: Action,
    *,
    kind: Kind,
    file: str | None,
    wanted: Sensitivity | None,
) -> VariableList:
    """The variables that an action is about."""
    environment = gather(reader, kind)
    if action in {"unread", "undeclared", "differing"}:
        return _gap_list(find_gaps(reader, root, environment), action, wanted)
    chosen = [each for each in environment.variables.values() if _is_of(each, action, file)]
    rows = [_row(each) for each in chosen if wanted is None or each.sensitivity == wanted]
    about = {"secrets": "secret or credential ", "required": "required "}.get(action, "")
    place = f" in {file}" if file else ""
    noun = "variable" if kind == "environment" else "setting"
    dynamic = [each for each in environment.unknown if file is None or each.file == file]
    warnings = (
        (
            f"{plural(len(dynamic), 'place')} read a name that is put together at run time, first {dynamic[0].file}:{dynamic[0].line}",
        )
        if dynamic
        else ()
    )
    return VariableList(rows, f"{plural(len(rows), f'{about}{noun}')}{place}", warnings)


def _is_of(variable: Variable, action: Action, file: str | None) -> bool:
    if action == "secrets":
        return variable.sensitivity in {"secret", "credential"}
    if action == "required":
        return (variable.fails_unset or variable.has_no_default) and provider_of(variable.name) is None
    if action == "file":
        return any(path == file for path, _ in _places(variable))
    return True


def _gap_list(gaps: Gaps, action: Action, wanted: Sensitivity | None) -> VariableList:
    def fitting(rows: Iterable[VariableRow]) -> list[VariableRow]:
        return [each for each in rows if wanted is None or each.sensitivity == wanted]

    if action == "differing":
        rows = fitting(_row(each, defaults=each.defaults) for each in gaps.differing)
        return VariableList(rows, f"{plural(len(rows), 'variable')} with more than one default")
    if action == "unread":
        rows = fitting(_row(each.variable, note=each.doubt) for each in gaps.unread)
        sure = sum(each.note is None for each in rows)
        return VariableList(
            rows,
            f"{plural(len(rows), 'variable')} declared and read nowhere; of {len(rows) - sure} something outside may",
        )
    rows = fitting(_row(each.variable, note=each.doubt) for each in gaps.undeclared)
    warnings = () if gaps.has_declarations else ("no document of the project declares any variable",)
    return VariableList(rows, f"{plural(len(rows), 'variable')} read and declared nowhere", warnings)


def _row(
    variable: Variable, *, note: str | None = None, defaults: tuple[str, ...] | None = None
) -> VariableRow:
    file, line = _places(variable)[0]
    known = variable.defaults
    return VariableRow(
        variable.name,
        variable.sensitivity,
        len(variable.reads),
        variable.is_required,
        f"{file}:{line}",
        tuple(dict.fromkeys(each.document for each in (*variable.declarations, *variable.requests))),
        known[0] if known and defaults is None else None,
        defaults,
        note or _note(variable),
    )


def _places(variable: Variable) -> list[tuple[str, int]]:
    """Where it stands: reads of the product, other reads, declarations, requests."""
    reads = (*variable.product_reads, *variable.reads)
    declarations = (*variable.declarations, *variable.requests)
    return [*((each.file, each.line) for each in reads), *((each.file, each.line) for each in declarations)]


def _note(variable: Variable) -> str | None:
    if variable.is_pattern:
        return "a part of the name is put together at run time"
    if variable.has_no_default and not variable.fails_unset and variable.product_reads:
        flagged = provider_of(variable.name) if not variable.declarations else None
        return f"set by {flagged}" if flagged else "no default, and nothing shows that it must be set"
    by = provider_of(variable.name) if variable.reads and not variable.declarations else None
    if by is not None:
        return f"set by {by}"
    return "read by tests and examples alone" if variable.reads and not variable.product_reads else None


def describe(reader: IndexReader, name: str) -> tuple[str, EnvironmentData]:
    """One variable or setting whole; raises SYMBOL_NOT_FOUND with names alike."""
    kinds: tuple[Kind, ...] = ("environment", "setting")
    known: list[str] = []
    for kind in kinds:
        environment = gather(reader, kind)
        found = environment.variables.get(name)
        if found is not None:
            return _described(found)
        known += environment.variables
    raise DriftError(
        ErrorCode.SYMBOL_NOT_FOUND,
        f"No environment variable or setting is called {name!r}",
        Recovery(similar=tuple(similar_names(name, known)), alternative_tools=("drift_env",)),
    )


def _described(found: Variable) -> tuple[str, EnvironmentData]:
    detail = VariableDetail(
        found.name,
        found.kind,
        found.sensitivity,
        found.is_required,
        found.fails_unset,
        found.defaults,
        _first(found.reads, lambda each: (bool(each.is_test), each.file, each.line)),
        _first(found.declarations, lambda each: (False, each.file, each.line)),
        _first(found.requests, lambda each: (False, each.file, each.line)),
        provider_of(found.name),
    )
    needed = {True: "required", False: "optional", None: "no default known"}[found.is_required]
    summary = (
        f"{found.name} ({found.sensitivity}, {needed}): {plural(len(found.reads), 'read')}, "
        f"{plural(len(found.declarations), 'declaration')}"
    )
    if len(found.defaults) > 1:
        summary += f"; defaults differ: {', '.join(found.defaults[:_MOST_NAMED])}"
    return summary, EnvironmentData(variable=detail)


def _first(rows: Iterable[_Place], key: Callable[[_Place], tuple[bool, str, int]]) -> tuple[_Place, ...]:
    return tuple(sorted(rows, key=key)[:_MOST_PLACES])
