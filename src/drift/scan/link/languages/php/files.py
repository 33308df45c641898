"""What a file of PHP exports: its namespaces, the functions that all of them see, traits and global variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from drift.languages import FileFacts, Symbol
from drift.languages.expressions import Tag
from drift.scan.link.file_semantics import FileSemantics, Piece
from drift.scan.link.keys import (
    GLOBAL_VARIABLES,
    mixing_key,
    space_key,
    trait_method_key,
)
from drift.scan.link.languages.php.test_closures import read_test_closures

# What may be an object that all files share: what a call gave, what a container is said to make, what answers for an
# ability.
_MAKING: Final[frozenset[Tag]] = frozenset({"called", "instance", "partial", "result"})
# Scopes of Laravel's models, by their names or by what is said of them.
_SCOPE: Final = re.compile(r"scope[A-Z]")
_SCOPE_ATTRIBUTE: Final = "Scope"
_FUNCTIONS_TO_A_VARIABLE: Final = (
    4  # of a file of functions that also fills a list or two that all of them share
)
_SCOPED: Final = frozenset({"class", "trait"})


class PhpFiles(FileSemantics):
    """A file of PHP may open several namespaces, and shares its global variables with all others."""

    declares_types_by_name = True
    frameworks = "php"
    configuration = ("composer.json", "app.php")
    separator = "\\"
    calls_given_closures = True

    def namespaces(self, facts: FileFacts) -> Mapping[int, str]:
        return {
            number: symbol.name.strip("\\")
            for number, symbol in enumerate(facts.symbols)
            if symbol.kind == "namespace"
        }

    def read_calls(self, facts: FileFacts) -> FileFacts:
        """A scope of a model is given a query for it, and gives that back; tests are given an object, too."""
        symbols = [_read_scope(symbol, facts.symbols[symbol.parent]) for symbol in facts.symbols]
        return read_test_closures(facts._replace(symbols=tuple(symbols)))

    def shares_functions(self, facts: FileFacts, opened: Mapping[int, str]) -> bool:
        """Whether a file is there for its functions: the variables of a script are no one else's."""
        if facts.package:
            return False
        outermost = {0, *(number for number, space in opened.items() if not space)}
        functions = sum(
            symbol.kind == "function" and symbol.parent in outermost for symbol in facts.symbols[1:]
        )
        if not functions:
            return False
        variables = {one.name for one in facts.bindings if one.scope == 0 and one.name.startswith("$")}
        return len(variables) * _FUNCTIONS_TO_A_VARIABLE <= functions

    def mixed_members(self, path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
        yield from _traits(path, facts, identities)
        for binding in facts.bindings:
            if not binding.scope and binding.value is not None and binding.value[0] in _MAKING:
                yield space_key(facts.language, GLOBAL_VARIABLES, binding.name), path


def _traits(path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
    """The methods of traits, and the classes that use one, by its name."""
    symbols = facts.symbols
    for number, symbol in enumerate(symbols):
        if symbol.kind == "method" and symbols[symbol.parent].kind == "trait":
            yield (
                trait_method_key(facts.language, symbol.name),
                (path, identities[number]),
            )
        for base in symbol.bases:
            if base.kind == "mixes":
                yield (
                    mixing_key(facts.language, base.text.rpartition("\\")[2]),
                    (path, identities[number]),
                )


def _read_scope(symbol: Symbol, holder: Symbol) -> Symbol:
    if symbol.kind != "method" or not symbol.parameters or holder.kind not in _SCOPED:
        return symbol
    is_scope = bool(_SCOPE.match(symbol.name)) or any(
        one.name == _SCOPE_ATTRIBUTE for one in symbol.decorators
    )
    if not is_scope:
        return symbol
    query = symbol.parameters[0]._replace(type=("instance", ("symbol", symbol.parent)))
    return symbol._replace(parameters=(query, *symbol.parameters[1:]), return_type=("this",))
