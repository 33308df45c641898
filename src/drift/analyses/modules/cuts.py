"""The cheapest way to open a cycle: the dependencies with the fewest names that must go so that none is left.

Of groups of up to a dozen modules the very cheapest is found; of larger ones a good one, which is said.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

Weights = Mapping[tuple[str, str], int]

_MOST_EXACT: Final = 12
_MOST_ROUNDS: Final = 20


class Cut(NamedTuple):
    """Dependencies to drop, how many names they are, and whether no cheaper cut exists."""

    edges: tuple[tuple[str, str], ...]
    weight: int
    is_cheapest: bool


def cheapest_cut(members: Sequence[str], weights: Weights) -> Cut:
    """What to drop of the dependencies between the members so that no cycle is left among them."""
    inside = set(members)
    own = {edge: weight for edge, weight in weights.items() if edge[0] in inside and edge[1] in inside}
    is_small = len(members) <= _MOST_EXACT
    order = _best_order(sorted(members), own) if is_small else _good_order(sorted(members), own)
    place = {name: at for at, name in enumerate(order)}
    back = sorted(edge for edge in own if place[edge[0]] > place[edge[1]])
    kept = _needed(back, own)
    return Cut(tuple(kept), sum(own[edge] for edge in kept), is_small)


def _best_order(members: Sequence[str], weights: Weights) -> list[str]:
    """The order with the least weight backwards, by trying all sets of what stands first."""
    size = len(members)
    number = {name: at for at, name in enumerate(members)}
    leading = [[0] * size for _ in members]  # leading[a][b]: weight of a -> b
    for (source, target), weight in weights.items():
        leading[number[source]][number[target]] = weight
    costs = [0] + [-1] * ((1 << size) - 1)
    last = [0] * (1 << size)
    for placed in range(1, 1 << size):
        best = -1
        for one in range(size):
            if not placed >> one & 1:
                continue
            before = placed & ~(1 << one)
            # Put last of these: what it uses of those before it goes backwards.
            row = leading[one]
            cost = costs[before] + sum(row[other] for other in range(size) if before >> other & 1)
            if best < 0 or cost < best:
                best, last[placed] = cost, one
        costs[placed] = best
    order: list[str] = []
    placed = (1 << size) - 1
    while placed:
        order.append(members[last[placed]])
        placed &= ~(1 << last[placed])
    return order[::-1]


def _good_order(members: Sequence[str], weights: Weights) -> list[str]:
    """Greedy after Eades, Lin and Smyth: users first, used ones last; then single moves as long as they help."""
    out = dict.fromkeys(members, 0)
    into = dict.fromkeys(members, 0)
    ahead: dict[str, dict[str, int]] = {name: {} for name in members}
    behind: dict[str, dict[str, int]] = {name: {} for name in members}
    for (source, target), weight in weights.items():
        out[source] += weight
        into[target] += weight
        ahead[source][target] = behind[target][source] = weight
    first: list[str] = []
    end: list[str] = []
    left = set(members)
    while left:
        sinks = sorted(name for name in left if not out[name])
        starts = [] if sinks else sorted(name for name in left if not into[name])
        chosen = sinks or starts or [max(sorted(left), key=lambda name: out[name] - into[name])]
        for name in chosen:
            left.discard(name)
            (end if sinks else first).append(name)
            for other, weight in ahead[name].items():
                into[other] -= weight
            for other, weight in behind[name].items():
                out[other] -= weight
    return _settled(first + end[::-1], ahead, behind)


def _settled(
    order: list[str], ahead: Mapping[str, Mapping[str, int]], behind: Mapping[str, Mapping[str, int]]
) -> list[str]:
    for _ in range(_MOST_ROUNDS):
        has_moved = False
        for name in list(order):
            place = {one: at for at, one in enumerate(order)}
            # What is gained by standing before another: what it uses of that one, less what that one uses of it.
            gains = {other: -weight for other, weight in behind[name].items()}
            for other, weight in ahead[name].items():
                gains[other] = gains.get(other, 0) + weight
            at = _better_place(place[name], [(place[other], gain) for other, gain in gains.items()])
            if at != place[name]:
                order.insert(at, order.pop(place[name]))
                has_moved = True
        if not has_moved:
            break
    return order


def _better_place(now: int, gains: Iterable[tuple[int, int]]) -> int:
    """Where among its neighbours a module loses least; where it is, unless elsewhere is better."""
    ordered = sorted(gains)
    best, at = 0, now
    total = 0
    for place, gain in reversed([one for one in ordered if one[0] < now]):
        total += gain
        if total > best:
            best, at = total, place
    total = 0
    for place, gain in (one for one in ordered if one[0] > now):
        total -= gain
        if total > best:
            best, at = total, place
    return at


def _needed(back: Sequence[tuple[str, str]], weights: Weights) -> list[tuple[str, str]]:
    """The edges that go backwards, without those that may stay all the same, the dearest first."""
    dropped = set(back)
    links: dict[str, set[str]] = {}
    for source, target in weights.keys() - dropped:
        links.setdefault(source, set()).add(target)
    for edge in sorted(back, key=lambda one: (-weights[one], one)):
        if not _leads(edge[1], edge[0], links):
            dropped.discard(edge)
            links.setdefault(edge[0], set()).add(edge[1])
    return [edge for edge in back if edge in dropped]


def _leads(start: str, end: str, links: Mapping[str, set[str]]) -> bool:
    seen, frontier = {start}, [start]
    while frontier:
        node = frontier.pop()
        if node == end:
            return True
        new = links.get(node, set()) - seen
        seen |= new
        frontier.extend(new)
    return False
