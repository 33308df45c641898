"""The facts of one file, arranged so that names, members and returns are found without search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

from drift.languages.enclosure import outer_scopes
from drift.languages.expressions import Expression
from drift.languages.facts import FileFacts, Symbol
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.call_sites import calls_of, calls_with, filled_name, last_name
from drift.scan.link.destination_form import Destination
from drift.scan.link.languages.files import file_semantics_of
from drift.scan.link.values import FILE_SHIFT, Values
from drift.scan.link.written_objects import WrittenObject, written_objects

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


FILLING: Final = {
    "append": 0, "add": 0, "appendleft": 0, "push": 0, "unshift": 0, "insert": 1, "setdefault": 1,
    "__setitem__": 1, "set": 1, "put": 1, "offer": 0, "enqueue": 0, "addLast": 0, "addFirst": 0, "Add": 0,
    "extend": -1, "update": -1, "addAll": -1, "AddRange": -1, "putAll": -1,
}  # fmt: skip
"""Methods that put an argument into a container, with its place; -1 where all it holds is put in."""


Path = tuple[str | None, ...]
"""The keys from a literal to what is written inside it; None for an element of a list."""

Held = tuple[int, int, Path]
"""A call, the place of an argument, and the way from there to what it holds."""

_MOST_HELD_LEVELS: Final = 4


class FileTable:
    """One file. Scopes and symbols are numbered in the project: the file's number in front of their own."""

    def __init__(self, file: int, path: str, facts: FileFacts) -> None:
        self.file = file
        self.path = path
        self.facts = facts
        self.file_semantics = file_semantics_of(facts.language)
        self.symbols = facts.symbols
        self.first = file << FILE_SHIFT
        self.interface_keys: list[int] = [0] * len(facts.symbols)
        self.stars_key = 0
        self.body_keys: list[int] = [0] * len(facts.symbols)
        self.names_keys: dict[int, int] = {}
        self.name_keys: dict[tuple[int, str], int] = {}
        self.other_keys: dict[tuple[Any, str], int] = {}
        # Found once for all who ask, with the keys read for it: what names are, where imports lead, what `this` is.
        self.searches: dict[tuple[int, str], Any] = {}
        self.destinations: dict[int, tuple[Destination, tuple[int, ...]]] = {}
        self.objects: dict[int, tuple[Values, int]] = {}
        self.plain_stars: tuple[list[Values] | None, tuple[int, ...]] | None = None
        self.sight: Any = None  # what the file includes, once someone asked
        self.extending_spaces: tuple[tuple[str, ...], tuple[int, ...]] | None = None
        self.names: list[dict[str, list[Definition]]] = [{} for _ in facts.symbols]
        self.stars: dict[int, list[int]] = {}
        self.returns: dict[int, list[Expression]] = {}
        self.yields: dict[int, list[Expression]] = {}
        self.decorations: dict[int, list[int]] = {}
        self.fields: dict[int, dict[str, list[Given]]] = {}
        self.late_stores: dict[str, list[LateStore]] = {}
        self.spaces = [0, *(n for n, symbol in enumerate(facts.symbols) if symbol.kind == "namespace")]
        if not self.file_semantics.are_namespaces_flat:
            self.spaces = [0]
        self._note_symbols()
        self._note_imports()
        self._note_bindings()
        self._note_returns()
        self._note_stores()
        self._note_decorations()

    def forget_others(self) -> None:
        """Forget what was found in other files, which may have changed; what rests on this one alone is kept."""
        self.destinations.clear()
        self.objects.clear()
        self.plain_stars = self.sight = self.extending_spaces = None

    def class_around(self, number: int) -> int | None:
        """The class whose body or method a scope is in, or is."""
        symbols = self.symbols
        while number:
            if symbols[number].kind in TYPE_KINDS:
                return number
            number = symbols[number].parent
        return None

    def method_around(self, number: int) -> int | None:
        """The function that stands directly in a class and that a scope is in, or is."""
        symbols = self.symbols
        while number:
            symbol = symbols[number]
            if symbol.kind in TYPE_KINDS:
                return None
            if symbol.kind in CODE_KINDS and symbol.parent and symbols[symbol.parent].kind in TYPE_KINDS:
                return number
            number = symbol.parent
        return None

    def defines(self, name: str) -> list[int]:
        """The outermost scopes of the file, itself and its namespaces, that define a name."""
        return [self.first + number for number in self.spaces if name in self.names[number]]

    @cached_property
    def identities(self) -> list[str]:
        """What each symbol is called in the file, also after others have come or gone: `Class.method`.

        Of several with one name the second is `name#1`, and so on.
        """
        counts: dict[tuple[int, str], int] = {}
        found = [""]
        for symbol in self.symbols[1:]:
            place = (symbol.parent, symbol.name)
            count = counts[place] = counts.get(place, -1) + 1
            name = f"{symbol.name}#{count}" if count else symbol.name
            outer = found[symbol.parent]
            found.append(f"{outer}.{name}" if outer else name)
        return found

    @cached_property
    def other_blocks(self) -> dict[int, list[int]]:
        """For each namespace that is opened several times in the file its other blocks."""
        paths: dict[int, str] = {0: ""}
        blocks: dict[str, list[int]] = {}
        for number in self.spaces[1:]:
            symbol = self.symbols[number]
            path = paths[number] = f"{paths.get(symbol.parent, '')}::{symbol.name}"
            if "macro" not in symbol.modifiers:
                blocks.setdefault(path, []).append(number)
        return {
            one: [other for other in numbers if other != one]
            for numbers in blocks.values()
            if len(numbers) > 1
            for one in numbers
        }

    @cached_property
    def outer_scopes(self) -> dict[int, int]:
        """What methods stand in that do not stand in what they belong to, which only scripts can write."""
        return outer_scopes(self.symbols) if self.file_semantics.has_nameless_objects else {}

    @cached_property
    def written_objects(self) -> dict[int, WrittenObject]:
        """The object literal that a function is a member of, where it is given back or handed on; only scripts ask."""
        return written_objects(self.facts)

    @cached_property
    def units(self) -> list[int]:
        """For each symbol the outermost function it is in or is; 0 where it is in none."""
        found = [0]
        for number, symbol in enumerate(self.symbols[1:], 1):
            outer = found[symbol.parent]
            found.append(outer or (number if symbol.kind in CODE_KINDS else 0))
        return found

    @cached_property
    def calls_of(self) -> dict[str | tuple[int, str], list[int]]:
        """The calls of what has a name that a function or class of the file has, or of what a call gave back.

        Calls of what has a name of their own scope only, such as a parameter, are under the scope and the name;
        those that the language itself makes of a closure it is given, under the number of the closure and no name.
        """
        return calls_of(self.facts, self.names, closures=self.file_semantics.calls_given_closures)

    @cached_property
    def calls_on(self) -> dict[str, list[int]]:
        """The calls of methods that put something into what has a name, or into a member of that name."""
        found: dict[str, list[int]] = {}
        for number, call in enumerate(self.facts.calls):
            callee = call.callee
            if callee is not None and callee[0] == "member" and callee[2] in FILLING and call.arguments:
                name = last_name(filled_name(callee[1])[0])
                if name is not None:
                    found.setdefault(name, []).append(number)
        return found

    @cached_property
    def calls_holding(self) -> dict[int, list[Held]]:
        """Where functions are written inside object and list literals that calls are given, by their number."""
        found: dict[int, list[Held]] = {}
        for number, call in enumerate(self.facts.calls):
            for place, (_, value) in enumerate(call.arguments):
                if value is not None and value[0] in {"dict", "list"}:
                    for held, path in _held_functions(value, ()):
                        found.setdefault(held, []).append((number, place, path))
        return found

    @cached_property
    def calls_by_text(self) -> dict[str, list[int]]:
        """The calls of the file by what is called, as it is written."""
        found: dict[str, list[int]] = {}
        for number, call in enumerate(self.facts.calls):
            found.setdefault(call.text, []).append(number)
        return found

    @cached_property
    def calls_with(self) -> dict[int | str, list[int]]:
        """The calls that are given a function: by its number where it is written there, else by its name."""
        return calls_with(self.facts)

    @cached_property
    def outside_methods(self) -> dict[str, list[int]]:
        return outside_methods(self.facts)

    def _define(self, scope: int, name: str, definition: Definition) -> None:
        self.names[scope].setdefault(name, []).append(definition)

    def _is_nameless(self, symbol: Symbol) -> bool:
        """Whether a symbol is a member of an object nobody named: in a script that gives its scope no name."""
        return (
            symbol.kind in {"method", "property"}
            and self.file_semantics.has_nameless_objects
            and (not symbol.parent or self.symbols[symbol.parent].kind in CODE_KINDS)
        )

    def _note_symbols(self) -> None:
        for number, symbol in enumerate(self.symbols):
            if number and not symbol.name.startswith("<") and not self._is_nameless(symbol):
                self._define(symbol.parent, symbol.name, Definition("symbol", number))
            for place, parameter in enumerate(symbol.parameters):
                self._define(number, parameter.name, Definition("parameter", place))
        for number in self.file_semantics.open_constants(self.facts):
            around = self.symbols[self.symbols[number].parent].parent
            self._define(around, self.symbols[number].name, Definition("symbol", number))
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
                if found.scope and found.alias.endswith(")"):
                    # `import("./y")` means the same wherever what it gave is used.
                    self._define(0, found.alias, Definition("import", number))

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
                    self.late_stores.setdefault(name, []).append(
                        LateStore(self.first + scope, receiver, name, value)
                    )
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


def _held_functions(value: Expression, path: Path) -> Iterator[tuple[int, Path]]:
    if value is None or len(path) > _MOST_HELD_LEVELS:
        return
    if value[0] == "symbol" and path:
        yield value[1], path
    elif value[0] == "dict":
        for key, part in value[1:]:
            if key is not None:
                yield from _held_functions(part, (*path, key))
    elif value[0] == "list":
        for part in value[1:]:
            yield from _held_functions(part, (*path, None))


def is_outside_method(facts: FileFacts, number: int) -> bool:
    """Whether a symbol is a method that stands outside its class, which the type of its receiver names."""
    symbol = facts.symbols[number]
    if symbol.kind == "function":
        return _is_fixture_test(symbol)
    if symbol.kind not in {"method", "constructor"} or facts.symbols[symbol.parent].kind in TYPE_KINDS:
        return False
    if symbol.parameters and symbol.parameters[0].kind == "receiver":
        return True
    return "impl" in facts.symbols[symbol.parent].modifiers


def named_owner(symbol: Symbol, holder: Symbol) -> Expression:
    """How a method that stands outside its class names it: in its receiver, or what holds it does (Rust's `impl`)."""
    if symbol.kind == "function":
        return symbol.value_type
    if "impl" in holder.modifiers:
        return next((base.type for base in holder.bases if base.kind == "extends"), None)
    return symbol.parameters[0].type


def _is_fixture_test(symbol: Symbol) -> bool:
    """Whether a function is what a macro such as `TEST_F` makes a method of a test fixture: its value's type."""
    return symbol.value_type is not None and "test" in symbol.modifiers


def outside_methods(facts: FileFacts) -> dict[str, list[int]]:
    """The methods that stand outside their class, by the name of the class."""
    found: dict[str, list[int]] = {}
    for number, symbol in enumerate(facts.symbols):
        if is_outside_method(facts, number):
            name = last_name(named_owner(symbol, facts.symbols[symbol.parent]))
            if name is not None:
                found.setdefault(name, []).append(number)
    return found
