"""Finding memories for tools: by id with a way out, by words with every filter."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.registry import Call
from drift.tools.memories.access import asking, counts_of, now_ms, store_of

if TYPE_CHECKING:
    from drift.memory import Memory
    from drift.memory.search import Found, Hit, Setting, Wanted

_KNOWN_IDS = 500  # of the newest memories, among which a misspelt id is looked for
_MOST_WORDS = 6
_DEEPER = 5  # hits looked at for each one wanted, where a filter is applied afterwards


class SearchedMemory(NamedTuple):
    """A hit and the whole memory it stands for."""

    hit: "Hit"
    memory: "Memory"
    confidence: float


class Searched(NamedTuple):
    """What a search of the store gave, best first."""

    found: "Found"
    memories: tuple[SearchedMemory, ...]


def require_memories(call: Call, ids: Sequence[str]) -> "dict[str, Memory]":
    """The memories of all these ids. Raises RESOURCE_NOT_FOUND with the ids most like the first unknown one."""
    from drift.memory import Listing  # brings SQLite, which listing the tools does not need

    store = store_of(call)
    found = store.get_many(ids) if store.is_present else {}
    missing = [one for one in ids if one not in found]
    if not missing:
        return found
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


def search_memories(
    call: Call,
    text: str,
    *,
    setting: "Setting",
    wanted: "Wanted",
    limit: int,
    least_confidence: float = 0.0,
) -> Searched:
    """The memories that share words with a text. Nothing is found, and nothing wrong, where there is no store."""
    from drift.memory.search import Found, search  # brings SQLite, which listing the tools does not need

    store = store_of(call)
    if not store.is_present:
        return Searched(Found((), 0, (), ()), ())
    looked_at = limit * _DEEPER if least_confidence else limit
    # Outermost, so that the question is encoded before the store is held, and what lacks a vector after it.
    with asking(call, text) as closeness, store.reading() as connection:
        found = search(
            connection,
            counts_of(call),
            text,
            setting=setting,
            wanted=wanted,
            limit=looked_at,
            closeness=closeness,
        )
    return Searched(found, _with_memories(call, found.hits, least_confidence)[:limit])


def _with_memories(call: Call, hits: "Sequence[Hit]", least_confidence: float) -> tuple[SearchedMemory, ...]:
    from drift.memory.decay import current_confidence  # as above

    memories = store_of(call).get_many(hit.row.id for hit in hits)
    at_ms = now_ms()
    joined = (
        SearchedMemory(hit, memory, current_confidence(memory, now_ms=at_ms))
        for hit in hits
        if (memory := memories.get(hit.row.id)) is not None
    )
    return tuple(one for one in joined if one.confidence >= least_confidence)


def word_warnings(text: str) -> tuple[str, ...]:
    """What to say of a query in which there is nothing to look for."""
    from drift.memory.search.questions import read_question  # as above

    is_wordless = bool(text.strip()) and read_question(text).is_empty
    return ("the query holds no word to look for",) if is_wordless else ()


def told_words(words: Sequence[str]) -> tuple[str, ...] | None:
    """Words of a query that did not help, as an answer names them."""
    return tuple(words[:_MOST_WORDS]) or None
