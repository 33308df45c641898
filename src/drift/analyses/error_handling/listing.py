"""Lists of what is known about errors, in the orders they can be had in."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.error_handling.picture import Picture, unhandled_key
from drift.analyses.error_handling.rows import (
    SEVERITIES,
    BoundaryRow,
    GapRow,
    ProfileRow,
    Severity,
    StatusRow,
    UnhandledRow,
)
from drift.analyses.lookup import find_file
from drift.analyses.symbol_choice import choose_symbol
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural

if TYPE_CHECKING:
    from drift.index import IndexReader

GAP_SORTS: Final[Mapping[str, Sort[GapRow]]] = {
    "risk": Sort(lambda row: (-row.risk, row.file, row.line, row.kind, row.function), "desc"),
    "file": Sort(lambda row: (row.file, row.line)),
}
_BOUNDARY_SORTS: Final[Mapping[str, Sort[BoundaryRow]]] = {
    "risk": Sort(
        lambda row: (
            not row.is_framework_boundary,
            -row.catches_from_count,
            row.file,
            row.line,
            row.function,
            *row.catches,
        ),
        "desc",
    ),
    "file": Sort(lambda row: (row.file, row.line)),
}
_UNHANDLED_SORTS: Final[Mapping[str, Sort[UnhandledRow]]] = {
    "risk": Sort(unhandled_key, "desc"),
    "file": Sort(lambda row: (row.file, row.line)),
}
_PROFILE_SORTS: Final[Mapping[str, Sort[ProfileRow]]] = {
    "risk": Sort(lambda row: (row.quality, row.file, row.line, row.function), "desc"),
    "file": Sort(lambda row: (row.file, row.line)),
}


def ranked_gaps(picture: Picture, *, path: str, least: Severity) -> Ranked[GapRow]:
    """The gaps below a path that are at least so severe."""
    return Ranked([one for one in picture.gaps if _is_wanted(one, path, least)], GAP_SORTS)


def ranked_unhandled(picture: Picture, *, path: str, least: Severity) -> Ranked[UnhandledRow]:
    """The errors thrown below a path that nothing handles."""
    return Ranked([one for one in picture.unhandled if _is_wanted(one, path, least)], _UNHANDLED_SORTS)


def ranked_boundaries(picture: Picture, *, path: str) -> Ranked[BoundaryRow]:
    """The boundaries below a path."""
    return Ranked([one for one in picture.boundary_rows if one.file.startswith(path)], _BOUNDARY_SORTS)


def ranked_profiles(reader: "IndexReader", picture: Picture, target: str) -> tuple[Ranked[ProfileRow], str]:
    """How a function deals with errors, or the functions of a file that have to do with them; and what to say."""
    file = find_file(reader, target)
    if file is not None:
        rows = picture.profiles(reader.symbols.of_file(file.id))
        told = f"{file.path}: {plural(len(rows), 'function')} with errors"
        return Ranked(rows, _PROFILE_SORTS), told
    symbol, _ = choose_symbol(reader, target)
    inside = reader.symbols.many(reader.graph.inside([symbol.id]))
    row = picture.profile(symbol)
    rows = (row, *(one for one in picture.profiles(inside) if (one.file, one.line) != (row.file, row.line)))
    return Ranked(rows, _PROFILE_SORTS), f"{row.function}: {row.level}, quality {row.quality} of 100"


def _is_wanted(row: GapRow | UnhandledRow, path: str, least: Severity) -> bool:
    return row.file.startswith(path) and SEVERITIES.index(row.severity) <= SEVERITIES.index(least)


def status_summary(status: StatusRow) -> str:
    """A line on the errors of a project."""
    if not status.functions:
        return "No function throws, catches or loses an error"
    found = sum(status.gaps.values())
    severe = status.severities.get("critical", 0) + status.severities.get("high", 0)
    return (
        f"error handling {status.quality:g} of 100 over {plural(status.functions, 'function')}; "
        f"{plural(found, 'gap')}, {severe} of them high or critical; {plural(status.unhandled, 'unhandled path')}"
    )
