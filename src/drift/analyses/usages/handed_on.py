"""Places that may hand a function on, beside its callers: whoever gets it there may call it, and no call is seen.

What it does: counts the uses that `references` takes for possible, and lines that name a function of a hook in the files
which call that; of a function that nothing calls also where it is known to be passed on.
Known limits: what a function is called by after it was handed on is not looked for.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from drift.analyses.graph_rows import shown_name
from drift.analyses.usages.references import References, find_references
from drift.analyses.usages.words import find_words
from drift.index import IndexReader, SymbolRecord, file_of_symbol
from drift.kernel.text import plural

_KINDS: Final = frozenset({"function", "method"})
_USES: Final = frozenset({"call", "value"})
_UNSURE: Final = frozenset({"likely", "possible"})
_MOST_EXAMPLES: Final = 3


def handed_on_warnings(
    reader: IndexReader, root: Path, symbol: SymbolRecord, called: Iterable[tuple[str, int]]
) -> tuple[str, ...]:
    """That a function may run where it is handed on: beside where it is `called`, the places no link is known for."""
    if symbol.kind not in _KINDS:
        return ()
    known = set(called)
    found = find_references(reader, root, symbol)
    named = [use for use in found.uses if use.file_id is not None and use.kind in _USES]
    given = _where_given(reader, found, symbol) if any(use.kind == "value" for use in named) else ()
    # Calls of a method's name that could not be placed are told apart from this.
    kinds = {"value"} if symbol.kind == "method" else _USES
    unsure = ((use.path, use.line) for use in named if use.certainty in _UNSURE and use.kind in kinds)
    places = [place for place in dict.fromkeys((*given, *unsure)) if place not in known]
    if not places and not known:
        places = list(dict.fromkeys((use.path, use.line) for use in named))
    if not places:
        return ()
    some = ", ".join(f"{path}:{line}" for path, line in places[:_MOST_EXAMPLES])
    said = f"{plural(len(places), 'more place')} may hand {shown_name(symbol)} on, whose calls are not told: {some}"
    return (f"{said}: drift references {symbol.path}:{symbol.line}",)


def _where_given(reader: IndexReader, found: References, symbol: SymbolRecord) -> Iterator[tuple[str, int]]:
    """Lines with its name in the other files that call the function it is written in, which may give it: a hook."""
    around = reader.symbols.get(symbol.parent_id) if symbol.parent_id is not None else None
    if around is None or around.kind not in _KINDS:
        return
    callers = reader.callers.places((around.id,), named=None)
    files = {file_of_symbol(one.caller_id) for one in callers} - {file_of_symbol(symbol.id)}
    texts = (text for text in found.texts if text.file_id in files)
    maker = around.name.encode()
    for one in find_words(texts, symbol.name) if files else ():
        for word in one.words:
            if maker not in one.line_of(word):  # where it is taken from what the function gives
                yield one.text.path, word.line
