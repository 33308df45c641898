"""Objects that tests have made for them by the name of their model: `create(:story)`, and fixtures, `stories(:first)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.frameworks import load_frameworks
from drift.languages.ruby.inflection import camelize, singular
from drift.languages.ruby.walk import arguments_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import RubyWalk

_WORDS: Final = load_frameworks("ruby")
_MAKING: Final = _WORDS.names("factories", "making")
_LISTS: Final = _WORDS.names("factories", "lists")
_OWNERS: Final = _WORDS.names("factories", "owners")
_FUNCTIONS: Final = _WORDS.names("factories", "functions")
_TEST_FOLDERS: Final = frozenset({"factories", "features", "spec", "test", "tests"})


def made_by_factory(ruby: RubyWalk, node: Node, name: str, *, receiver: Expression) -> Expression:
    """An object of the model that a factory or a fixture is named after; None of any other call."""
    model = _model_of(ruby, node, name, receiver)
    if model is None:
        return None
    made: Expression = ("own", ("instance", ("name", camelize(model))), None)
    return ("list", made) if name in _LISTS else made


def _model_of(ruby: RubyWalk, node: Node, name: str, receiver: Expression) -> str | None:
    if receiver is not None and (receiver[0] != "name" or receiver[1] not in _OWNERS):
        return None
    if receiver is None and _TEST_FOLDERS.isdisjoint(ruby.path.split("/")):
        return None
    arguments = arguments_of(node)
    first = arguments[0] if arguments else None
    if first is None or first.type != "simple_symbol":
        return None
    if name in _MAKING or name in _FUNCTIONS:
        return ruby.string_of(first)
    is_fixture = receiver is None and len(arguments) == 1 and singular(name) != name
    return singular(name) if is_fixture else None
