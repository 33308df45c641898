"""Modules that a helper of a project mixes into a class by a name put together: `Order.prepend_mod_with("Order")`.

The helper looks for the path of the class in the modules of editions: `Enterprise::Order`, `EE::Order`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Base
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import ANY_EDITION, PREPENDS
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.ruby.walk import arguments_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import RubyWalk

_PREPENDING: Final = load_frameworks("ruby").names("editions", "prepending")
_INCLUDING: Final = load_frameworks("ruby").names("editions", "including")
_MOST_PARTS: Final = 16


def mix_by_name(ruby: RubyWalk, node: Node, name: str, *, receiver: Expression) -> None:
    """Note what such a call mixes into a class that the file opens."""
    if name not in _PREPENDING and name not in _INCLUDING:
        return
    owner = ruby.class_number if receiver is None else _opened(ruby, receiver)
    if owner is None or (receiver is None and (ruby.method is not None or ruby.is_singleton)):
        return
    arguments = arguments_of(node)
    said = ruby.string_of(arguments[0]) if arguments and arguments[0].type != "pair" else None
    path = said or "::".join(_path_to(ruby, owner))
    if (arguments and said is None and arguments[0].type != "pair") or not path[:1].isupper():
        return
    if len(path) > MOST_TEXT_CHARACTERS:
        return
    text = f"{ANY_EDITION}{path}"
    base = Base(text, ("name", text), PREPENDS if name in _PREPENDING else "mixes")
    ruby.symbols[owner] = ruby.symbols[owner]._replace(bases=(*ruby.symbols[owner].bases, base))


def _opened(ruby: RubyWalk, receiver: Expression) -> int | None:
    """The class of the file that a path of constants names."""
    names: list[str] = []
    while receiver is not None and receiver[0] == "member" and len(names) < _MOST_PARTS:
        names.append(receiver[2])
        receiver = receiver[1]
    if receiver is None or receiver[0] != "name":
        return None
    number: int | None = 0
    for each in (receiver[1].removeprefix("::"), *reversed(names)):
        number = None if number is None else ruby.opened.get((number, each))
    return number


def _path_to(ruby: RubyWalk, number: int) -> list[str]:
    names: list[str] = []
    while number and len(names) < _MOST_PARTS:
        names.append(ruby.symbols[number].name)
        number = ruby.symbols[number].parent
    return names[::-1]
