"""Where the outside world enters Go code: routes, commands, jobs, events, tests, main.

A registration names a handler. When that is a function of the same file, it is the entry point; otherwise
the function that registers it stands in, and the call's arguments say what it handed over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from drift.languages.facts import EntryPoint
from drift.languages.golang.walk import Registration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.golang.walk import GoWalk

_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE")
# gin, echo and httprouter shout; chi, fiber and others do not.
_SHOUTED: Final = {**{method: method for method in _METHODS}, "Any": "ANY"}
_SPOKEN: Final = {**{method.capitalize(): method for method in _METHODS}, "All": "ANY"}
_SPOKEN_FRAMEWORKS: Final = (
    "github.com/go-chi/chi",
    "github.com/gofiber/fiber",
    "github.com/kataras/iris",
    "github.com/gobuffalo/buffalo",
    "goji.io",
    "github.com/bmizerany/pat",
    "github.com/gorilla/pat",
)
_HANDLE: Final = frozenset({"Handle", "HandleFunc", "HandlerFunc"})  # path first, or method and path
_METHOD_FIRST: Final = frozenset({"Method", "MethodFunc", "Handle", "Handler", "Add"})
_GROUPS: Final = frozenset({"Group", "Route", "PathPrefix", "Party"})
_JOBS: Final = frozenset({"AddFunc", "AddJob"})
_JOB_PACKAGES: Final = (
    "github.com/robfig/cron",
    "github.com/go-co-op/gocron",
    "github.com/jasonlvhit/gocron",
)
_EVENTS: Final = frozenset({"Subscribe", "QueueSubscribe", "AddEventHandler"})
_TEST_BLOCKS: Final = frozenset({"It", "Specify", "Entry"})
_COMMANDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "github.com/spf13/cobra": ("Use", ("RunE", "Run")),
    "github.com/urfave/cli": ("Name", ("Action",)),
}
_TEST_NAME = re.compile(r"^(Test|Benchmark|Fuzz|Example)(?![a-z])")
_REQUEST_TYPE = re.compile(r"\bhttp\.(?:ResponseWriter|Request)\b|\b(?:Context|Ctx)$")
_PATTERN = re.compile(r"^(?:([A-Z]+)\s+)?(?:[\w.-]+)?(/.*)?$")
_MOST_WRAPPINGS: Final = 4
_MOST_DETAIL_CHARACTERS: Final = 80


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
    first = go.string_of(nodes[0])
    if name in _GROUPS and first is not None:
        go.group_paths[call] = first
    line = go.calls[call].line
    if found := _route(go, callee, first, nodes):
        detail, handler = found
        # A client says `Get` too; without a framework that is known, the handler must look like one.
        is_sure = name not in _SPOKEN or go.imports_any(_SPOKEN_FRAMEWORKS)
        go.registrations.append(Registration(values[handler], go.scope, "http", detail, line, is_sure))
    elif name in _JOBS and len(values) > 1 and go.imports_any(_JOB_PACKAGES):
        go.registrations.append(Registration(values[1], go.scope, "job", first or "", line))
    elif name in _EVENTS and len(values) > 1 and first is not None:
        go.registrations.append(Registration(values[-1], go.scope, "event", first, line))
    elif name == "Start" and go.package_of(callee[1]) == "github.com/aws/aws-lambda-go/lambda":
        go.registrations.append(Registration(values[0], go.scope, "event", "lambda", line))
    elif go.path.endswith("_test.go") and _is_subtest(callee, values):
        detail = first or go.text.brief(nodes[0], _MOST_DETAIL_CHARACTERS)
        go.registrations.append(Registration(values[-1], go.scope, "test", detail, line))


def _is_subtest(callee: tuple[Any, ...], values: list[Expression]) -> bool:
    """`t.Run("name", func…)`, and the blocks of ginkgo."""
    is_block = (callee[0] == "member" and callee[2] == "Run") or (
        callee[0] == "name" and callee[1] in _TEST_BLOCKS
    )
    return is_block and len(values) > 1 and values[-1] is not None and values[-1][0] == "symbol"


def _route(
    go: GoWalk, callee: tuple[Any, ...], first: str | None, nodes: list[Node]
) -> tuple[str, int] | None:
    """Method and path of a route, and which argument is its handler."""
    if callee[0] != "member" or first is None or len(nodes) < 2:  # noqa: PLR2004 - a path and a handler
        return None
    name, prefix = callee[2], _prefix_of(go, callee[1])
    if name in _SHOUTED and _is_path(first):
        return f"{_SHOUTED[name]} {prefix}{first}", len(nodes) - 1
    if name in _SPOKEN and _is_path(first):
        return f"{_SPOKEN[name]} {prefix}{first}", len(nodes) - 1
    second = go.string_of(nodes[1])
    if name in _METHOD_FIRST and first in _METHODS and second is not None and len(nodes) > 2:  # noqa: PLR2004 - method, path, handler
        return f"{first} {prefix}{second}", len(nodes) - 1
    if name in _HANDLE and (pattern := _PATTERN.match(first)) and pattern[2]:
        return f"{pattern[1] or 'ANY'} {prefix}{first.split()[-1]}", len(nodes) - 1
    return None


def _is_path(text: str) -> bool:
    return text == "" or text.startswith("/")


def _prefix_of(go: GoWalk, router: Expression) -> str:
    if router is not None and router[0] == "name":
        return go.prefixes.get(router[1], "")
    return _group_prefix(go, router)


def _group_prefix(go: GoWalk, value: Expression) -> str:
    """The path that the router a value is puts before its routes."""
    parts: list[str] = []
    while value is not None and value[0] == "result":
        call = go.calls[value[1]]
        if call.callee is None or call.callee[0] != "member":
            break
        if call.callee[2] in _GROUPS:
            parts.append(go.group_paths.get(value[1], ""))
        value = call.callee[1]
    if value is not None and value[0] == "name":
        parts.append(go.prefixes.get(value[1], ""))
    return "".join(reversed(parts))


def note_router(go: GoWalk, name: str, value: Expression) -> None:
    """Remember what a variable that holds a group of routes puts before them."""
    if value is not None and value[0] == "result" and (prefix := _group_prefix(go, value)):
        go.prefixes[name] = prefix
    else:
        go.prefixes.pop(name, None)


def note_command(
    go: GoWalk, form: Expression, fields: Mapping[str, tuple[Node, Expression]], line: int
) -> None:
    """A command of cobra or urfave/cli, written as a literal."""
    if form is None or form[0] != "member" or form[2] not in {"Command", "App"}:
        return
    path = go.package_of(form[1])
    for package, (name_field, handler_fields) in _COMMANDS.items():
        handler = next((fields[field][1] for field in handler_fields if field in fields), None)
        if not path.startswith(package) or handler is None:
            continue
        use = go.string_of(_literal(fields[name_field][0])) if name_field in fields else None
        detail = f"command {use.split()[0]}" if use and use.strip() else "command"
        go.registrations.append(Registration(handler, go.scope, "cli", detail, line))


def _literal(node: Node) -> Node:
    return node.named_children[0] if node.type == "literal_element" and node.named_children else node


def settle_registrations(go: GoWalk) -> None:
    """Turn registrations into entry points, now that every function of the file is known."""
    functions = {
        (symbol.parent, symbol.name): number
        for number, symbol in enumerate(go.symbols)
        if symbol.kind in {"function", "method"}
    }
    for handler, scope, kind, detail, line, is_sure in go.registrations:
        symbol = _find_handler(go, handler, scope, functions)
        if not is_sure and (symbol is None or not _takes_request(go, symbol)):
            continue
        here = EntryPoint(scope, kind, detail, line, handler)
        go.entry_points.append(here if symbol is None else EntryPoint(symbol, kind, detail, line))


def _takes_request(go: GoWalk, number: int) -> bool:
    return any(_REQUEST_TYPE.search(parameter.type_text or "") for parameter in go.symbols[number].parameters)


def _find_handler(
    go: GoWalk, handler: Expression, scope: int, functions: Mapping[tuple[int, str], int]
) -> int | None:
    """The function of this file that a handler is, looking into wrappers such as `http.HandlerFunc(f)`."""
    pending: list[tuple[Expression, int]] = [(handler, 0)]
    while pending:
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
            pending.append((call.callee, wrappings + 1))
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


REGISTERING_NAMES: Final = frozenset(
    {*_GROUPS, *_SHOUTED, *_SPOKEN, *_HANDLE, *_METHOD_FIRST, *_JOBS, *_EVENTS, *_TEST_BLOCKS, "Start", "Run"}
)
