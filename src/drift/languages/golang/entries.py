"""Where the outside world enters Go code: routes, commands, jobs, events, tests, main.

A registration names a handler. When that is a function of the same file, it is the entry point; otherwise
the function that registers it stands in, and the call's arguments say what it handed over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from drift.languages.expressions import last_name
from drift.languages.facts import EntryPoint
from drift.languages.frameworks import ANY_METHOD, describe, find_rule, load_frameworks, methods_of
from drift.languages.golang.routers import (
    GROUPS,
    MOUNTING,
    constant_part,
    join_parts,
    note_group,
    prefix_of,
    router_of,
    texts_in,
)
from drift.languages.golang.vocabulary import PREDECLARED_FUNCTIONS, PREDECLARED_TYPES
from drift.languages.golang.walk import Registration
from drift.languages.limits import MOST_DETAIL_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.frameworks import Rule, Selector
    from drift.languages.golang.walk import GoWalk

_FRAMEWORKS: Final = load_frameworks("go")
_SPOKEN: Final = _FRAMEWORKS.texts("routes", "spoken")
_PATH_FIRST: Final = _FRAMEWORKS.texts("routes", "path_first")
_HANDLED: Final = _FRAMEWORKS.names("routes", "handled")
_HANDLER_FIRST: Final = _FRAMEWORKS.texts("guards", "after_handler")
REGISTERING_NAMES: Final = frozenset(_FRAMEWORKS.calls) | GROUPS | MOUNTING
_TEST_NAME = re.compile(r"^(Test|Benchmark|Fuzz|Example)(?![a-z])")
_REQUEST_TYPE = re.compile(r"\bhttp\.(?:ResponseWriter|Request)\b|\b(?:Context|Ctx)$")
_PATTERN = re.compile(r"^(?:([A-Z]+)\s+)?(?:[\w.-]+)?(/.*)?$")
_COMMANDS: Final = frozenset({"Command", "App"})
_OPERATIONS: Final = {
    words["type"]: (package, words) for package, words in _FRAMEWORKS.words.get("operations", {}).items()
}
_HANDLING: Final = frozenset({"symbol", "name", "member", "outer", "result"})
_BUILT_IN: Final = PREDECLARED_FUNCTIONS | PREDECLARED_TYPES.keys()
_FEWEST_ARGUMENTS: Final = 2  # what it is for, and a handler
_MOST_WRAPPINGS: Final = 4


def note_function(go: GoWalk, number: int) -> None:
    """Tests, main, init and what C code may call, which go by their names."""
    symbol = go.symbols[number]
    if symbol.kind == "method":
        if go.path.endswith("_test.go") and symbol.name.startswith("Test") and _is_suite(go, symbol.parent):
            _mark_test(go, number)
    elif go.path.endswith("_test.go") and _TEST_NAME.match(symbol.name):
        _mark_test(go, number)
    elif "C" in go.packages and f"export {symbol.name}" in symbol.doc.splitlines():
        go.entry_points.append(EntryPoint(number, "export", "cgo", symbol.line))
    elif symbol.name == "main" and go.package == "main":
        go.entry_points.append(EntryPoint(number, "main", "main", symbol.line))
    elif symbol.name == "init" and not symbol.parameters:
        go.entry_points.append(EntryPoint(number, "main", "init", symbol.line))


def _mark_test(go: GoWalk, number: int) -> None:
    symbol = go.symbols[number]
    go.symbols[number] = symbol._replace(modifiers=tuple(sorted({*symbol.modifiers, "test"})))
    go.entry_points.append(EntryPoint(number, "test", symbol.name, symbol.line))


def _is_suite(go: GoWalk, parent: int) -> bool:
    """Whether a type embeds testify's suite, whose runner calls its Test methods."""
    return any(base.type == ("member", ("name", "suite"), "Suite") for base in go.symbols[parent].bases)


def note_registration(
    go: GoWalk, callee: tuple[Any, ...], *, nodes: list[Node], values: list[Expression], call: int
) -> None:
    """Recognise what a call with one of `REGISTERING_NAMES` hands to a framework."""
    name = callee[-1]
    if not nodes:
        return
    note_group(go, callee, values=values, path=constant_part(go, nodes[0]), call=call)
    site = _Site(go, callee, nodes)
    if len(values) == 1 and name in _HANDLED and _note_path_first(go, site, callee, values[0], call):
        return
    rule = find_rule(_FRAMEWORKS.calls.get(name, ()), site)
    if rule is None or (rule.handler and len(values) < _FEWEST_ARGUMENTS):
        return
    detail = _detail(rule, site, callee, values)
    if detail is not None:
        # A client says `Get` too; without a framework that is known, the handler must look like one.
        is_sure = "request" not in rule.needs or go.imports_any(_SPOKEN)
        place = 1 if rule.kind == "http" and go.imports_any(_HANDLER_FIRST) else rule.handler
        handler = values[place if isinstance(place, int) else 0]
        router = router_of(go, callee[1]) if rule.kind == "http" else None
        line = go.calls[call].line
        go.registrations.append(Registration(handler, go.scope, rule.kind, detail, line, is_sure, router))


def _note_path_first(
    go: GoWalk, site: _Site, callee: tuple[Any, ...], handler: Expression, call: int
) -> bool:
    """A route whose path stands before its handler: gorilla's `r.PathPrefix("/list").Handler(list)`."""
    route = callee[1] if callee[0] == "member" else None
    before = go.calls[route[1]].callee if route is not None and route[0] == "result" else None
    if before is None or before[0] != "member" or not go.imports_any(_PATH_FIRST):
        return False
    path = prefix_of(go, route)
    if path:
        detail = f"{site.methods_behind() or ANY_METHOD} {path}"
        line = go.calls[call].line
        go.registrations.append(
            Registration(handler, go.scope, "http", detail, line, router=router_of(go, route))
        )
    return bool(path)


class _Site:
    """A call, as the matcher asks about it."""

    is_call = True
    owners: tuple[str, ...] = ()

    def __init__(self, go: GoWalk, callee: tuple[Any, ...], nodes: list[Node]) -> None:
        self.go = go
        self._callee = callee
        self._nodes = nodes
        self.name = callee[-1]
        self.is_in_test = go.path.endswith("_test.go")

    @property
    def receiver(self) -> str:
        """The package before the dot by its path, any other value by its name."""
        if self._callee[0] != "member":
            return ""
        return self.go.package_of(self._callee[1]) or last_name(self._callee[1]) or "?"

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        place = selectors[0]
        is_there = isinstance(place, int) and place < len(self._nodes)
        return texts_in(self.go, self._nodes[int(place)]) if is_there else []

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        place = selectors[0]
        is_there = isinstance(place, int) and place < len(self._nodes)
        return constant_part(self.go, self._nodes[int(place)]) if is_there else None

    def methods_behind(self) -> str:
        """The methods that gorilla's `r.HandleFunc(…).Methods("GET")` names; empty where there are none."""
        call = self._nodes[0].parent and self._nodes[0].parent.parent
        chosen = call.parent if call is not None else None
        field = chosen.child_by_field_name("field") if chosen is not None else None
        if chosen is None or chosen.parent is None or field is None or self.go.text.text(field) != "Methods":
            return ""
        given = chosen.parent.child_by_field_name("arguments")
        listed = given.named_children if given is not None else ()
        return ",".join(method for each in listed for method in texts_in(self.go, each))

    def written(self) -> str:
        return self.go.text.brief(self._nodes[0], MOST_DETAIL_CHARACTERS)

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return self.go.imports_any(packages)


def _detail(rule: Rule, site: _Site, callee: tuple[Any, ...], values: list[Expression]) -> str | None:
    """What an entry point shows; None where the call is none after all."""
    if rule.kind == "http":
        return _route(rule, site, callee, values)
    if rule.kind == "test":
        return (site.constant((0,)) or site.written()) if _is_subtest(site, values) else None
    return describe(rule, site)


def _is_subtest(site: _Site, values: list[Expression]) -> bool:
    """`t.Run("name", func…)`, and the blocks of ginkgo, which stand without a receiver."""
    is_block = bool(site.receiver) == (site.name == "Run")
    return is_block and site.is_in_test and values[-1] is not None and values[-1][0] == "symbol"


def _route(rule: Rule, site: _Site, callee: tuple[Any, ...], values: list[Expression]) -> str | None:
    """Method and path of a route."""
    prefix = prefix_of(site.go, callee[1])
    path = site.constant(rule.detail) or ""
    if rule.methods and len(values) <= _FEWEST_ARGUMENTS:
        return None
    method = ",".join(methods_of(rule, site))
    if not rule.word and not rule.methods:
        pattern = _PATTERN.match(path)
        if pattern is None or not pattern[2]:
            return None
        method, path = pattern[1] or site.methods_behind() or method, path.split()[-1]
    return f"{method} {join_parts(prefix, path)}"


def note_literal(
    go: GoWalk, form: Expression, fields: Mapping[str, tuple[Node, Expression]], line: int
) -> None:
    """What a literal hands to a framework: a command, or a route whose handler is given beside it."""
    if form is None or form[0] != "member":
        return
    if form[2] in _COMMANDS:
        _note_command(go, form, fields, line)
    elif form[2] in _OPERATIONS:
        _note_operation(go, form, fields)


def _note_operation(go: GoWalk, form: tuple[Any, ...], fields: Mapping[str, tuple[Node, Expression]]) -> None:
    package, words = _OPERATIONS[form[2]]
    path = fields.get(words["path"])
    if not go.package_of(form[1]).startswith(package) or path is None:
        return
    written = constant_part(go, _literal(path[0]))
    method = fields.get(words["method"])
    methods = texts_in(go, _literal(method[0])) if method is not None else []
    if written is not None:
        go.operations.append(((methods or [ANY_METHOD])[0], written))


def note_operation_call(go: GoWalk, values: list[Expression], *, line: int) -> None:
    """The route of a literal that stands among the arguments of a call: the last of them handles it."""
    handler = values[-1]
    if len(values) < _FEWEST_ARGUMENTS or handler is None or handler[0] not in _HANDLING:
        return
    router = router_of(go, values[0])
    method, path = go.operations[-1]
    prefix = prefix_of(go, values[0])
    detail = f"{method} {join_parts(prefix, path)}"
    go.registrations.append(Registration(handler, go.scope, "http", detail, line, router=router))
    go.operations.clear()


def _note_command(
    go: GoWalk, form: tuple[Any, ...], fields: Mapping[str, tuple[Node, Expression]], line: int
) -> None:
    """A command of cobra or urfave/cli."""
    path = go.package_of(form[1])
    for package, written in _FRAMEWORKS.words["commands"].items():
        handler = next((fields[field][1] for field in written["handlers"] if field in fields), None)
        if not path.startswith(package) or handler is None:
            continue
        named = next((fields[field][0] for field in written["name"] if field in fields), None)
        use = go.string_of(_literal(named)) if named is not None else None
        detail = f"command {use.split()[0]}" if use and use.strip() else "command"
        go.registrations.append(Registration(handler, go.scope, "cli", detail, line))


def _literal(node: Node) -> Node:
    return node.named_children[0] if node.type == "literal_element" and node.named_children else node


def settle_registrations(go: GoWalk) -> None:
    """Turn registrations into entry points, now that every function of the file is known."""
    if not go.registrations:
        return
    functions = {
        (symbol.parent, symbol.name): number
        for number, symbol in enumerate(go.symbols)
        if symbol.kind in {"function", "method"}
    }
    locals_of = frozenset((each.scope, each.name) for each in go.bindings if each.scope)
    for handler, scope, kind, detail, line, is_sure, router in go.registrations:
        symbol = _find_handler(go, handler, scope, functions)
        if not is_sure and (symbol is None or not _takes_request(go, symbol)):
            continue
        handed = handler if symbol is None else _handed_on(go, handler, symbol, scope, locals_of)
        here = EntryPoint(scope, kind, detail, line, handed, router)
        go.entry_points.append(
            EntryPoint(symbol, kind, detail, line, None, router)
            if symbol is not None and not handed
            else here
        )


def _handed_on(
    go: GoWalk, handler: Expression, found: int, scope: int, locals_of: frozenset[tuple[int, str]]
) -> Expression:
    """What leads on where a wrapper was found that is handed something from elsewhere: `allow(orders.List)`, `allow(list)`.

    Of what another function makes (`allow(list(store))`) that alone: the wrapper does not say what it hands on.
    """
    pending = [handler]
    names_found = False
    hands_on = False
    made: Expression = None
    while pending:
        value = pending.pop()
        if value is None or value[0] != "result":
            continue
        call = go.calls[value[1]]
        names_found = names_found or last_name(call.callee) == go.symbols[found].name
        given = [argument for _, argument in call.arguments if argument is not None]
        hands_on = hands_on or any(_is_elsewhere(go, argument, scope, locals_of) for argument in given)
        makers = [_maker_elsewhere(go, each, scope, locals_of) for each in given]
        made = made or next((maker for maker in makers if maker is not None), None)
        pending += given
    if not names_found:
        return None
    return handler if hands_on else made


def _maker_elsewhere(
    go: GoWalk, value: Expression, scope: int, locals_of: frozenset[tuple[int, str]]
) -> Expression:
    """The function from elsewhere that a value is the result of."""
    callee = go.calls[value[1]].callee if value is not None and value[0] == "result" else None
    is_named = callee is not None and callee[0] == "name" and callee[1] not in _BUILT_IN
    return callee if is_named and _is_elsewhere(go, callee, scope, locals_of) else None


def _is_elsewhere(go: GoWalk, value: Expression, scope: int, locals_of: frozenset[tuple[int, str]]) -> bool:
    """Whether a value is a member of something, or of the package and of no function around it."""
    if value is None or value[0] != "name":
        return value is not None and value[0] == "member"
    name = value[1]
    while scope:
        if (scope, name) in locals_of or any(each.name == name for each in go.symbols[scope].parameters):
            return False
        scope = go.symbols[scope].parent
    return True


def _takes_request(go: GoWalk, number: int) -> bool:
    return any(_REQUEST_TYPE.search(parameter.type_text or "") for parameter in go.symbols[number].parameters)


def _find_handler(
    go: GoWalk, handler: Expression, scope: int, functions: Mapping[tuple[int, str], int]
) -> int | None:
    """The function of this file that a handler is, looking into wrappers such as `http.HandlerFunc(f)`."""
    pending: list[tuple[Expression, int]] = [(handler, 0)]
    makers: list[tuple[Expression, int]] = []  # what is called, which stands in where nothing is handed to it
    while pending or makers:
        if not pending:
            makers.sort(key=lambda maker: -maker[1])  # the innermost is nearest to the handler
            pending.append(makers.pop(0))
        value, wrappings = pending.pop(0)
        if value is None or wrappings > _MOST_WRAPPINGS:
            continue
        if value[0] == "symbol":
            return int(value[1])
        if value[0] == "name":
            found = _find_named(go, value[1], scope, functions)
        elif value[0] == "member" and value[1] == ("this",):
            found = functions.get((_type_around(go, scope), value[2]))
        else:
            found = None
        if found is not None:
            return found
        if value[0] == "result":
            call = go.calls[value[1]]
            pending += [(argument, wrappings + 1) for _, argument in call.arguments]
            makers.append((call.callee, wrappings + 1))
    return None


def _find_named(go: GoWalk, name: str, scope: int, functions: Mapping[tuple[int, str], int]) -> int | None:
    while scope:
        if (scope, name) in functions:
            return functions[scope, name]
        scope = go.symbols[scope].parent
    return functions.get((0, name))


def _type_around(go: GoWalk, scope: int) -> int:
    """The type whose method a scope is in; the file where there is none."""
    while scope and go.symbols[scope].kind != "method":
        scope = go.symbols[scope].parent
    return go.symbols[scope].parent
