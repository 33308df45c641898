"""Calls that hand a function to a framework: tests, routes, commands, jobs, events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.typescript.frameworks import load_frameworks
from drift.languages.typescript.literals import string_value
from drift.languages.typescript.suites import head_of
from drift.languages.typescript.walk import Registration

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Call
    from drift.languages.typescript.walk import Walk

_CALLABLE: Final = frozenset({"symbol", "name", "member", "partial", "result"})
_MOST_DETAIL: Final = 200
_MOST_STEPS: Final = 200  # back along a chain of calls, in search of the one that names the route


def note_entry_points(walk: Walk, index: int, arguments: Node | None) -> None:
    """Note what a call registers, if it registers something."""
    call = walk.calls[index]
    if not call.arguments or arguments is None or call.callee is None:
        return
    if call.kind == "new":
        _note_job(walk, index, call)
        return
    words = load_frameworks()
    last = call.callee[2] if call.callee[0] == "member" else call.text
    if last in words.methods or last == "use":
        _note_route(walk, index, call, method=last)
    elif last == "route":
        _note_route_object(walk, call, arguments)
    elif last in words.event_methods:
        _note_event(walk, index, call)
    elif last in words.command_handlers or last in words.command_openings:
        _note_command(walk, index, call, name=last, arguments=arguments)
    elif call.text in words.job_calls or call.text.endswith(words.job_endings):
        _note_job(walk, index, call)
    if call.text.startswith(words.test_openings):
        _note_test(walk, index, call)


def _register(walk: Walk, call: Call, handler: Expression, *, kind: str, detail: str) -> None:
    walk.registrations.append(Registration(walk.scope, handler, kind, detail[:_MOST_DETAIL], call.line))


def _last_function(call: Call) -> Expression:
    """The last argument, where it may be a function; fastify and node:test put options before it."""
    value = call.arguments[-1][1]
    return value if value is not None and value[0] in _CALLABLE else None


def _written_function(call: Call) -> Expression:
    """The function written out among the arguments, wherever it stands."""
    return next((value for _, value in call.arguments if value is not None and value[0] == "symbol"), None)


def _note_test(walk: Walk, index: int, call: Call) -> None:
    words = load_frameworks()
    names = head_of(call.text).split(".")
    start = 1 if names[0] in words.tests else 2 if ".".join(names[:2]) in words.tests else 0
    if not start or not words.test_modifiers.issuperset(names[start:]):
        return
    handler = _written_function(call) or _last_function(call)
    title = walk.first_strings.get(index)
    if handler is None:
        return
    if title is None:
        if handler[0] != "symbol" or names[-1] in {"each", "for"}:
            return  # no test, or the table of a parametrised one
        title = walk.symbols[handler[1]].name
    _register(walk, call, handler, kind="test", detail=" > ".join([*walk.suite_titles, title]))


def _note_route(walk: Walk, index: int, call: Call, *, method: str) -> None:
    callee = call.callee
    if callee is None or callee[0] != "member":
        return
    found = _find_router(walk, callee[1])
    if found is None:
        return
    path = walk.first_strings.get(index)
    handler = _written_function(call) if method == "use" else _last_function(call)
    has_path = path is not None or found or len(call.arguments) > 1 or method == "use"
    if handler is None or not has_path or (path is not None and len(call.arguments) == 1):
        return
    place = path if path is not None else found or "/"
    verb = "DELETE" if method == "del" else method.upper()
    _register(walk, call, handler, kind="http", detail=f"{verb} {place}")


def _find_router(walk: Walk, receiver: Expression) -> str | None:
    """The path a router is already at ("" at its root); None if the receiver is no router."""
    words = load_frameworks()
    path = ""
    for _ in range(_MOST_STEPS):
        if receiver is None:
            return None
        if receiver[0] == "result":
            call = walk.calls[receiver[1]]
            name = f"new {call.text}" if call.kind == "new" else call.text
            if name in words.router_constructors:
                return path
            if call.callee is None or call.callee[0] != "member":
                return None
            if call.callee[2] == "route":
                path = walk.first_strings.get(receiver[1], path)
            receiver = call.callee[1]
        elif receiver[0] == "awaited":
            receiver = receiver[1]
        else:
            return path if _is_router(walk, receiver) else None
    return None


def _is_router(walk: Walk, receiver: tuple[object, ...]) -> bool:
    words = load_frameworks()
    name = str(receiver[-1])
    if receiver[0] not in {"name", "member"}:
        return False
    value = walk.values_by_name.get(name) if receiver[0] == "name" else None
    while value is not None and value[0] == "awaited":
        value = value[1]
    if value is not None and value[0] == "result":
        call = walk.calls[value[1]]
        text = f"new {call.text}" if call.kind == "new" else call.text
        if text in words.router_constructors:
            return True
    if receiver[0] == "name" and _has_router_type(walk, name):
        return True
    return name in words.receivers or name.endswith(words.receiver_endings)


def _has_router_type(walk: Walk, name: str) -> bool:
    words = load_frameworks()
    return any(
        parameter.name == name and parameter.type is not None and parameter.type[-1] in words.router_types
        for parameter in walk.symbols[walk.scope].parameters
    )


def _note_route_object(walk: Walk, call: Call, arguments: Node) -> None:
    """Note a route given as one object: `fastify.route({ method: "GET", url: "/users", handler })`."""
    callee, value = call.callee, call.arguments[0][1]
    if callee is None or callee[0] != "member" or value is None or value[0] != "dict":
        return
    if _find_router(walk, callee[1]) is None:
        return
    handler = dict(value[1:]).get("handler")
    texts = _texts_of(walk, arguments.named_children[0])
    path = texts.get("url") or texts.get("path")
    if handler is not None and path is not None:
        _register(walk, call, handler, kind="http", detail=f"{texts.get('method', 'ALL').upper()} {path}")


def _texts_of(walk: Walk, node: Node) -> dict[str, str]:
    """The constant strings of an object literal by key."""
    texts: dict[str, str] = {}
    for child in node.named_children:
        text = string_value(walk, child.child_by_field_name("value")) if child.type == "pair" else None
        if text is not None:
            texts[walk.name_of(child.child_by_field_name("key")).strip("'\"")] = text
    return texts


def _note_event(walk: Walk, index: int, call: Call) -> None:
    name, handler = walk.first_strings.get(index), _written_function(call) or _last_function(call)
    if name is not None and handler is not None and len(call.arguments) > 1:
        _register(walk, call, handler, kind="event", detail=name)


def _note_command(walk: Walk, index: int, call: Call, *, name: str, arguments: Node) -> None:
    first = call.arguments[0][1]
    if name in load_frameworks().command_handlers:
        title = _find_command(walk, call.callee)
        handler = _last_function(call)
    elif first is not None and first[0] == "dict":  # yargs, with all of the command in one object
        title = _texts_of(walk, arguments.named_children[0]).get("command")
        handler = dict(first[1:]).get("handler")
    else:  # yargs gives the handler with the command
        title = walk.first_strings.get(index)
        last = call.arguments[-1][1]
        handler = last if last is not None and last[0] == "symbol" and len(call.arguments) > 1 else None
    if title is not None and handler is not None:
        _register(walk, call, handler, kind="cli", detail=f"command {title}")


def _find_command(walk: Walk, callee: Expression) -> str | None:
    """The command an action belongs to, back along the chain or the variable it stands on."""
    words, value = load_frameworks(), callee
    for _ in range(_MOST_STEPS):
        if value is None:
            return None
        if value[0] == "member":
            value = value[1]
        elif value[0] == "result":
            index = value[1]
            value = walk.calls[index].callee
            if value is not None and value[0] == "member" and value[2] in words.command_openings:
                return walk.first_strings.get(index)
            if value is not None and value[-1] in words.command_roots:
                return walk.first_strings.get(index, str(value[-1]))
        elif value[0] == "name" and value[1] in words.command_roots:
            return str(value[1])
        elif value[0] == "name":
            value = walk.values_by_name.get(value[1])
        else:
            return None
    return None


def _note_job(walk: Walk, index: int, call: Call) -> None:
    words = load_frameworks()
    if call.kind == "new" and call.text.rpartition(".")[2] not in words.job_constructors:
        return
    handler = _written_function(call) or _last_function(call)
    if handler is None:
        return
    if handler[0] == "result" or (call.kind == "new" and len(call.arguments) == 1):
        return
    _register(walk, call, handler, kind="job", detail=walk.first_strings.get(index, call.text))
