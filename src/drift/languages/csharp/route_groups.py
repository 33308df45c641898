"""Functions of a project that make groups of routes, and those that are given the handler before the path."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.csharp.values import STRINGS, string_of
from drift.languages.csharp.walk import CsharpWalk, last_operand
from drift.languages.facts import Mount
from drift.languages.limits import MOST_DETAIL_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.frameworks import Selector

_NAMED: Final = frozenset({"identifier", "member_access_expression"})
_METHODS: Final = frozenset({"local_function_statement", "method_declaration"})
_HOLE: Final = re.compile(r"\{(\w{1,80})\}")
_OF_TYPE: Final = re.compile(r"(\w{1,80})\.GetType\(\)\.Name")
_HANDED_OVER: Final = re.compile(r"\((?:this|instance|group|endpoint|module)\)")
_MOST_STEPS: Final = 40  # from a call to the function it stands in
BY_CLASS: Final = "[controller]"
"""What stands for the name of the class that handles a route, as in the paths of controllers."""


class HandlerFirst:
    """A call of a project's own that is given the handler and then the path, as the matcher asks about it."""

    is_call = True
    owners: tuple[str, ...] = ()
    receiver = ""

    def __init__(self, walk: CsharpWalk, name: str, listed: Node) -> None:
        self._walk = walk
        self._listed = listed
        self.name = name

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        return [self.constant(selectors)]

    def constant(self, selectors: tuple[Selector, ...]) -> str:
        given, place = self._listed.named_children, selectors[0]
        behind = place + 1 if isinstance(place, int) else 1
        node = last_operand(given[behind]) if behind < len(given) else None
        return (string_of(self._walk, node) or "") if node is not None and node.type in STRINGS else ""

    def written(self) -> str:
        return f"{self.name}{self._walk.text.brief(self._listed, MOST_DETAIL_CHARACTERS)}"

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return self._walk.imports_any(packages)


def is_handler_first(listed: Node) -> bool:
    """Whether a call is given a name alone, or a name and then a text: `MapPut(Update, "{id}")`."""
    given = [last_operand(each) for each in listed.named_children]
    if not given or given[0] is None or given[0].type not in _NAMED:
        return False
    return len(given) == 1 or (given[1] is not None and given[1].type in STRINGS)


def named_path(walk: CsharpWalk, listed: Node) -> str | None:
    """A path that a constant says, in angle brackets: `MapGet(Routes.Orders, List)`."""
    given = [last_operand(each) for each in listed.named_children]
    first = given[0] if len(given) > 1 else None
    if first is None or first.type != "member_access_expression":
        return None
    return f"<{walk.text.brief(first, MOST_DETAIL_CHARACTERS)}>"


def note_made_group(walk: CsharpWalk, node: Node, listed: Node) -> None:
    """Note the path of the group that a function makes: `MapApiGroup(name)=$"api/{name}"`."""
    function = _function_around(node)
    symbol = walk.symbols[walk.scope]
    if function is None or not listed.named_children:
        return
    own = [one.name for one in symbol.parameters]
    is_extension = "(this " in symbol.signature
    text = walk.text.brief(listed.named_children[0], MOST_DETAIL_CHARACTERS)
    body = walk.text.text(function)
    text = _HOLE.sub(lambda hole: _held(hole[1], own, body), text)
    names = ",".join(own[1:] if is_extension else own)
    walk.mounts.append(Mount(walk.scope, walk.line(node), "group", f"{symbol.name}({names})={text}"))


def by_class(text: str) -> str:
    """A path that a group is made with, where the class that makes it is handed over for it."""
    return _HANDED_OVER.sub(f'("{BY_CLASS}")', text)


def _held(name: str, own: list[str], body: str) -> str:
    """What a hole holds: a parameter as it is, a local variable that is the name of a class as such."""
    if name in own:
        return f"{{{name}}}"
    given = re.search(rf"\b{name}\s{{0,9}}=(?!=)([^;]{{1,200}});", body)
    of_type = _OF_TYPE.search(given[1]) if given is not None else None
    return BY_CLASS if of_type is not None else f"{{{name}}}"


def _function_around(node: Node) -> Node | None:
    around = node.parent
    for _ in range(_MOST_STEPS):
        if around is None or around.type in _METHODS:
            return around
        around = around.parent
    return None
