"""Functions of a project that make groups of routes, and those that are given the handler before the path."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.csharp.values import STRINGS, string_of
from drift.languages.csharp.walk import CsharpWalk, last_operand
from drift.languages.facts import Mount
from drift.languages.limits import MOST_DETAIL_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.objects import dotted_form

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.frameworks import Selector

_NAMED: Final = frozenset({"identifier", "member_access_expression"})
_METHODS: Final = frozenset({"local_function_statement", "method_declaration"})
_HOLE: Final = re.compile(r"\{(\w{1,80})\}")
_OF_TYPE: Final = re.compile(r"(\w{1,80})\.GetType\(\)\.Name")
_HANDED_OVER: Final = re.compile(r"\((?:this|instance|group|endpoint|module)\)")
_ANY_HOLE: Final = re.compile(r"\{([^{}]{1,100})\}")
_TYPE_OF: Final = re.compile(r"typeof\((\w{1,80})\)\.Name")
_NAME_OF_TYPE: Final = re.compile(r"(\w{1,80})(?:\.GetType\(\))?\.Name")
_LOOKING: Final = "(?:GetMethod|GetProperty|GetCustomAttribute|IsAssignableTo|GetType)"
_GET_METHOD: Final = re.compile(r"GetMethod\(\s{0,9}nameof\(([\w.]{1,200})\)")
_TEXT: Final = re.compile(r'\$?@?"[^"\n]{0,200}"')
_WORD: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w{0,80}")
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


def computed_path(walk: CsharpWalk, given: Node) -> str | None:
    """The path that a group is made with: a text with holes, or a variable that is given one; None for others.

    A hole is the class that handles a route where it is the name of a type which the code looks at; any other stays
    as written, in angle brackets.
    """
    function = _function_around(given)
    body = walk.text.text(function) if function is not None else ""
    node = last_operand(given)
    written = walk.text.brief(given, MOST_DETAIL_CHARACTERS)
    if node is not None and node.type == "identifier":
        assigned = _assigned(written, body)
        texts = _TEXT.findall(assigned) if assigned is not None else []
        # What a variable is given may be told by something else first: the text is what is left.
        written = texts[-1] if texts else ""
    if not written.endswith('"') or written[:1] not in {"$", '"', "@"}:
        return None
    plain = written.lstrip("$@").strip('"')
    return _ANY_HOLE.sub(lambda hole: _type_named(hole[1], body) or f"<{hole[1]}>", plain)


def _assigned(name: str, body: str) -> str | None:
    found = re.search(rf"(?<![\w.]){re.escape(name)}\s{{0,9}}=(?![=>])([^;]{{1,400}});", body)
    return found[1] if found is not None else None


def _type_named(hole: str, body: str) -> str | None:
    """What stands for a hole that is the name of a class: of a type that is looked at, or that is written out."""
    hole = hole.strip()
    if hole.isidentifier():
        hole = (_assigned(hole, body) or "").strip()
    written = _TYPE_OF.fullmatch(hole)
    if written is not None:
        is_variable = re.search(rf"[<,]\s{{0,9}}{re.escape(written[1])}\s{{0,9}}[,>]", body) is not None
        return BY_CLASS if is_variable else written[1]
    looked_at = _NAME_OF_TYPE.fullmatch(hole)
    if looked_at is None:
        return None
    is_type = re.search(rf"(?<![\w.]){re.escape(looked_at[1])}[!?]?\.{_LOOKING}\(", body) is not None
    return BY_CLASS if is_type else None


def reflected(walk: CsharpWalk, node: Node) -> Expression:
    """The method that `Invoke` runs: `type.GetMethod(nameof(IGroup.Map))!.Invoke(null, [group])`."""
    receiver = node.child_by_field_name("function")
    written = walk.text.brief(receiver, MOST_TEXT_CHARACTERS) if receiver is not None else ""
    found = _GET_METHOD.search(written)
    if found is None:
        function, name = _function_around(node), written.partition(".")[0].rstrip("!?")
        body = walk.text.text(function) if function is not None else ""
        found = _GET_METHOD.search(_assigned(name, body) or "") if name.isidentifier() else None
    return dotted_form(found[1].split(".")) if found is not None else None


def handed_names(walk: CsharpWalk, node: Node) -> list[Expression]:
    """The names among what a call is given, be it in a list."""
    listed = node.child_by_field_name("arguments")
    written = walk.text.brief(listed, MOST_DETAIL_CHARACTERS) if listed is not None else ""
    return [("name", name) for name in _WORD.findall(written)]


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
