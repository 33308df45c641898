"""Finding memories for tools: by id with a way out, by words with every filter."""

import logging
from collections.abc import Mapping, Sequence

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.memory import Listing, Memory
from drift.memory.branches import view_branches
from drift.memory.decay import current_confidence
from drift.memory.search import Found, Hit, Setting, Wanted, WordCounts, search
from drift.memory.search.joint import JointCounts
from drift.memory.storage.damage import damaged_memory
from drift.memory.truth.staleness import find_stale
from drift.memory.work.searched import Searched, SearchedMemory, mark_stale
from drift.registry import Call
from drift.tools.memories.access import asking, counts_of, now_ms, store_of
from drift.tools.memories.personal import calls_of, scope_of

logger = logging.getLogger(__name__)

_KNOWN_IDS = 500  # of the newest memories, among which a misspelt id is looked for
_DEEPER = 5  # hits looked at for each one wanted, where a filter is applied afterwards


def require_memories(call: Call, ids: Sequence[str]) -> dict[str, Memory]:
    """The memories of all these ids. Raises RESOURCE_NOT_FOUND with the ids most like the first unknown one."""
    store = store_of(call)
    found = store.get_many(ids) if store.is_present else {}
    missing = [one for one in ids if one not in found]
    if not missing:
        return found
    if missing[0] in store.damaged:
        raise damaged_memory(missing[0])
    _refuse_personal(call, missing)
    if not store.is_present:
        raise DriftError(
            ErrorCode.RESOURCE_NOT_FOUND,
            f"There is no memory {missing[0][:100]}: nothing has been saved in this project yet",
            Recovery(hint="Save something first: save_memory, or drift_memory_add."),
        )
    everything = Listing(include_archived=True, include_purged=True, include_superseded=True)
    newest = [one.id for one in store.list(everything, limit=_KNOWN_IDS).memories]
    raise DriftError(
        ErrorCode.RESOURCE_NOT_FOUND,
        f"There is no memory {', '.join(one[:100] for one in missing[:10])}",
        Recovery(
            hint="Search first; every hit has its id. Nothing was changed.",
            similar=similar_names(missing[0], newest),
            alternative_tools=("drift_memory_search", "recall"),
        ),
    )


def _refuse_personal(call: Call, ids: Sequence[str]) -> None:
    """Raise for ids of the person's memories where only the project's will do."""
    theirs = [one for personal in calls_of(call)[1:] for one in _read(personal, ids)]
    if theirs:
        raise DriftError(
            ErrorCode.RESOURCE_NOT_FOUND,
            f"{', '.join(theirs[:10])}: your own (scope user), and this takes memories of the project only",
            Recovery(hint="Name memories of one store. Nothing was changed."),
        )


def homes_of(call: Call, ids: Sequence[str]) -> tuple[tuple[Call, tuple[str, ...]], ...]:
    """The ids by the store that holds them, as calls about it; those that none holds count as the project's."""
    rest = tuple(ids)
    homes: list[tuple[Call, tuple[str, ...]]] = []
    for personal in calls_of(call)[1:]:
        known = _read(call, ids)
        theirs = tuple(_read(personal, [one for one in ids if one not in known]))
        homes += [(personal, theirs)] if theirs else []
        rest = tuple(one for one in ids if one not in theirs)
    return ((call, rest), *homes) if rest or not homes else tuple(homes)


def call_holding(call: Call, memory_id: str) -> Call:
    """The call about the store that holds a memory; the project's where none does."""
    return homes_of(call, (memory_id,))[0][0]


def read_memories(call: Call, ids: Sequence[str]) -> dict[str, Memory]:
    """Those of the memories that there are, of the project and of the person."""
    return {key: one for home, held in homes_of(call, ids) for key, one in _read(home, held).items()}


def _read(call: Call, ids: Sequence[str]) -> dict[str, Memory]:
    store = store_of(call)
    return store.get_many(ids) if ids and store.is_present else {}


def search_memories(
    call: Call,
    text: str,
    *,
    setting: Setting,
    wanted: Wanted,
    limit: int,
    least_confidence: float = 0.0,
) -> Searched:
    """The memories that share words with a text. Nothing is found, and nothing wrong, where there is no store."""
    present, warnings = readable_calls(call)
    counts = _counts_of_all(present, text)
    looked_at = limit * _DEEPER if least_confidence else limit
    results: list[Found] = []
    memories: list[SearchedMemory] = []
    for one in present:
        view = view_branches(store_of(one), one.project.root)
        here = wanted._replace(without=(*wanted.without, *view.hidden))
        # Outermost, so that the question is encoded before the store is held, and what lacks a vector after it.
        with asking(one, text) as closeness, store_of(one).reading() as connection:
            found = search(
                connection, counts, text, setting=setting, wanted=here, limit=looked_at, closeness=closeness
            )
        results.append(found)
        memories += _with_memories(one, found.hits, least_confidence, marks=view.marks)
    if not results:
        return Searched(Found((), 0, (), ()), (), warnings)
    # Stable, so that one store alone keeps its order.
    best = sorted(memories, key=lambda each: -each.hit.score)[:limit]
    joined = results[0]._replace(
        hits=tuple(each.hit for each in best), weighed=sum(each.weighed for each in results)
    )
    return Searched(joined, tuple(best), warnings)


def readable_calls(call: Call) -> tuple[list[Call], tuple[str, ...]]:
    """The calls about stores that can be read. Trouble with the project's own is raised when it is read."""
    present = [call] if store_of(call).is_present else []
    for personal in calls_of(call)[1:]:
        try:
            store = store_of(personal)
            if store.is_present:
                with store.reading():
                    present.append(personal)
        except DriftError as error:
            logger.warning("the person's memories are not read: %s", error.message)
            return present, (f"your own memories were not read: {error.message}",)
    return present, ()


def _counts_of_all(calls: Sequence[Call], text: str) -> WordCounts:
    """How common words are in all the stores together, so that scores of one compare with those of another."""
    if len(calls) == 1:
        return counts_of(calls[0])
    joint = JointCounts(text)
    for one in calls:
        with store_of(one).reading() as connection:
            joint.add(counts_of(one), connection)
    return joint


def _with_memories(
    call: Call, hits: Sequence[Hit], least_confidence: float, *, marks: Mapping[str, str]
) -> tuple[SearchedMemory, ...]:
    memories = store_of(call).get_many(hit.row.id for hit in hits)
    at_ms, scope = now_ms(), scope_of(call)
    stale = find_stale(call.project.root, memories.values())
    joined = (
        mark_stale(
            SearchedMemory(
                hit, memory, current_confidence(memory, now_ms=at_ms), scope, branch=marks.get(memory.id)
            ),
            stale.get(memory.id),
        )
        for hit in hits
        if (memory := memories.get(hit.row.id)) is not None
    )
    return tuple(one for one in joined if one.confidence >= least_confidence)
