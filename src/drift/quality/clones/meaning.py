"""Clones in meaning: functions that call the same things equally often, in control flow of the same kind.

Known limits: only product code, for tests of one thing are meant to call the same; a function has to call at least four
things whose definitions are known, two of them such as few others call.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rapidfuzz.distance import Indel

from drift.quality.clones.clusters import Cluster
from drift.quality.clones.corpus import Corpus, Fragment

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.function_queries import FunctionPlace
    from drift.index.ids import SymbolId

_LEAST_CALLS: Final = 4
_LEAST_TELLING: Final = 2
_MOST_CALLERS: Final = 20  # of what tells something about those who call it
_MOST_FELLOWS: Final = 30  # functions that one is compared with
_MIN_CONFIDENCE: Final = 0.5


class _Function(NamedTuple):
    place: Fragment
    callees: Counter[int]
    control: tuple[int, ...]


def find_semantic(
    reader: "IndexReader", corpus: Corpus, *, threshold: float, least_lines: int, known: Iterable[Cluster]
) -> list[Cluster]:
    """Pairs of functions at least as alike as the threshold, that are no clones in another way."""
    callees = _callees(reader)
    functions = list(_functions(reader, corpus, callees, least_lines))
    callers: dict[int, list[int]] = defaultdict(list)
    for number, one in enumerate(functions):
        for callee in one.callees:
            callers[callee].append(number)
    telling = {callee: found for callee, found in callers.items() if 1 < len(found) <= _MOST_CALLERS}
    covered = _Covered(known)
    found = []
    for number, one in enumerate(functions):
        fellows = Counter(
            other for callee in one.callees for other in telling.get(callee, ()) if other > number
        )
        for other, shared in fellows.most_common(_MOST_FELLOWS):
            if shared < _LEAST_TELLING:
                break
            likeness = _likeness(one, functions[other])
            if likeness >= threshold and not covered.both(one.place, functions[other].place):
                found.append(Cluster("semantic", (one.place, functions[other].place), round(likeness, 3)))
    return found


def _callees(reader: "IndexReader") -> dict["SymbolId", Counter[int]]:
    found: dict[SymbolId, Counter[int]] = defaultdict(Counter)
    for caller, callee in reader.functions.callees(min_confidence=_MIN_CONFIDENCE):
        found[caller][callee] += 1
    return found


def _functions(
    reader: "IndexReader", corpus: Corpus, callees: dict["SymbolId", Counter[int]], least_lines: int
) -> Iterator[_Function]:
    numbers = {one.file_id: number for number, one in enumerate(corpus.files) if one.role != "test"}
    for place in reader.functions.all():
        called = callees.get(place.id)
        number = numbers.get(place.file_id)
        if number is None or called is None or called.total() < _LEAST_CALLS:
            continue
        if place.end_line - place.line + 1 < least_lines:
            continue
        fragment = _fragment(corpus, number, place)
        if fragment is not None:
            control = corpus.files[number].statements.control
            start = corpus.starts[number]
            flow = tuple(filter(None, control[fragment.first - start : fragment.last - start + 1]))
            yield _Function(fragment, called, flow)


def _fragment(corpus: Corpus, number: int, place: "FunctionPlace") -> Fragment | None:
    inside = corpus.inside(number, place.line, place.end_line)
    return inside if inside is not None and len(inside) > 1 else None


def _likeness(one: _Function, other: _Function) -> float:
    """The mean of how much two call in common, and how alike their control flow is."""
    calls = (one.callees & other.callees).total() / (one.callees | other.callees).total()
    flow = Indel.normalized_similarity(one.control, other.control)
    return (calls + flow) / 2


class _Covered:
    """Which places hold clones of each other already."""

    def __init__(self, clusters: Iterable[Cluster]) -> None:
        self._places: dict[int, list[tuple[Fragment, int]]] = defaultdict(list)
        for number, cluster in enumerate(clusters):
            for place in cluster.fragments:
                for block in range(place.first >> 6, (place.last >> 6) + 1):
                    self._places[block].append((place, number))

    def both(self, one: Fragment, other: Fragment) -> bool:
        """Whether half of each lies in one and the same cluster."""
        return bool(self._around(one) & self._around(other))

    def _around(self, place: Fragment) -> set[int]:
        blocks: Sequence[int] = range(place.first >> 6, (place.last >> 6) + 1)
        return {
            number
            for block in blocks
            for held, number in self._places[block]
            if 2 * (min(held.last, place.last) - max(held.first, place.first) + 1) >= len(place)
        }
