"""Calls that hand a function to a framework: tests, routes, commands, jobs, events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.frameworks import load_frameworks
from drift.languages.typescript.literals import path_value, texts_of
from drift.languages.typescript.mounts import note_mount
from drift.languages.typescript.row_loops import loop_around, texts_in_rows
from drift.languages.typescript.suites import head_of
from drift.languages.typescript.walk import Registration

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Call
    from drift.languages.frameworks import Rule
    from drift.languages.typescript.walk import Walk

_FRAMEWORKS: Final = load_frameworks("typescript")
_CALLS: Final = _FRAMEWORKS.calls
_TESTS: Final = _FRAMEWORKS.names("tests", "names")
_TEST_OPENINGS: Final = _FRAMEWORKS.texts("tests", "names")  # for a first quick look
_TEST_MODIFIERS: Final = _FRAMEWORKS.names("tests", "modifiers")
_RECEIVERS: Final = _FRAMEWORKS.names("routes", "receivers")
_RECEIVER_ENDINGS: Final = _FRAMEWORKS.texts("routes", "receiver_endings")
_ROUTER_CONSTRUCTORS: Final = _FRAMEWORKS.names("routes", "constructors")
_ROUTER_TYPES: Final = _FRAMEWORKS.names("routes", "types")
_COMMAND_ROOTS: Final = _FRAMEWORKS.names("commands", "roots")
_COMMAND_OPENINGS: Final = frozenset(
    name for name, rules in _CALLS.items() for rule in rules if rule.kind == "cli" and rule.detail
)
_JOB_ENDINGS: Final = _FRAMEWORKS.texts("jobs", "call_endings")
_CALLABLE: Final = frozenset({"symbol", "name", "member", "partial", "result"})
_EVERY_METHOD: Final = "ALL"  # the word of these frameworks for a route that answers any
_MOST_DETAIL: Final = 200
_MOST_STEPS: Final = 200  # back along a chain of calls, in search of the one that names the route


def note_entry_points(walk: Walk, index: int, arguments: Node | None) -> None:
    """Note what a call registers, if it registers something."""
    call = walk.calls[index]
    if not call.arguments or arguments is None or call.callee is None:
        return
    note_mount(walk, index, arguments)
    if call.kind == "new":
        if f"new {call.text.rpartition('.')[2]}" in _CALLS:
            _note_job(walk, index, call)
        return
    last = call.callee[2] if call.callee[0] == "member" else call.text
    rule = next(iter(_CALLS.get(last) or _CALLS.get(call.text) or ()), None)
    if rule is not None:
        _note_registered(walk, index, rule, arguments)
    elif call.text.endswith(_JOB_ENDINGS):
        _note_job(walk, index, call)
    if call.text.startswith(_TEST_OPENINGS):
        _note_test(walk, index, call)


def _note_registered(walk: Walk, index: int, rule: Rule, arguments: Node) -> None:
    call = walk.calls[index]
    if rule.kind == "http" and rule.methods:
        _note_route_object(walk, call, rule, arguments)
    elif rule.kind == "http":
        _note_route(walk, index, rule, arguments)
    elif rule.kind == "event":
        _note_event(walk, index, call)
    elif rule.kind == "cli":
        _note_command(walk, index, call, rule=rule, arguments=arguments)
    else:
        _note_job(walk, index, call)


def _register(walk: Walk, call: Call, handler: Expression, *, kind: str, detail: str) -> None:
    callee = call.callee
    router = callee[1] if kind == "http" and callee is not None and callee[0] == "member" else None
    walk.registrations.append(
        Registration(walk.scope, handler, kind, detail[:_MOST_DETAIL], call.line, router)
    )


def _last_function(call: Call) -> Expression:
    """The last argument, where it may be a function; fastify and node:test put options before it."""
    value = call.arguments[-1][1]
    return value if value is not None and value[0] in _CALLABLE else None


def _written_function(call: Call) -> Expression:
    """The function written out among the arguments, wherever it stands."""
    return next((value for _, value in call.arguments if value is not None and value[0] == "symbol"), None)


def _note_test(walk: Walk, index: int, call: Call) -> None:
    names = head_of(call.text).split(".")
    start = 1 if names[0] in _TESTS else 2 if ".".join(names[:2]) in _TESTS else 0
    if not start or not _TEST_MODIFIERS.issuperset(names[start:]):
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


def _note_route(walk: Walk, index: int, rule: Rule, arguments: Node) -> None:
    call = walk.calls[index]
    callee = call.callee
    if callee is None or callee[0] != "member":
        return
    found = _find_router(walk, callee[1])
    if found is None:
        return
    path, is_use = walk.first_strings.get(index), rule.word == "USE"
    if path is None and not found and arguments.type == "arguments" and arguments.named_child_count > 1:
        path = _written_path(walk, arguments.named_children[0], is_use=is_use)
    handler = _written_function(call) if is_use else _last_function(call)
    has_path = path is not None or found or len(call.arguments) > 1 or is_use
    if handler is None or not has_path or (path is not None and len(call.arguments) == 1):
        return
    place = path if path is not None else found or "/"
    loop = loop_around(walk, arguments) if place.startswith("<") else None
    places = texts_in_rows(walk, loop, arguments.named_children[0]) if loop is not None else []
    for each in places or [place]:
        _register(walk, call, handler, kind="http", detail=f"{rule.word} {each}")


def _written_path(walk: Walk, node: Node, *, is_use: bool) -> str | None:
    """A path that is no plain text: put together, one of several, or the value of a name."""
    if node.type == "array":
        return ", ".join(text for each in node.named_children if (text := path_value(walk, each))) or None
    if node.type == "regex":
        return walk.name_of(node.child_by_field_name("pattern")).replace("\\/", "/")
    path = path_value(walk, node)
    if path is None and not is_use and node.type in {"identifier", "member_expression", "binary_expression"}:
        return f"<{walk.text.brief(node, _MOST_DETAIL)}>"
    return path


def _find_router(walk: Walk, receiver: Expression) -> str | None:
    """The path a router is already at ("" at its root); None if the receiver is no router."""
    path = ""
    for _ in range(_MOST_STEPS):
        if receiver is None:
            return None
        if receiver[0] == "result":
            call = walk.calls[receiver[1]]
            name = f"new {call.text}" if call.kind == "new" else call.text
            if name in _ROUTER_CONSTRUCTORS:
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
    name = str(receiver[-1])
    if receiver[0] not in {"name", "member"}:
        return False
    value = walk.values_by_name.get(name) if receiver[0] == "name" else None
    while value is not None and value[0] == "awaited":
        value = value[1]
    if value is not None and value[0] == "result":
        call = walk.calls[value[1]]
        text = f"new {call.text}" if call.kind == "new" else call.text
        if text in _ROUTER_CONSTRUCTORS:
            return True
    if receiver[0] == "name" and _has_router_type(walk, name):
        return True
    return name in _RECEIVERS or name.endswith(_RECEIVER_ENDINGS)


def _has_router_type(walk: Walk, name: str) -> bool:
    return any(
        parameter.name == name and parameter.type is not None and parameter.type[-1] in _ROUTER_TYPES
        for parameter in walk.symbols[walk.scope].parameters
    )


def _note_route_object(walk: Walk, call: Call, rule: Rule, arguments: Node) -> None:
    """Note a route given as one object: `fastify.route({ method: "GET", url: "/users", handler })`."""
    callee, value = call.callee, call.arguments[0][1]
    if callee is None or callee[0] != "member" or value is None or value[0] != "dict":
        return
    if _find_router(walk, callee[1]) is None:
        return
    handler = dict(value[1:]).get(str(rule.handler))
    texts = texts_of(walk, arguments.named_children[0])
    path = next((texts[str(key)] for key in rule.detail if texts.get(str(key))), None)
    method = next((texts[str(key)].upper() for key in rule.methods if key in texts), _EVERY_METHOD)
    if handler is not None and path is not None:
        _register(walk, call, handler, kind="http", detail=f"{method} {path}")


def _note_event(walk: Walk, index: int, call: Call) -> None:
    name, handler = walk.first_strings.get(index), _written_function(call) or _last_function(call)
    if name is not None and handler is not None and len(call.arguments) > 1:
        _register(walk, call, handler, kind="event", detail=name)


def _note_command(walk: Walk, index: int, call: Call, *, rule: Rule, arguments: Node) -> None:
    first = call.arguments[0][1]
    if not rule.detail:  # the command was opened before
        title = _find_command(walk, call.callee)
        handler = _last_function(call)
    elif first is not None and first[0] == "dict":  # yargs, with all of the command in one object
        title = texts_of(walk, arguments.named_children[0]).get(str(rule.detail[0]))
        handler = dict(first[1:]).get(str(rule.handler))
    else:  # yargs gives the handler with the command
        title = walk.first_strings.get(index)
        last = call.arguments[-1][1]
        handler = last if last is not None and last[0] == "symbol" and len(call.arguments) > 1 else None
    if title is not None and handler is not None:
        _register(walk, call, handler, kind="cli", detail=f"{rule.word} {title}")


def _find_command(walk: Walk, callee: Expression) -> str | None:
    """The command an action belongs to, back along the chain or the variable it stands on."""
    value = callee
    for _ in range(_MOST_STEPS):
        if value is None:
            return None
        if value[0] == "member":
            value = value[1]
        elif value[0] == "result":
            index = value[1]
            value = walk.calls[index].callee
            if value is not None and value[0] == "member" and value[2] in _COMMAND_OPENINGS:
                return walk.first_strings.get(index)
            if value is not None and value[-1] in _COMMAND_ROOTS:
                return walk.first_strings.get(index, str(value[-1]))
        elif value[0] == "name" and value[1] in _COMMAND_ROOTS:
            return str(value[1])
        elif value[0] == "name":
            value = walk.values_by_name.get(value[1])
        else:
            return None
    return None


def _note_job(walk: Walk, index: int, call: Call) -> None:
    handler = _written_function(call) or _last_function(call)
    if handler is None:
        return
    if handler[0] == "result" or (call.kind == "new" and len(call.arguments) == 1):
        return
    _register(walk, call, handler, kind="job", detail=walk.first_strings.get(index, call.text))
