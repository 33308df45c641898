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
_WIDEST_GAP: Final = 6  # between two matches: what everybody says may be alike in it
MOST_DIFFERING_SHARE: Final = 0.3
_LEAST_ALIKE: Final = 0.5  # of the statements, however few differ
_MOST_PLACES: Final = 12  # of a run: what stands everywhere leads from everywhere to everywhere
_MOST_SINGLE_PLACES: Final = 6
_LEAST_SINGLE: Final = 5  # tokens
_LEAST_MATCHES: Final = 2
_LEAST_SHARE: Final = 0.7  # of the least size, that the two have to have in common
_NEARLY: Final = 0.8  # of a place, that another has to have to be the same
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
            paired = _pair_up(corpus, one)
            if not _is_worth(corpus, paired, least):
                continue
            aligned = _align(corpus, paired)
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
    return all(2 * corpus.tokens(side) >= least.tokens for side in sides)


def _chains(matches: Iterable[Match]) -> Iterator[list[Match]]:
    """Matches, given in order, that follow each other closely on both sides; only rows of two and more."""
    waiting: list[_Chain] = []
    for match in matches:
        left, right, length = match
        for one in waiting:
            if one.left_end + _WIDEST_GAP < left - 1 and len(one.matches) > 1:
                yield one.matches
        waiting = [one for one in waiting if one.left_end + _WIDEST_GAP >= left - 1]
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
    best, least = None, _WIDEST_GAP + 1
    for one in chains:
        before, after = left - one.left_end - 1, right - one.right_end - 1
        if before < 0 and before == after and right >= one.right:
            return one  # a part of what is known, or what is known and more
        distance = max(before, after)
        if before >= 0 and after >= 0 and distance < least:
            best, least = one, distance
    return best


def _is_worth(corpus: Corpus, pairs: Sequence[tuple[int, int]], least: Least) -> bool:
    """Whether a clone could come of the statements, names left aside: most chains are short."""
    (left, right), (left_end, right_end) = pairs[0], pairs[-1]
    sides = Fragment(left, left_end), Fragment(right, right_end)
    if left_end >= right or any(corpus.tokens(side) < least.tokens for side in sides):
        return False
    return sum(corpus.sizes[one] for one, _ in pairs) >= _LEAST_SHARE * least.tokens


def _align(corpus: Corpus, pairs: Sequence[tuple[int, int]]) -> Aligned | None:
    """The longest row of statements, from the first that are alike on, in which few enough differ."""
    names, backs = dict[int, int](), dict[int, int]()
    alike = differing = 0
    best: Aligned | None = None
    left_end, right_end = first = pairs[0]
    for left, right in pairs:
        differing += max(left - left_end, right - right_end)
        if _is_consistent(corpus, left, right, names, backs):
            alike += 1
        else:
            differing += 1
        left_end, right_end = left + 1, right + 1
        most = max(MOST_DIFFERING, MOST_DIFFERING_SHARE * (alike + differing))
        if 0 < differing <= most and alike >= _LEAST_ALIKE * (alike + differing):
            best = Aligned(Fragment(first[0], left), Fragment(first[1], right), alike, differing)
    return best if best is not None and not best.left.overlaps(best.right) else None


def _pair_up(corpus: Corpus, matches: Sequence[Match]) -> list[tuple[int, int]]:
    """Which statement stands for which: those of the matches, and those that look alike between and around them."""
    left, right, _ = matches[0]
    pairs = [*reversed(_going_on(corpus, left - 1, right - 1, step=-1))]
    left_end, right_end = left, right
    for left, right, length in matches:
        pairs += _common(corpus, range(left_end, left), range(right_end, right))
        pairs += zip(range(left, left + length), range(right, right + length), strict=True)
        left_end, right_end = left + length, right + length
    return pairs + _going_on(corpus, left_end, right_end, step=1)


def _going_on(corpus: Corpus, left: int, right: int, *, step: int) -> list[tuple[int, int]]:
    """The statements that look alike from two places on, over one gap at most."""
    found: list[tuple[int, int]] = []
    shapes, has_jumped = corpus.shapes, False
    while left >= 0 and 0 <= right < len(shapes) and left < len(shapes) and shapes[left] and shapes[right]:
        if shapes[left] == shapes[right]:
            found.append((left, right))
            left, right = left + step, right + step
            continue
        jump = None if has_jumped else _jump(corpus, left, right, step)
        if jump is None:
            break
        has_jumped = True
        left, right = left + step * jump[0], right + step * jump[1]
    return found


def _jump(corpus: Corpus, left: int, right: int, step: int) -> tuple[int, int] | None:
    """The shortest way over a gap to statements that say the same."""
    texts, sizes = corpus.texts, corpus.sizes
    for far in range(1, MOST_DIFFERING + 1):
        if not texts[left + step * (far - 1)] or not texts[right + step * (far - 1)]:
            return None  # the end of a file
        for near in range(far + 1):
            for one, other in ((far, near), (near, far)):
                at, there = left + step * one, right + step * other
                if (
                    at >= 0
                    and there < len(texts)
                    and texts[at] == texts[there]
                    and sizes[at] >= _LEAST_SINGLE
                ):
                    return one, other
    return None


def _common(corpus: Corpus, left: range, right: range) -> list[tuple[int, int]]:
    """The longest row of statements that look alike in two short stretches."""
    if not left or not right:
        return []
    shapes = corpus.shapes
    longest: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for one in reversed(left):
        for other in reversed(right):
            if shapes[one] == shapes[other]:
                longest[one, other] = [(one, other), *longest[one + 1, other + 1]]
            else:
                longest[one, other] = max(longest[one + 1, other], longest[one, other + 1], key=len)
    return longest[left.start, right.start]


def _is_consistent(
    corpus: Corpus, left: int, right: int, names: dict[int, int], backs: dict[int, int]
) -> bool:
    """Whether the names of two statements stand for each other as they did before; if so, they do from here on."""
    here, there = corpus.operands(left), corpus.operands(right)
    for one, other in zip(here, there, strict=False):
        if names.get(one, other) != other or backs.get(other, one) != one:
            return False
    names.update(zip(here, there, strict=False))
    backs.update(zip(there, here, strict=False))
    return True


def _is_large(corpus: Corpus, one: Aligned, least: Least) -> bool:
    """Whether the two are large enough, and most of that is what they have in common."""
    share = one.alike / (one.alike + one.differing)
    for side in (one.left, one.right):
        first, last = corpus.lines(side)
        tokens, lines = corpus.tokens(side), last - first + 1
        if tokens < least.tokens or lines < least.lines:
            return False
        if tokens * share < _LEAST_SHARE * least.tokens or lines * share < _LEAST_SHARE * least.lines:
            return False
        if corpus.depths[side.first] > min(corpus.depths[side.first : side.last + 1]):
            return False
    return len(set(corpus.shapes[one.left.first : one.left.last + 1])) >= _LEAST_VARIED


def _join(pairs: Iterable[Aligned]) -> list[Cluster]:
    """Pairs with a place in common, but for a statement here and there, as one cluster."""
    groups: list[list[Aligned]] = []
    stands_for: list[int] = []  # which group took in another
    known: dict[int, list[tuple[Fragment, int]]] = defaultdict(list)  # places by blocks of statements
    for pair in pairs:
        sides = {
            _final(stands_for, group)
            for side in (pair.left, pair.right)
            for place, group in known[side.first >> 4]
            + known[(side.first >> 4) - 1]
            + known[(side.first >> 4) + 1]
            if _is_nearly(place, side)
        }
        target = min(sides, default=len(groups))
        if target == len(groups):
            groups.append([])
            stands_for.append(target)
        groups[target].append(pair)
        for other in sides - {target}:
            groups[target] += groups[other]
            groups[other] = []
            stands_for[other] = target
        for side in (pair.left, pair.right):
            known[side.first >> 4].append((side, target))
    return [_cluster(group) for group in groups if group]


def _final(stands_for: Sequence[int], group: int) -> int:
    while stands_for[group] != group:
        group = stands_for[group]
    return group


def _is_nearly(one: Fragment, other: Fragment) -> bool:
    common = min(one.last, other.last) - max(one.first, other.first) + 1
    return common >= _NEARLY * max(len(one), len(other))


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
