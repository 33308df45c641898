"""Places that name a class by a part of its name: `[Guarded]` in C# is of `GuardedAttribute`.

Only those count from which a link was made: the short word alone is nobody's name.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from drift.analyses.usages.family import TYPE_KINDS
from drift.analyses.usages.links import Links
from drift.analyses.usages.texts import Text
from drift.analyses.usages.words import Word, WordedText, find_words
from drift.index import SymbolRecord

_ENDINGS: Final = {"csharp": "Attribute"}
"""What the names of types may be written without, by language."""
_BEFORE: Final = re.compile(rb"[\w.:]*")  # what stands before the last part of a name


def short_name(symbol: SymbolRecord, name: str | None = None) -> str | None:
    """What the symbol, be it under a new name, may be called for short; None where nothing shorter names it."""
    name = symbol.name if name is None else name
    ending = _ENDINGS.get(symbol.language or "")
    if ending is None or symbol.kind not in TYPE_KINDS or not name.endswith(ending):
        return None
    return name.removesuffix(ending) or None


def find_short_uses(
    texts: Iterable[Text], symbol: SymbolRecord, links: Links
) -> Iterator[tuple[WordedText, Word]]:
    """The places where a link to the symbol was made from its short name."""
    short = short_name(symbol)
    if short is None:
        return
    for one in find_words((text for text in texts if text.language == symbol.language), short):
        file = one.text.file_id
        named = {
            (each.line, each.column)
            for each in (links.of(file).references if file is not None else ())
            if each.kind == "type" and links.leads(each.target_id) == "here"
        }
        by_line: dict[int, list[int]] = {}
        for line, column in named:
            by_line.setdefault(line, []).append(column)
        for word in one.words:
            if any(_is_one_name(one, word, column) for column in by_line.get(word.line, ())):
                yield one, word


def _is_one_name(one: WordedText, word: Word, column: int) -> bool:
    """Whether the word ends the name that begins in a column of its line."""
    start = word.offset - word.column
    between = one.text.content[start + column : word.offset] if column <= word.column else None
    return between is not None and (
        not between or (between.endswith((b".", b":")) and _BEFORE.fullmatch(between) is not None)
    )
