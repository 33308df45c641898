"""What C++ says before a name, by which it is another's: `Ui::Box` is no `::Box`, and `QWidget::event` none of a class below.

Known limits: names that `using` brings into a namespace are looked for in the bodies of namespaces alone.
"""

import re
from typing import TYPE_CHECKING, Final

from drift.analyses.usages.family import TYPE_KINDS, Family, enclosing_chain
from drift.analyses.usages.judging import Surroundings, find_receiver
from drift.analyses.usages.words import Word
from drift.index import FileId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_LANGUAGE: Final = "cpp"
_LOOK_BACK: Final = 200
_MOST_NAMED: Final = 200  # things called like what stands before a name
_SCOPES: Final = frozenset({"namespace", *TYPE_KINDS})
_DECLARING: Final = re.compile(rb"\b(?:class|struct|union|enum(?:\s{1,9}(?:class|struct))?)\s{1,9}\Z")


class Qualifiers:
    """What stands before a symbol's name where that means another, asked for once for each word."""

    def __init__(self, reader: "IndexReader", family: Family) -> None:
        self._reader = reader
        self._family = family
        self._is_asked = family.symbol.language == _LANGUAGE and family.symbol.kind != "constructor"
        whole = [one.qualname.split(".") for one in (*family.same, *family.related)]
        self._own = {part for names in whole for part in names[:-1]}
        self._around = {".".join(names[:-1]) for names in whole}
        self._known: dict[str, bool] = {}
        self._declared: dict[tuple[FileId, bytes], bool] = {}

    def mean_another(self, word: Word, around: Surroundings) -> bool:
        """Whether a word is the name of something else, by the namespace or class that it is said to be of."""
        if not self._is_asked or around.language != _LANGUAGE:
            return False
        before = around.content[max(word.offset - _LOOK_BACK, 0) : word.offset]
        receiver = find_receiver(before)
        if receiver is None:
            return self._is_declared_elsewhere(word, around, before)
        if not receiver or not before.rstrip().endswith(b"::"):
            return False
        said = receiver.decode("utf-8", "replace")
        if said not in self._known:
            self._known[said] = said not in self._own and self._is_of_others(said)
        return self._known[said] and not self._is_declared_in(around, receiver)

    def _is_declared_elsewhere(self, word: Word, around: Surroundings, before: bytes) -> bool:
        """Whether a class is declared ahead that is of another namespace: `namespace Ui { class Box; }`."""
        end = word.offset + len(self._family.symbol.name.encode())
        is_ahead = around.content[end : end + _LOOK_BACK].lstrip().startswith(b";")
        if not is_ahead or self._family.symbol.kind not in TYPE_KINDS or not _DECLARING.search(before):
            return False
        chain = enclosing_chain(around.symbols, word.offset)
        return bool(chain) and chain[0].kind in _SCOPES and chain[0].qualname not in self._around

    def _is_of_others(self, said: str) -> bool:
        named = self._reader.symbols.named(said, limit=_MOST_NAMED)
        if self._family.is_member:
            if not named:
                return True  # a class of others, unless the file declares it: a parameter of a template, another name
            return all(one.kind in TYPE_KINDS - {"type"} for one in named) and self._family.owners.isdisjoint(
                one.id for one in named
            )
        return bool(named) and all(one.kind == "namespace" for one in named) and not self._brings(said)

    def _brings(self, space: str) -> bool:
        """Whether the body of a namespace takes names from elsewhere, by `using`."""
        spaces = {one.id for one in self._reader.symbols.named(space, limit=_MOST_NAMED)}
        return any(
            one.symbol_id in spaces and one.module[:1] not in {'"', "<"}
            for file in {file_of_symbol(each) for each in spaces}
            for one in self._reader.facts.imports_of(file)
        )

    def _is_declared_in(self, around: Surroundings, name: bytes) -> bool:
        """Whether a file declares a name as a type: a parameter of a template, or another name of one."""
        key = (around.file_id, name)
        if key not in self._declared:
            self._declared[key] = _declaring(name).search(around.content) is not None
        return self._declared[key]


def _declaring(name: bytes) -> re.Pattern[bytes]:
    declared = rb"\b(?:class|typename|using)\s{1,9}%s\b|\btypedef\b[^;{}]{0,300}\b%s\s{0,9};" % (name, name)
    return re.compile(declared)
