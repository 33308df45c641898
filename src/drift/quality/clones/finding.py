"""All clones of a corpus, of the wanted kinds; what lies wholly in a larger clone is not told apart."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from drift.quality.clones.clusters import Cluster, Kind, Least, find_plain, without_covered
from drift.quality.clones.corpus import Corpus
from drift.quality.clones.gaps import find_gapped
from drift.quality.clones.meaning import find_semantic

if TYPE_CHECKING:
    from drift.index import IndexReader

CLONE_KINDS: Final[frozenset[Kind]] = frozenset(get_args(Kind))


class Found(NamedTuple):
    """The clusters, the largest first, and what has to be said about the search."""

    clusters: tuple[Cluster, ...]
    notes: tuple[str, ...] = ()


def find_clones(
    reader: "IndexReader",
    corpus: Corpus,
    *,
    kinds: frozenset[Kind],
    least: Least,
    threshold: float,
    check: Callable[[], None] = lambda: None,
) -> Found:
    """The clusters of clones; `threshold` is how alike semantic ones have to be, `check` is called between the steps."""
    plain = find_plain(corpus, least, kinds)
    clusters = plain.clusters
    check()
    if "gapped" in kinds:
        clusters = without_covered([*clusters, *find_gapped(corpus, plain.repeats, least)])
    check()
    if "semantic" in kinds:
        clusters += find_semantic(
            reader, corpus, threshold=threshold, least_lines=least.lines, known=clusters
        )
    notes = () if plain.is_whole else ("the code repeats so much that not all repeats were followed",)
    return Found(tuple(clusters), notes)
