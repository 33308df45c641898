"""Constants that contradict each other.

What it does: finds names that are declared in several files with different values, and texts and long numbers that are
declared under several names which share a word.
Why it matters: which of two timeouts holds depends on who imports what.
Known limits: constants of classes and members of enumerations are meant to differ and are not compared, nor are
constants private to their files; that two places mean the same is told by the name alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.analyses.constants.catalogue import Constant, read_constants
from drift.analyses.constants.magic import plain_number
from drift.analyses.index_cache import PerState
from drift.analyses.prominence import rank_place
from drift.index import IndexReader
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.words import split_words

Severity = Literal["high", "medium", "low"]

_ORDER: Final[dict[Severity, int]] = {"high": 0, "medium": 1, "low": 2}
# How far apart two numbers are that are the same in other units.
_UNITS: Final = {
    1000.0: "thousands",
    60.0: "sixties",
    3600.0: "hours and seconds",
    86400.0: "days and seconds",
    1024.0: "powers of 1024",
}
_MOST_TOLD: Final = 6
_LONG_TEXT: Final = 10
_LONG_NUMBER: Final = 4
_MANY_VALUES: Final = 3


@dataclass(frozen=True, slots=True)
class InconsistentRow:
    """What differs: `value` for one name with several values, `name` for one value with several names."""

    differs: Literal["value", "name"]
    what: str
    severity: Severity
    places: tuple[str, ...]
    note: str | None = None


class Inconsistencies(NamedTuple):
    """What contradicts, the gravest first."""

    rows: tuple[InconsistentRow, ...]

    def ranked(self) -> Ranked[InconsistentRow]:
        gravest: Sort[InconsistentRow] = Sort(lambda row: (_ORDER[row.severity], row.differs, row.what))
        return Ranked(self.rows, {"severity": gravest, "name": Sort(lambda row: (row.what, row.differs))})


_found: Final = PerState[Inconsistencies]()


def find_inconsistent(reader: IndexReader) -> Inconsistencies:
    """Names with several values, and values with several names, among the product's shared constants."""
    return _found.get(reader, lambda: _look(reader))


def _look(reader: IndexReader) -> Inconsistencies:
    shared = [
        each
        for each in read_constants(reader)
        if each.literal is not None
        and each.kind == "primitive"
        and rank_place(each.symbol.path, each.symbol.role) == 0
    ]
    return Inconsistencies((*_different_values(shared), *_different_names(shared)))


def _different_values(constants: Iterable[Constant]) -> Iterator[InconsistentRow]:
    by_name: dict[tuple[str, str | None], list[Constant]] = defaultdict(list)
    for each in constants:
        by_name[each.symbol.name, each.symbol.language].append(each)
    for (name, _), group in by_name.items():
        values = {_value(each) for each in group}
        if len(values) < 2 or len({each.symbol.path for each in group}) < 2:  # noqa: PLR2004 - two that differ
            continue
        exported = sum(each.is_exported for each in group)
        if exported < 2:  # noqa: PLR2004 - what is private to a file is meant to be its own
            continue
        note = _units(values)
        severity: Severity = "high" if note or len(values) >= _MANY_VALUES else "medium"
        yield InconsistentRow("value", name, severity, _told(group), note)


def _different_names(constants: Iterable[Constant]) -> Iterator[InconsistentRow]:
    by_value: dict[tuple[str, str], list[Constant]] = defaultdict(list)
    for each in constants:
        if each.literal is not None and _is_telling(each.literal.kind, _value(each)):
            by_value[each.literal.kind, _value(each)].append(each)
    for group in by_value.values():
        names = {each.symbol.name for each in group}
        if len(names) < 2 or len({each.symbol.path for each in group}) < 2:  # noqa: PLR2004 - two that differ
            continue
        common = set.intersection(*({one.lower() for one in split_words(name)} for name in names))
        if common:
            what = group[0].shown or _value(group[0])
            yield InconsistentRow(
                "name", what, "low", _told(group, with_names=True), "one value, several names"
            )


def _is_telling(kind: str, value: str) -> bool:
    return len(value) >= (_LONG_TEXT if kind == "string" else _LONG_NUMBER) and len(set(value)) > 2  # noqa: PLR2004 - 1000 says nothing


def _value(constant: Constant) -> str:
    assert constant.literal is not None
    value = constant.literal.value
    return plain_number(value) if constant.literal.kind == "number" else value


def _told(group: list[Constant], *, with_names: bool = False) -> tuple[str, ...]:
    return tuple(
        f"{each.symbol.path}:{each.symbol.line} {each.symbol.name if with_names else each.shown}"
        for each in group[:_MOST_TOLD]
    )


def _units(values: Iterable[str]) -> str | None:
    """Says so where numbers are the same in other units."""
    try:
        numbers = sorted({abs(float(each)) for each in values} - {0.0})
    except ValueError:
        return None
    for small in numbers:
        for large in numbers:
            if (unit := _UNITS.get(large / small)) is not None:
                return f"perhaps one value in two units: {small:g} and {large:g} differ by {unit}"
    return None
