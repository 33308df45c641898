"""The routes of Rails: `resources`, `namespace`, `get "x", to: "controller#action"`, as the file of routes nests them.

A route names its handler as `controller#action`; which method that is, linking finds by the name of the controller.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Constant, EntryPoint
from drift.languages.frameworks import METHODS_OF_HTTP, join_route, load_frameworks
from drift.languages.kinds import ROUTE_NAME
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.ruby.inflection import camelize, plural, singular
from drift.languages.ruby.statements import visit_body
from drift.languages.ruby.walk import Nesting, arguments_of
from drift.languages.ruby.yard import constant_path

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import RubyWalk

_WORDS: Final = load_frameworks("ruby")
_VERBS: Final = {method.lower(): method for method in METHODS_OF_HTTP}
_ACTIONS: Final = {name: _WORDS.texts("routes", name) for name in ("resources", "resource")}
_PARTS: Final = re.compile(r"\([^()]*|\)|[^()]+")
_MOST_PATHS: Final = 4  # of one route: further parts that may be left out are left out
_NO_WORD: Final = re.compile(r"\W+")
_BEFORE_NAMES: Final = frozenset({"edit", "new"})
_MOST_ROUTES: Final = 2_000  # of one call: what is nested a thousandfold says nothing


def is_routes_file(ruby: RubyWalk) -> bool:
    """Whether a file is one that Rails reads routes from."""
    path = f"/{ruby.path}"
    return path.endswith("/routes.rb") or "/config/routes/" in path


def read_route(ruby: RubyWalk, node: Node, name: str) -> bool:
    """Whether a call without receiver is one of the language of routes, which is then read."""
    if ruby.nesting is None:
        return False
    if name in _VERBS or name in {"match", "root"}:
        _read_single(ruby, node, name)
    elif name in _ACTIONS:
        for argument in arguments_of(node):
            title = ruby.string_of(argument) if argument.type != "pair" else None
            if title:
                _read_resource(ruby, node, name, title)
    elif name in {"namespace", "scope", "controller"}:
        _enter(ruby, node, _scoped(ruby, node, name))
    elif name == "member":
        _enter(ruby, node, replace(ruby.nesting, path=ruby.nesting.member or ruby.nesting.path))
    elif name in {"collection", "constraints", "defaults", "shallow", "concern", "authenticate", "authenticated",
                  "unauthenticated", "with_options", "draw", "devise_scope"}:  # fmt: skip
        _enter(ruby, node, ruby.nesting)
    elif name == "mount":
        _read_mount(ruby, node)
    else:
        return False
    return True


def _enter(ruby: RubyWalk, node: Node, nesting: Nesting) -> None:
    block = node.child_by_field_name("block")
    if block is not None:
        outer, ruby.nesting = ruby.nesting, nesting
        visit_body(ruby, block.child_by_field_name("body"))
        ruby.nesting = outer


def _scoped(ruby: RubyWalk, node: Node, name: str) -> Nesting:
    assert ruby.nesting is not None
    around, options = ruby.nesting, options_of(ruby, node)
    first = _first_text(ruby, node)
    path, module, controller = around.path, around.module, options.get("controller", around.controller)
    if name == "namespace" and first:
        path = join_route(path, options.get("path", first))
        module = f"{module}{options.get('module', first)}/"
    elif name == "controller" and first:
        controller = first
    elif name == "scope":
        path = join_route(path, first or options.get("path", ""))
        module = f"{module}{options['module']}/" if options.get("module") else module
    named = options.get("as", first if name == "namespace" else "")
    return Nesting(path, module, controller, name=_named(around.name, named))


def _named(prefix: str, name: str) -> str:
    """The name of a route behind that of what it stands in."""
    return "_".join(filter(None, (prefix, _NO_WORD.sub("_", name).strip("_"))))


def _read_resource(ruby: RubyWalk, node: Node, kind: str, title: str) -> None:
    """All routes of a resource, then those that are nested in it."""
    assert ruby.nesting is not None
    around, options = ruby.nesting, options_of(ruby, node)
    path = join_route(around.path, options.get("path", title))
    module = f"{around.module}{options['module']}/" if options.get("module") else around.module
    controller = options.get("controller") or (title if kind == "resources" else plural(title))
    one = options.get("param") or "id"
    member = join_route(path, f":{one}") if kind == "resources" else path
    called = options.get("as", title)
    one_name = _named(around.name, singular(called) if kind == "resources" else called)
    all_name = _named(around.name, called)
    all_name = f"{all_name}_index" if kind == "resources" and all_name == one_name else all_name
    for each in _ACTIONS[kind]:
        action, method, end = (*each.split(" ", 2), "")[:3]
        if _is_answered(ruby, node, action):
            whole = join_route(path, end.replace(":id", f":{one}")) if end else path
            named = f"{action}_{one_name}" if action in _BEFORE_NAMES else one_name if end else all_name
            _add(ruby, node, f"{method} {whole}", f"{module}{controller}#{action}", named=named)
    inside = path if kind == "resource" else join_route(path, f":{singular(title)}_{one}")
    nested = Nesting(inside, module, controller, member, one_name, one_name, all_name)
    block = node.child_by_field_name("block")
    if block is not None:
        outer, ruby.nesting = ruby.nesting, nested
        ruby.collections.append(path)
        visit_body(ruby, block.child_by_field_name("body"))
        ruby.collections.pop()
        ruby.nesting = outer


def _is_answered(ruby: RubyWalk, node: Node, action: str) -> bool:
    for argument in arguments_of(node):
        if argument.type != "pair":
            continue
        key, value = argument.child_by_field_name("key"), argument.child_by_field_name("value")
        name = ruby.string_of(key)
        if name in {"only", "except"} and value is not None:
            return (action in _listed(ruby, value)) == (name == "only")
    return True


def _listed(ruby: RubyWalk, node: Node) -> list[str]:
    nodes = node.named_children if node.type in {"array", "symbol_array", "string_array"} else [node]
    return [text for one in nodes if (text := ruby.string_of(one))]


def _read_single(ruby: RubyWalk, node: Node, name: str) -> None:
    """`get "x", to: "c#a"`, `get "x" => "c#a"`, `post :close`, `root "c#a"`."""
    assert ruby.nesting is not None
    around, options = ruby.nesting, options_of(ruby, node)
    arguments = arguments_of(node)
    arrow = next((one for one in arguments if one.type == "pair" and _is_arrow(one)), None)
    titles = [text for one in arguments if one.type != "pair" and (text := ruby.string_of(one)) is not None]
    is_computed = any(one.type == "pair" and _is_computed(ruby, one) for one in arguments)
    to = options.get("to", "")
    if arrow is not None:
        titles = [ruby.string_of(arrow.child_by_field_name("key")) or ""]
        to = ruby.string_of(arrow.child_by_field_name("value")) or ""
    if name == "root":
        titles, to = [""], to or (titles[0] if titles else "")
    methods = _methods(ruby, node, name)
    for title in titles[:_MOST_ROUTES]:
        base = _base(ruby, node, options)
        paths = dict.fromkeys(join_route(base, each) for each in _written_out(title))
        handler = "" if is_computed else _handler(around, title.partition("(")[0], to, options)
        named = "root" if name == "root" else options.get("as") or title.partition("(")[0]
        _add(
            ruby,
            node,
            f"{methods} {', '.join(paths)}",
            handler,
            named=_single_name(ruby, node, options, named),
        )


def _single_name(ruby: RubyWalk, node: Node, options: dict[str, str], said: str) -> str:
    """`close_order` of one thing, `search_orders` of all, `order_close` of what is nested in one."""
    assert ruby.nesting is not None
    around, on = ruby.nesting, options.get("on", "")
    own = _named("", "/".join(each for each in said.split("/") if each[:1] not in {":", "*"}))
    if around.member and (on == "member" or around.path == around.member):
        return f"{own}_{around.one_name}"
    if around.member and (on == "collection" or _is_inside(ruby, node, "collection")):
        return f"{own}_{around.all_name}"
    return _named(around.name, own)


def _written_out(title: str) -> list[str]:
    """A path without and with its optional parts: `messages(/:page)`; formats are left out."""
    found = [""]
    for part in _PARTS.findall(title):
        if part == ")":
            continue
        inside = part.startswith("(")
        if inside and part.startswith("(."):
            continue
        longer = [f"{each}{part.lstrip('(')}" for each in found]
        # What is optional inside of something optional stands behind that.
        found = [*found, longer[-1]][:_MOST_PATHS] if inside else longer
    return found


def _is_computed(ruby: RubyWalk, pair: Node) -> bool:
    """Whether what a route leads to is no action: `to: redirect("/")`, `"/x" => App`."""
    key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
    is_target = ruby.string_of(key) == "to" or _is_arrow(pair)
    return is_target and ruby.string_of(value) is None


def _is_arrow(pair: Node) -> bool:
    key = pair.child_by_field_name("key")
    return key is not None and key.type == "string"


def _base(ruby: RubyWalk, node: Node, options: dict[str, str]) -> str:
    """Where a route of a resource stands: of one thing, of all, or nested under one."""
    assert ruby.nesting is not None
    around = ruby.nesting
    on = options.get("on", "")
    if not around.member:
        return around.path
    if on == "member":
        return around.member
    is_in_collection = on == "collection" or _is_inside(ruby, node, "collection")
    return ruby.collections[-1] if is_in_collection and ruby.collections else around.path


def _is_inside(ruby: RubyWalk, node: Node, name: str) -> bool:
    """Whether the nearest block around is that of a call of that name."""
    around = node.parent
    while around is not None and around.type not in {"block", "do_block"}:
        around = around.parent
    call = None if around is None else around.parent
    method = None if call is None else call.child_by_field_name("method")
    return method is not None and ruby.text.text(method) == name


def _methods(ruby: RubyWalk, node: Node, name: str) -> str:
    if name == "root":
        return "GET"
    if name != "match":
        return _VERBS[name]
    for argument in arguments_of(node):
        if argument.type == "pair" and ruby.string_of(argument.child_by_field_name("key")) == "via":
            value = argument.child_by_field_name("value")
            listed = [] if value is None else _listed(ruby, value)
            return ",".join(_VERBS.get(one, "ANY") for one in listed) or "ANY"
    return "ANY"


def _handler(around: Nesting, title: str, to: str, options: dict[str, str]) -> str:
    """`controller#action` in full; empty where nothing says it. In a namespace that is the controller, where no other is."""
    if "#" in to:
        return f"{around.module}{to}"
    controller = options.get("controller") or around.controller
    action = options.get("action") or to or title.strip("/").rpartition("/")[2].replace("-", "_")
    if not controller:
        parts = title.strip("/").split("/")
        if len(parts) == 1 and around.module:
            return f"{around.module.rstrip('/')}#{action}" if action and ":" not in action else ""
        if len(parts) != 2 or ":" in title:  # noqa: PLR2004 - a controller and an action
            return ""
        controller, action = parts
    return f"{around.module}{controller}#{action}" if action and ":" not in action else ""


def _read_mount(ruby: RubyWalk, node: Node) -> None:
    """`mount Sidekiq::Web => "/jobs"` and `mount App, at: "/x"`."""
    assert ruby.nesting is not None
    for argument in arguments_of(node):
        if argument.type == "pair" and _is_path_key(argument):
            engine, at = argument.child_by_field_name("key"), argument.child_by_field_name("value")
            path = ruby.string_of(at) or ""
        elif argument.type in {"constant", "scope_resolution", "call"}:
            engine, path = argument, options_of(ruby, node).get("at", "")
        else:
            continue
        text = "" if engine is None else ruby.text.brief(engine, MOST_TEXT_CHARACTERS)
        handler = constant_path(text) if text and text.replace(":", "").isalnum() else None
        detail = f"ANY {join_route(ruby.nesting.path, path)}"
        ruby.entry_points.append(EntryPoint(ruby.scope, "http", detail, ruby.line(node), handler))


def _is_path_key(pair: Node) -> bool:
    key = pair.child_by_field_name("key")
    return key is not None and key.type in {"constant", "scope_resolution", "call"}


def _add(ruby: RubyWalk, node: Node, detail: str, handler: str, *, named: str) -> None:
    if len(ruby.entry_points) < _MOST_ROUTES:
        path = detail.partition(" ")[2].partition(",")[0]
        if named and len(named) + len(path) < MOST_TEXT_CHARACTERS:
            ruby.constants.append(Constant(ruby.scope, ruby.line(node), ROUTE_NAME, f"{named} {path}"))
        form = _action_form(handler)
        ruby.entry_points.append(EntryPoint(ruby.scope, "http", detail, ruby.line(node), form))


def _action_form(handler: str) -> Expression:
    controller, mark, action = handler.partition("#")
    if not mark or not controller or not action:
        return None
    return ("member", ("instance", constant_path(f"::{camelize(controller)}Controller")), action)


def options_of(ruby: RubyWalk, node: Node) -> dict[str, str]:
    """The options of a call that are constant, by name."""
    found: dict[str, str] = {}
    for argument in arguments_of(node):
        if argument.type == "pair":
            key, value = argument.child_by_field_name("key"), argument.child_by_field_name("value")
            name, text = ruby.string_of(key), ruby.string_of(value)
            if name and text is not None and key is not None and key.type != "string":
                found[name] = text
    return found


def _first_text(ruby: RubyWalk, node: Node) -> str:
    arguments = arguments_of(node)
    return (ruby.string_of(arguments[0]) or "") if arguments and arguments[0].type != "pair" else ""
