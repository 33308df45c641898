"""Entry points: what frameworks, test runners and the runtime call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.csharp import frameworks
from drift.languages.csharp.headings import attribute_arguments
from drift.languages.csharp.values import STRINGS, string_of
from drift.languages.csharp.walk import CsharpWalk, last_operand
from drift.languages.expressions import last_name
from drift.languages.objects import Registration, join_route

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.objects import Annotation, Heading, OpenClass

_MOST_DETAIL_CHARACTERS: Final = 120
_TOKEN: Final = re.compile(r"\[(controller|action)\]", re.IGNORECASE)


def route_template(walk: CsharpWalk, heading: Heading, name: str) -> str | None:
    """The first path that an attribute of this name gives; None where there is no such attribute.

    What is computed elsewhere stands as written, in angle brackets.
    """
    for annotation in heading.annotations:
        if annotation.name == name:
            return _first_argument(walk, annotation) or ""
    return None


def _first_argument(walk: CsharpWalk, annotation: Annotation) -> str | None:
    for name, node in attribute_arguments(walk, annotation.node):
        if name and name.lower() not in {"template", "name"}:
            continue
        if name == "Name":  # the name of a route is no path
            continue
        if node.type in STRINGS:
            return string_of(walk, node)
        return f"<{walk.text.brief(node, _MOST_DETAIL_CHARACTERS)}>"
    return None


def note_method_entries(walk: CsharpWalk, number: int, heading: Heading) -> None:
    """Note a method as an entry point in each way its attributes, its name and its class make it one."""
    symbol = walk.symbols[number]
    owner = walk.classes[-1] if walk.classes else None
    for annotation in heading.annotations:
        name = annotation.name
        if name in frameworks.TEST_ATTRIBUTES:
            walk.add_modifier(number, "test")
        if name in frameworks.TEST_ATTRIBUTES | frameworks.FIXTURE_ATTRIBUTES:
            walk.enter_at(number, "test", name)
        elif name in frameworks.COMMAND_ATTRIBUTES:
            walk.enter_at(number, "cli", f"command {_first_argument(walk, annotation) or symbol.name}")
    if owner is not None:
        _note_routes(walk, number, heading, owner=owner)
        _note_called(walk, number, owner)
    if symbol.name == "Main" and "static" in symbol.modifiers:
        walk.enter_at(number, "main", "Main")


def note_trigger(walk: CsharpWalk, number: int, heading: Heading, parameter: Heading) -> None:
    """Note an Azure Function by the attribute of its function and the trigger at its parameter."""
    names = [each for each in heading.annotations if each.name in frameworks.FUNCTION_ATTRIBUTES]
    for annotation in parameter.annotations:
        kind = frameworks.TRIGGER_ATTRIBUTES.get(annotation.name)
        if kind and names:
            function = _first_argument(walk, names[0]) or walk.symbols[number].name
            walk.enter_at(number, kind, f"{annotation.name} {function}")


def _note_routes(walk: CsharpWalk, number: int, heading: Heading, *, owner: OpenClass) -> None:
    method = walk.symbols[number].name
    own_route = route_template(walk, heading, "Route")
    verbs = [each for each in heading.annotations if each.name in frameworks.HTTP_ATTRIBUTES]
    for annotation in verbs:
        path = _first_argument(walk, annotation) or own_route
        detail = f"{frameworks.HTTP_ATTRIBUTES[annotation.name]} {_route(owner, path, method)}"
        walk.enter_at(number, "http", detail)
    if verbs or walk.symbols[number].visibility != "public" or "static" in heading.words:
        return
    is_controller = not frameworks.CONTROLLER_BASES.isdisjoint(owner.base_names)
    if own_route is not None or (is_controller and "NonAction" not in heading.names()):
        walk.enter_at(number, "http", f"ANY {_route(owner, own_route, method)}")


def _route(owner: OpenClass, path: str | None, method: str) -> str:
    """A template joined to its class's; `~/` and `/` begin anew, and MVC's own scheme fills in for none."""
    controller = owner.name.removesuffix("Controller")
    if path is not None and path.startswith(("/", "~/")):
        template = path.removeprefix("~")
    elif not path and not owner.prefix:
        template = f"{controller}/{method}"
    else:
        template = f"{owner.prefix}/{path or ''}"
    names = {"controller": controller, "action": method}
    return join_route(_TOKEN.sub(lambda found: names[found[1].lower()], template))


def _note_called(walk: CsharpWalk, number: int, owner: OpenClass) -> None:
    symbol = walk.symbols[number]
    for base in sorted(owner.base_names):
        called = frameworks.CALLED_METHODS.get(base, {}).get(symbol.name)
        if called is not None:
            walk.enter_at(number, *called)
        if base in frameworks.HUB_BASES and symbol.visibility == "public":
            walk.enter_at(number, "event", base)


def note_class_entries(walk: CsharpWalk, owner: OpenClass) -> None:
    """Note the command that a class is, once its methods are known."""
    for annotation in owner.heading.annotations:
        if annotation.name in frameworks.COMMAND_ATTRIBUTES:
            methods = [owner.methods[name] for name in ("ExecuteAsync", "Execute") if name in owner.methods]
            command = _first_argument(walk, annotation) or owner.name
            walk.enter_at(methods[0] if methods else owner.number, "cli", f"command {command}")


def note_registration(walk: CsharpWalk, node: Node, *, name: str, listed: Node, number: int) -> None:
    """Keep the handler that a call gives to a framework, and what a builder is for."""
    call = walk.calls[number]
    receiver = call.callee[1] if call.callee is not None and call.callee[0] == "member" else None
    label = walk.labels.get(receiver) if receiver is not None else None
    values = [value for _, value in call.arguments]
    if name in frameworks.GROUP_CALLS:
        walk.labels[("result", number)] = join_route(label or "", _path(walk, listed) or "")
    elif name in frameworks.ROUTE_CALLS and len(values) > 1 and (path := _path(walk, listed)) is not None:
        detail = f"{frameworks.ROUTE_CALLS[name]} {join_route(label or '', path)}"
        _register(walk, node, values[-1], kind="http", detail=detail)
    elif name in frameworks.COMMAND_CALLS and values and label is not None:
        _register(walk, node, values[0], kind="cli", detail=f"command {label}".strip())
    elif receiver is not None and name in frameworks.JOB_CALLS.get(last_name(receiver), ()):
        handler = next((value for value in values if value is not None and value[0] == "symbol"), None)
        _register(walk, node, handler, kind="job", detail=f"{last_name(receiver)}.{name}")
    elif label is not None:
        walk.labels[("result", number)] = label  # builders give themselves back


def _register(walk: CsharpWalk, node: Node, handler: Expression, *, kind: str, detail: str) -> None:
    walk.registrations.append(Registration(handler, walk.scope, kind, detail, walk.line(node)))


def _path(walk: CsharpWalk, listed: Node) -> str | None:
    first = last_operand(listed.named_children[0]) if listed.named_child_count else None
    return string_of(walk, first) if first is not None and first.type in STRINGS else None
