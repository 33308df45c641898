"""Routers of PHP: what holds one, the prefixes of groups of routes, and the files whose routes a group takes in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import join_route, load_frameworks
from drift.languages.php.walk import RouteGroup, arguments_of, value_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

_FRAMEWORKS: Final = load_frameworks("php")
_ROUTERS: Final = _FRAMEWORKS.names("routes", "receivers")
_ROUTER_PROPERTIES: Final = _FRAMEWORKS.names("routes", "properties")
_ROUTER_FACADES: Final = _FRAMEWORKS.names("routes", "facades")
_ROUTER_HOLDERS: Final = frozenset({("this",), *(("name", each) for each in _ROUTERS)})
_CONTAINER_CALLS: Final = _FRAMEWORKS.names("routes", "container_calls")
_FILE_NAME: Final = re.compile(r"""['"]([\w./-]++)(?<=\.php)['"]""")
_REQUIRED: Final = re.compile(
    r"""\b(?:require|include)(?:_once)?\b[^;'"]{0,80}['"]([\w./-]{1,150}\.php)['"]"""
)
_FUNCTIONS: Final = frozenset(
    {"anonymous_function", "anonymous_function_creation_expression", "arrow_function"}
)
_MOST_FILE_CHARACTERS: Final = 200
_SETTINGS: Final = frozenset({"prefix", "namespace", "controller", "name", "as"})
_MOST_LINKS: Final = 40  # looked at from the end of a chain; a builder's may have thousands
THE_FILE: Final[Expression] = ("symbol", 0)  # what the routes of a file are added to


def _file_in(found: re.Match[str]) -> str:
    """A file by its path without what leads up to it and without its ending."""
    return found[1].removesuffix(".php").lstrip("./")


def enter_group(php: PhpWalk, node: Node, callee: Expression) -> bool:
    """Whether a call begins a group of routes, whose prefix then is in force."""
    if callee is None or callee[0] != "member" or callee[2] != "group":
        return False
    if not is_router(php, callee[1]):
        return False
    prefix = chained_prefix(php, callee[1])
    namespace, controller, *names = (
        chained_setting(php, callee[1], name) for name in ("namespace", "controller", "name", "as")
    )
    named = next((one for one in names if isinstance(one, str)), "")
    listed = node.child_by_field_name("arguments")
    _note_mounted_file(php, node, prefix, listed)
    if listed is not None and listed.named_child_count > 1:
        first = value_of(listed.named_children[0])
        prefix = prefix or php.string_of(first) or text_in_array(php, first, "prefix")
        namespace = namespace or text_in_array(php, first, "namespace")
        named = named or text_in_array(php, first, "as")
    php.route_groups.append(
        RouteGroup(
            prefix,
            namespace if isinstance(namespace, str) else "",
            None if isinstance(controller, str) else controller,
            named,
        )
    )
    return True


def _note_mounted_file(php: PhpWalk, node: Node, prefix: str, listed: Node | None) -> None:
    """Note a file whose routes a group takes in: `Route::prefix('api')->group(base_path('routes/api.php'))`."""
    arguments = arguments_of(listed)
    last = value_of(arguments[-1]) if arguments else None
    if last is None:
        return
    # A function takes in the files that it requires.
    pattern = _REQUIRED if last.type in _FUNCTIONS else _FILE_NAME
    found = list(pattern.finditer(php.text.brief(last, _MOST_FILE_CHARACTERS)))
    if not found:
        return
    if not prefix and len(arguments) > 1:
        first = value_of(arguments[0])
        prefix = php.string_of(first) or text_in_array(php, first, "prefix")
    whole = join_route(*(group.prefix for group in php.route_groups), prefix)
    for file in map(_file_in, found if last.type in _FUNCTIONS else found[:1]):
        php.mounts.append(Mount(php.scope, php.line(node), "under", whole, None, THE_FILE, file))


def note_routing(php: PhpWalk, number: int, nodes: list[Node]) -> None:
    """Note the files of Laravel's `withRouting(api: __DIR__.'/../routes/api.php', apiPrefix: 'v1')`."""
    rule = _FRAMEWORKS.mounts[php.calls[number].text.rpartition(">")[2]]
    given = {
        php.text.text(name): value
        for node in nodes
        if (name := node.child_by_field_name("name")) is not None and (value := value_of(node)) is not None
    }
    node = next((given[str(key)] for key in rule.router if key in given), None)
    found = None if node is None else _FILE_NAME.search(php.text.brief(node, _MOST_FILE_CHARACTERS))
    if found is not None:
        prefix = next((php.string_of(given[str(key)]) for key in rule.prefix if key in given), rule.default)
        line = php.calls[number].line
        php.mounts.append(Mount(php.scope, line, rule.kind, prefix or "", None, THE_FILE, _file_in(found)))


def leave_group(php: PhpWalk) -> None:
    php.route_groups.pop()


def text_in_array(php: PhpWalk, node: Node | None, key: str) -> str:
    """The text under a key of `['prefix' => 'admin', …]`."""
    if node is None or node.type != "array_creation_expression":
        return ""
    for element in node.named_children:
        parts = element.named_children
        if len(parts) > 1 and php.string_of(parts[0]) == key:
            return php.string_of(parts[-1]) or ""
    return ""


def is_router(php: PhpWalk, receiver: Expression) -> bool:
    """Whether a value is the Route facade, a router variable, or what calls on either give back.

    What a container holds or makes is none: `$app->config`, `$app['config']`, `$app->make('config')`.
    """
    for _ in range(_MOST_LINKS):
        if receiver is None or receiver[0] != "result":
            break
        callee = php.calls[receiver[1]].callee
        if callee is None or callee[0] != "member" or callee[2] in _CONTAINER_CALLS:
            return False
        receiver = callee[1]
    if receiver is not None and receiver[0] == "member":
        is_held = receiver[2] in _ROUTER_PROPERTIES and receiver[1] in _ROUTER_HOLDERS
        return is_held or receiver[2] in _ROUTER_FACADES
    return (
        receiver is not None
        and receiver[0] == "name"
        and (receiver[1] in _ROUTER_FACADES or receiver[1] in _ROUTERS)
    )


def note_setting(php: PhpWalk, number: int, name: str, text: str | None) -> None:
    """Note what a call such as `prefix('admin')` or `controller(Users::class)` sets for the routes behind it."""
    given = php.calls[number].arguments
    value = text if text is not None else given[0][1] if given else None
    if name in _SETTINGS and value is not None:
        php.route_settings[number] = (name, value)


def chained_prefix(php: PhpWalk, receiver: Expression) -> str:
    """The path that `Route::prefix('x')->…` puts before a route."""
    prefix = chained_setting(php, receiver, "prefix")
    return prefix if isinstance(prefix, str) else ""


def chained_setting(php: PhpWalk, receiver: Expression, name: str) -> str | Expression:
    """What a call of that name sets in the chain before a route."""
    for _ in range(_MOST_LINKS):
        if receiver is None or receiver[0] != "result":
            break
        known, value = php.route_settings.get(receiver[1], ("", None))
        if known == name:
            return value
        callee = php.calls[receiver[1]].callee
        receiver = callee[1] if callee is not None and callee[0] == "member" else None
    return None


def calls_behind(php: PhpWalk, argument: Node) -> list[tuple[str, list[Node]]]:
    """The methods called on what a call gives, with their arguments: `Route::resource(…)->only(…)`."""
    found: list[tuple[str, list[Node]]] = []
    call = argument.parent and argument.parent.parent
    for _ in range(_MOST_LINKS):
        outer = call.parent if call is not None else None
        if (
            outer is None
            or outer.type != "member_call_expression"
            or outer.child_by_field_name("object") != call
        ):
            break
        name, listed = outer.child_by_field_name("name"), outer.child_by_field_name("arguments")
        given = [value for each in arguments_of(listed) if (value := value_of(each)) is not None]
        found.append((php.text.text(name) if name is not None else "", given))
        call = outer
    return found
