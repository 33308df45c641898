"""The classes, functions and methods of the product, by what texts name them."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import reached_from
from drift.analyses.running.spelling import Spelling
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.spelled_queries import NamedCode

_STEP: Final = re.compile(r"::|\\")


class NamedCodes:
    """The classes, functions and methods of the product by their names."""

    def __init__(self, reader: "IndexReader", languages: Iterable[str]) -> None:
        self._by_kind: dict[tuple[str, str], dict[str, list[NamedCode]]] = defaultdict(dict)
        self._constructors: dict[SymbolId, SymbolId] = {}
        self._members: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        self._owners: dict[SymbolId, SymbolId | None] = {}
        self._found: dict[tuple[str, str, str], list[SymbolId]] = {}
        for one in reader.spelled.code(languages):
            self._by_kind[one.language, one.kind].setdefault(one.name, []).append(one)
            self._owners[one.id] = one.parent_id
            if one.parent_id is not None and one.kind == "constructor":
                self._constructors[one.parent_id] = one.id
            elif one.parent_id is not None and one.kind == "method" and one.is_public:
                self._members[one.parent_id].append(one.id)
        self._kin: dict[SymbolId, set[SymbolId]] = defaultdict(set)
        for child, parent, _ in reader.running.parents():
            if parent is not None:
                self._kin[parent].add(child)
                self._kin[child].add(parent)

    def fitting(self, language: str, kind: str, spelling: Spelling) -> list[SymbolId]:
        """All of a kind that a text may spell; of a class with what makes it."""
        key = language, kind, spelling.whole_pattern()
        if key not in self._found:
            found = self._look(language, kind, spelling)
            self._found[key] = self.made(found) if kind == "class" else found
        return self._found[key]

    def of_family(self, methods: Iterable[SymbolId], owner: SymbolId) -> list[SymbolId]:
        """Those of the methods that a class has, or one that it is related to."""
        family = reached_from(owner, self._kin)
        return [one for one in methods if self._owners.get(one) in family]

    def made(self, classes: Iterable[SymbolId]) -> list[SymbolId]:
        """The classes with what runs when they are made."""
        return [each for one in classes for each in (one, self._constructors.get(one)) if each is not None]

    def members(self, owner: SymbolId) -> list[SymbolId]:
        """The public methods of a class."""
        return self._members.get(owner, [])

    def named(self, language: str, text: str) -> list[SymbolId]:
        """The class that a text names in full, or the only one of a name of several words."""
        parts = [part for part in _STEP.split(text) if part]
        alike = self._by_kind[language, "class"].get(parts[-1], ())
        if len(parts) > 1:
            ending = "." + ".".join(parts)
            return [one.id for one in alike if f".{_full_name(one)}".endswith(ending)]
        return [one.id for one in alike] if len(alike) == 1 else []

    def _look(self, language: str, kind: str, spelling: Spelling) -> list[SymbolId]:
        name, whole = re.compile(spelling.pattern()), re.compile(spelling.whole_pattern())
        is_within = kind != "method" and len(spelling.parts) > 1
        return [
            one.id
            for named, alike in self._by_kind[language, kind].items()
            if name.fullmatch(named)
            for one in alike
            if not is_within or whole.fullmatch(_full_name(one))
        ]


def _full_name(code: "NamedCode") -> str:
    return f"{code.package}\\{code.qualname}".replace("\\", ".") if code.package else code.qualname
