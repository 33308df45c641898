"""Entry points of Python code: what the outside world calls, and how it was told to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.kernel.text import shorten
from drift.languages.expressions import last_name
from drift.languages.facts import EntryPoint, Mount
from drift.languages.frameworks import describe, find_rule, load_frameworks
from drift.languages.frameworks.rules import UNKNOWN_PREFIX
from drift.languages.limits import MOST_DETAIL_CHARACTERS
from drift.languages.python.listed_routes import local_prefix, note_loop
from drift.languages.python.nested_routes import list_around, outer_path
from drift.languages.python.strings import joined_value
from drift.languages.python.type_forms import dotted
from drift.languages.python.walk import Registered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Decorator
    from drift.languages.frameworks import Rule, Selector
    from drift.languages.python.walk import Walk

_FRAMEWORKS: Final = load_frameworks("python")
REGISTRARS: Final = frozenset(_FRAMEWORKS.calls)
_OF_ROUTES: Final = frozenset(
    name for name, rules in _FRAMEWORKS.calls.items() if any(rule.kind == "http" for rule in rules)
)
_THE_FILE: Final = ("symbol", 0)
_MOST_WRAPPERS: Final = 5  # around one handler


_HANDLER_KEYWORDS: Final = ("view", "view_func", "viewset", "endpoint", "handler", "receiver")
"""What the argument that is the code is called where it is given by name: `path("users/", view=users)`."""


class PythonSite:
    """A decorator or call of Python, as the matcher asks about it."""

    def __init__(self, walk: Walk, name: str, receiver: str, arguments: Node | None) -> None:
        self._walk = walk
        self.name = name
        self.receiver = receiver
        self.is_call = arguments is not None
        self.owners: tuple[str, ...] = ()  # no rule of Python's asks for them
        self._arguments = arguments

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        node = self.argument(*selectors)
        if node is None:
            return []
        if node.type in {"list", "tuple", "set"}:
            values = (joined_value(element, self._walk.source) for element in node.named_children)
            if (found := [value for value in values if value]) or isinstance(selectors[0], str):
                return found
        value = joined_value(node, self._walk.source)
        if value is None and isinstance(selectors[0], str):
            return []  # what a keyword names elsewhere is no method
        return [
            shorten(value, MOST_DETAIL_CHARACTERS) if value is not None else self._walk.text.brief(node, 80)
        ]

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        node = self.argument(*selectors)
        return None if node is None else joined_value(node, self._walk.source)

    def written(self) -> str:
        return (
            self.name
            if self._arguments is None
            else f"{self.name} {self._walk.text.brief(self._arguments, 80)}"
        )

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return any(each.module.startswith(packages) for each in self._walk.imports)

    def argument(self, *wanted: Selector) -> Node | None:
        """The first of these arguments that is there."""
        given = self._arguments
        found = (_argument(self._walk, given, each) for each in wanted) if given is not None else ()
        return next((node for node in found if node is not None), None)


def note_decorated(walk: Walk, symbol: int, *, decorator: Decorator, node: Node) -> None:
    """Note an entry point if the decorator makes its function one. `node` is the decorator's expression."""
    receiver, _, last = decorator.name.rpartition(".")
    rules = _FRAMEWORKS.decorators.get(last)
    if rules is None:
        return
    arguments = node.children[-1] if node.type == "call" else None
    site = PythonSite(walk, last, receiver.rpartition(".")[2], arguments)
    rule = find_rule(rules, site)
    if rule is None:
        return
    draft = walk.drafts[symbol]
    if rule.default and (draft.kind == "class" or site.argument(*rule.methods) is not None):
        rule = rule._replace(
            default=""
        )  # a class answers by its methods; a list that cannot be read names some
    detail = describe(rule, site, draft.name)
    router = dotted(receiver) if rule.kind == "http" and receiver else None
    if rule.is_below:
        path = (site.constant(rule.detail) or "").strip("/")
        detail = f"{rule.word} {UNKNOWN_PREFIX}/{path}/" if path else f"{rule.word} {UNKNOWN_PREFIX}/"
    if rule.kind == "http" and rule.fallback:
        detail, router = _of_view_set(walk, site, detail), ("symbol", draft.parent)
    walk.entry_points.append(EntryPoint(symbol, rule.kind, detail, decorator.line, None, router))


def _of_view_set(walk: Walk, site: PythonSite, detail: str) -> str:
    """A route that a method adds to those of its view set: to each of its objects, or to all of them."""
    method, _, path = detail.partition(" ")
    node = site.argument("detail")
    is_of_one = node is not None and walk.text.text(node) == "True"
    return f"{method} {UNKNOWN_PREFIX}{'/{pk}' if is_of_one else ''}/{path.strip('/')}/"


def note_registration(walk: Walk, node: Node, *, last: str, callee: Expression, arguments: Node) -> None:
    """Note a callable that a call like `path("users/", users)` registers; it is found by name at the end."""
    site = PythonSite(walk, last, _receiver(callee), arguments)
    rule = find_rule(_FRAMEWORKS.calls[last], site)
    handler = site.argument(rule.handler, *_HANDLER_KEYWORDS) if rule is not None else None
    if rule is None and last in _OF_ROUTES:
        note_loop(walk, node, callee=callee, arguments=arguments)
    if rule is None or handler is None or handler.type not in {"identifier", "attribute", "call"}:
        return
    target = _handler_name(walk, handler)
    if target is None:
        return
    # A route that is added to nothing stands in a list of the file's.
    router = None if rule.kind != "http" else callee[1] if callee and callee[0] == "member" else _THE_FILE
    acted = _actions(walk, handler) if rule.kind == "http" else ()
    if acted:
        path = describe(rule, site).partition(" ")[2]
        for method, member in acted:
            words = _below(outer_path(walk, node), f"{method} {path}".strip())
            walk.handler_names.append(
                Registered(f"{target}.{member}", rule.kind, words, walk.line(node), router)
            )
        return
    if rule.endings and not target.endswith(rule.endings):
        return
    prefix = site.constant(rule.detail) or ""
    if rule.expands and not rule.makers:  # with what the view set adds of its own
        walk.mounts.append(Mount(walk.scope, walk.line(node), "under", prefix, dotted(target), router))
    outer = _outer(walk, node, router) if rule.kind == "http" else ""
    for detail in _expanded(rule, site) if rule.expands else (_below(outer, describe(rule, site)),):
        listed = list_around(walk, node) if router == _THE_FILE else ""
        walk.handler_names.append(
            Registered(target, rule.kind, detail, walk.line(node), router, listed, rule.makers, prefix)
        )


def _outer(walk: Walk, node: Node, router: Expression) -> str:
    """What stands before a route by its own router, which only this function has, or by the calls around it."""
    own = local_prefix(walk, router).strip("/")
    return f"{own}/" if own else outer_path(walk, node)


def _below(outer: str, detail: str) -> str:
    """The words of a route that stands inside others."""
    if not outer:
        return detail
    methods, is_more, path = detail.rpartition(" ")
    return f"{methods}{is_more}/{outer}{path.lstrip('/^')}"


def _actions(walk: Walk, handler: Node) -> tuple[tuple[str, str], ...]:
    """`UserView.as_view({"get": "list"})`: which members answer to which methods."""
    if handler.type != "call" or not walk.text.brief(handler.children[0], 100).endswith(".as_view"):
        return ()
    given = _argument(walk, handler.children[-1], 0)
    pairs = [pair for pair in given.named_children if pair.type == "pair"] if given is not None else []
    found = [[joined_value(part, walk.source) for part in pair.named_children[:2]] for pair in pairs]
    return tuple((method.upper(), member) for method, member in found if method and member)


def _expanded(rule: Rule, site: PythonSite) -> list[str]:
    """The routes that one registration stands for."""
    path = (site.constant(rule.detail) or "").strip("/")
    return [f"{methods} /{path}{end}" for methods, _, end in (each.partition(" ") for each in rule.expands)]


def resolve_registrations(walk: Walk) -> None:
    """Turn registered names into entry points; one from elsewhere stands with the file, named in the detail."""
    by_name = {
        draft.name: number
        for number, draft in enumerate(walk.drafts)
        if number and draft.parent == 0 and draft.kind in {"function", "class"}
    }
    members = {(draft.parent, draft.name): number for number, draft in enumerate(walk.drafts)}
    # include(api_urls): the routes of that list stand where it is mounted, and nowhere else.
    mounted = {one.router for one in walk.mounts}
    made_by = _makers(walk) if any(one.makers for one in walk.handler_names) else {}
    for target, kind, detail, line, given, listed, makers, prefix in walk.handler_names:
        if makers and not _is_made_by(walk, given, makers, made_by):
            continue
        if makers:
            walk.mounts.append(Mount(0, line, "under", prefix, dotted(target), given))
        router: Expression = ("name", listed) if listed and ("name", listed) in mounted else given
        owner, _, member = target.partition(".")
        number = by_name.get(owner)
        if number is not None:
            number = members.get((number, member), number)
            walk.entry_points.append(EntryPoint(number, kind, detail, line, None, router))
        elif kind == "http":
            words = shorten(f"{detail} -> {target}".strip(), MOST_DETAIL_CHARACTERS)
            walk.entry_points.append(EntryPoint(0, kind, words, line, dotted(target), router))


def _makers(walk: Walk) -> dict[str, str]:
    """The names of what made the variables of a file: router = ShopRouter()."""
    calls = walk.calls
    values = ((one.name, one.value) for one in walk.bindings if one.value is not None)
    return {name: last_name(calls[value[1]].callee) for name, value in values if value[0] == "result"}


def _is_made_by(walk: Walk, given: Expression, makers: tuple[str, ...], made_by: Mapping[str, str]) -> bool:
    """Whether a variable is made by what is named so; one that is imported may be, where it is named so itself."""
    if given is None or given[0] != "name":
        return False
    maker = made_by.get(given[1])
    if maker is None:
        return given[1].endswith(makers) and any(given[1] in {one.alias, one.name} for one in walk.imports)
    return maker.endswith(makers)


def _receiver(callee: Expression) -> str:
    """The word before the last dot, `?` where it is no plain path, empty where there is no dot."""
    if callee is None or callee[0] != "member":
        return ""
    return last_name(callee[1]) or "?"


def _argument(walk: Walk, arguments: Node, wanted: Selector) -> Node | None:
    if arguments.type != "argument_list":
        return None
    place = 0
    for argument in arguments.named_children:
        if argument.type == "comment":
            continue
        if argument.type == "keyword_argument":
            if walk.name(argument.children[0]) == wanted:
                return argument.children[-1]
        elif place == wanted:
            return argument
        else:
            place += 1
    return None


def _handler_name(walk: Walk, node: Node, depth: int = 0) -> str | None:
    """`views.index`, also where it is wrapped or made by a call: `login_required(index)`, `Index.as_view()`."""
    if node.type in {"identifier", "attribute"}:
        return walk.text.brief(node, 100)
    function = node.children[0]
    name = walk.text.brief(function, 100)
    if name.endswith(".as_view"):
        return name.removesuffix(".as_view")
    if name.rpartition(".")[2] == "include":
        return None
    inner = _argument(walk, node.children[-1], 0)
    if inner is None and name.rpartition(".")[2][:1].isupper():
        return name  # an object of this class answers
    if depth > _MOST_WRAPPERS or inner is None or inner.type not in {"identifier", "attribute", "call"}:
        return None
    return _handler_name(walk, inner, depth + 1)
