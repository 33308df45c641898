"""Where recall takes memories from: words, a title, the newest, or ids."""

from collections.abc import Sequence
from typing import Final

from drift.memory import Listing, Memory
from drift.memory.branches import view_branches
from drift.memory.decay import current_confidence
from drift.memory.overlap import telling_words
from drift.memory.search import Found, Hit, Row, Setting, Wanted
from drift.memory.truth.staleness import find_stale
from drift.memory.work.searched import Searched, SearchedMemory, mark_stale
from drift.registry import Call
from drift.tools.memories.access import now_ms, store_of
from drift.tools.memories.lookups import readable_calls, search_memories
from drift.tools.memories.personal import scope_of

_TITLE_HITS: Final = 60
_NOT_IN_TITLE: Final = 3


def find_by_words(
    call: Call, text: str, *, kind: str | None, limit: int, include_purged: bool, in_title: bool
) -> Searched:
    wanted = Wanted(kinds=(kind,) if kind else (), with_purged=include_purged)
    looked_at = _TITLE_HITS if in_title else limit
    found = search_memories(call, text, setting=Setting(now_ms()), wanted=wanted, limit=looked_at)
    if not in_title:
        return found
    # The title that is asked for stands before one that shares a word; texts count where no title fits.
    ranks = {one.memory.id: _title_rank(one.memory.title, text) for one in found.memories}
    named = [one for one in found.memories if ranks[one.memory.id] < _NOT_IN_TITLE]
    ordered = sorted(named or found.memories, key=lambda one: ranks[one.memory.id])
    counted = found.found._replace(weighed=len(ordered))
    return Searched(counted, tuple(ordered[:limit]), found.warnings)


def _title_rank(title: str, text: str) -> int:
    """How far a title is from the one asked for; sorting by it is stable, so better hits stay first."""
    one, other = " ".join(title.casefold().split()), " ".join(text.casefold().split())
    if one == other:
        return 0
    if other in one:
        return 1
    return _NOT_IN_TITLE - bool(telling_words(one) & telling_words(other))


def list_newest(call: Call, limit: int, *, kind: str | None, include_purged: bool) -> Searched:
    listing = Listing(kinds=(kind,) if kind else (), include_purged=include_purged)
    present, warnings = readable_calls(call)
    newest: list[SearchedMemory] = []
    for each in present:
        view = view_branches(store_of(each), each.project.root)
        listed = store_of(each).list(listing, limit=limit + len(view.hidden)).memories
        shown = [one for one in listed if one.id not in view.hidden][:limit]
        newest += (one._replace(branch=view.marks.get(one.memory.id)) for one in as_found(each, shown))
    if len(present) > 1:
        newest.sort(key=lambda one: -one.memory.recorded_at_ms)
    return Searched(Found((), 0, (), ()), tuple(newest[:limit]), warnings)


def as_found(call: Call, memories: Sequence[Memory]) -> tuple[SearchedMemory, ...]:
    """Memories that were named rather than searched for, of the store the call is about."""
    at_ms, scope = now_ms(), scope_of(call)
    stale = find_stale(call.project.root, memories)
    named = (
        SearchedMemory(
            Hit(
                Row(
                    0,
                    one.id,
                    one.type,
                    one.title,
                    one.text,
                    one.confidence,
                    one.importance,
                    one.session,
                    0,
                    0,
                ),
                0.0,
                (),
            ),
            one,
            current_confidence(one, now_ms=at_ms),
            scope,
        )
        for one in memories
    )
    return tuple(mark_stale(one, stale.get(one.memory.id)) for one in named)
