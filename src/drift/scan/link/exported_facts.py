"""What a file provides to the linking of others, piece by piece: a key and what it comes to, as a number.

Two states of a file are compared by these: the keys whose numbers differ are what has changed for others. Lines
and columns are not in it, nor are calls that feed no value, so most edits inside a function change nothing.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any, Final, NamedTuple, cast

from drift.languages.expressions import Expression
from drift.languages.facts import COMPUTED, SETTING, FileFacts
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.file_semantics import Piece
from drift.scan.link.handlers import dispatches, handlings
from drift.scan.link.keys import (
    GLOBAL_FUNCTIONS,
    accessor_key,
    around_key,
    body_key,
    calls_key,
    exports_key,
    fixture_key,
    handling_key,
    interface_key,
    members_key,
    method_key,
    name_key,
    package_key,
    receiver_key,
    space_key,
    stars_key,
    stores_key,
    type_key,
)
from drift.scan.link.languages.files import file_semantics_of
from drift.scan.link.tables import Definition, FileTable, outside_methods

_FALLEN_BACK_TO: Final = frozenset({"constant", "function"})  # from any namespace; classes are not
_MOST_LEVELS: Final = 60
_BRACKETS: Final = (">", "]")
_PLAIN_FORMS: Final = frozenset({"name", "literal", "this", "super"})


class ExportedFacts(NamedTuple):
    """What a file provides: pieces that are asked for by its path, and those asked of the whole project."""

    own: dict[int, int]
    shared: dict[int, int]


def exported_facts(path: str, facts: FileFacts) -> ExportedFacts:
    """What a file provides, of its facts as linking reads them."""
    pieces = _Pieces(path, FileTable(0, path, facts))
    return ExportedFacts(_digests(pieces.own()), _digests(pieces.shared()))


def shared_keys_of(path: str, facts: FileFacts) -> set[int]:
    """The keys of what a file provides to the whole project, which costs a fraction of all it provides."""
    return {key for key, _ in _shared_pieces(path, facts, [""] * len(facts.symbols))}


def _digests(pieces: Iterable[Piece]) -> dict[int, int]:
    found: dict[int, int] = {}
    for key, content in pieces:
        # Of two pieces with one key a change of either counts.
        found[key] = found.get(key, 0) ^ digest(content)
    return found


def digest(content: Any) -> int:
    """A number for a value made of plain tuples and texts, the same in every process."""
    # Version 2 of marshal writes equal values as equal bytes; later ones mark what is shared in memory.
    return int.from_bytes(blake2b(marshal.dumps(content, 2), digest_size=4).digest(), "little")


def _space_keys(language: str, separator: str, spaces: Iterable[str]) -> Iterator[int]:
    """Each of the namespaces that a file declares, and those around them, once."""
    around: set[str] = set()
    for space in spaces:
        yield package_key(language, space)
        parts = space.split(separator) if space else []
        around.update(separator.join(parts[:count]) for count in range(1, len(parts) + 1))
    for space in around:
        yield around_key(language, space)


def _shared_pieces(path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
    """What is asked of the whole project; no more of the file is looked at than its symbols, imports and bindings."""
    language, package = facts.language, facts.package
    rules = file_semantics_of(language)
    space = rules.space_of(path, package)
    spaces = {0, *(number for number, symbol in enumerate(facts.symbols) if symbol.kind == "namespace")}
    opened = rules.namespaces(facts)
    sees_all = rules.shares_functions(facts, opened)
    for key in _space_keys(language, rules.separator, {package, *opened.values()}):
        yield key, path
    for number, symbol in enumerate(facts.symbols[1:], 1):
        place = (path, identities[number], symbol.kind, package, *rules.linkage(symbol))
        if symbol.parent in spaces:
            own_space = opened.get(symbol.parent, space)
            yield space_key(language, own_space, symbol.name), place
            if sees_all and not own_space and symbol.kind in _FALLEN_BACK_TO:
                yield space_key(language, GLOBAL_FUNCTIONS, symbol.name), place
        if symbol.kind in TYPE_KINDS:
            yield type_key(language, symbol.name), place
        elif symbol.kind in {"method", "property"} or (rules.exports_fields and symbol.kind == "field"):
            name = symbol.name + SETTING if "setter" in symbol.modifiers else symbol.name
            yield method_key(language, name), place
        elif COMPUTED in symbol.modifiers:
            yield accessor_key(language, symbol.name), place
        for handled in handlings(symbol, dispatches(rules.frameworks)) if rules.frameworks else ():
            yield handling_key(language, handled.name.rpartition(".")[2]), place
    yield from rules.shared_imports(path, facts)
    yield from rules.mixed_members(path, facts, identities)
    for name, numbers in outside_methods(facts).items():
        yield receiver_key(language, name), (path, [identities[number] for number in numbers])


class _Pieces:
    def __init__(self, path: str, table: FileTable) -> None:
        self._path = path
        self._table = table
        self._facts = table.facts
        self._deep: int | None = None

    def own(self) -> Iterator[Piece]:
        yield from self._interfaces()
        yield from self._names()
        yield from self._bodies()
        yield from self._calls()
        for name, stores in self._table.late_stores.items():
            content = [
                (self._unit(store.scope), self._form(store.receiver), self._form(store.value))
                for store in stores
            ]
            yield stores_key(self._path, name), content
        if self._table.stars:
            starred = [
                (scope, self._facts.imports[number].module)
                for scope, numbers in self._table.stars.items()
                for number in numbers
            ]
            yield stars_key(self._path), starred
        exported = [
            (name, self._form(receiver), self._form(value))
            for scope, receiver, name, value, _ in self._facts.stores
            if not scope and receiver in (("name", "exports"), ("name", "module"))
        ]
        if exported:
            yield exports_key(self._path), exported
        for name, found in self._table.file_semantics.fixtures(self._facts).items():
            yield fixture_key(self._path, name), [self._table.identities[number] for number, _ in found]

    def shared(self) -> Iterator[Piece]:
        return _shared_pieces(self._path, self._facts, self._table.identities)

    def _interfaces(self) -> Iterator[Piece]:
        table = self._table
        for number, symbol in enumerate(table.symbols):
            holder = table.symbols[symbol.parent]
            content = (
                symbol.kind,
                symbol.name,
                (holder.kind, "impl" in holder.modifiers),  # by which it is a member, and stands in its class
                symbol.visibility,
                symbol.modifiers,
                symbol.signature,
                tuple(
                    (one.name, one.kind, one.type_text, self._form(one.type), one.default_text)
                    for one in symbol.parameters
                ),
                symbol.return_text,
                self._form(symbol.return_type),
                self._form(symbol.value_type),
                tuple((base.kind, base.text, self._form(base.type)) for base in symbol.bases),
                tuple(one.name for one in symbol.decorators),
                table.file_semantics.used_fixtures(symbol),
                tuple(self._form(("result", call)) for call in table.decorations.get(number, ())),
            )
            yield interface_key(self._path, table.identities[number]), content

    def _names(self) -> Iterator[Piece]:
        """Of the file, its namespaces and its classes; the names of functions are in their bodies."""
        table = self._table
        if len(table.spaces) > 1:
            yield members_key(self._path, ""), [table.identities[number] for number in table.spaces]
        for scope, names in enumerate(table.names):
            if table.units[scope]:
                continue
            identity = table.identities[scope]
            fields = table.fields.get(scope, {})
            for name in {**names, **fields}:
                content = (
                    [self._definition(one) for one in names.get(name, ())],
                    [(self._unit(at), self._form(value)) for value, at in fields.get(name, ())],
                )
                yield name_key(self._path, identity, name), content
            if table.symbols[scope].kind in TYPE_KINDS:
                yield members_key(self._path, identity), [(name, len(found)) for name, found in names.items()]

    def _definition(self, definition: Definition) -> Any:
        if definition.kind == "symbol":
            return "symbol", self._table.identities[definition.number]
        if definition.kind == "import":
            found = self._facts.imports[definition.number]
            return "import", found.module, found.name, found.is_reexport
        return definition.kind, self._form(definition.value), self._form(definition.type)

    def _bodies(self) -> Iterator[Piece]:
        """What the functions bind and give back, each with those inside it."""
        table = self._table
        bodies: dict[int, list[Any]] = {unit: [] for unit in set(table.units) if unit}
        for scope, names in enumerate(table.names):
            if table.units[scope]:
                bodies[table.units[scope]].append(
                    (
                        table.identities[scope],
                        [(name, [self._definition(one) for one in found]) for name, found in names.items()],
                        [self._form(value) for value in table.returns.get(scope, ())],
                        [self._form(value) for value in table.yields.get(scope, ())],
                        [
                            (name, [(self._unit(at), self._form(value)) for value, at in given])
                            for name, given in table.fields.get(scope, {}).items()
                        ],
                    )
                )
        for unit, content in bodies.items():
            yield body_key(self._path, table.identities[unit]), content

    def _calls(self) -> Iterator[Piece]:
        table = self._table
        for name, numbers in table.calls_of.items():
            word = name if isinstance(name, str) else f"{table.identities[name[0]]}({name[1]}"
            yield calls_key(self._path, word), self._sites(numbers)
        for name, numbers in table.calls_on.items():
            yield calls_key(self._path, f"{name}."), self._sites(numbers)
        for given, numbers in table.calls_with.items():
            name = table.symbols[given].name if isinstance(given, int) else given
            yield calls_key(self._path, f"({name}"), self._sites(numbers)

        if table.file_semantics.types_held_functions:
            for held, places in table.calls_holding.items():
                name = table.symbols[held].name
                yield calls_key(self._path, f"{{{name}"), self._sites(number for number, _, _ in places)

    def _sites(self, numbers: Iterable[int]) -> list[Any]:
        calls = self._facts.calls
        return [(self._unit(calls[number].scope), self._form(("result", number))) for number in numbers]

    def _unit(self, scope: int) -> str:
        return self._table.identities[scope]

    def _form(self, expression: Expression, levels: int = _MOST_LEVELS) -> Any:
        """An expression without numbers, which change when something is put before: calls are written out."""
        form = expression
        if form is None or form[0] in _PLAIN_FORMS:
            return form
        if not levels:
            return self._whole()
        if form[0] == "symbol":
            return "symbol", self._table.identities[form[1]]
        if form[0] == "result":
            call = self._facts.calls[form[1]]
            arguments = tuple((keyword, self._form(value, levels - 1)) for keyword, value in call.arguments)
            written = call.text if call.text[-1:] in _BRACKETS else ""  # with type arguments
            return "result", self._form(call.callee, levels - 1), arguments, written
        if form[0] == "dict":
            return "dict", tuple((key, self._form(value, levels - 1)) for key, value in form[1:])
        return tuple(
            self._form(part, levels - 1) if isinstance(part, tuple) else part
            for part in cast("tuple[Any, ...]", form)
        )

    def _whole(self) -> int:
        """Stands for what is nested too deep to be written out: any change of the file is one of it."""
        if self._deep is None:
            self._deep = hash_of(self._facts)
        return self._deep


def hash_of(facts: FileFacts) -> int:
    """A number for all that calls and values of a file say."""
    plain = tuple(
        tuple(map(tuple, part)) for part in (facts.calls, facts.bindings, facts.returns, facts.stores)
    )
    return digest(plain)
