"""What a file of Python exports: members that calls make, classes of several parents, fixtures of pytest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from drift.languages.facts import FileFacts, Symbol
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.file_semantics import FileSemantics, Piece
from drift.scan.link.keys import (
    given_below_key,
    made_key,
    mixing_key,
    related_key,
    setting_key,
    user_model_key,
)
from drift.scan.link.languages.python.fixtures import fixtures_in, used_fixtures
from drift.scan.link.languages.python.mapper_data import is_user_model

_RELATED: Final = frozenset({"all", "instance"})
_CALLABLE: Final = frozenset(
    {"name", "outer", "member", "symbol"}
)  # forms that may mean a function or a class

_NAMING: Final = frozenset({"first", "list"})  # forms of what texts name in full, one or several


class PythonFiles(FileSemantics):
    """A file of Python is asked for what its classes are put together of, and for its fixtures."""

    frameworks = "python"

    root_markers = ("pyproject.toml", "setup.cfg", "setup.py")
    package_file = "__init__"
    source_folders = ("src", "lib", "python")

    def mixed_members(self, path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
        yield from _made_members(path, facts, identities)
        yield from _mixing_classes(path, facts, identities)
        yield from _related_members(path, facts, identities)
        yield from _given_below(path, facts, identities)
        yield from _settings(path, facts)

    def fixtures(self, facts: FileFacts) -> Mapping[str, list[tuple[int, int]]]:
        return fixtures_in(facts)

    def used_fixtures(self, symbol: Symbol) -> tuple[str, ...]:
        return used_fixtures(symbol)


def _made_members(path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
    """What bodies of classes have calls make: bound to a name, or of the method of that name by a decorator."""
    symbols = facts.symbols
    for binding in facts.bindings:
        is_made = binding.value is not None and binding.value[0] == "result"
        if is_made and symbols[binding.scope].kind in TYPE_KINDS:
            yield made_key(facts.language, binding.name), (path, identities[binding.scope])
    for number, symbol in enumerate(symbols):
        if symbol.decorators and symbol.kind in {"method", "property"}:
            yield made_key(facts.language, symbol.name), (path, identities[number])


def _related_members(path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
    """What the models of a file have of others, and give others that they lead to; and the classes of users."""
    for binding in facts.bindings:
        is_related = binding.value is not None and binding.value[0] in _RELATED
        if is_related and facts.symbols[binding.scope].kind in TYPE_KINDS:
            yield related_key(binding.name), (path, identities[binding.scope])
    for store in facts.stores:
        if facts.symbols[store.scope].kind in TYPE_KINDS:
            yield related_key(store.name), (path, identities[store.scope])
    for number, symbol in enumerate(facts.symbols):
        if symbol.bases and is_user_model(symbol):
            yield user_model_key(), (path, identities[number])


def _settings(path: str, facts: FileFacts) -> Iterator[Piece]:
    """The keys of tables at the top of a file under which texts name classes and functions in full."""
    for binding in facts.bindings:
        value = binding.value
        if binding.scope or value is None or value[0] != "dict":
            continue
        for key, held in value[1:]:
            is_constant = held is not None and held[0] == "name" and str(held[1]).isupper()
            if key is not None and held is not None and (held[0] in _NAMING or is_constant):
                yield setting_key(facts.language, key), (path, binding.name)


def _given_below(path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
    """The functions and classes that classes with parents keep as members: `self.handle = self.open`, `maker = Box`."""
    symbols = facts.symbols
    for scope, name, value, *_ in facts.bindings:
        if (
            value is not None
            and value[0] in _CALLABLE
            and symbols[scope].bases
            and symbols[scope].kind in TYPE_KINDS
        ):
            yield given_below_key(facts.language, name), (path, identities[scope])
    for scope, receiver, name, value, _ in facts.stores:
        if receiver is None or receiver[0] != "this" or value is None or value[0] not in _CALLABLE:
            continue
        owner = symbols[scope].parent
        is_given = value[0] != "name" or all(one.name != value[1] for one in symbols[scope].parameters)
        if is_given and symbols[owner].bases and symbols[owner].kind in TYPE_KINDS:
            yield given_below_key(facts.language, name), (path, identities[owner])


def _mixing_classes(path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
    """The classes of several parents, by the name of each of those."""
    for number, symbol in enumerate(facts.symbols):
        if len(symbol.bases) > 1:
            for name in dict.fromkeys(
                base.text.partition("[")[0].rpartition(".")[2] for base in symbol.bases
            ):
                yield mixing_key(facts.language, name), (path, identities[number])
