"""Where two shapes that are said to be one differ. Nothing is said of shapes that are not whole."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from drift.analyses.contracts.records import Side
from drift.analyses.contracts.shapes import through_envelope
from drift.analyses.contracts.type_texts import kind_of

if TYPE_CHECKING:
    from drift.analyses.contracts.records import FieldShape, Shape
    from drift.analyses.contracts.shapes import Shapes

Kind = Literal[
    "missing_in_frontend", "missing_in_backend", "type_mismatch", "optionality_mismatch", "nullability_mismatch",
    "naming_mismatch",
]  # fmt: skip
Severity = Literal["error", "warning", "info"]
_NO_LETTERS: Final = re.compile(r"[^a-z0-9]")
_ABOUT_LEAVING_OUT: Final = frozenset({"missing_in_frontend", "optionality_mismatch", "nullability_mismatch"})
_SAME_THING: Final = 0.5  # of the names of the smaller: below it, what is compared is not the same thing


@dataclass(frozen=True, slots=True)
class MismatchRow:
    """A field that the two sides of a contract do not agree about."""

    kind: Kind
    severity: Severity
    of: Side
    field: str
    backend: str | None
    frontend: str | None


def compare(
    backend: "Shape", frontend: "Shape", of: Side, shapes: "Shapes", *, is_partial: bool = False
) -> tuple[MismatchRow, ...] | None:
    """The mismatches; None where the shapes are not whole, or speak of different things.

    What is sent to change a part (`is_partial`), and a type that was made so that nothing must be there, may leave
    anything out: what only one side may have is no mismatch then.
    """
    backend, frontend = _levelled(backend, frontend, shapes)
    if not backend.is_whole or not frontend.is_whole or _overlap(backend, frontend) < _SAME_THING:
        return None
    extra = shapes.extra.get((backend.name, backend.file), frozenset())
    found = _differences(backend, frontend, of, extra)
    if backend.is_partial or frontend.is_partial:
        found = (one for one in found if one.severity != "info")
        is_partial = True
    return tuple(one for one in found if not (is_partial and one.kind in _ABOUT_LEAVING_OUT))


def _levelled(backend: "Shape", frontend: "Shape", shapes: "Shapes") -> tuple["Shape", "Shape"]:
    """Both shapes without an envelope that one of them has and the other has not."""
    best = (backend, frontend)
    for pair in (
        (backend, through_envelope(frontend, shapes)),
        (through_envelope(backend, shapes), frontend),
    ):
        if pair[0] is not None and pair[1] is not None and _overlap(pair[0], pair[1]) > _overlap(*best):
            best = (pair[0], pair[1])
    return best


def _overlap(one: "Shape", other: "Shape") -> float:
    mine, theirs = {_plain(each.name) for each in one.fields}, {_plain(each.name) for each in other.fields}
    least = min(len(mine), len(theirs))
    return len(mine & theirs) / least if least else 0.0


def _differences(
    backend: "Shape", frontend: "Shape", of: Side, extra: frozenset[str]
) -> Iterator[MismatchRow]:
    theirs = {one.name: one for one in frontend.fields}
    # A name that the backend has, too, is not another spelling of one beside it.
    own = {one.name for one in backend.fields}
    alike = {_plain(one.name): one for one in frontend.fields if one.name not in own}
    met: set[str] = set()
    for mine in backend.fields:
        other = theirs.get(mine.name)
        if other is not None:
            met.add(other.name)
            yield from _of_pair(mine, other, of)
            continue
        other = alike.get(_plain(mine.name))
        if other is not None:
            met.add(other.name)
            if other.name in extra:  # as a method of the backend calls it
                continue
            yield MismatchRow("naming_mismatch", "error", of, mine.name, mine.name, other.name)
            continue
        # Data that nobody reads breaks nothing; what is not sent may be needed.
        severity: Severity = "error" if of == "request" and mine.is_optional is False else "info"
        yield MismatchRow("missing_in_frontend", severity, of, mine.name, mine.type, None)
    for other in frontend.fields:
        if other.name in met or other.name in extra:
            continue
        severity = "info" if other.is_optional else "error" if of == "response" else "warning"
        yield MismatchRow("missing_in_backend", severity, of, other.name, None, other.type)


def _of_pair(mine: "FieldShape", other: "FieldShape", of: Side) -> Iterator[MismatchRow]:
    kinds = (kind_of(mine.type), kind_of(other.type))
    if None not in kinds and kinds[0] != kinds[1]:
        yield MismatchRow("type_mismatch", "error", of, mine.name, mine.type, other.type)
    giver, taker = (mine, other) if of == "response" else (other, mine)
    if giver.is_optional and taker.is_optional is False and not taker.is_nullable:
        yield MismatchRow("optionality_mismatch", "warning", of, mine.name, mine.type, other.type)
    elif giver.is_nullable and taker.is_nullable is False and taker.is_optional is False:
        yield MismatchRow("nullability_mismatch", "warning", of, mine.name, mine.type, other.type)


def _plain(name: str) -> str:
    """A name as it is in snake case and in camel case."""
    return _NO_LETTERS.sub("", name.lower())
