"""What to do about a cluster of clones: which function to keep, or to make, and what it has to be given."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.kernel.text import shorten
from drift.kernel.words import split_words
from drift.quality.clones.clusters import Cluster
from drift.quality.clones.corpus import Corpus, Fragment

if TYPE_CHECKING:
    from drift.index.records import SymbolRecord

_MOST_PARAMETERS: Final = 8
_MOST_COMPARED: Final = 10
_LONGEST: Final = 60
_CAPITAL: Final = "csharp"
_HUMPED: Final = frozenset({"typescript", "javascript", "java", "php", "go", _CAPITAL})
_NEARLY_ALL: Final = 0.8  # of a function's lines


class Extraction(NamedTuple):
    """`keep` one function and call it from the others, or `extract` the lines into a new one."""

    way: Literal["keep", "extract"]
    function: str
    parameters: tuple[str, ...]
    """What differs between the places, as the first has it."""
    saved_lines: int


def propose(
    corpus: Corpus, cluster: Cluster, symbols: Sequence["SymbolRecord | None"], words: dict[int, bytes]
) -> Extraction:
    """The function that would stand in the place of all clones of a cluster."""
    lines = [last - first + 1 for first, last in map(corpus.lines, cluster.fragments)]
    saved = max(0, sum(lines) - max(lines) - len(lines))
    holders = [one for one in symbols if one is not None]
    own = {one.name for one in holders}
    parameters = tuple(one for one in _differing(corpus, cluster.fragments, words) if one not in own)
    is_same = cluster.kind in {"exact", "renamed"}
    if is_same and len(holders) == len(lines) and all(map(_is_whole, holders, lines)):
        return Extraction("keep", holders[0].qualname, parameters, saved)
    return Extraction("extract", _name(holders), parameters, saved)


def _is_whole(symbol: "SymbolRecord", lines: int) -> bool:
    is_function = symbol.kind in {"function", "method", "constructor"}
    return is_function and lines >= _NEARLY_ALL * (symbol.end_line - symbol.line + 1)


def _differing(corpus: Corpus, fragments: Sequence[Fragment], words: dict[int, bytes]) -> Iterable[str]:
    """The names and literals for which another stands in one of the other places, each once."""
    first, *others = (corpus.operands_of(one) for one in fragments[:_MOST_COMPARED])
    differing = dict.fromkeys(
        one
        for other in others
        if len(other) == len(first)
        for one, there in zip(first, other, strict=True)
        if one != there
    )
    found = [shorten(words[one].decode("utf-8", "replace"), _LONGEST) for one in differing if one in words]
    return found[:_MOST_PARAMETERS]


def _name(holders: Sequence["SymbolRecord"]) -> str:
    """A name of the words that the functions around the clones have in common, else one after the first."""
    if not holders:
        return "shared"
    named = [_words(one) for one in holders]
    common = [word for word in named[0] if all(word in other for other in named[1:])]
    is_own = len({one.qualname for one in holders}) == 1 or common == list(named[0])
    return _joined([*(common or named[0]), *(["part"] if is_own or not common else [])], holders[0].language)


def _words(symbol: "SymbolRecord") -> tuple[str, ...]:
    """The words of a name; a file is known by its name without the ending."""
    return split_words(symbol.name.partition(".")[0] if symbol.kind == "module" else symbol.name)


def _joined(words: Sequence[str], language: str | None) -> str:
    """A name as functions of the language are called."""
    if language not in _HUMPED:
        return "_".join(words)
    first, *rest = words
    return (first.capitalize() if language == _CAPITAL else first) + "".join(map(str.capitalize, rest))
