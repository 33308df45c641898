"""Signs that a file is where a task will be done, one function for each kind of sign.

Each gives weights by path, comparable within the kind alone; `localize` brings them together.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log
from typing import Final

from drift.context.bodies import Corpus, weigh_passages
from drift.context.focus import Focus
from drift.index import FileId, IndexReader
from drift.kernel.words import stem, undouble

Weights = dict[str, float]

_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.6
_NAME_SATURATION: Final = 1.5
_PART: Final = re.compile(r"(?:[A-Z](?![a-z]))++|[A-Z]?[^\W_A-Z]+")
_SHORTEST_BEGINNING: Final = 4
# Where more of the files than this share lie in a scope, it tells nothing.
_WIDEST_SCOPE: Final = 0.7


def rarity(holders: int, total: int) -> float:
    """How much it tells that a file is among the holders of something: the fewer, the more."""
    return log(1 + (total - holders + 0.5) / (holders + 0.5)) if holders else 0.0


def value_terms(
    counts: Mapping[str, Mapping[str, int]], weights: Mapping[str, float], total: int
) -> dict[str, float]:
    """How much each term that stands in some text tells."""
    return {term: weights[term] * rarity(len(by_path), total) for term, by_path in counts.items() if by_path}


def weigh_bodies(
    corpus: Corpus, counts: Mapping[str, Mapping[str, int]], weights: Mapping[str, float]
) -> Weights:
    """Words in the text, as bm25 weighs them."""
    total = len(corpus.texts)
    usual = sum(map(len, corpus.texts.values())) / total if total else 1.0
    found: Weights = {}
    for term, by_path in counts.items():
        value = weights[term] * rarity(len(by_path), total)
        for path, times in by_path.items():
            length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * len(corpus.texts[path]) / usual
            share = times * (_SATURATION + 1) / (times + _SATURATION * length)
            found[path] = found.get(path, 0.0) + value * share
    return found


def weigh_uses(
    corpus: Corpus, counts: Mapping[str, Mapping[str, int]], weights: Mapping[str, float]
) -> Weights:
    """Names of the task in the text, whatever the length of the file."""
    found: Weights = {}
    for name, by_path in counts.items():
        value = weights[name] * rarity(len(by_path), len(corpus.texts))
        for path, times in by_path.items():
            share = times * (_SATURATION + 1) / (times + _SATURATION)
            found[path] = found.get(path, 0.0) + value * share
    return found


def weigh_best_passages(
    corpus: Corpus, counts: Mapping[str, Mapping[str, int]], weights: Mapping[str, float], paths: list[str]
) -> Weights:
    """Words that stand close together."""
    values = value_terms(counts, weights, len(corpus.texts))
    return {
        path: weigh_passages(
            corpus.texts[path], {term: value for term, value in values.items() if path in counts[term]}
        )
        for path in paths
    }


def weigh_pairs(corpus: Corpus, counts: Mapping[str, Mapping[str, int]], focus: Focus) -> Weights:
    """Words that follow each other in the task and in the text, as prose or within a name."""
    found: Weights = {}
    for (one, other), weight in focus.pairs.items():
        holding = counts.get(stem(one), {}).keys() & counts.get(other, {}).keys()
        if not holding:
            continue
        first, second = (re.escape(word.encode("utf-8", "replace")) for word in (one, other))
        written = re.compile(first + b"[ _-]?" + second)
        times = {path: n for path in holding if (n := len(written.findall(corpus.texts[path])))}
        value = weight * rarity(len(times), len(corpus.texts))
        for path, n in times.items():
            found[path] = found.get(path, 0.0) + value * n * (_SATURATION + 1) / (n + _SATURATION)
    return found


def count_names(
    reader: IndexReader, terms: Iterable[str], paths: Mapping[FileId, str]
) -> dict[str, dict[str, int]]:
    """For each term how many symbols of each file have it in their name."""
    return {
        term: {paths[file]: n for file, n in reader.places.files_naming(term).items() if file in paths}
        for term in terms
    }


def weigh_names(counts: Mapping[str, Mapping[str, int]], weights: Mapping[str, float], total: int) -> Weights:
    """Words in the names of symbols."""
    found: Weights = {}
    for term, by_path in counts.items():
        value = weights[term] * rarity(len(by_path), total)
        for path, times in by_path.items():
            found[path] = found.get(path, 0.0) + value * times / (times + _NAME_SATURATION)
    return found


def weigh_definitions(reader: IndexReader, focus: Focus, paths: Mapping[FileId, str]) -> Weights:
    """Symbols that the task calls by name."""
    found: Weights = {}
    for name, weight in focus.names.items():
        defining = [paths[file] for file in reader.places.files_defining(name) if file in paths]
        for path in defining:
            found[path] = found.get(path, 0.0) + weight * rarity(len(defining), len(paths))
    return found


def weigh_paths(focus: Focus, paths: Mapping[FileId, str]) -> tuple[Weights, Weights]:
    """Words in the names of files, and words in the names of their folders."""
    own: dict[str, frozenset[str]] = {}
    above: dict[str, frozenset[str]] = {}
    for path in paths.values():
        folders, _, name = path.rpartition("/")
        own[path] = _path_words(name.rpartition(".")[0] or name)
        above[path] = _path_words(folders)
    return _weigh_words(focus, own, by_beginning=True), _weigh_words(focus, above, by_beginning=False)


def weigh_scope(focus: Focus, paths: Mapping[FileId, str]) -> Weights:
    """Files that lie in the part of the project that the title names first."""
    if not focus.scope:
        return {}
    found = {path: 1.0 for path in paths.values() if not focus.scope.isdisjoint(_words_of_path(path))}
    return found if len(found) <= _WIDEST_SCOPE * len(paths) else {}


def _words_of_path(path: str) -> frozenset[str]:
    folders, _, name = path.rpartition("/")
    return _path_words(name.rpartition(".")[0] or name) | _path_words(folders)


def _weigh_words(focus: Focus, words: Mapping[str, frozenset[str]], *, by_beginning: bool) -> Weights:
    holders: dict[str, list[str]] = {}
    for path, own in words.items():
        for word in own:
            holders.setdefault(word, []).append(path)
    found: Weights = {}
    for term, weight in focus.terms.items():
        begins = by_beginning and len(term) >= _SHORTEST_BEGINNING
        forms = {term, undouble(term)}
        fitting = [word for word in holders if word in forms or (begins and word.startswith(term))]
        files = {path for word in fitting for path in holders[word]}
        for path in files:
            found[path] = found.get(path, 0.0) + weight * rarity(len(files), len(words))
    return found


@lru_cache(maxsize=16_384)  # the paths of a project are the same with every question
def _path_words(text: str) -> frozenset[str]:
    """The stems of a path's parts, and its folders or file name whole."""
    whole = frozenset(part.lower() for part in text.split("/") if part)
    stems = {stem(part.lower()) for part in _PART.findall(text)}
    return whole | stems | {undouble(each) for each in stems}
