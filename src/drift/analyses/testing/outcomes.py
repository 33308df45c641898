"""How the calls of a project came out: how many are resolved, and how many are not."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.index_cache import PerState

if TYPE_CHECKING:
    from drift.index import IndexReader

_kept: Final = PerState[Mapping[str, int]]()


def outcome_counts(reader: "IndexReader") -> Mapping[str, int]:
    """The number of calls by outcome; to count them takes a look at every call."""
    return _kept.get(reader, reader.calls.outcome_counts)
