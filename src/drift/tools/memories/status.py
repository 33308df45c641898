"""How the memory of a project stands, in numbers."""

from typing import Final

from drift.kernel.answer import Answer
from drift.memory.embeddings import OFF
from drift.memory.embeddings.texts import Texts, read_texts
from drift.memory.status import StatusData, empty_status, read_status
from drift.memory.storage.derived import say_short
from drift.registry import Call, tool
from drift.tools.memories.access import MEMORY, meanings_of, now_ms, store_of, store_path
from drift.tools.memories.personal import MemoryScope, scoped

_SEARCH: Final = "words: any of them, stemmed, re-scored; confidence, recency and links break near ties"
_RERANKED: Final = f"{_SEARCH}; the best 200 ordered by meaning too where they have a vector"
_STORES: Final = {"project": "this project", "user": "your own memories"}
_NO_MODEL: Final = "none"
_OFF: Final = "none: cortex.embeddings_model is off"


@tool(category="memory", title="State of the memory", tokens=(100, 400), scopes=MEMORY, examples=({},))
def drift_memory_status(call: Call, scope: MemoryScope = "project") -> Answer[StatusData]:
    """How many memories of which types, confidence left, size, the newest, and which search is active."""
    call = scoped(call, scope)
    store, (search, embeddings) = store_of(call), _ways_of_search(call)
    told = {"scope": scope, "path": str(store_path(call)), "search": search, "embeddings": embeddings}
    if not store.is_present:
        return Answer(f"Nothing has been saved in {_STORES[scope]} yet", empty_status(**told))
    data = read_status(store, **told, now_ms=now_ms())
    return Answer(data.summary, data, warnings=say_short(store.find_short()))


def _ways_of_search(call: Call) -> tuple[str, str]:
    """How memories are found now, and what embeddings have to do with it."""
    meanings = meanings_of(call)
    if meanings is None:
        return _SEARCH, _OFF if call.project.config.cortex.embeddings_model == OFF else _NO_MODEL
    store = store_of(call)
    found = read_texts(store) if store.is_present else Texts((), is_cut=False)
    state = meanings.state(found.texts)
    if state.reason is not None:
        return _SEARCH, f"none: {state.reason}"
    among = f"the newest {len(found.texts):,}" if found.is_cut else f"{len(found.texts):,}"
    return (
        _RERANKED,
        f"{state.model}, {state.dimensions} dimensions; {state.known:,} of {among} texts have a vector",
    )
