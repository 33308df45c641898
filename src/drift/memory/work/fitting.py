"""Whether a memory fits a text nobody asked memories about: a prompt, a task.

What is told unasked must earn its place. A memory fits where it names a thing that the text names (a file, a symbol, an
error), or shares several words with it that are rare in the store.
"""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from drift.kernel.connections import Connection
from drift.kernel.words import stop_words
from drift.memory.overlap import telling_words, telling_words_of
from drift.memory.search import Hit, WordCounts
from drift.memory.search.questions import read_question
from drift.memory.stems import stems


class Gate(NamedTuple):
    """How sure a fit by words must be. All are shares, so they hold for ten memories as for ten thousand.

    `rarity` is the sum over shared words, of the rarity a word can have in this store; `share` is of the text's or the
    memory's words, whichever are fewer; `most_of_text` of the text's words lets in what holds nearly all of it.
    """

    rarity: float
    share: float
    most_of_text: float


# Measured in benchmarks/memory_hook.py: below the first, prompts about other things are answered. Who asks for a context
# has asked, and may be told a little more.
UNASKED: Final = Gate(1.5, 0.34, 2.0)
ASKED: Final = Gate(1.0, 0.25, 0.6)
_FEWEST_SHARED: Final = 2
_SUPPOSED: Final = 50

_NAMED: Final = re.compile(
    r"`([^`\n]{3,80})`|([\w.-]{1,60}(?:/[\w.-]{1,60}){1,12})|\b([A-Za-z]\w{0,60}(?:[._]\w{1,60}){1,6})\b"
    r"|\b([A-Za-z]?[a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6})\b"
)
_MOST_NAMES: Final = 12
_SHORTEST_NAME: Final = 4


def fitting_hits(
    connection: Connection,
    counts: WordCounts,
    text: str,
    hits: Iterable[Hit],
    *,
    gate: Gate = UNASKED,
) -> list[Hit]:
    """The hits of a search for the text that fit it: those that hold a name of it first, else in their order."""
    words = words_of_task(text)
    known = counts.of(connection, read_question(text))
    rarities = {one: _rarity(known.counts.get(one, 0), known.total) for one in words}
    names = _names(text)
    some = [hit for hit in hits if hit.words]
    held = telling_words_of([f"{hit.row.title}\n{hit.row.body}" for hit in some])
    named = [hit for hit in some if _holds_name(hit, names)]
    others = [
        hit
        for hit, those in zip(some, held, strict=True)
        if hit not in named and _fits(words, those, rarities=rarities, gate=gate)
    ]
    return [*named, *others]


def words_of_task(text: str) -> frozenset[str]:
    """The stems of what a text is about: neither small words nor what one asks somebody to do."""
    common = stop_words("tasks", "code")
    return telling_words(text) - frozenset(stems(common).values())


def _fits(words: frozenset[str], held: frozenset[str], *, rarities: Mapping[str, float], gate: Gate) -> bool:
    shared = words & held
    if len(shared) < _FEWEST_SHARED:
        return False
    share = len(shared) / min(len(words), len(held))
    is_rare = sum(rarities[one] for one in shared) >= gate.rarity and share >= gate.share
    return is_rare or len(shared) / len(words) >= gate.most_of_text


def _rarity(count: int, total: int) -> float:
    """How much it tells that a memory holds a word, 1 for one that it alone holds.

    A store of few memories is taken for the beginning of a larger one: that both of two hold a word makes it not common.
    """
    return 1 - math.log(max(1, count)) / math.log(total + _SUPPOSED)


def _names(text: str) -> frozenset[str]:
    """Names of code and files in a text, in small letters."""
    found = (next(filter(None, groups), "") for groups in _NAMED.findall(text))
    stripped = (name.strip("./").casefold() for name in list(found)[:_MOST_NAMES])
    return frozenset(name for name in stripped if len(name) >= _SHORTEST_NAME)


def _holds_name(hit: Hit, names: frozenset[str]) -> bool:
    if not names:
        return False
    said = f"{hit.row.title}\n{hit.row.body}".casefold()
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said) for name in names)
