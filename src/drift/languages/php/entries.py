"""Where the outside world enters PHP code: routes, commands, jobs, events, tests, scripts.

A registration names a handler. When that is in the same file, it is the entry point; otherwise the scope
that registers it stands in, and the call's arguments say what it handed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import last_name
from drift.languages.facts import EntryPoint
from drift.languages.php.arguments import name_callable
from drift.languages.php.attributes import attribute_arguments, is_attribute
from drift.languages.php.walk import Registration, value_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.php.walk import PhpWalk

_METHODS: Final = {
    "get": "GET", "post": "POST", "put": "PUT", "patch": "PATCH", "delete": "DELETE", "options": "OPTIONS",
    "any": "ANY",
}  # fmt: skip
_ROUTERS: Final = frozenset({"$app", "$group", "$r", "$route", "$router", "$routes"})
_RESOURCES: Final = frozenset({"apiResource", "resource"})
_HOOKS: Final = frozenset({"add_action", "add_filter", "add_shortcode"})
_PEST: Final = frozenset({"it", "test"})
_REGISTERING: Final = frozenset(
    {*_METHODS, *_RESOURCES, *_HOOKS, *_PEST, "call", "command", "listen", "match", "register_rest_route"}
)
_MOST_LINKS: Final = 40  # looked at from the end of a chain; a builder's may have thousands
_LISTENER_FOLDERS: Final = ("/listeners/", "/eventlistener/", "/eventsubscriber/")


def note_script(php: PhpWalk) -> None:
    """A file that is run by its name."""
    name = php.path.rsplit("/", 1)[-1]
    is_script = php.text.source.startswith(b"#!") or name == "index.php"
    if is_script and any(call.scope == 0 for call in php.calls):
        php.entry_points.append(EntryPoint(0, "main", "script", 1))


def enter_group(php: PhpWalk, node: Node, callee: Expression) -> bool:
    """Whether a call begins a group of routes, whose prefix then is in force."""
    if callee is None or callee[0] != "member" or callee[2] != "group":
        return False
    if not _is_router(php, callee[1]):
        return False
    prefix = _chained_prefix(php, callee[1])
    listed = node.child_by_field_name("arguments")
    if not prefix and listed is not None and listed.named_child_count > 1:
        first = value_of(listed.named_children[0])
        prefix = php.string_of(first) or _prefix_in_array(php, first)
    php.route_prefixes.append(prefix)
    return True


def leave_group(php: PhpWalk) -> None:
    php.route_prefixes.pop()


def _prefix_in_array(php: PhpWalk, node: Node | None) -> str:
    """The path of `['prefix' => 'admin', …]`."""
    if node is None or node.type != "array_creation_expression":
        return ""
    for element in node.named_children:
        parts = element.named_children
        if len(parts) > 1 and php.string_of(parts[0]) == "prefix":
            return php.string_of(parts[-1]) or ""
    return ""


def _is_router(php: PhpWalk, receiver: Expression) -> bool:
    """Whether a value is the Route facade, a router variable, or what either gives back."""
    for _ in range(_MOST_LINKS):
        if receiver is None or receiver[0] not in {"result", "member"}:
            break
        if receiver[0] == "result":
            receiver = php.calls[receiver[1]].callee
        elif receiver[2] == "Route" or (receiver[2] in {"app", "router"} and receiver[1] == ("this",)):
            return True
        else:
            receiver = receiver[1]
    return (
        receiver is not None and receiver[0] == "name" and (receiver[1] == "Route" or receiver[1] in _ROUTERS)
    )


def _chained_prefix(php: PhpWalk, receiver: Expression) -> str:
    """The path that `Route::prefix('x')->…` puts before a route."""
    for _ in range(_MOST_LINKS):
        if receiver is None or receiver[0] != "result":
            break
        if receiver[1] in php.route_paths:
            return php.route_paths[receiver[1]]
        callee = php.calls[receiver[1]].callee
        receiver = callee[1] if callee is not None and callee[0] == "member" else None
    return ""


def note_registration(php: PhpWalk, number: int, *, nodes: list[Node]) -> None:
    """Recognise a call that hands a handler to a framework."""
    callee = php.calls[number].callee
    if callee is None or not nodes or callee[0] not in {"name", "member"}:
        return
    name = callee[-1]
    first = php.string_of(value_of(nodes[0]))
    if name == "prefix" and first is not None:
        php.route_paths[number] = first
    if name not in _REGISTERING:
        return
    if callee[0] == "member" and _is_router(php, callee[1]):
        _note_route(php, number, name, nodes)
    elif callee[0] == "name":
        _note_function(php, number, nodes)
    else:
        _note_schedule(php, number, name, first)


def _note_route(php: PhpWalk, number: int, name: str, nodes: list[Node]) -> None:
    values = [value for _, value in php.calls[number].arguments]
    place = 1 if name == "match" else 0
    if len(values) < place + 2:
        return
    path = php.string_of(value_of(nodes[place]))
    if path is None:
        return
    callee = php.calls[number].callee
    prefixes = [*php.route_prefixes, _chained_prefix(php, _owner(callee))]
    full = "/" + "/".join(part.strip("/") for part in (*prefixes, path) if part.strip("/"))
    if name in _RESOURCES:
        detail = f"RESOURCE {full}"
    elif name == "match":
        detail = f"{_methods_in(php, value_of(nodes[0]))} {full}"
    else:
        detail = f"{_METHODS.get(name, 'ANY')} {full}"
    handler = name_callable(php, value_of(nodes[place + 1])) or values[place + 1]
    _register(php, number, handler, "http", detail)


def _methods_in(php: PhpWalk, node: Node | None) -> str:
    """The methods of `['get', 'post']`, joined."""
    if node is None:
        return "ANY"
    texts = [
        php.string_of(child.named_children[-1]) for child in node.named_children if child.named_child_count
    ]
    return "|".join(text.upper() for text in texts if text) or "ANY"


def _note_function(php: PhpWalk, number: int, nodes: list[Node]) -> None:
    values = [value for _, value in php.calls[number].arguments]
    name, first = php.calls[number].text.lstrip("\\"), php.string_of(value_of(nodes[0]))
    if first is None or len(values) < 2:  # noqa: PLR2004 - a name and a handler
        return
    if name in _HOOKS:
        _register(php, number, values[1], "event", first)
    elif name in _PEST and values[1] is not None and values[1][0] == "symbol":
        _register(php, number, values[1], "test", first)
    elif name == "register_rest_route" and len(nodes) > 2:  # noqa: PLR2004 - namespace, route, options
        _note_rest_route(php, number, first, nodes)


def _note_rest_route(php: PhpWalk, number: int, prefix: str, nodes: list[Node]) -> None:
    """WordPress: `register_rest_route('shop/v1', '/x', ['methods' => 'GET', 'callback' => …])`."""
    options = value_of(nodes[2])
    path, method = php.string_of(value_of(nodes[1])) or "", "ANY"
    handler: Expression = None
    for element in () if options is None else options.named_children:
        parts = element.named_children
        key = php.string_of(parts[0]) if len(parts) > 1 else None
        if key == "methods":
            method = php.string_of(parts[-1]) or method
        elif key == "callback":
            handler = name_callable(php, parts[-1])
    given = php.calls[number].arguments[2][1]
    if handler is None and given is not None and given[0] == "dict":
        handler = dict(given[1:]).get("callback")
    _register(php, number, handler, "http", f"{method} /{prefix.strip('/')}/{path.strip('/')}")


def _note_schedule(php: PhpWalk, number: int, name: str, first: str | None) -> None:
    callee, values = php.calls[number].callee, [value for _, value in php.calls[number].arguments]
    owner = _owner(callee)
    if name == "command" and owner == ("name", "Artisan") and first is not None and len(values) > 1:
        _register(php, number, values[1], "cli", f"command {first.split()[0] if first.split() else first}")
    elif name == "listen" and owner == ("name", "Event") and len(values) > 1:
        _register(php, number, values[1], "event", _shown(php, values[0]) or first or "")
    elif name == "call" and owner in {("name", "$schedule"), ("name", "Schedule")}:
        _register(php, number, values[0], "job", "schedule")


def _shown(php: PhpWalk, value: Expression) -> str:
    if value is not None and value[0] == "symbol":
        return php.symbols[value[1]].name
    return value[-1] if value is not None and value[0] in {"name", "member"} else ""


def _register(php: PhpWalk, number: int, handler: Expression, kind: str, detail: str) -> None:
    php.registrations.append(Registration(handler, php.scope, kind, detail, php.calls[number].line))


def settle_registrations(php: PhpWalk) -> None:
    """Turn registrations into entry points, now that every function of the file is known."""
    by_place = {(symbol.parent, symbol.name): number for number, symbol in enumerate(php.symbols) if number}
    for handler, scope, kind, detail, line in php.registrations:
        found = _find_handler(php, handler, scope, by_place)
        # A callable by its name is a closure of a function; what is entered is that function.
        named = handler[1] if handler is not None and handler[0] == "partial" else handler
        here = EntryPoint(scope, kind, detail, line, named)
        php.entry_points.append(here if found is None else EntryPoint(found, kind, detail, line))
        if kind == "test" and found is not None:
            _mark_test(php, found)


def _find_handler(
    php: PhpWalk, handler: Expression, scope: int, by_place: dict[tuple[int, str], int]
) -> int | None:
    if handler is not None and handler[0] == "partial":
        handler = handler[1]
    if handler is None:
        return None
    if handler[0] == "symbol":
        return int(handler[1])
    if handler[0] == "name":
        return by_place.get((0, handler[1]))
    if handler[0] != "member" or handler[1] is None:
        return None
    owner = handler[1]
    if owner[0] == "this":
        return by_place.get((_class_around(php, scope), handler[2]))
    class_number = owner[1] if owner[0] == "symbol" else by_place.get((0, last_name(owner)))
    return by_place.get((class_number, handler[2])) if class_number else None


def _class_around(php: PhpWalk, scope: int) -> int:
    while scope and php.symbols[scope].kind not in {"class", "trait", "enum", "interface"}:
        scope = php.symbols[scope].parent
    return scope


def note_class(php: PhpWalk, number: int) -> None:
    """Entry points that go by what a class is: commands, jobs, listeners, tests, routes by attribute."""
    symbol = php.symbols[number]
    bases = {base.text.rpartition("\\")[2] for base in symbol.bases}
    methods = [
        (place, member)
        for place, member in enumerate(php.symbols[number + 1 :], number + 1)
        if member.parent == number and member.kind == "method"
    ]
    is_suite = any(base.endswith("TestCase") for base in bases) or (
        bool(bases) and symbol.name.endswith("Test") and "test" in php.path.lower()
    )
    for place, method in methods:
        _note_routes(php, place, method, symbol)
        if is_suite and _is_test(method):
            _mark_test(php, place)
            php.entry_points.append(EntryPoint(place, "test", method.name, method.line))
    by_name = {method.name: place for place, method in methods}
    for runner, kind, detail in _class_roles(php, number, bases):
        if runner in by_name:
            place = by_name[runner]
            php.entry_points.append(EntryPoint(place, kind, detail, php.symbols[place].line))
            return


def _class_roles(php: PhpWalk, number: int, bases: set[str]) -> list[tuple[str, str, str]]:
    """(method, kind, detail) that a framework would call on this class, likeliest first."""
    symbol = php.symbols[number]
    roles: list[tuple[str, str, str]] = []
    command = next((each for each in symbol.decorators if is_attribute(each, "AsCommand")), None)
    if command is not None or any(base.endswith("Command") for base in bases):
        name = attribute_arguments(command).get("name", "") if command is not None else ""
        name = name or php.command_names.get(number, "")
        detail = f"command {name}".rstrip()
        roles += [(runner, "cli", detail) for runner in ("handle", "execute", "__invoke")]
    if any(is_attribute(each, "AsMessageHandler") for each in symbol.decorators):
        roles.append(("__invoke", "job", symbol.name))
    if "MessageHandlerInterface" in bases:
        roles.append(("__invoke", "job", symbol.name))
    if any(folder in f"/{php.path.lower()}" for folder in _LISTENER_FOLDERS):
        roles += [(runner, "event", symbol.name) for runner in ("handle", "__invoke")]
    if "ShouldQueue" in bases or "/jobs/" in f"/{php.path.lower()}":
        roles.append(("handle", "job", symbol.name))
    return roles


def _is_test(method: Symbol) -> bool:
    is_named = method.name.startswith("test") and method.visibility == "public"
    return (
        is_named
        or "@test" in method.doc.split()
        or any(is_attribute(each, "Test") for each in method.decorators)
    )


def _mark_test(php: PhpWalk, number: int) -> None:
    symbol = php.symbols[number]
    php.symbols[number] = symbol._replace(modifiers=tuple(sorted({*symbol.modifiers, "test"})))


def _note_routes(php: PhpWalk, place: int, method: Symbol, owner: Symbol) -> None:
    """Symfony's `#[Route('/x', methods: ['GET'])]`, after the one of the class."""
    outer = next((each for each in owner.decorators if is_attribute(each, "Route")), None)
    prefix = attribute_arguments(outer).get("path", "") if outer is not None else ""
    for decorator in method.decorators:
        if not is_attribute(decorator, "Route"):
            continue
        arguments = attribute_arguments(decorator)
        path = "/" + "/".join(
            part for part in (prefix.strip("/"), arguments.get("path", "").strip("/")) if part
        )
        php.entry_points.append(
            EntryPoint(place, "http", f"{arguments.get('methods') or 'ANY'} {path}", decorator.line)
        )


def _owner(callee: Expression) -> Expression:
    """What a method is called on."""
    return callee[1] if callee is not None and callee[0] == "member" else None
