"""Values without a name that stand in several places.

What it does: finds numbers and texts that stand in two functions of the product or more, with the constant that has
the value already, else a name for it.
Why it matters: the next change finds one of the places and misses the others.
Known limits: what a value means is not known, so one that means different things in its places is told all the same;
words that are keys or names are left out unless a constant has their value.
"""

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from drift.analyses.constants.catalogue import Constant, read_constants, shown_value
from drift.analyses.index_cache import PerQuestion
from drift.index import IndexReader
from drift.index.literal_queries import RepeatedLiteral
from drift.index.records import SymbolRecord
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.words import split_words

_STRING_LENGTHS: Final = range(3, 201)
_WORD: Final = re.compile(r"[A-Za-z_]\w{0,60}")
# What holds for a text with a name: parts, and no sentence, no gap to be filled, nothing but marks.
_STRUCTURED: Final = re.compile(r"[\w@./:#~\-+*?=&,]{4,200}")
_VERSION: Final = re.compile(r"v?\d{1,6}(?:\.\d{1,6}){1,3}(?:[\-+][\w.]{1,20})?")
_GAPS: Final = re.compile(r"%[sdrif]|\{\w{0,40}\}|\$\{|\\n")
_MOST_PLACES: Final = 3
_MOST_SEEN: Final = 40
_MOST_WORDS: Final = 5


@dataclass(frozen=True, slots=True)
class MagicRow:
    """A value without a name. `constant` has the value already; `suggestion` is a name where none has, null where nothing tells one."""

    value: str
    kind: str
    times: int
    functions: int
    files: int
    places: tuple[str, ...]
    suggestion: str | None
    constant: str | None = None


class Repeats(NamedTuple):
    """Which values are wanted: how often they stand somewhere, of which kind, in which language."""

    min_times: int = 2
    has_strings: bool = True
    has_numbers: bool = True
    language: str | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        return (*(("string",) if self.has_strings else ()), *(("number",) if self.has_numbers else ()))


class _Table(NamedTuple):
    numbers: frozenset[str]
    http: frozenset[float]
    strings: frozenset[str]
    known: dict[str, str]


class MagicValues(NamedTuple):
    """Values, the most frequent first, and the constants that have them."""

    found: tuple[RepeatedLiteral, ...]
    named: dict[tuple[str, str], tuple[Constant, ...]]

    def ranked(self) -> Ranked[RepeatedLiteral]:
        by_use: Sort[RepeatedLiteral] = Sort(
            lambda one: (-one.times, -one.files, one.kind, one.value), "desc"
        )
        return Ranked(self.found, {"times": by_use})


@cache
def _table() -> _Table:
    rows = tomllib.loads(files("drift.analyses.constants").joinpath("magic.toml").read_text("utf-8"))
    return _Table(
        frozenset(rows["numbers"]),
        frozenset(map(float, rows["http"])),
        frozenset(rows["strings"]),
        rows["known"],
    )


_found: Final = PerQuestion[MagicValues]()


def find_magic(reader: IndexReader, wanted: Repeats) -> MagicValues:
    """The values without a name that stand in at least two functions."""
    return _found.get(reader, wanted, lambda: _find(reader, wanted))


def _find(reader: IndexReader, wanted: Repeats) -> MagicValues:
    named: dict[tuple[str, str], list[Constant]] = defaultdict(list)
    for each in read_constants(reader):
        if each.literal is not None and each.symbol.role == "source":
            named[each.literal.kind, plain_number(each.literal.value)].append(each)
    repeated = (
        reader.literals.repeated(wanted.kinds, min_times=wanted.min_times, language=wanted.language)
        if wanted.kinds
        else []
    )
    known = {key: tuple(each) for key, each in named.items()}
    chosen = [one for one in repeated if is_magic(one, is_named=(one.kind, plain_number(one.value)) in known)]
    return MagicValues(tuple(chosen), known)


def is_magic(one: RepeatedLiteral, *, is_named: bool) -> bool:
    """Whether a value deserves a name. Words are keys and names; one of several words counts where a constant has it."""
    table = _table()
    if one.kind == "number":
        return not _is_plain(plain_number(one.value), table)
    value = one.value
    if (
        len(value) not in _STRING_LENGTHS
        or value in table.strings
        or _GAPS.search(value)
        or _VERSION.fullmatch(value)
    ):
        return False
    if _WORD.fullmatch(value):
        return is_named and "_" in value.strip("_")
    return _STRUCTURED.fullmatch(value) is not None and any(map(str.isalpha, value))


def _is_plain(number: str, table: _Table) -> bool:
    if number in table.numbers:
        return True
    try:
        value = (
            float(int(number, 0))
            if not any(mark in number for mark in ".eE") or "x" in number
            else float(number)
        )
    except ValueError:
        return True  # a form of one language: better not told than told wrongly
    if value in table.http or not value:
        return True
    whole = int(abs(value)) if abs(value) < 1e18 else 0  # noqa: PLR2004 - beyond what is counted
    is_whole = bool(whole) and whole == abs(value)
    return is_whole and (whole & (whole - 1) == 0 or str(whole).rstrip("0") == "1")


def plain_number(written: str) -> str:
    """A number without marks between digits and letters behind it: 5_000, 5000L and 5000 are one."""
    text = written.replace("_", "")
    return text if text.lower().startswith("0x") else text.rstrip("fFlLuUdDmM") or text


def magic_rows(
    reader: IndexReader, shown: Iterable[RepeatedLiteral], found: MagicValues
) -> tuple[MagicRow, ...]:
    """What is told of values, with places and a name."""
    return tuple(_row(reader, one, found) for one in shown)


def _row(reader: IndexReader, one: RepeatedLiteral, found: MagicValues) -> MagicRow:
    equal = [
        each
        for each in reader.facts.constants_equal_to(one.value, limit=_MOST_SEEN)
        if each.kind == one.kind and each.name is None
    ]
    around = {each.id: each for each in reader.symbols.many(sorted({each.symbol_id for each in equal}))}
    places = [each for each in equal if around[each.symbol_id].role == "source"]
    named = found.named.get((one.kind, plain_number(one.value)), ())
    constant = _fitting(named, [around[each.symbol_id] for each in places], is_text=one.kind == "string")
    suggestion = None if constant else _suggest(one, [around[each.symbol_id] for each in places])
    return MagicRow(
        shown_value("value", one.value) or one.value,
        one.kind,
        one.times,
        one.functions,
        one.files,
        tuple(f"{each.path}:{each.line}" for each in places[:_MOST_PLACES]),
        suggestion,
        f"{constant.symbol.qualname} in {constant.symbol.path}" if constant else None,
    )


def _fitting(named: tuple[Constant, ...], around: list[SymbolRecord], *, is_text: bool) -> Constant | None:
    """The constant that could stand there: of the language, and of a number one in the same file, as numbers meet by chance."""
    languages, paths = {each.language for each in around}, {each.path for each in around}
    return next(
        (
            each
            for each in named
            if each.symbol.language in languages and (is_text or each.symbol.path in paths)
        ),
        None,
    )


def _suggest(one: RepeatedLiteral, around: list[SymbolRecord]) -> str | None:
    """A name: the known one, the words of a text, or what the functions around a number have in their names."""
    if one.kind == "string":
        words = [part for part in split_words(one.value) if part.isascii()]
        name = "_".join(words[:_MOST_WORDS]).upper()
        return name if name and not name[0].isdigit() else None
    known = _table().known.get(plain_number(one.value))
    if known is not None:
        return known
    counts = Counter(
        word.upper() for each in around if each.kind != "module" for word in set(split_words(each.name))
    )
    shared = [word for word, count in counts.most_common(2) if count * 2 > len(around) and word.isalpha()]
    digits = plain_number(one.value).lstrip("-").replace(".", "_")
    return f"{'_'.join(shared)}_{digits}" if shared else None
