"""Contracts: an endpoint, the calls that lead to it, and what the two sides do not agree about."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.contracts.calls import find_calls
from drift.analyses.contracts.comparison import MismatchRow, compare
from drift.analyses.contracts.endpoints import find_endpoints
from drift.analyses.contracts.paths import LEAST_SIMILARITY, PARAMETER, Parts, all_parts, parts_of, similarity
from drift.analyses.contracts.records import ClientCall, Endpoint, Shape, Side
from drift.analyses.contracts.shapes import Shapes, inline_shape
from drift.analyses.contracts.trpc import endpoint_of, find_procedures
from drift.analyses.contracts.trpc_calls import find_procedure_calls
from drift.analyses.contracts.type_names import TypeNames
from drift.analyses.index_cache import PerState

if TYPE_CHECKING:
    from drift.index import IndexReader

Status = Literal["mismatch", "discovered", "unknown_shape"]
Level = Literal["high", "medium", "low", "uncertain"]
_NEAR_BEST: Final = 0.1
_MATCH, _FIELDS = 0.6, 0.4
_RESPONSE_FIELDS, _REQUEST_FIELDS = 0.3, 0.2
_LEAST_FACTOR, _PER_ERROR = 0.5, 0.1
_LEVELS: Final[tuple[tuple[Level, float], ...]] = (
    ("high", 0.85),
    ("medium", 0.65),
    ("low", 0.45),
    ("uncertain", 0.0),
)


@dataclass(frozen=True, slots=True)
class BackendRow:
    """The side that answers."""

    file: str
    line: int
    framework: str
    handler: str
    response_type: str | None
    response_fields: int | None
    request_type: str | None
    request_fields: int | None


@dataclass(frozen=True, slots=True)
class FrontendRow:
    """A call that leads there."""

    file: str
    line: int
    library: str
    function: str
    path: str
    similarity: float
    response_type: str | None
    request_type: str | None


@dataclass(frozen=True, slots=True)
class ContractRow:
    """An endpoint with its calls. `unknown` says which shapes could not be compared, and why."""

    id: str
    method: str
    endpoint: str
    status: Status
    confidence: float
    level: Level
    backend: BackendRow
    frontend: tuple[FrontendRow, ...]
    mismatches: tuple[MismatchRow, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LooseRow:
    """An endpoint that no call leads to, or a call that leads to none."""

    method: str
    path: str
    file: str
    line: int
    name: str
    library: str


class Contracts(NamedTuple):
    """All contracts of a project, and what is left on either side."""

    contracts: tuple[ContractRow, ...]
    endpoints: tuple[LooseRow, ...]
    calls: tuple[LooseRow, ...]
    endpoints_count: int
    calls_count: int
    is_cut: bool


_kept: Final = PerState[Contracts]()


def look_at_contracts(reader: "IndexReader", root: Path) -> Contracts:
    """The contracts of the state that the reader sees."""
    return _kept.get(reader, lambda: _look(reader, root))


class Matched(NamedTuple):
    """A call that leads to an endpoint, and how alike their paths are."""

    call: ClientCall
    similarity: float


def _look(reader: "IndexReader", root: Path) -> Contracts:
    names = TypeNames(reader, root)
    endpoints = find_endpoints(reader, names)
    files = reader.errors.files()
    calls, is_cut = find_calls(reader, root, files)
    procedures = find_procedures(reader, root, names, files)
    endpoints += map(endpoint_of, procedures)
    calls += find_procedure_calls(reader, root, files, procedures)
    matched, loose = match_calls(endpoints, calls)
    shapes = Shapes(reader, names)
    rows = [_contract(endpoints[number], some, shapes) for number, some in sorted(matched.items())]
    free = [one for number, one in enumerate(endpoints) if number not in matched]
    return Contracts(
        tuple(rows),
        tuple(LooseRow(one.method, one.path, one.file, one.line, one.name, one.framework) for one in free),
        tuple(LooseRow(one.method, one.path, one.file, one.line, one.function, one.library) for one in loose),
        len(endpoints),
        len(calls),
        is_cut,
    )


def match_calls(
    endpoints: Sequence[Endpoint], calls: Iterable[ClientCall]
) -> tuple[dict[int, list[Matched]], list[ClientCall]]:
    """By the number of an endpoint the calls that lead to it, and the calls that lead to none."""
    by_size: dict[int, list[tuple[int, Parts]]] = defaultdict(list)
    for number, one in enumerate(endpoints):
        parts = parts_of(one.path)
        by_size[len(parts)].append((number, parts))
    found: dict[int, list[Matched]] = defaultdict(list)
    loose = []
    calls = list(calls)
    elsewhere = _files_for_others(endpoints, calls)
    for call in calls:
        best = _best(call, endpoints, by_size) if call.file not in elsewhere else []
        for number, alike in best:
            found[number].append(Matched(call, alike))
        if not best:
            loose.append(call)
    return found, loose


def _best(
    call: ClientCall, endpoints: Sequence[Endpoint], by_size: dict[int, list[tuple[int, Parts]]]
) -> list[tuple[int, float]]:
    """The endpoints that a call may lead to: those that fit part by part, else those most alike."""
    parts = _without_base(parts_of(call.path))
    if not parts:
        return []
    fitting: list[tuple[int, int]] = []
    alike: list[tuple[int, float]] = []
    for size in range(max(1, len(parts) - 2), len(parts) + 3):
        for number, other in by_size.get(size, ()):
            if endpoints[number].method not in {call.method, "ANY"}:
                continue
            exact = _fit(parts, other)
            if exact is not None:
                fitting.append((number, exact))
            elif _is_near(parts, other) or _ends_like(parts, other):
                alike.append((number, similarity(parts, other)))
    if fitting:
        most = max(exact for _, exact in fitting)
        return [
            (number, 1.0)
            for number in _nearest(call, endpoints, [one for one, exact in fitting if exact == most])
        ]
    best = max((score for _, score in alike), default=0.0)
    least = max(LEAST_SIMILARITY, best - _NEAR_BEST)
    return [(number, score) for number, score in alike if score >= least]


def _files_for_others(endpoints: Sequence[Endpoint], calls: Iterable[ClientCall]) -> set[str]:
    """The files whose documents of GraphQL ask another server: most of what they ask for nobody here answers."""
    answered = {(one.method, one.path) for one in endpoints}
    counts: dict[str, int] = defaultdict(int)
    for call in calls:
        if call.chosen is not None:
            counts[call.file] += 1 if (call.method, call.path) in answered else -1
    return {file for file, surplus in counts.items() if surplus < 0}


def _nearest(call: ClientCall, endpoints: Sequence[Endpoint], numbers: list[int]) -> list[int]:
    """Of endpoints that differ by their beginnings, those that share most of it with a call."""
    asked = set(all_parts(call.path)) - {PARAMETER}
    apart = {
        number: len(asked ^ (set(all_parts(endpoints[number].path)) - {PARAMETER})) for number in numbers
    }
    return [number for number in numbers if apart[number] == min(apart.values())]


def _without_base(parts: Parts) -> Parts:
    """A path without what is put before it and not known."""
    return parts[1:] if len(parts) > 1 and parts[0] == PARAMETER else parts


def _fit(call: Parts, endpoint: Parts) -> int | None:
    """How many names are the same, where a call has the path of an endpoint; None where it has not."""
    if len(call) != len(endpoint):
        return None
    same = 0
    for mine, theirs in zip(call, endpoint, strict=True):
        if mine == theirs and mine != PARAMETER:
            same += 1
        elif theirs != PARAMETER:
            return None
    return same


def _is_near(call: Parts, endpoint: Parts) -> bool:
    """Whether paths of one length have names that begin alike, or a part that is only known when the call is made.

    More alike paths that name other things, as `/bases/update` and `/comments/update`, lead elsewhere.
    """
    return len(call) == len(endpoint) and all(
        mine == theirs or PARAMETER in {mine, theirs} or mine.startswith(theirs) or theirs.startswith(mine)
        for mine, theirs in zip(call, endpoint, strict=True)
    )


def _ends_like(call: Parts, endpoint: Parts) -> bool:
    """Whether one is the other with something before it: a prefix that only one side says."""
    short, long = sorted((call, endpoint), key=len)
    return long[-len(short) :] == short and any(part != PARAMETER for part in short)


def _contract(endpoint: Endpoint, calls: Sequence[Matched], shapes: Shapes) -> ContractRow:
    answer, asked = shapes.of(endpoint.response), shapes.of(endpoint.request)
    mismatches: dict[MismatchRow, None] = {}
    unknown: dict[str, None] = {}
    extraction = 0.0
    compared = 0
    for one in calls:
        sent = (
            inline_shape(one.call.inline, one.call.file) if one.call.inline else shapes.of(one.call.request)
        )
        got = (
            inline_shape(one.call.chosen, one.call.file) if one.call.chosen else shapes.of(one.call.response)
        )
        extraction = max(extraction, _extraction(answer, got, asked, sent))
        sides: tuple[tuple[Side, Shape | None, Shape | None], ...] = (
            ("response", answer, got),
            ("request", asked, sent),
        )
        for side, mine, theirs in sides:
            is_partial = one.call.chosen is not None if side == "response" else endpoint.method == "PATCH"
            found = (
                compare(mine, theirs, side, shapes, is_partial=is_partial)
                if mine is not None and theirs is not None
                else None
            )
            if side == "response" and one.call.chosen == ():
                compared += 1  # there are no names to agree about
            elif found is not None:
                compared += 1
                mismatches.update(dict.fromkeys(found))
            else:
                unknown.update(dict.fromkeys(_why_not(side, mine, theirs)))
    errors = sum(one.severity == "error" for one in mismatches)
    best = max(one.similarity for one in calls)
    confidence = (_MATCH * best + _FIELDS * extraction) * max(_LEAST_FACTOR, 1 - _PER_ERROR * errors)
    confidence = round(max(_LEAST_FACTOR, confidence), 2)
    status: Status = "mismatch" if errors else "discovered" if compared else "unknown_shape"
    return ContractRow(
        hashlib.sha256(f"{endpoint.method} {endpoint.path} {endpoint.file}".encode()).hexdigest()[:12],
        endpoint.method,
        endpoint.path,
        status,
        confidence,
        next(level for level, least in _LEVELS if confidence >= least),
        _backend(endpoint, answer, asked),
        tuple(_frontend(one) for one in calls),
        tuple(mismatches),
        tuple(unknown),
    )


def _extraction(answer: Shape | None, got: Shape | None, asked: Shape | None, sent: Shape | None) -> float:
    """How much is known of the fields on either side, 0 to 1."""
    given = (
        (answer, _RESPONSE_FIELDS),
        (got, _RESPONSE_FIELDS),
        (asked, _REQUEST_FIELDS),
        (sent, _REQUEST_FIELDS),
    )
    return sum(weight for shape, weight in given if shape is not None and shape.fields)


def _why_not(side: Side, backend: Shape | None, frontend: Shape | None) -> list[str]:
    """Why a side cannot be compared; nothing where neither says anything."""
    if backend is None and frontend is None:
        return []
    if backend is None or frontend is None:
        return [f"{side}: {'backend' if backend is None else 'frontend'} says no type"]
    told = [f"{side}: {one.name}: {one.why}" for one in (backend, frontend) if one.why]
    return told or [f"{side}: {backend.name} and {frontend.name} have too little in common"]


def _backend(endpoint: Endpoint, answer: Shape | None, asked: Shape | None) -> BackendRow:
    return BackendRow(
        endpoint.file,
        endpoint.line,
        endpoint.framework,
        endpoint.name,
        endpoint.response.text if endpoint.response else None,
        len(answer.fields) if answer is not None and answer.fields else None,
        endpoint.request.text if endpoint.request else None,
        len(asked.fields) if asked is not None and asked.fields else None,
    )


def _frontend(one: Matched) -> FrontendRow:
    call = one.call
    return FrontendRow(
        call.file,
        call.line,
        call.library,
        call.function,
        call.path,
        one.similarity,
        call.response.text if call.response else None,
        call.request.text if call.request else None,
    )
