"""Code like a given symbol or description: by shared structure, calls, decorators, parameters and words of names.

What it does: gathers candidates by what they share with the wanted one, then weighs all kinds of sharing
together. Why it matters: the nearest existing code shows how new code is to be written here. Known limits: a
description is compared by words alone, so one in other words than the code's finds nothing.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from drift.analyses.definitions import is_declaration
from drift.analyses.signatures import first_paragraph, signature_text
from drift.index import IndexReader
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.records import SymbolRecord
from drift.kernel.text import shorten
from drift.kernel.words import split_parts, stop_words

_CODE: Final = frozenset(
    {"function", "method", "constructor", "class", "interface", "struct", "trait", "enum"}
)
_COMMONPLACE: Final = 40  # shared by more than this says nothing
_MOST_CANDIDATES: Final = 150
_LEAST_SCORE: Final = 0.12
_MOST_WORDS: Final = 6
_HITS_PER_QUERY: Final = 15
_OTHER_SIDE: Final = 0.6  # of the score, for tests that are like product code and the other way round
_OTHERWISE: Final = 0.2  # of the score, for code of files that follow none of their conventions
_LONGEST_SIGNATURE: Final = 160
_ENDINGS: Final = ("ions", "ion", "ings", "ing", "ers", "ors", "ies", "ed", "es", "er", "or", "s", "e")
_SHORTEST_STEM: Final = 3
_BESIDE: Final = 0.6  # of a word in the name, for one in the documentation or the path
# How much each kind of likeness counts; a kind that the wanted one does not have drops out.
_WEIGHTS: Final = {
    "structure": 4.0,
    "calls": 3.0,
    "words": 3.0,
    "decorators": 2.0,
    "parents": 2.0,
    "parameters": 1.0,
}


Deviating = Callable[[str], float]
"""Of a file which share of its conventions it does not follow: code to follow should follow them itself."""


@dataclass(frozen=True, slots=True)
class SimilarRow:
    """A symbol like the wanted one. `score` is from 0 to 1, `why` what the two share."""

    symbol: str
    kind: str
    file: str
    line: int
    score: float
    why: tuple[str, ...]
    signature: str
    doc: str | None = None


class Traits(NamedTuple):
    """What a symbol can be compared by."""

    words: frozenset[str]
    calls: frozenset[str] = frozenset()
    decorators: frozenset[str] = frozenset()
    parents: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()


def find_similar(
    reader: IndexReader,
    symbol: SymbolRecord | None,
    description: str | None,
    *,
    limit: int,
    deviating: Deviating = lambda _: 0.0,
) -> tuple[SimilarRow, ...]:
    """The symbols most like a symbol, a description, or both; product code before tests at the same score."""
    wanted = _traits(reader, symbol) if symbol is not None else Traits(frozenset())
    asked = frozenset(stem_words(description or ""))
    wanted = wanted._replace(words=asked or wanted.words, decorators=_telling(reader, wanted.decorators))
    shared = _shared_structure(reader, symbol) if symbol is not None else {}
    candidates = _candidates(reader, symbol, wanted, shared, description)
    rows = []
    for one in candidates:
        score, why = _compare(reader, wanted, one, structure=shared.get(one.id))
        if symbol is not None and not description and _is_alike_by_chance(symbol, wanted, one, why):
            continue
        if (one.role == "test") != (symbol is not None and symbol.role == "test"):
            score = round(score * _OTHER_SIDE, 2)
        score = round(score * (1 - _OTHERWISE * deviating(one.path)), 2)
        if score >= _LEAST_SCORE:
            rows.append((score, one, why))
    rows.sort(key=lambda row: (-row[0], row[1].role == "test", row[1].path, row[1].line))
    return tuple(_row(score, one, tuple(why.values())) for score, one, why in rows[:limit])


def _is_alike_by_chance(
    symbol: SymbolRecord, wanted: Traits, one: SymbolRecord, why: Mapping[str, str]
) -> bool:
    """Whether two share no more than a word of their names, or what a parameter is called."""
    if not why.keys() <= {"words", "parameters"}:
        return False
    shares_all = "words" in why and wanted.words <= _words_of(one)
    return not shares_all or (len(wanted.words) == 1 and one.name != symbol.name)


def _words_of(one: SymbolRecord) -> frozenset[str]:
    return frozenset(stem_words(one.name))


def find_alike(
    reader: IndexReader,
    symbols: Sequence[SymbolRecord],
    description: str | None,
    *,
    limit: int,
    deviating: Deviating = lambda _: 0.0,
) -> tuple[SimilarRow, ...]:
    """The symbols most like any of some, which are told of each other, too; those like a description where there are none."""
    found = [
        find_similar(reader, one, description, limit=limit, deviating=deviating) for one in symbols or (None,)
    ]
    best: dict[tuple[str, int], SimilarRow] = {}
    for row in sorted((row for rows in found for row in rows), key=lambda row: -row.score):
        best.setdefault((row.file, row.line), row)
    return tuple(best.values())[:limit]


def _telling(reader: IndexReader, decorators: frozenset[str]) -> frozenset[str]:
    """The decorators that few symbols have: that two structs derive something tells nothing of either."""
    return frozenset(name for name in decorators if len(reader.symbols.decorated_with(name)) <= _COMMONPLACE)


def stem_words(text: str) -> Iterator[str]:
    """The words of a text or name, split at humps and cut to their stems."""
    for word in map(str.lower, split_parts(text)):
        if len(word) >= _SHORTEST_STEM and word not in stop_words("code"):
            yield _stem(word)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


def _traits(reader: IndexReader, symbol: SymbolRecord) -> Traits:
    calls = {
        each.external_name or _last(each.text)
        for each in reader.calls.calls_of(symbol.id)
        if each.kind in {"call", "new"}
    }
    return Traits(
        _words_of(symbol),
        frozenset(calls),
        frozenset(each.name for each in reader.symbols.decorators(symbol.id)),
        frozenset(_last(each.text) for each in reader.symbols.bases(symbol.id)),
        frozenset(each.name for each in symbol.parameters if each.kind != "receiver"),
    )


def _last(text: str) -> str:
    return re.split(r"\.|::|->", text)[-1]


def _shared_structure(reader: IndexReader, symbol: SymbolRecord) -> dict[SymbolId, float]:
    """Of each symbol how much of the wanted one's structure it has, by fingerprints of normalised tokens."""
    file = file_of_symbol(symbol.id)
    own = {
        each.hash
        for each in reader.files.fingerprints(file)
        if symbol.line <= each.line and each.end_line <= symbol.end_line
    }
    found: Counter[SymbolId] = Counter()
    for value in own:
        places = reader.files.sharing(value)
        if len(places) <= _COMMONPLACE:
            holders = {reader.symbols.at_line(place.file_id, place.line) for place in places}
            found.update({one.id for one in holders if one is not None and one.id != symbol.id})
    return {other: count / len(own) for other, count in found.items()}


def _candidates(
    reader: IndexReader,
    symbol: SymbolRecord | None,
    wanted: Traits,
    shared: dict[SymbolId, float],
    description: str | None,
) -> Iterable[SymbolRecord]:
    """Whatever shares something: structure, callees, decorators, parents, words."""
    found: dict[SymbolId, SymbolRecord] = {one.id: one for one in reader.symbols.many(shared)}
    query = description or (symbol.name if symbol else "")
    found |= _worded_alike(reader, query)
    if symbol is not None:
        for callee in {each.symbol.id for each in reader.calls.callees(symbol.id, limit=60)}:
            callers = reader.calls.callers(callee, limit=_COMMONPLACE + 1)
            if len(callers) <= _COMMONPLACE:
                found |= {each.symbol.id: each.symbol for each in callers}
        for base in reader.symbols.bases(symbol.id):
            if base.target_symbol_id:
                found |= {one.id: one for one in reader.symbols.derived(base.target_symbol_id)[:_COMMONPLACE]}
        for name in wanted.decorators:
            found |= {one.id: one for one in reader.symbols.decorated_with(name)[:_COMMONPLACE]}
        found |= {one.id: one for one in reader.symbols.named(symbol.name, limit=_COMMONPLACE)}
        found |= {one.id: one for one in _siblings(reader, symbol)}
        found.pop(symbol.id, None)
    kinds = _kinds_like(symbol)
    fitting = [
        one
        for one in found.values()
        if one.kind in kinds and not is_declaration(one) and not _is_inside(one, symbol)
    ]
    return fitting[:_MOST_CANDIDATES]


def _siblings(reader: IndexReader, symbol: SymbolRecord) -> list[SymbolRecord]:
    """The other members of its class, or what stands beside it in its file."""
    return [
        one
        for one in reader.symbols.of_file(file_of_symbol(symbol.id))
        if one.parent_id == symbol.parent_id and one.kind in _CODE
    ][:_COMMONPLACE]


def _worded_alike(reader: IndexReader, query: str) -> dict[SymbolId, SymbolRecord]:
    """Symbols with all words of a query, with any two of them, or with one."""
    words = tuple(dict.fromkeys(stem_words(query)))[:_MOST_WORDS]
    queries = [" ".join(words), *(" ".join(pair) for pair in combinations(words, 2)), *words]
    return {
        hit.symbol.id: hit.symbol
        for each in dict.fromkeys(queries)
        for hit in reader.symbols.search(each, limit=_HITS_PER_QUERY)
    }


def _kinds_like(symbol: SymbolRecord | None) -> frozenset[str]:
    if symbol is None:
        return _CODE
    code = frozenset({"function", "method", "constructor"})
    return code if symbol.kind in code else _CODE - code


def _is_inside(one: SymbolRecord, symbol: SymbolRecord | None) -> bool:
    return symbol is not None and one.path == symbol.path and symbol.line <= one.line <= symbol.end_line


def _compare(
    reader: IndexReader, wanted: Traits, one: SymbolRecord, *, structure: float | None
) -> tuple[float, dict[str, str]]:
    """How alike the two are, and what they share by kind."""
    has, beside = _traits(reader, one), frozenset[str]()
    if not (wanted.calls or wanted.parameters or wanted.decorators or wanted.parents):
        # A description may be met by what stands around a name and in its documentation, too.
        around = {*stem_words(one.qualname), *stem_words(first_paragraph(one.doc)), *stem_words(one.path)}
        beside = wanted.words & frozenset(around) - has.words
    parts: dict[str, tuple[float, str]] = {}
    if structure is not None:
        parts["structure"] = (structure, f"{structure:.0%} of the structure")
    for trait in ("calls", "words", "decorators", "parents", "parameters"):
        mine: frozenset[str] = getattr(wanted, trait)
        both = mine & getattr(has, trait)
        if trait == "words" and (both or beside):
            share = (len(both) + _BESIDE * len(beside)) / len(mine)
            parts[trait] = (share, f"words: {shorten(', '.join(sorted(both | beside)), 80)}")
        elif both:
            share = len(both) / len(mine | getattr(has, trait))
            parts[trait] = (share, f"{trait}: {shorten(', '.join(sorted(both)), 80)}")
    possible = sum(
        weight
        for trait, weight in _WEIGHTS.items()
        if (trait == "structure" and wanted.calls) or (trait != "structure" and getattr(wanted, trait))
    )
    reached = sum(_WEIGHTS[trait] * share for trait, (share, _) in parts.items())
    score = min(1.0, reached / possible) if possible else 0.0
    return round(score, 2), {trait: text for trait, (_, text) in parts.items()}


def _row(score: float, one: SymbolRecord, why: tuple[str, ...]) -> SimilarRow:
    return SimilarRow(
        one.qualname,
        one.kind,
        one.path,
        one.line,
        score,
        why,
        shorten(signature_text(one), _LONGEST_SIGNATURE),
        shorten(first_paragraph(one.doc), 120) or None,
    )


@dataclass(frozen=True, slots=True)
class SimilarData:
    """What is most like it, best first."""

    matches: tuple[SimilarRow, ...]
