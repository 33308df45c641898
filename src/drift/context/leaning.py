"""How the kind of a task leans what is looked at: weights of signs that other tasks do without."""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import log
from typing import Final, NamedTuple

from drift.context.bodies import Corpus, count_terms
from drift.context.evidence import Weights
from drift.index import FileId, IndexReader, file_of_symbol

_MOST_CALLED: Final = 3  # files whose callers are looked for: below them it is seldom what the task is about
MANY: Final[Mapping[str, float]] = {"caller": log(1 + 10), "guard": 8.0, "entry": log(1 + 5)}
"""What is much of a sign: a project that has less of it, as a single call, does not lean far."""
_FEWEST_WORDS: Final = 2  # one word that guards have, most files have


class Leaning(NamedTuple):
    """What one kind of task wants more of, or less."""

    roles: Mapping[str, float] = {}
    signs: Mapping[str, float] = {}
    words: tuple[str, ...] = ()
    sections: Mapping[str, float] = {}


UPRIGHT: Final = Leaning()
"""That of no kind of task."""


@cache
def leaning_of(intent: str) -> Leaning:
    """How a kind of task leans."""
    table = tomllib.loads(files("drift.context").joinpath("intents.toml").read_text("utf-8")).get(intent, {})
    return Leaning(**{**table, "words": tuple(table.get("words", ()))})


def weigh_leaning(
    leaning: Leaning, reader: IndexReader, corpus: Corpus, paths: Mapping[FileId, str], best: Sequence[FileId]
) -> dict[str, Weights]:
    """The signs of a kind of task, by their names; `best` are the files found without them."""
    found: dict[str, Weights] = {}
    if "caller" in leaning.signs:
        found["caller"] = _weigh_callers(reader, best)
    if "guard" in leaning.signs:
        found["guard"] = _weigh_words(corpus, leaning.words)
    if "entry" in leaning.signs:
        found["entry"] = _weigh_entries(reader, paths)
    return found


def _weigh_callers(reader: IndexReader, best: Sequence[FileId]) -> Weights:
    """Files by how much they call the best ones, the callers of the very best above all."""
    weights: dict[str, float] = {}
    for rank, file in enumerate(best[:_MOST_CALLED]):
        for calling in reader.listings.calling_files(file):
            weights[calling.path] = weights.get(calling.path, 0.0) + log(1 + calling.calls) / (1 + rank)
    return weights


def _weigh_words(corpus: Corpus, words: Sequence[str]) -> Weights:
    """Files by how many of the words they have: many different ones tell more than one said often."""
    kinds: dict[str, int] = {}
    for by_path in count_terms(corpus, words).values():
        for path in by_path:
            kinds[path] = kinds.get(path, 0) + 1
    return {path: float(count) for path, count in kinds.items() if count >= _FEWEST_WORDS}


def _weigh_entries(reader: IndexReader, paths: Mapping[FileId, str]) -> Weights:
    """Files by how many ways into the product they have."""
    counts = Counter(file_of_symbol(each.symbol_id) for each in reader.graph.product_entries())
    return {paths[file]: log(1 + count) for file, count in counts.items() if file in paths}
