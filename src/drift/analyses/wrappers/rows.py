"""Wrappers as rows of an answer: one each, in clusters by what they wrap, and what they should be called instead of."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from drift.analyses.wrappers.finding import Wrapper, Wrappers
from drift.analyses.wrappers.preferring import Preference
from drift.index import IndexReader
from drift.kernel.ranking import Sort
from drift.kernel.words import split_words

_MOST_NAMED: Final = 4
_MOST_PLACES: Final = 5


@dataclass(frozen=True, slots=True)
class WrapperRow:
    """A function that stands before a library. `depth` 1 calls it itself; `calls` and `files` are who uses the wrapper."""

    wrapper: str
    at: str
    purpose: str
    primitives: tuple[str, ...]
    depth: int
    calls: int
    files: int
    is_async: bool


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """Wrappers of the same primitives; `confidence` that they are one family, by number, use, spread and naming."""

    primitives: tuple[str, ...]
    purpose: str
    wrappers: int
    calls: int
    files: int
    confidence: float
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreferRow:
    """A primitive that is called through a wrapper: `direct` of the uses go past it, at the places named."""

    primitive: str
    wrapper: str
    at: str
    through: int
    direct: int
    share: float
    places: tuple[str, ...]


class Cluster(NamedTuple):
    """Wrappers that come to the same primitives."""

    primitives: tuple[str, ...]
    members: tuple[Wrapper, ...]

    @property
    def calls(self) -> int:
        return sum(len(one.users) for one in self.members)


WRAPPER_SORTS: Final[Mapping[str, Sort[Wrapper]]] = {
    "uses": Sort(lambda one: (-len(one.users), one.symbol.path, one.symbol.line)),
    "depth": Sort(lambda one: (-one.depth, one.symbol.path, one.symbol.line)),
    "file": Sort(lambda one: (one.symbol.path, one.symbol.line)),
}
CLUSTER_SORTS: Final[Mapping[str, Sort[Cluster]]] = {
    "uses": Sort(lambda one: (-one.calls, *one.primitives)),
}
PREFER_SORTS: Final[Mapping[str, Sort[Preference]]] = {
    "uses": Sort(lambda one: (-one.through, one.primitive)),
}


def wrapper_row(one: Wrapper) -> WrapperRow:
    symbol = one.symbol
    return WrapperRow(
        symbol.qualname,
        f"{symbol.path}:{symbol.line}",
        one.purpose,
        tuple(sorted(one.direct or one.reached))[:_MOST_NAMED],
        one.depth,
        len(one.users),
        one.user_files,
        "async" in symbol.modifiers,
    )


def clusters_of(wrappers: Wrappers) -> list[Cluster]:
    """Wrappers by all that they come to."""
    together: dict[tuple[str, ...], list[Wrapper]] = defaultdict(list)
    for one in wrappers.found.values():
        together[tuple(sorted(one.reached))].append(one)
    return [Cluster(primitives, tuple(members)) for primitives, members in together.items()]


def cluster_row(cluster: Cluster) -> ClusterRow:
    members = sorted(cluster.members, key=WRAPPER_SORTS["uses"].key)
    purposes = Counter(one.purpose for one in members)
    files = len({one.symbol.path for one in members})
    return ClusterRow(
        cluster.primitives[:_MOST_NAMED],
        min(purposes, key=lambda purpose: (-purposes[purpose], purpose)),
        len(members),
        cluster.calls,
        files,
        round(_confidence(members, cluster.calls, files), 2),
        tuple(one.symbol.qualname for one in members[:_MOST_NAMED]),
    )


def _confidence(members: Sequence[Wrapper], calls: int, files: int) -> float:
    size = 0.2 if len(members) >= 5 else 0.1 if len(members) >= 3 else 0.0  # noqa: PLR2004 - steps of the scale
    use = 0.15 if calls >= 20 else 0.1 if calls >= 10 else 0.05 if calls >= 5 else 0.0  # noqa: PLR2004 - steps of the scale
    spread = 0.1 if files >= 5 else 0.05 if files >= 2 else 0.0  # noqa: PLR2004 - steps of the scale
    # All that is wrapped is known, since wrappers are found by it.
    return min(1.0, 0.6 + size + use + spread + (0.1 if _is_named_alike(members) else 0.0))


def _is_named_alike(members: Sequence[Wrapper]) -> bool:
    """Whether most names begin with the same word."""
    first = Counter(split_words(one.symbol.name)[:1][0] for one in members if split_words(one.symbol.name))
    return len(members) > 1 and max(first.values(), default=0) > len(members) / 2


def prefer_row(reader: IndexReader, one: Preference) -> PreferRow:
    symbol = one.wrapper.symbol
    callers = {
        caller.id: caller.path for caller in reader.symbols.many({call.caller_id for call in one.direct})
    }
    places = sorted((callers[call.caller_id], call.line) for call in one.direct)
    return PreferRow(
        one.primitive,
        symbol.qualname,
        f"{symbol.path}:{symbol.line}",
        one.through,
        len(one.direct),
        round(one.share, 2),
        tuple(f"{path}:{line}" for path, line in places[:_MOST_PLACES]),
    )
