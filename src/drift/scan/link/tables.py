"""The facts of one file, arranged so that names, members and returns are found without search."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from drift.languages.facts import Expression, FileFacts, Symbol
from drift.scan.link.values import FILE_SHIFT

CLASS_KINDS: Final = frozenset({"class", "interface", "trait", "struct", "enum", "type"})
FUNCTION_KINDS: Final = frozenset({"function", "method", "constructor", "property", "macro"})
SPACE_KINDS: Final = frozenset({"module", "namespace"})
VALUE_KINDS: Final = frozenset({"field", "constant", "variable"})

Given = tuple[Expression, int]
"""An expression and the scope it stands in."""


class Definition(NamedTuple):
    """One thing a name means in a scope: a symbol, an import or a parameter by number, or a value."""

    kind: str  # symbol, import, parameter, value
    number: int = 0
    value: Expression = None
    type: Expression = None


class LateStore(NamedTuple):
    """A member given to an object whose class only analysis can tell."""

    scope: int
    receiver: Expression
    name: str
    value: Expression


class FileTable:
    """One file. Scopes and symbols are numbered in the project: the file's number in front of their own."""

    def __init__(self, file: int, path: str, facts: FileFacts) -> None:
        self.file = file
        self.path = path
        self.facts = facts
        self.symbols = facts.symbols
        self.first = file << FILE_SHIFT
        self.names: list[dict[str, list[Definition]]] = [{} for _ in facts.symbols]
        self.stars: dict[int, list[int]] = {}
        self.returns: dict[int, list[Expression]] = {}
        self.yields: dict[int, list[Expression]] = {}
        self.decorations: dict[int, list[int]] = {}
        self.fields: dict[int, dict[str, list[Given]]] = {}
        self.late_stores: list[LateStore] = []
        self.spaces = [0, *(n for n, symbol in enumerate(facts.symbols) if symbol.kind == "namespace")]
        self._note_symbols()
        self._note_imports()
        self._note_bindings()
        self._note_returns()
        self._note_stores()
        self._note_decorations()

    def parent_of(self, number: int) -> int:
        return self.symbols[number].parent

    def class_around(self, number: int) -> int | None:
        """The class whose body or method a scope is in, or is."""
        symbols = self.symbols
        while number:
            if symbols[number].kind in CLASS_KINDS:
                return number
            number = symbols[number].parent
        return None

    def method_around(self, number: int) -> int | None:
        """The function that stands directly in a class and that a scope is in, or is."""
        symbols = self.symbols
        while number:
            symbol = symbols[number]
            if symbol.kind in CLASS_KINDS:
                return None
            if symbol.kind in FUNCTION_KINDS and symbol.parent and symbols[symbol.parent].kind in CLASS_KINDS:
                return number
            number = symbol.parent
        return None

    def defines(self, name: str) -> list[int]:
        """The outermost scopes of the file, itself and its namespaces, that define a name."""
        return [self.first + number for number in self.spaces if name in self.names[number]]

    def _define(self, scope: int, name: str, definition: Definition) -> None:
        self.names[scope].setdefault(name, []).append(definition)

    def _note_symbols(self) -> None:
        for number, symbol in enumerate(self.symbols):
            if number and not symbol.name.startswith("<"):
                self._define(symbol.parent, symbol.name, Definition("symbol", number))
            for place, parameter in enumerate(symbol.parameters):
                self._define(number, parameter.name, Definition("parameter", place))
        self._drop_overloads()

    def _drop_overloads(self) -> None:
        """Forget signatures that only describe the function that follows under the same name."""
        overloaded = {
            (symbol.parent, symbol.name) for symbol in self.symbols if "overload" in symbol.modifiers
        }
        for parent, name in overloaded:
            definitions = self.names[parent][name]
            real = [
                definition
                for definition in definitions
                if definition.kind != "symbol" or "overload" not in self.symbols[definition.number].modifiers
            ]
            self.names[parent][name] = real or definitions

    def _note_imports(self) -> None:
        for number, found in enumerate(self.facts.imports):
            if found.name == "*":
                self.stars.setdefault(found.scope, []).append(number)
            if found.alias:
                self._define(found.scope, found.alias, Definition("import", number))

    def _note_bindings(self) -> None:
        for scope, name, value, _line, declared in self.facts.bindings:
            if value is not None or declared is not None or name not in self.names[scope]:
                self._define(scope, name, Definition("value", 0, value, declared))

    def _note_returns(self) -> None:
        for scope, value, _line, is_yield in self.facts.returns:
            if value is not None:
                (self.yields if is_yield else self.returns).setdefault(scope, []).append(value)

    def _note_stores(self) -> None:
        for scope, receiver, name, value, _line in self.facts.stores:
            if receiver is None:
                continue
            owner = self.class_around(scope) if receiver[0] == "this" else None
            if owner is None:
                if value is not None and receiver[0] != "this":
                    self.late_stores.append(LateStore(self.first + scope, receiver, name, value))
            else:
                fields = self.fields.setdefault(owner, {})
                fields.setdefault(name, []).append((value, self.first + scope))

    def _note_decorations(self) -> None:
        for number, call in enumerate(self.facts.calls):
            if call.kind != "decorator" or not call.arguments:
                continue
            decorated: Any = call.arguments[0][1]
            if decorated is not None and decorated[0] == "symbol":
                self.decorations.setdefault(decorated[1], []).append(number)


def is_class(symbol: Symbol) -> bool:
    return symbol.kind in CLASS_KINDS


def is_function(symbol: Symbol) -> bool:
    return symbol.kind in FUNCTION_KINDS
