"""Names as they are searched: parseHTTPRequest is also parse, http and request."""

from functools import lru_cache
from typing import Final

from drift.index.ids import SymbolId
from drift.index.rows import SearchRow
from drift.kernel.words import WORD, split_parts

_LONGEST_SPLIT: Final = 300
_MOST_QUERY_WORDS: Final = 12
_LONGEST_QUERY: Final = 500


@lru_cache(maxsize=4096)  # the same classes and methods are named again and again
def searched_words(name: str) -> str:
    """The words of a name: as it is without separators, and where that differs its parts."""
    start = name[:_LONGEST_SPLIT]
    letters = start.replace("_", "")
    # Most names are like this, and patterns take several times as long.
    if letters.isascii() and letters.isalnum() and letters.islower():
        return " ".join(dict.fromkeys((letters, *filter(None, start.split("_")))))
    words = WORD.findall(start)
    parts = split_parts(start)
    whole = "".join(words)
    found = [whole] if [whole] == parts else [whole, *words, *parts]
    return " ".join(dict.fromkeys(word.lower() for word in found if word))


def search_row(symbol: SymbolId, *, kind: str, name: str, qualname: str, path: str, doc: str) -> SearchRow:
    """What is searched of a symbol."""
    return SearchRow._make(search_values(symbol, kind=kind, name=name, qualname=qualname, path=path, doc=doc))


def search_values(
    symbol: int, *, kind: str, name: str, qualname: str, path: str, doc: str
) -> tuple[int, str, str, str, str]:
    """The values of a search row; the path counts for the file alone, or each symbol would match it."""
    container = qualname[: -len(name)].rstrip(".") if name and qualname.endswith(name) else qualname
    path_words = searched_words(path) if kind == "module" else ""
    return symbol, searched_words(name), searched_words(container), path_words, doc


def search_expressions(query: str) -> tuple[str, ...]:
    """The query as FTS5 expressions, the stricter first: every word's beginning, then any; none without a word.

    Whatever the query holds, only letters and digits in quotes come out, so it cannot be an operator.
    """
    words = WORD.findall(query[:_LONGEST_QUERY].lower())
    asked = [f'"{word}"*' for word in dict.fromkeys(words)][:_MOST_QUERY_WORDS]
    return tuple(dict.fromkeys((" ".join(asked), " OR ".join(asked)))) if asked else ()
