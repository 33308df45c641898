"""Entry points: what frameworks, test runners and the runtime call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.csharp.headings import attribute_arguments
from drift.languages.csharp.route_groups import (
    HandlerFirst,
    by_class,
    computed_path,
    handed_names,
    is_handler_first,
    named_path,
    note_made_group,
    reflected,
)
from drift.languages.csharp.values import STRINGS, string_of
from drift.languages.csharp.walk import CsharpWalk, last_operand
from drift.languages.expressions import last_name
from drift.languages.facts import Mount
from drift.languages.frameworks import (
    describe,
    find_rule,
    join_route,
    load_frameworks,
    methods_of,
    routes,
)
from drift.languages.frameworks.rules import UNKNOWN_PREFIX
from drift.languages.limits import MOST_DETAIL_CHARACTERS
from drift.languages.objects import Registration

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.frameworks import Selector, Site
    from drift.languages.objects import Annotation, Heading, OpenClass

_TOKEN: Final = re.compile(r"\[(controller|action)\]", re.IGNORECASE)
_FRAMEWORKS: Final = load_frameworks("csharp")
_PAGE_ENDING: Final = ".cshtml.cs"
_GROUPS: Final = _FRAMEWORKS.names("routes", "groups")
_ROUTER_TYPES: Final = _FRAMEWORKS.texts("routes", "types")
_GROUP_TYPES: Final = _FRAMEWORKS.texts("routes", "group_types")
_CONTROLLERS: Final = _FRAMEWORKS.names("routes", "controllers")
_CONTROLLER: Final = "Controller"
_API: Final = "Api"
_ID: Final = "id"
_RESULT: Final = re.compile(r"\b(?:I?Action|View|PartialView|Json|Redirect\w{0,10}|Content|File)Result\b")
_AREA: Final = re.compile(rb"Area(?:Attribute)?\(\s{0,9}\"(\w{1,80})\"")
_FOREIGN: Final = _FRAMEWORKS.names("routes", "foreign")
_HUBS: Final = _FRAMEWORKS.names("routes", "hubs")
_COMMAND_METHODS: Final = _FRAMEWORKS.texts("commands", "methods")
_FUNCTIONS: Final = _FRAMEWORKS.names("functions", "attributes")
_TRIGGERS: Final = _FRAMEWORKS.mapping("triggers")
# A function of the project that makes a group is named so: `app.MapApiGroup("orders")`.
_INVOKE: Final = "Invoke"
_MAPPING: Final = "Map"
_GROUP: Final = "Group"
REGISTERING_NAMES: Final = frozenset(_FRAMEWORKS.calls) | _GROUPS


class _AttributeSite:
    """An attribute, as the matcher asks about it."""

    receiver = ""
    is_call = True
    owners: tuple[str, ...] = ()

    def __init__(self, walk: CsharpWalk, annotation: Annotation) -> None:
        self._walk = walk
        self._annotation = annotation
        self.name = annotation.name

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        text = _first_argument(self._walk, self._annotation) if selectors else None
        return [text] if text else []

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        texts = self.texts(selectors)
        return texts[0] if texts and not texts[0].startswith("<") else None

    def written(self) -> str:
        return self._walk.text.brief(self._annotation.node, MOST_DETAIL_CHARACTERS)

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return self._walk.imports_any(packages)


class _CallSite:
    """A call that may register something, as the matcher asks about it."""

    is_call = True
    owners: tuple[str, ...] = ()

    def __init__(self, walk: CsharpWalk, name: str, receiver: Expression, listed: Node) -> None:
        self._walk = walk
        self._listed = listed
        self.name = name
        self.receiver = last_name(receiver) if receiver is not None else ""

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        text = self.constant(selectors)
        return [] if text is None else [text]

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        place, given = selectors[0], self._listed.named_children
        node = last_operand(given[place]) if isinstance(place, int) and place < len(given) else None
        if node is not None and node.type in STRINGS:
            return string_of(self._walk, node)
        return named_path(self._walk, self._listed) if self.name.startswith(_MAPPING) and not place else None

    def written(self) -> str:
        return f"{self.name}{self._walk.text.brief(self._listed, MOST_DETAIL_CHARACTERS)}"

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return self._walk.imports_any(packages)


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
        return f"<{walk.text.brief(node, MOST_DETAIL_CHARACTERS)}>"
    return None


def note_method_entries(walk: CsharpWalk, number: int, heading: Heading) -> None:
    """Note a method as an entry point in each way its attributes, its name and its class make it one."""
    symbol = walk.symbols[number]
    owner = walk.classes[-1] if walk.classes else None
    for annotation in heading.annotations:
        site = _AttributeSite(walk, annotation)
        rule = find_rule(_FRAMEWORKS.decorators.get(annotation.name, ()), site)
        if rule is None or rule.kind == "http":
            continue
        if rule.is_test:
            walk.add_modifier(number, "test")
        walk.enter_at(number, rule.kind, describe(rule, site, symbol.name))
    if owner is not None:
        _note_routes(walk, number, heading, owner=owner)
        _note_called(walk, number, owner)
    if symbol.name == "Main" and "static" in symbol.modifiers:
        walk.enter_at(number, "main", "Main")


def note_trigger(walk: CsharpWalk, number: int, heading: Heading, parameter: Heading) -> None:
    """Note an Azure Function by the attribute of its function and the trigger at its parameter."""
    names = [each for each in heading.annotations if each.name in _FUNCTIONS]
    for annotation in parameter.annotations:
        kind = _TRIGGERS.get(annotation.name)
        if kind and names:
            function = _first_argument(walk, names[0]) or walk.symbols[number].name
            walk.enter_at(number, kind, f"{annotation.name} {function}")


def _note_routes(walk: CsharpWalk, number: int, heading: Heading, *, owner: OpenClass) -> None:
    method = walk.symbols[number].name
    own_route = route_template(walk, heading, "Route")
    takes_id = any(one.name == _ID for one in walk.symbols[number].parameters)
    is_answering = False
    for annotation in heading.annotations:
        site = _AttributeSite(walk, annotation)
        rule = find_rule(_FRAMEWORKS.decorators.get(annotation.name, ()), site)
        if rule is None or rule.kind != "http":
            continue
        is_answering = True
        path = next(iter(site.texts(rule.detail)), None) or own_route
        above = None if (path or "").startswith(("/", "~/")) else _class_above(walk, owner)
        for verb in methods_of(rule, site):
            whole = _route(owner, path, method, is_above=above is not None, takes_id=takes_id)
            detail = f"{verb} {whole}"
            walk.enter_at(number, "http", detail, router=above)
    if is_answering or walk.symbols[number].visibility != "public" or "static" in heading.words:
        return
    is_controller = not _CONTROLLERS.isdisjoint(owner.base_names)
    if own_route is not None or (is_controller and "NonAction" not in heading.names()):
        walk.enter_at(number, "http", f"ANY {_route(owner, own_route, method, takes_id=takes_id)}")
    elif _is_action(walk, number, heading, owner):
        detail = f"ANY {_route(owner, None, method, is_above=True, takes_id=takes_id)}"
        walk.enter_at(number, "http", detail, router=_class_above(walk, owner))


def _is_action(walk: CsharpWalk, number: int, heading: Heading, owner: OpenClass) -> bool:
    """Whether a method answers requests by its name, as those of pages do below a controller of the project's own."""
    above = _class_above(walk, owner)
    if above is None or _API in last_name(above) or not _is_controller(owner.name):
        return False
    if "NonAction" in heading.names() or any(_API in name for name in owner.heading.names()):
        return False
    return _RESULT.search(walk.symbols[number].return_text or "") is not None


def _class_above(walk: CsharpWalk, owner: OpenClass) -> Expression:
    """The class that a controller without a path of its own may have one from."""
    bases = [base.type for base in walk.symbols[owner.number].bases if base.type]
    named = [each for each in bases if _is_controller(last_name(each))]
    return named[0] if named and not owner.prefix and last_name(named[0]) not in _FOREIGN else None


def _is_controller(name: str) -> bool:
    return name.removesuffix("Base").endswith(_CONTROLLER)


def _note_controller(walk: CsharpWalk, owner: OpenClass) -> None:
    """Note the path that a controller gives to those that descend from it, or has from one above."""
    if not _is_controller(owner.name):
        return
    above, line = _class_above(walk, owner), walk.symbols[owner.number].line
    area = _area(owner.heading) if "abstract" in walk.symbols[owner.number].modifiers else ""
    prefix = owner.prefix or (f"{area}/[controller]/[action]" if area else "")
    if prefix:
        walk.mounts.append(Mount(owner.number, line, "own", prefix, ("symbol", owner.number)))
    elif above is not None:
        walk.mounts.append(Mount(owner.number, line, "under", "", ("symbol", owner.number), above))


def _route(
    owner: OpenClass, path: str | None, method: str, *, is_above: bool = False, takes_id: bool = False
) -> str:
    """A template joined to its class's; `~/` and `/` begin anew, and MVC's own scheme fills in for none.

    That scheme stands behind a tilde where a class above may say a path (`is_above`): then there is none.
    """
    controller = owner.name.removesuffix("Controller")
    if path is not None and path.startswith(("/", "~/")):
        template = path.removeprefix("~")
    elif not path and not owner.prefix:
        area = _area(owner.heading)
        before = f"{'~' if is_above else ''}{area}/" if area else "~" if is_above else ""
        template = f"{before}{controller}/{method}{'/{id?}' if takes_id else ''}"
    else:
        template = f"{owner.prefix}/{path or ''}"
    names = {"controller": controller, "action": method}
    return join_route(_TOKEN.sub(lambda found: names[found[1].lower()], template))


def _area(heading: Heading) -> str:
    """The part of a site that a controller is of: `[Area("Admin")]`."""
    for annotation in heading.annotations:
        found = _AREA.match(annotation.node.text or b"") if annotation.name == "Area" else None
        if found is not None:
            return found[1].decode("utf-8", "replace")
    return ""


def _note_called(walk: CsharpWalk, number: int, owner: OpenClass) -> None:
    symbol = walk.symbols[number]
    for base in sorted(owner.base_names):
        for rule in _FRAMEWORKS.methods.get(base, {}).get(symbol.name, ()):
            page = _page(walk.path) if rule.kind == "http" else ""
            walk.enter_at(number, rule.kind, f"{rule.word} {page}".rstrip())
        if base in _HUBS and symbol.visibility == "public":
            walk.enter_at(number, "event", base)


def _page(path: str) -> str:
    """The path of a Razor page, which goes by its file: `Areas/Shop/Pages/Cart/Index.cshtml.cs` is `/Shop/Cart`."""
    parts = path.replace("\\", "/").split("/")
    if "Pages" not in parts or not parts[-1].endswith(_PAGE_ENDING):
        return ""
    start = len(parts) - 1 - parts[::-1].index("Pages")
    area = parts[start - 1 : start] if start > 1 and parts[start - 2] == "Areas" else []
    page = parts[-1].removesuffix(_PAGE_ENDING)
    return join_route(*area, *parts[start + 1 : -1], "" if page == "Index" else page)


def note_class_entries(walk: CsharpWalk, owner: OpenClass) -> None:
    """Note the command that a class is, once its methods are known, and the path of a controller."""
    _note_controller(walk, owner)
    for annotation in owner.heading.annotations:
        site = _AttributeSite(walk, annotation)
        rule = find_rule(_FRAMEWORKS.decorators.get(annotation.name, ()), site)
        if rule is not None and rule.kind == "cli":
            methods = [owner.methods[name] for name in _COMMAND_METHODS if name in owner.methods]
            command = describe(rule, site, owner.name)
            walk.enter_at(methods[0] if methods else owner.number, "cli", command)


def note_registration(walk: CsharpWalk, node: Node, *, name: str, listed: Node, number: int) -> None:
    """Keep the handler that a call gives to a framework, and what a builder is for."""
    call = walk.calls[number]
    receiver = call.callee[1] if call.callee is not None and call.callee[0] == "member" else None
    label = walk.labels.get(receiver) if receiver is not None else None
    values = [value for _, value in call.arguments]
    is_group = _makes_group(name)
    is_turned = not is_group and (label is not None or _is_given(walk, receiver)) and is_handler_first(listed)
    site: Site = HandlerFirst(walk, name, listed) if is_turned else _CallSite(walk, name, receiver, listed)
    if is_group:
        if _makes_group(walk.symbols[walk.scope].name):
            note_made_group(walk, node, listed)
        walk.labels[("result", number)] = join_route(label or "", _group_path(walk, site, name, listed))
        return
    rule = find_rule(_FRAMEWORKS.calls.get(name, ()), site)
    if rule is not None and rule.kind == "http" and (len(values) > 1 or is_turned):
        # Nobody knows the path of a group that is handed over, unless it is seen where.
        is_group = bool(walk.scope) and _is_given(walk, receiver, _GROUP_TYPES)
        for detail in routes(rule, site, label or (UNKNOWN_PREFIX if is_group else "")):
            # Of what is given no path a group says all of it, wherever that is.
            said = detail.removesuffix("/") if is_turned and not label and detail.endswith(" /") else detail
            _register(walk, node, values[0 if is_turned else -1], kind="http", detail=said)
        if is_turned:
            walk.labels[("result", number)] = label or ""
    elif rule is not None and rule.kind == "cli" and values and label is not None:
        _register(walk, node, values[0], kind="cli", detail=f"{rule.word} {label}".strip())
    elif rule is not None and rule.kind == "job":
        handler = next((value for value in values if value is not None and value[0] == "symbol"), None)
        _register(walk, node, handler, kind="job", detail=f"{site.receiver}.{name}")
    else:
        if label is not None:
            walk.labels[("result", number)] = label  # builders give themselves back
        _note_handed_router(walk, node, number)


def _makes_group(name: str) -> bool:
    return name in _GROUPS or (name.startswith(_MAPPING) and name.endswith(_GROUP))


def _group_path(walk: CsharpWalk, site: Site, name: str, listed: Node) -> str:
    """The path that a group is made with; as written, in angle brackets, where it is computed or a function says it."""
    written = by_class(f"<{name}{walk.text.brief(listed, MOST_DETAIL_CHARACTERS)}>")
    if name not in _GROUPS:
        return written
    constant, given = site.constant((0,)), listed.named_children
    if constant is not None or not given:
        return constant or ""
    computed = computed_path(walk, given[0])
    if computed is not None:
        return computed
    first = walk.text.brief(given[0], MOST_DETAIL_CHARACTERS)
    # A path is a text, and what is no name of a constant is an object: a function of the project takes that.
    return written if first[:1].islower() and first.isidentifier() else f"<{first}>"


def _note_handed_router(walk: CsharpWalk, node: Node, number: int) -> None:
    """Note a function that is given a group, or the router that its caller was given: its routes stand under both."""
    call = walk.calls[number]
    receiver = call.callee[1] if call.callee is not None and call.callee[0] == "member" else None
    given: list[Expression] = [receiver, *(value for _, value in call.arguments)]
    router: Expression = ("result", number)
    if call.callee is not None and call.callee[-1] == _INVOKE and (run := reflected(walk, node)) is not None:
        given, router = handed_names(walk, node), run
    for value in given:
        label = walk.labels.get(value) if value is not None else None
        if label or (value is not None and _is_given(walk, value)):
            into: Expression = ("symbol", walk.scope) if walk.scope else None
            walk.mounts.append(Mount(walk.scope, walk.line(node), "under", label or "", router, into))
            return


def _is_given(walk: CsharpWalk, value: Expression, types: tuple[str, ...] = _ROUTER_TYPES) -> bool:
    """Whether a value is a parameter with the type of a router."""
    return (
        value is not None
        and value[0] == "name"
        and any(
            one.name == value[1] and (one.type_text or "").endswith(types)
            for one in walk.symbols[walk.scope].parameters
        )
    )


def _register(walk: CsharpWalk, node: Node, handler: Expression, *, kind: str, detail: str) -> None:
    router: Expression = ("symbol", walk.scope) if kind == "http" and walk.scope else None
    walk.registrations.append(Registration(handler, walk.scope, kind, detail, walk.line(node), router))
