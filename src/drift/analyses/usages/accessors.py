"""Uses of a field through methods that a tool writes for it: `order.setTotal(1)` is one of `total` where Lombok is."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from drift.analyses.usages.texts import Text, Texts
from drift.analyses.usages.words import Word, WordedText, find_words
from drift.index.ids import FileId
from drift.index.records import SymbolRecord
from drift.index.usage_queries import CallUse

_PREFIXES: Final = ("get", "is", "set")
_OF: Final = frozenset({"java"})


def accessor_names(symbol: SymbolRecord) -> dict[str, str]:
    """What methods that are written for a field are called, each with what stands before the field's name."""
    if symbol.kind != "field" or symbol.language not in _OF:
        return {}
    return {f"{prefix}{_raised(symbol.name)}": prefix for prefix in _PREFIXES}


def find_accessors(
    calls: Iterable[CallUse], symbol: SymbolRecord, texts: Texts
) -> Iterator[tuple[WordedText, Word, str]]:
    """Where calls of the field name such a method: the text, the place, and the method."""
    names = accessor_names(symbol)
    lines: dict[str, dict[FileId, set[int]]] = defaultdict(lambda: defaultdict(set))
    for one in calls if names else ():
        name = (one.text or "").rpartition(".")[2]
        if name in names:
            lines[name][one.file_id].add(one.line)
    for name, places in lines.items():
        in_files: Iterable[Text] = (text for text in texts if text.file_id in places)
        for found in find_words(in_files, name):
            file = found.text.file_id
            for word in found.words:
                if file is not None and word.line in places[file] and found.regions.at(word.offset) is None:
                    yield found, word, name


def renamed_accessor(written: str, symbol: SymbolRecord, new_name: str) -> str:
    """What a method is called that is written for the field, once that has another name."""
    return f"{accessor_names(symbol)[written]}{_raised(new_name)}"


def _raised(name: str) -> str:
    return f"{name[:1].upper()}{name[1:]}"
