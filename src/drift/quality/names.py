"""Names like a given one: by their words, abbreviations and synonyms, and by sound where asked.

What it does: splits names into words and pairs each word with the most alike of the other name: equal, of one stem, a short
form of it, a synonym (listed, or mined from names of the project that differ in that word alone), nearly spelled the same.
Why it matters: what exists is found whatever its author called it. Example: `calcTotal` finds `compute_sum`.
Known limits: the lists are English; meaning beyond them is not looked at.
"""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from rapidfuzz.distance import OSA

from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural
from drift.kernel.words import split_words, stem
from drift.quality.reporters import Report, Table

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.function_queries import NamedSymbol
    from drift.quality.scope import Scope

NameScope = Literal["functions", "types", "variables", "all"]

_KINDS: Final[Mapping[NameScope, frozenset[str]]] = {
    "functions": frozenset({"function", "method", "constructor"}),
    "types": frozenset({"class", "interface", "struct", "trait", "enum", "type", "union", "record"}),
}
# How alike two words are, by what makes them so.
_STEM, _SHORT, _SYNONYM, _MINED, _SOUND = 0.95, 0.9, 0.85, 0.75, 0.6
_LEAST_SPELLING: Final = 0.75
_SHORTEST_SHORT: Final = 2
_LONGEST_SHORT: Final = 5
_LEAST_FRAMES: Final = 3  # names that differ in two words alone, of which those are synonyms here
_MOST_FRAME: Final = 30
_SOUNDS: Final = str.maketrans("bfpvcgjkqsxzdtlmnr", "111122222222334556")


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name like the wanted one, where it is defined first, and what makes them alike."""

    name: str
    kind: str
    symbol: str
    file: str
    line: int
    places: int
    score: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamesData:
    """The names, the most alike first."""

    query: str
    candidates: int
    matches: tuple[NameRow, ...] | None = None
    document: str | None = None


class Likeness(NamedTuple):
    """How alike two words are, and why."""

    score: float
    why: str = ""


class Asked(NamedTuple):
    """What names are compared by."""

    phonetic: bool = False
    fuzzy: bool = True
    case_sensitive: bool = False


_USUAL: Final = Asked()


class Names(NamedTuple):
    """The names found, of how many."""

    query: str
    rows: tuple[NameRow, ...]
    candidates: int
    notes: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        best = f"; nearest: {self.rows[0].name}" if self.rows else ""
        return f"{plural(len(self.rows), 'name')} like {self.query!r} of {self.candidates:,}{best}"

    def ranked(self) -> Ranked[NameRow]:
        sorts: dict[str, Sort[NameRow]] = {
            "score": Sort(lambda row: (-row.score, row.name), "desc"),
            "name": Sort(lambda row: (row.name,)),
        }
        return Ranked(self.rows, sorts)

    def data(
        self, form: str, shown: tuple[NameRow, ...] = (), *, write: Callable[[Report], str] | None
    ) -> NamesData:
        """The answer: rows, in a summary without reasons, or a text."""
        data = NamesData(self.query, self.candidates)
        if write is not None:
            columns = ("name", "kind", "symbol", "file", "line", "places", "score")
            rows = tuple(tuple(getattr(row, name) for name in columns) for row in self.rows)
            report = Report(
                "analyze_name_similarity", self.query, self.summary, (), (Table("names", columns, rows),)
            )
            return replace(data, document=write(report))
        return replace(
            data, matches=tuple(replace(row, why=()) for row in shown) if form == "summary" else shown
        )


def find_names(
    reader: "IndexReader",
    scope: "Scope",
    query: str,
    *,
    kinds: NameScope = "all",
    top_k: int = 10,
    threshold: float = 0.3,
    asked: Asked = _USUAL,
) -> Names:
    """The names of a scope that are most like the query, without the query itself."""
    paths = {one.id: one.path for one in scope.files}
    places: dict[str, list[NamedSymbol]] = defaultdict(list)
    for one in reader.functions.names():
        if one.file_id in paths and _is_wanted(one.kind, kinds):
            places[one.name].append(one)
    words = {name: split_words(name) for name in places}
    likeness = WordLikeness(mine_synonyms(words.values()), asked)
    rows: list[NameRow] = []
    for name, score, why in rank_names(query, words, likeness, case_sensitive=asked.case_sensitive):
        if score < threshold or len(rows) >= top_k:
            break
        first = places[name][0]
        where = paths[first.file_id], first.line, len(places[name])
        rows.append(NameRow(name, first.kind, first.qualname, *where, score, why))
    note = "compared by words, spelling and lists; no embedding model is asked"
    return Names(query, tuple(rows), len(places), (*scope.notes, note))


def rank_names(
    query: str,
    words: Mapping[str, tuple[str, ...]],
    likeness: "WordLikeness",
    *,
    case_sensitive: bool = False,
) -> list[tuple[str, float, tuple[str, ...]]]:
    """All names but the query with their scores and reasons, the most alike first."""
    wanted = split_words(query)
    found = []
    for name, parts in words.items():
        if name == query or not parts:
            continue
        score, why = _compare(wanted, parts, likeness)
        if not case_sensitive or name[:1].isupper() == query[:1].isupper():
            found.append((name, score, why))
    return sorted(found, key=lambda one: (-one[1], abs(len(one[0]) - len(query)), one[0]))


def _compare(
    wanted: tuple[str, ...], parts: tuple[str, ...], likeness: "WordLikeness"
) -> tuple[float, tuple[str, ...]]:
    """The mean of how alike each word of both names is to the nearest of the other."""
    there = [max((likeness.of(one, other) for other in parts), default=Likeness(0)) for one in wanted]
    back = [max((likeness.of(one, other).score for one in wanted), default=0.0) for other in parts]
    total = sum(one.score for one in there) + sum(back)
    why = tuple(dict.fromkeys(one.why for one in there if one.why))
    return round(total / (len(there) + len(back)), 3) if there else 0.0, why


class WordLikeness:
    """How alike words are, each two looked at once."""

    def __init__(self, mined: Mapping[str, frozenset[str]], asked: Asked = _USUAL) -> None:
        self._mined = mined
        self._asked = asked
        self._known: dict[tuple[str, str], Likeness] = {}

    def of(self, one: str, other: str) -> Likeness:
        """How alike two words are."""
        if one == other:
            return Likeness(1.0)
        key = (one, other) if one < other else (other, one)
        if key not in self._known:
            self._known[key] = self._look(*key)
        return self._known[key]

    def _look(self, one: str, other: str) -> Likeness:
        pair = f"{one} ~ {other}"
        if stem(one) == stem(other):
            return Likeness(_STEM, f"same stem: {pair}")
        if other in _shorts().get(one, ()) or one in _shorts().get(other, ()) or is_short_form(one, other):
            return Likeness(_SHORT, f"abbreviation: {pair}")
        if _groups().get(stem(one), frozenset()) & _groups().get(stem(other), frozenset()):
            return Likeness(_SYNONYM, f"synonyms: {pair}")
        if other in self._mined.get(one, ()):
            return Likeness(_MINED, f"used alike here: {pair}")
        near = OSA.normalized_similarity(one, other) if self._asked.fuzzy else 0.0
        if near >= _LEAST_SPELLING:
            return Likeness(near * _SYNONYM, f"spelled alike: {pair}")
        if self._asked.phonetic and sound(one) == sound(other):
            return Likeness(_SOUND, f"sounds alike: {pair}")
        return Likeness(0.0)


def is_short_form(one: str, other: str) -> bool:
    """Whether one word is made of letters of the other in their order, beginning with the first, most vowels left out."""
    short, long = sorted((one, other), key=len)
    if (
        not _SHORTEST_SHORT <= len(short) <= _LONGEST_SHORT
        or len(long) < len(short) + 2
        or short[0] != long[0]
    ):
        return False
    if long.startswith(short):
        return len(short) > _SHORTEST_SHORT  # two letters begin too many words
    letters = iter(long)
    is_inside = all(letter in letters for letter in short)
    return is_inside and not set(short[1:]) & set("aeiou") and len(short) * 4 >= len(long)


def sound(word: str) -> str:
    """Soundex of a word."""
    codes = [letter.translate(_SOUNDS) for letter in word if letter not in "hw"]
    kept = [code for at, code in enumerate(codes) if at == 0 or code != codes[at - 1]]
    digits = [code for code in kept[1:] if code.isdigit()]
    return (word[:1] + "".join(digits) + "000")[:4]


def mine_synonyms(names: Iterable[tuple[str, ...]]) -> dict[str, frozenset[str]]:
    """Words that stand in each other's place in several names that are otherwise the same: get_user, fetch_user."""
    frames: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for words in set(names):
        if len(words) > 1:
            for at, word in enumerate(words):
                frames[(*words[:at], "", *words[at + 1 :])].add(word)
    shared: Counter[tuple[str, str]] = Counter()
    for found in frames.values():
        if 1 < len(found) <= _MOST_FRAME:
            ordered = sorted(found)
            shared.update((one, other) for at, one in enumerate(ordered) for other in ordered[at + 1 :])
    mined: dict[str, set[str]] = defaultdict(set)
    for (one, other), count in shared.items():
        if count >= _LEAST_FRAMES:
            mined[one].add(other)
            mined[other].add(one)
    return {word: frozenset(others) for word, others in mined.items()}


def _is_wanted(kind: str, kinds: NameScope) -> bool:
    if kinds == "variables":
        return not any(kind in found for found in _KINDS.values())
    return kinds == "all" or kind in _KINDS[kinds]


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads(files("drift.quality").joinpath("names.toml").read_text("utf-8"))


@cache
def _groups() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for number, group in enumerate(_table()["synonyms"]):
        for word in group.split():
            found[stem(word)].add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@cache
def _shorts() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in _table()["abbreviations"]:
        short, *words = row.split()
        found[short].update(words)
    return {short: frozenset(words) for short, words in found.items()}
