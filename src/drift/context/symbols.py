"""Which symbols of the files found a task is about, and which of their lines."""

from collections.abc import Iterable, Mapping
from math import log
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.definitions import is_overload
from drift.analyses.lookup import is_implied
from drift.context.bodies import read_text
from drift.context.evidence import value_terms
from drift.context.focus import Focus
from drift.context.localize import FoundFile, Located
from drift.index import IndexReader, SymbolRecord
from drift.kernel.reading import ProjectFiles
from drift.kernel.text import shorten
from drift.kernel.words import split_words

_NAMED: Final = 3.0
_SPELLED: Final = 6.0  # the words of the task are those of its name, with that of its owner
_IN_NAME: Final = 1.0
_IN_TEXT: Final = 0.5
_AT_LINE: Final = 10.0
_USUAL_BYTES: Final = 1_000
_LONGEST_LINE: Final = 120
# What stands in these is said of their members; of them count the name and the documentation alone.
_CONTAINERS: Final = frozenset(
    {"class", "interface", "struct", "trait", "enum", "namespace", "object", "type"}
)
# Fields repeat the names of what is kept in them; the code is where a task is done.
_DATA: Final = frozenset({"field", "property", "constant"})
_DATA_SHARE: Final = 0.6
# A type has few words, so each weighs much; yet the work is mostly done in its functions. This and the loss below were chosen
# among a few values by which symbols 30 commits each of three projects changed; no project was kept back for a proof.
_CONTAINER_SHARE: Final = 0.6
# What a name loses that says mostly something else: `match` is nearer to matching than `MismatchException`.
_UNCOVERED_LOSS: Final = 0.5
_TEST_MODULES: Final = frozenset({"tests", "test"})
_UNNAMED: Final = ("<", "{")  # callbacks and closures: the function around them is told
_UNTOLD: Final = frozenset({"module", "parameter", "variable", "namespace"})


class FoundSymbol(NamedTuple):
    """A symbol that matters, and what in it speaks for it."""

    symbol: SymbolRecord
    score: float
    terms: tuple[str, ...]


class KeyLine(NamedTuple):
    """A line of a symbol that has words of the task."""

    line: int
    text: str


def rank_symbols(reader: IndexReader, located: Located, files: Iterable[FoundFile]) -> list[FoundSymbol]:
    """The symbols of the files that the task is about, best first."""
    values = {term.encode(): value for term, value in term_values(located).items()}
    found = []
    tests = reader.graph.tests()
    for file in files:
        line = located.places.get(file.path)
        meant = reader.symbols.at_line(file.id, line) if line is not None else None
        text = located.corpus.texts.get(file.path, b"")
        for symbol in reader.symbols.of_file(file.id):
            is_told = _is_told(symbol) and (symbol.role == "test" or symbol.id not in tests)
            if is_told or (meant is not None and symbol.id == meant.id):
                weighed = _weigh(symbol, text, values, located.focus)
                if meant is not None and symbol.id == meant.id:
                    weighed = weighed._replace(score=weighed.score + _AT_LINE)
                found.append(weighed)
    by_path = {file.path: file.score for file in files}
    best = max(by_path.values(), default=1.0) or 1.0
    told = [
        each._replace(score=each.score * by_path[each.symbol.path] / best) for each in found if each.score > 0
    ]
    return sorted(told, key=lambda each: (-each.score, each.symbol.path, each.symbol.line))


def is_test(symbol: SymbolRecord) -> bool:
    """Whether a symbol is of a test: by its file, or by the module of tests within it that Rust has."""
    return symbol.role == "test" or not _TEST_MODULES.isdisjoint(symbol.qualname.split(".")[:-1])


def _is_told(symbol: SymbolRecord) -> bool:
    """Whether a symbol is worth naming: code of the product, with a name that someone gave it."""
    has_name = not symbol.name.startswith(_UNNAMED)
    # Of an overloaded function the one with the code is told, and that once.
    return (
        has_name
        and not is_overload(symbol)
        and symbol.kind not in _UNTOLD
        and not is_implied(symbol)
        and (symbol.role == "test" or not is_test(symbol))
    )


def term_values(located: Located) -> dict[str, float]:
    """How much each term that stands in the source tells."""
    return value_terms(located.counts, located.focus.terms, len(located.corpus.texts))


def _weigh(symbol: SymbolRecord, text: bytes, values: Mapping[bytes, float], focus: Focus) -> FoundSymbol:
    own = symbol.name.lower().encode("utf-8", "replace")
    is_container = symbol.kind in _CONTAINERS
    body = symbol.doc.lower().encode() if is_container else text[symbol.start_byte : symbol.end_byte]
    in_name = [term for term in values if term in own]
    in_text = [term for term in values if term not in own and term in body]
    length = 1 + log(max(1.0, len(body) / _USUAL_BYTES))
    words = (
        _IN_NAME * sum(values[term] for term in in_name)
        + _IN_TEXT * sum(values[term] for term in in_text) / length
    )
    if is_container:
        words *= _CONTAINER_SHARE
    if in_name:
        covered = min(1.0, sum(map(len, in_name)) / len(own))
        words *= 1 - _UNCOVERED_LOSS * (1 - covered)
    named = _NAMED * focus.names.get(symbol.name, 0.0)
    if len(focus.spelled) > 1 and split_words(symbol.qualname)[-len(focus.spelled) :] == focus.spelled:
        named += _SPELLED
    score = (_DATA_SHARE if symbol.kind in _DATA else 1.0) * (named + words)
    return FoundSymbol(symbol, score, tuple(term.decode() for term in (*in_name, *in_text)))


def find_key_lines(
    root: Path, found: FoundSymbol, values: Mapping[str, float], *, most: int
) -> list[KeyLine]:
    """The lines of a symbol with the most telling words, in their order."""
    symbol = found.symbol
    if not found.terms or most < 1 or symbol.kind in _CONTAINERS:
        return []
    try:
        with ProjectFiles(root) as files:
            content = read_text(files, symbol.path)
    except (OSError, ValueError):
        return []  # gone since the scan; the symbol's place is told all the same
    weighed = []
    lines = content.decode("utf-8", "replace").split("\n")[symbol.line : symbol.end_line]
    for number, text in enumerate(lines, symbol.line + 1):
        lowered = text.lower()
        value = sum(values[term] for term in found.terms if term in lowered)
        if value:
            weighed.append((-value, number, text))
    best = sorted(weighed)[:most]
    return [
        KeyLine(number, shorten(text.strip(), _LONGEST_LINE))
        for _, number, text in sorted(best, key=lambda row: row[1])
    ]
