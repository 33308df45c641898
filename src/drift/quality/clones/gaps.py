"""Clones with gaps: runs that follow each other in two places, with a few other statements between them.

At most three statements, or three in ten, differ: put in, left out, changed, or with a name that is not the one which
stands for it elsewhere in the same clone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from drift.quality.clones.clusters import Cluster, Least
from drift.quality.clones.corpus import Corpus, Fragment, label_repeated
from drift.quality.clones.repeats import Repeat, Repeats

MOST_DIFFERING: Final = 3  # statements
MOST_DIFFERING_SHARE: Final = 0.3
_LEAST_ALIKE: Final = 0.5  # of the statements, however few differ
_MOST_PLACES: Final = 12  # of a run: what stands everywhere leads from everywhere to everywhere
_MOST_SINGLE_PLACES: Final = 6
_LEAST_SINGLE: Final = 5  # tokens
_LEAST_MATCHES: Final = 2
_LEAST_VARIED: Final = 4  # different statements
_MOST_MATCHES: Final = 4_000_000


Match = tuple[int, int, int]
"""The same statements in two places: where each begins, the earlier first, and how many statements there are."""


class _Chain:
    """Matches in a row, from where on both sides, and up to where."""

    __slots__ = ("left_end", "matches", "right", "right_end")

    def __init__(self, match: Match) -> None:
        left, self.right, length = match
        self.matches = [match]
        self.left_end = left + length - 1
        self.right_end = self.right + length - 1


class Aligned(NamedTuple):
    """Two fragments, and of how many statements they agree."""

    left: Fragment
    right: Fragment
    alike: int
    differing: int


def find_gapped(corpus: Corpus, repeats: Sequence[Repeat], least: Least) -> list[Cluster]:
    """The gapped clones, pairs put together where they share a place."""
    pairs = []
    for matches in _by_files(corpus, repeats).values():
        if len(matches) < _LEAST_MATCHES:
            continue
        matches.sort()
        for one in _chains(matches):
            if not _may_be_large(corpus, one, least):
                continue
            aligned = _align(corpus, one)
            if aligned is not None and _is_large(corpus, aligned, least):
                pairs.append(aligned)
    return _join(pairs)


def _by_files(corpus: Corpus, repeats: Sequence[Repeat]) -> dict[int, list[Match]]:
    """What two files have in common, by the numbers of the two."""
    found: dict[int, list[Match]] = defaultdict(list)
    numbers = [number for number, one in enumerate(corpus.files) for _ in range(len(one.statements) + 1)]
    singles = (
        Repeat(places, 1)
        for places in Repeats(label_repeated(corpus.texts)).singles()
        if len(places) <= _MOST_SINGLE_PLACES and corpus.sizes[places[0]] >= _LEAST_SINGLE
    )
    count = 0
    for places, length in chain(repeats, singles):
        if len(places) > _MOST_PLACES:
            continue
        for at, left in enumerate(places):
            key = numbers[left] << 32
            for right in places[at + 1 :]:
                if right >= left + length:
                    found[key | numbers[right]].append((left, right, length))
        count += len(places) ** 2
        if count > _MOST_MATCHES:
            break
    return found


def _may_be_large(corpus: Corpus, matches: Sequence[Match], least: Least) -> bool:
    """Whether two rows of matches are as large as a clone, whatever they say."""
    (left, right, _), (last_left, last_right, length) = matches[0], matches[-1]
    sides = Fragment(left, last_left + length - 1), Fragment(right, last_right + length - 1)
    return all(corpus.tokens(side) >= least.tokens for side in sides)


def _chains(matches: Iterable[Match]) -> Iterator[list[Match]]:
    """Matches, given in order, that follow each other closely on both sides; only rows of two and more."""
    waiting: list[_Chain] = []
    for match in matches:
        left, right, length = match
        for one in waiting:
            if one.left_end + MOST_DIFFERING < left - 1 and len(one.matches) > 1:
                yield one.matches
        waiting = [one for one in waiting if one.left_end + MOST_DIFFERING >= left - 1]
        best = _nearest(waiting, left, right)
        if best is None:
            waiting.append(_Chain(match))
            continue
        skipped = max(0, best.left_end + 1 - left, best.right_end + 1 - right)
        if length > skipped:
            best.matches.append((left + skipped, right + skipped, length - skipped))
            best.left_end, best.right_end = left + length - 1, right + length - 1
    yield from (one.matches for one in waiting if len(one.matches) > 1)


def _nearest(chains: Iterable[_Chain], left: int, right: int) -> _Chain | None:
    """The chain that a match lies in, or goes on behind; of several the nearest."""
    best, least = None, MOST_DIFFERING + 1
    for one in chains:
        before, after = left - one.left_end - 1, right - one.right_end - 1
        if before < 0 and before == after and right >= one.right:
            return one  # a part of what is known, or what is known and more
        distance = max(before, after)
        if before >= 0 and after >= 0 and distance < least:
            best, least = one, distance
    return best


def _align(corpus: Corpus, matches: Sequence[Match]) -> Aligned | None:
    """The longest row of the matches, from the first on, in which few enough statements differ."""
    names, backs = dict[int, int](), dict[int, int]()
    alike = differing = 0
    best: Aligned | None = None
    left_end, right_end = matches[0][0], matches[0][1]
    for left, right, length in matches:
        differing += max(left - left_end, right - right_end)
        for step in range(length):
            if _is_consistent(corpus, left + step, right + step, names, backs):
                alike += 1
            else:
                differing += 1
        left_end, right_end = left + length, right + length
        most = max(MOST_DIFFERING, MOST_DIFFERING_SHARE * (alike + differing))
        if 0 < differing <= most and alike >= _LEAST_ALIKE * (alike + differing):
            sides = Fragment(matches[0][0], left_end - 1), Fragment(matches[0][1], right_end - 1)
            best = Aligned(*sides, alike, differing)
    return best if best is not None and not best.left.overlaps(best.right) else None


def _is_consistent(
    corpus: Corpus, left: int, right: int, names: dict[int, int], backs: dict[int, int]
) -> bool:
    pairs = list(zip(corpus.operands(left), corpus.operands(right), strict=False))
    if any(names.get(one, other) != other or backs.get(other, one) != one for one, other in pairs):
        return False
    for one, other in pairs:
        names[one], backs[other] = other, one
    return True


def _is_large(corpus: Corpus, one: Aligned, least: Least) -> bool:
    """Whether what the two have in common would be large enough by itself."""
    share = one.alike / (one.alike + one.differing)
    for side in (one.left, one.right):
        first, last = corpus.lines(side)
        if corpus.tokens(side) * share < least.tokens or (last - first + 1) * share < least.lines:
            return False
        if corpus.depths[side.first] > min(corpus.depths[side.first : side.last + 1]):
            return False
    return len(set(corpus.shapes[one.left.first : one.left.last + 1])) >= _LEAST_VARIED


def _join(pairs: Iterable[Aligned]) -> list[Cluster]:
    """Pairs with a place in common as one cluster."""
    clusters: dict[int, list[Aligned]] = {}
    member: dict[Fragment, int] = {}
    for number, pair in enumerate(pairs):
        sides = {member[side] for side in (pair.left, pair.right) if side in member}
        target = min(sides, default=number)
        joined = [pair, *(each for side in sides for each in clusters.pop(side))]
        clusters[target] = joined
        for each in joined:
            member[each.left] = member[each.right] = target
    return [_cluster(joined) for joined in clusters.values()]


def _cluster(pairs: Sequence[Aligned]) -> Cluster:
    places = sorted({side for pair in pairs for side in (pair.left, pair.right)})
    least = min(pair.alike / (pair.alike + pair.differing) for pair in pairs)
    apart: list[Fragment] = []
    for place in places:
        if not apart or not apart[-1].overlaps(place):
            apart.append(place)
        elif len(place) > len(apart[-1]):
            apart[-1] = place
    return Cluster("gapped", tuple(apart), round(least, 3))
