"""Clones without gaps: the same statements, word for word or with other names in the same places throughout."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from drift.quality.clones.corpus import Corpus, Fragment, label_repeated
from drift.quality.clones.repeats import Repeat, Repeats

Kind = Literal["exact", "renamed", "gapped", "semantic"]

# Of a run with other names: with fewer different statements it is a table, and tables look alike.
_LEAST_SHAPES: Final = 3
_LEAST_VARIETY: Final = 0.4


class Least(NamedTuple):
    """How large a clone has to be to be told."""

    lines: int
    tokens: int


class Cluster(NamedTuple):
    """Places that hold clones of each other, in the order of the corpus."""

    kind: Kind
    fragments: tuple[Fragment, ...]
    similarity: float = 1.0
    """The share of statements that the least alike two have in common."""


class Plain(NamedTuple):
    """The clones without gaps, and whether all could be looked at."""

    clusters: list[Cluster]
    repeats: list[Repeat]
    """Of statements that look alike, of any size: what gapped clones are put together from."""
    is_whole: bool


def find_plain(corpus: Corpus, least: Least, kinds: frozenset[Kind]) -> Plain:
    """The exact and the renamed clones; a renamed one that says no more than an exact one is left out."""
    clusters: list[Cluster] = []
    shapes = Repeats(label_repeated(corpus.shapes))
    repeats, is_whole = list(shapes), shapes.is_whole
    if "exact" in kinds or "renamed" in kinds:
        texts = Repeats(label_repeated(corpus.texts))
        runs = [*texts, *_large(corpus, texts, least)]
        is_whole = is_whole and texts.is_whole
        exact = (Cluster("exact", places) for run in runs for places in _pieces(corpus, run, least))
        clusters += exact
    if "renamed" in kinds:
        for run in (*repeats, *_large(corpus, shapes, least)):
            for places in _pieces(corpus, run, least):
                clusters += _renamed(corpus, places)
    return Plain(without_covered(clusters), repeats, is_whole)


def _large(corpus: Corpus, repeats: Repeats, least: Least) -> Iterator[Repeat]:
    """Single statements that are large enough by themselves."""
    for places in repeats.singles():
        if corpus.sizes[places[0]] >= least.tokens:
            yield Repeat(places, 1)


def _pieces(corpus: Corpus, run: Repeat, least: Least) -> Iterator[tuple[Fragment, ...]]:
    """The parts of a run that stand in one block each, at its places, where they are large enough."""
    start = run.places[0]
    if corpus.tokens(Fragment(start, start + run.length - 1)) < least.tokens:
        return
    for first, last in _blocks(corpus.depths[start : start + run.length]):
        if corpus.tokens(Fragment(start + first, start + last)) < least.tokens:
            continue
        places = [Fragment(place + first, place + last) for place in run.places]
        fitting = [one for one in _agreeing(corpus, places) if _line_count(corpus, one) >= least.lines]
        apart = tuple(_without_overlaps(fitting))
        if len(apart) > 1:
            yield apart


def _blocks(depths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Cuts where the code leaves the block that it began in."""
    first = 0
    for number, depth in enumerate(depths):
        if depth < depths[first]:
            yield first, number - 1
            first = number
    yield first, len(depths) - 1


def _agreeing(corpus: Corpus, places: Iterable[Fragment]) -> list[Fragment]:
    """The places whose statements are nested as in most: without braces, the same lines may mean something else."""
    groups: dict[tuple[bool, ...], list[Fragment]] = defaultdict(list)
    for one in places:
        depths = corpus.depths[one.first : one.last + 1]
        steps = tuple(later > earlier for earlier, later in itertools.pairwise(depths))
        groups[steps].append(one)
    return max(groups.values(), key=len)


def _line_count(corpus: Corpus, one: Fragment) -> int:
    first, last = corpus.lines(one)
    return last - first + 1


def _without_overlaps(places: Iterable[Fragment]) -> Iterator[Fragment]:
    last = -1
    for one in places:
        if one.first > last:
            last = one.last
            yield one


def _renamed(corpus: Corpus, places: tuple[Fragment, ...]) -> Iterator[Cluster]:
    """The places among which names are put in each other's stead throughout."""
    one = places[0]
    shapes = len(set(corpus.shapes[one.first : one.last + 1]))
    if shapes < min(len(one), _LEAST_SHAPES) or shapes < _LEAST_VARIETY * len(one):
        return
    groups: dict[tuple[int, ...], list[Fragment]] = defaultdict(list)
    for place in places:
        groups[normal_order(corpus.operands_of(place))].append(place)
    for group in groups.values():
        if len(group) > 1:
            kind: Kind = "exact" if _is_same_text(corpus, group) else "renamed"
            yield Cluster(kind, tuple(group))


def _is_same_text(corpus: Corpus, places: Sequence[Fragment]) -> bool:
    texts = {tuple(corpus.texts[one.first : one.last + 1]) for one in places}
    return len(texts) == 1


def normal_order(operands: Iterable[int]) -> tuple[int, ...]:
    """The operands as numbers of their first places: equal for two fragments just where one is the other renamed."""
    places: dict[int, int] = {}
    return tuple(places.setdefault(one, len(places)) for one in operands)


def without_covered(clusters: Iterable[Cluster]) -> list[Cluster]:
    """The clusters, largest first, without those whose places all lie in places of one larger cluster each."""
    kept: list[Cluster] = []
    holders: dict[int, list[tuple[Fragment, int]]] = defaultdict(list)  # by blocks of statements
    ordered = sorted(
        set(clusters), key=lambda one: (-len(one.fragments[0]), -len(one.fragments), one.kind, one.fragments)
    )
    for one in ordered:
        common: set[int] | None = None
        for place in one.fragments:
            around = {number for held, number in holders[place.first >> 6] if _holds(held, place)}
            common = around if common is None else common & around
        if common:
            continue
        for place in one.fragments:
            for block in range(place.first >> 6, (place.last >> 6) + 1):
                holders[block].append((place, len(kept)))
        kept.append(one)
    return kept


def _holds(outer: Fragment, inner: Fragment) -> bool:
    return outer.first <= inner.first and inner.last <= outer.last
