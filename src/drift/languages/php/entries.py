"""Where the outside world enters PHP code: routes, commands, jobs, events, tests, scripts.

A registration names a handler. When that is in the same file, it is the entry point; otherwise the scope
that registers it stands in, and the call's arguments say what it handed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import last_name
from drift.languages.facts import Constant, EntryPoint
from drift.languages.frameworks import ANY_METHOD, join_route, load_frameworks
from drift.languages.kinds import ROUTE_NAME
from drift.languages.php.arguments import name_callable
from drift.languages.php.attributes import attribute_arguments
from drift.languages.php.controllers import answering_form, controller_form
from drift.languages.php.route_names import ResourceNames, note_name
from drift.languages.php.routers import (
    THE_FILE,
    calls_behind,
    chained_prefix,
    is_router,
    note_routing,
    note_setting,
)
from drift.languages.php.walk import Registration, value_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Decorator, Symbol
    from drift.languages.frameworks import Rule, Selector
    from drift.languages.php.walk import PhpWalk

_FRAMEWORKS: Final = load_frameworks("php")
_BY_ATTRIBUTE: Final = frozenset({"event", "job"})
_CLASS_WORDS: Final = {name: _FRAMEWORKS.texts("classes", name) for name in _FRAMEWORKS.words["classes"]}


def note_script(php: PhpWalk) -> None:
    """A file that is run by its name."""
    name = php.path.rsplit("/", 1)[-1]
    is_script = php.text.source.startswith(b"#!") or name == "index.php"
    if is_script and any(call.scope == 0 for call in php.calls):
        php.entry_points.append(EntryPoint(0, "main", "script", 1))


def note_registration(php: PhpWalk, number: int, *, nodes: list[Node]) -> None:
    """Recognise a call that hands a handler to a framework."""
    callee = php.calls[number].callee
    if callee is None or not nodes or callee[0] not in {"name", "member"}:
        return
    name = callee[-1]
    first = php.string_of(value_of(nodes[0]))
    if name in _FRAMEWORKS.mounts:
        note_routing(php, number, nodes)
    note_setting(php, number, name, first)
    rules = _FRAMEWORKS.calls.get(name)
    if rules is None:
        return
    rule = rules[0]
    if callee[0] == "member" and rule.kind == "http":
        if is_router(php, callee[1]):
            _note_route(php, number, rule, nodes)
    elif callee[0] == "name" and not rule.receivers:
        _note_function(php, number, rule, nodes)
    elif callee[0] == "member" and rule.receivers:
        _note_handed(php, number, rule, first)


def _note_route(php: PhpWalk, number: int, rule: Rule, nodes: list[Node]) -> None:
    values = [value for _, value in php.calls[number].arguments]
    place, handed = _place(rule.detail[0]), _place(rule.handler)
    if len(values) <= handed:
        return
    path = php.string_of(value_of(nodes[place]))
    if path is None:
        return
    callee = php.calls[number].callee
    receiver = _owner(callee)
    path = _nested(path) if rule.expands else path
    whole = join_route(*(group.prefix for group in php.route_groups), chained_prefix(php, receiver), path)
    named_by = controller_form if rule.expands else answering_form
    handler = named_by(php, value_of(nodes[handed]), values[handed], receiver)
    names = ResourceNames(php, number, nodes=nodes, receiver=receiver) if rule.expands else None
    for each in rule.expands:
        action, methods, end = (*each.split(" ", 2), "")[:3]
        if _is_answered(php, nodes, action):
            named = end.replace("{id}", f"{{{_singular(path)}}}")
            _register(php, number, _action_of(handler, action), "http", f"{methods} {whole}{named}")
            if names is not None:
                names.note(action, f"{methods} {whole}{named}")
    if not rule.expands:
        method = rule.word or _methods_in(php, value_of(nodes[_place(rule.methods[0])]))
        _register(php, number, handler, "http", f"{method} {whole}")
        note_name(php, number, nodes=nodes, receiver=receiver, route=f"{method} {whole}")


def _action_of(handler: Expression, action: str) -> Expression:
    """The method of a controller that answers; the controller itself is what `Users::class` is."""
    return None if handler is None else ("member", handler, action)


def _is_answered(php: PhpWalk, nodes: list[Node], action: str) -> bool:
    """Whether a resource has a route, by `only` and `except`: in its options, or called on what it gives."""
    options = value_of(nodes[2]) if len(nodes) > 2 else None  # noqa: PLR2004 - path, controller, options
    said = calls_behind(php, nodes[0])
    if options is not None and options.type == "array_creation_expression":
        pairs = (each.named_children for each in options.named_children if each.named_child_count > 1)
        said += [(php.string_of(pair[0]) or "", [pair[-1]]) for pair in pairs]
    return all(
        (action in _texts_in(php, given)) == (name == "only")
        for name, given in said
        if name in {"except", "only"}
    )


def _texts_in(php: PhpWalk, nodes: list[Node]) -> list[str | None]:
    """The texts of `'index', 'show'` and of `['index', 'show']`."""
    arrays = [each.named_children for each in nodes if each.type == "array_creation_expression"]
    listed = [
        element.named_children[-1] for array in arrays for element in array if element.named_child_count
    ]
    return [php.string_of(each) for each in (*nodes, *listed)]


def _nested(path: str) -> str:
    """The path of a resource within others: `photos.comments` is `photos/{photo}/comments`."""
    *outer, last = path.split(".")
    return "/".join([*(f"{each}/{{{_singular(each)}}}" for each in outer), last])


def _singular(path: str) -> str:
    """The name Laravel gives the parameter of a resource: `photos` has `{photo}`."""
    name = path.rstrip("/").rpartition("/")[2].replace("-", "_")
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def _place(selector: Selector) -> int:
    return selector if isinstance(selector, int) else 0


def _methods_in(php: PhpWalk, node: Node | None) -> str:
    """The methods of `['get', 'post']`, joined."""
    if node is None:
        return ANY_METHOD
    texts = [
        php.string_of(child.named_children[-1]) for child in node.named_children if child.named_child_count
    ]
    return ",".join(text.upper() for text in texts if text) or ANY_METHOD


def _note_function(php: PhpWalk, number: int, rule: Rule, nodes: list[Node]) -> None:
    values = [value for _, value in php.calls[number].arguments]
    first = php.string_of(value_of(nodes[0]))
    if first is None or len(values) < 2:  # noqa: PLR2004 - a name and a handler
        return
    if rule.kind == "http":
        if len(nodes) > 2:  # noqa: PLR2004 - namespace, route, options
            _note_rest_route(php, number, rule, nodes)
        return
    handler = values[_place(rule.handler)]
    if rule.kind != "test" or (handler is not None and handler[0] == "symbol"):
        _register(php, number, handler, rule.kind, first)


def _note_rest_route(php: PhpWalk, number: int, rule: Rule, nodes: list[Node]) -> None:
    """WordPress: `register_rest_route('shop/v1', '/x', ['methods' => 'GET', 'callback' => …])`."""
    options = value_of(nodes[2])
    prefix = php.string_of(value_of(nodes[0])) or ""
    path, method = php.string_of(value_of(nodes[1])) or "", ANY_METHOD
    handler: Expression = None
    for element in () if options is None else options.named_children:
        parts = element.named_children
        key = php.string_of(parts[0]) if len(parts) > 1 else None
        if key in rule.methods:
            method = php.string_of(parts[-1]) or method
        elif key == rule.handler:
            handler = name_callable(php, parts[-1])
    given = php.calls[number].arguments[2][1]
    if handler is None and given is not None and given[0] == "dict":
        handler = dict(given[1:]).get(str(rule.handler))
    _register(php, number, handler, "http", f"{method} /{prefix.strip('/')}/{path.strip('/')}")


def _note_handed(php: PhpWalk, number: int, rule: Rule, first: str | None) -> None:
    """What a facade such as `Artisan` or `Event` is handed, or the schedule."""
    owner = _owner(php.calls[number].callee)
    values = [value for _, value in php.calls[number].arguments]
    if (
        owner is None
        or owner[0] != "name"
        or owner[1] not in rule.receivers
        or len(values) <= _place(rule.handler)
    ):
        return
    handler = values[_place(rule.handler)]
    if rule.kind == "cli":
        if first is not None:
            title = first.split()[0] if first.split() else first
            _register(php, number, handler, "cli", f"{rule.word} {title}")
    else:
        detail = rule.word or _shown(php, values[0]) or first or ""
        _register(php, number, handler, rule.kind, detail)


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
        router = THE_FILE if kind == "http" else None
        found = _find_handler(php, handler, scope, by_place)
        # A callable by its name is a closure of a function; what is entered is that function.
        named = handler[1] if handler is not None and handler[0] == "partial" else handler
        here = EntryPoint(scope, kind, detail, line, named, router)
        php.entry_points.append(
            here if found is None else EntryPoint(found, kind, detail, line, None, router)
        )
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
    is_suite = any(base.endswith(_CLASS_WORDS["test_base_endings"]) for base in bases) or (
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
    symbol, words = php.symbols[number], _CLASS_WORDS
    path = f"/{php.path.lower()}"
    roles: list[tuple[str, str, str]] = []
    command = _attribute_of(symbol, "cli")
    if command is not None or any(base.endswith(words["command_base_endings"]) for base in bases):
        name = attribute_arguments(command).get("name", "") if command is not None else ""
        detail = f"command {name or php.command_names.get(number, '')}".rstrip()
        roles += [(runner, "cli", detail) for runner in words["command_methods"]]
    if _attribute_of(symbol, "job") is not None or not bases.isdisjoint(words["message_bases"]):
        roles += [(runner, "job", symbol.name) for runner in words["message_methods"]]
    if (listener := _attribute_of(symbol, "event")) is not None:
        said = attribute_arguments(listener)
        roles += [(said.get("method", "__invoke"), "event", said.get("event", symbol.name))]
    if any(folder in path for folder in words["listener_folders"]):
        roles += [(runner, "event", symbol.name) for runner in words["listener_methods"]]
    if not bases.isdisjoint(words["job_bases"]) or any(folder in path for folder in words["job_folders"]):
        roles += [(runner, "job", symbol.name) for runner in words["job_methods"]]
    return roles


def _attribute_of(symbol: Symbol, kind: str) -> Decorator | None:
    """The first attribute that makes a symbol an entry point of a kind, in whatever namespace."""
    return next((each for each in symbol.decorators for rule in _rules(each) if rule.kind == kind), None)


def _rules(decorator: Decorator) -> tuple[Rule, ...]:
    return _FRAMEWORKS.decorators.get(decorator.name.rpartition("\\")[2], ())


def _is_test(method: Symbol) -> bool:
    is_named = method.name.startswith("test") and method.visibility == "public"
    return is_named or "@test" in method.doc.split() or _attribute_of(method, "test") is not None


def _mark_test(php: PhpWalk, number: int) -> None:
    symbol = php.symbols[number]
    php.symbols[number] = symbol._replace(modifiers=tuple(sorted({*symbol.modifiers, "test"})))


def _note_routes(php: PhpWalk, place: int, method: Symbol, owner: Symbol) -> None:
    """Symfony's `#[Route('/x', methods: ['GET'])]`, after the one of the class, and what else attributes say of a method."""
    outer = _attribute_of(owner, "http")
    around = attribute_arguments(outer) if outer is not None else {}
    prefix, named = around.get("path", ""), around.get("name", "")
    for decorator in method.decorators:
        for rule in _rules(decorator):
            arguments = attribute_arguments(decorator)
            if rule.kind in _BY_ATTRIBUTE:
                said = arguments.get(str(rule.detail[0]), "") if rule.detail else ""
                detail = f"{rule.word} {said}".strip() or decorator.name.rpartition("\\")[2]
                php.entry_points.append(EntryPoint(place, rule.kind, detail, decorator.line))
            if rule.kind != "http":
                continue
            path = join_route(prefix, arguments.get(str(rule.detail[0]), ""))
            methods = arguments.get(str(rule.methods[0])) or ANY_METHOD
            php.entry_points.append(EntryPoint(place, "http", f"{methods} {path}", decorator.line))
            name = arguments.get("name", "")
            if name and name != arguments.get("path"):
                whole = f"{named}{name} {methods} {path}"
                php.constants.append(Constant(place, decorator.line, ROUTE_NAME, whole))


def _owner(callee: Expression) -> Expression:
    """What a method is called on."""
    return callee[1] if callee is not None and callee[0] == "member" else None
