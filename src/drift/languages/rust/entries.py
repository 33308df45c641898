"""Where the outside world enters Rust code: routes, commands, jobs, tests, main.

Attributes name their function themselves. A registration (`.route("/x", get(list))`) names a handler: when
that is a function of the same file, it is the entry point; otherwise the function that registers it stands
in, and the call's arguments say what it handed over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from drift.languages.facts import EntryPoint, EnvironmentRead
from drift.languages.frameworks import (
    ANY_METHOD,
    EVERY_METHOD_OF_HTTP,
    SAID_METHOD,
    Rule,
    describe,
    find_rule,
    join_route,
    load_frameworks,
)
from drift.languages.rust.mounts import links, prefix_of
from drift.languages.rust.said_routes import listed_handlers, note_said
from drift.languages.rust.walk import Registration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Decorator
    from drift.languages.frameworks import Selector
    from drift.languages.rust.walk import RustWalk

_FRAMEWORKS: Final = load_frameworks("rust")
_VERBS: Final = frozenset(method.lower() for method in EVERY_METHOD_OF_HTTP)
_ANY_VERBS: Final = _FRAMEWORKS.names("routes", "any")
_HANDING: Final = _FRAMEWORKS.names("routes", "to")
_COMMAND_ARGUMENTS: Final = _FRAMEWORKS.names("commands", "arguments")
_COMMAND_DERIVES = re.compile(rf"\b({'|'.join(_FRAMEWORKS.texts('commands', 'derives'))})\b")
_SUBCOMMAND_DERIVES = re.compile(rf"\b({'|'.join(_FRAMEWORKS.texts('commands', 'subcommand_derives'))})\b")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.){0,500}+)"')
_NAMED = re.compile(r'\bname\s*=\s*"([^"]*)"')
_METHOD_ARGUMENT = re.compile(r'\bmethod\s*=\s*"([A-Za-z]+)"')
_ENVIRONMENT_ARGUMENT = re.compile(r'\benv\s*=\s*"([^"]+)"')
_DEFAULT_ARGUMENT = re.compile(r"\bdefault_value(?:_t)?\s*=\s*([^,)\]]+)")
_CASES = re.compile(rf"#\[\s*(?:\w+::)*(?:{'|'.join(_FRAMEWORKS.texts('tests', 'cases'))})\b")
_MOST_NAME: Final = 100
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
REGISTERING_NAMES: Final = frozenset(_FRAMEWORKS.calls)


class _AttributeSite:
    """An attribute, as the matcher asks about it: its text is what is known of its arguments."""

    receiver = ""
    is_call = True
    owners: tuple[str, ...] = ()

    def __init__(self, rust: RustWalk, decorator: Decorator) -> None:
        self._rust = rust
        self._text = decorator.text
        self.name = decorator.name

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        if isinstance(selectors[0], str):
            return list(dict.fromkeys(_METHOD_ARGUMENT.findall(self._text)))
        text = self.constant(selectors)
        return [] if text is None else [text]

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        found = _QUOTED.search(self._text) if selectors else None
        return found[1] if found else None

    def written(self) -> str:
        return self._text

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return _imports_any(self._rust, packages)


class _CallSite:
    """A call, as the matcher asks about it: of its arguments the first string is known."""

    is_call = True
    owners: tuple[str, ...] = ()

    def __init__(self, rust: RustWalk, callee: tuple[Any, ...], call: int) -> None:
        self._rust = rust
        self._call = call
        self.name = callee[-1]
        self.receiver = callee[1][1] if callee[1] is not None and callee[1][0] == "name" else "?"

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        text = self.constant(selectors)
        return [] if text is None else [text]

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        return self._rust.strings.get(self._call) if selectors else None

    def written(self) -> str:
        return self._rust.calls[self._call].text

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return _imports_any(self._rust, packages)


def _imports_any(rust: RustWalk, packages: tuple[str, ...]) -> bool:
    return any(path.split("::")[0] in packages for path in rust.imported.values())


def _rules_of(attribute: str) -> tuple[Rule, ...]:
    """The rules for an attribute; one of a macro of the project's own that ends like a test's makes a test."""
    known = _FRAMEWORKS.decorators
    return known.get(attribute) or (known[_TEST] if attribute.endswith(f"_{_TEST}") else ())


_TEST: Final = "test"


def note_function(rust: RustWalk, number: int, attributes: list[Node]) -> None:
    """Tests, routes, exports to other languages and main, by attribute and by name."""
    symbol = rust.symbols[number]
    for decorator in symbol.decorators if attributes else ():
        note_said(rust, number, decorator)
        site = _AttributeSite(rust, decorator)
        rule = find_rule(_rules_of(decorator.name.rpartition("::")[2]), site)
        if rule is not None:
            if rule.is_test:
                rust.symbols[number] = symbol._replace(modifiers=tuple(sorted({*symbol.modifiers, "test"})))
            router: Expression = ("symbol", number) if rule.kind == "http" else None
            rust.entry_points.append(
                EntryPoint(number, rule.kind, describe(rule, site), symbol.line, None, router)
            )
            return
        if "(no_mangle)" in decorator.text:  # in an attribute around it: `unsafe(no_mangle)`
            rust.entry_points.append(EntryPoint(number, "export", decorator.name, symbol.line))
            return
    if symbol.name == "main" and symbol.parent == 0:
        rust.entry_points.append(EntryPoint(number, "main", "main", symbol.line))


def note_cases(rust: RustWalk, number: int, attributes: list[Node]) -> None:
    """The texts that attributes give a test for its cases: `#[case("/users")]`."""
    outer, rust.scope = rust.scope, number
    for node in attributes:
        pending = [node] if _CASES.match(rust.text.brief(node, _MOST_NAME)) else []
        while pending:
            one = pending.pop()
            if (text := rust.string_of(one)) is not None:
                rust.add_string(one, text)
            else:
                pending += reversed(one.named_children)
    rust.scope = outer


def note_type(rust: RustWalk, number: int, attributes: list[Node]) -> None:
    """Clap's derived commands, and the variables their arguments are read from."""
    symbol = rust.symbols[number]
    derives = " ".join(d.text for d in symbol.decorators if d.name == "derive") if attributes else ""
    if _COMMAND_DERIVES.search(derives):
        name = next((m[1] for d in symbol.decorators if (m := _NAMED.search(d.text))), _kebab(symbol.name))
        rust.entry_points.append(EntryPoint(number, "cli", f"command {name}", symbol.line))
    for field in rust.symbols[number + 1 :] if "derive" in derives else ():
        for decorator in field.decorators:
            if decorator.name in _COMMAND_ARGUMENTS:
                _note_argument(rust, number, decorator)


def _note_argument(rust: RustWalk, number: int, decorator: Decorator) -> None:
    if found := _ENVIRONMENT_ARGUMENT.search(decorator.text):
        default = _DEFAULT_ARGUMENT.search(decorator.text)
        text = default[1].strip().strip('"') if default else None
        rust.environment_reads.append(EnvironmentRead(number, decorator.line, found[1], text))


def note_variant(rust: RustWalk, number: int) -> None:
    """A variant of a derived subcommand is a command."""
    variant = rust.symbols[number]
    owner = rust.symbols[variant.parent]
    if any(d.name == "derive" and _SUBCOMMAND_DERIVES.search(d.text) for d in owner.decorators):
        name = next((m[1] for d in variant.decorators if (m := _NAMED.search(d.text))), _kebab(variant.name))
        rust.entry_points.append(EntryPoint(number, "cli", f"command {name}", variant.line))


def _kebab(name: str) -> str:
    return _WORD_START.sub("-", name).replace("_", "-").lower()


def note_registration(
    rust: RustWalk, callee: tuple[Any, ...], *, values: list[Expression], call: int
) -> None:
    """Recognise what a call with one of `REGISTERING_NAMES` hands to a framework."""
    if callee[0] != "member":
        return
    site = _CallSite(rust, callee, call)
    rule = find_rule(_FRAMEWORKS.calls.get(callee[-1], ()), site)
    if rule is None:
        return
    line, path = rust.calls[call].line, site.constant(rule.detail)
    if rule.kind == "http" and values:
        if path is None and len(values) > 1:
            path = _named_path(values[0])
        is_with_path = bool(rule.detail)
        rust.registrations.extend(
            _routes(rust, callee, values, is_with_path=is_with_path, path=path or "", line=line)
        )
    elif rule.kind == "job" and path is not None:
        rust.registrations.append(Registration(values[-1], rust.scope, "job", path, line))
    elif rule.kind == "cli" and path:
        rust.entry_points.append(EntryPoint(rust.scope, "cli", describe(rule, site), line))


def _routes(
    rust: RustWalk,
    callee: tuple[Any, ...],
    values: list[Expression],
    *,
    is_with_path: bool,
    path: str,
    line: int,
) -> Iterator[Registration]:
    """What a call adds to a router: handlers with a path, handlers whose attributes say theirs, the end of a filter."""
    if is_with_path:
        for verb, handler in _handlers(rust, values[-1]):
            yield Registration(handler, rust.scope, "http", f"{verb} {path}", line, callee[1])
    elif listed := listed_handlers(rust, callee, values):
        for handler in listed:
            yield Registration(handler, rust.scope, "http", f"{SAID_METHOD} ", line, callee[1])
    elif detail := _filter_detail(rust, callee[1]):
        yield Registration(values[0], rust.scope, "http", detail, line)


def _named_path(value: Expression) -> str:
    """A path that is computed elsewhere, as far as it has a name, in angle brackets."""
    names: list[str] = []
    while value is not None and value[0] == "member":
        names.append(value[2])
        value = value[1]
    root = value[1] if value is not None and value[0] == "name" else "…"
    return f"<{'.'.join([root, *reversed(names)])}>"


def _wrapped_verb(rust: RustWalk, function: str) -> str | None:
    """The method that a function above gives what it is handed to: `fn get_all(handler: H) -> … { get(handler)… }`."""
    for call in rust.calls[rust.verbs_looked_for :]:
        name = None if call.callee is None else call.callee[-1]
        if (name in _VERBS or name in _ANY_VERBS) and call.arguments:
            given = call.arguments[0][1]
            symbol = rust.symbols[call.scope]
            if (
                given is not None
                and given[0] == "name"
                and given[1] in {one.name for one in symbol.parameters}
            ):
                verb = ANY_METHOD if name in _ANY_VERBS else str(name).upper()
                rust.wrapped_verbs.setdefault(symbol.name, verb)
    rust.verbs_looked_for = len(rust.calls)
    return rust.wrapped_verbs.get(function)


def _handlers(rust: RustWalk, value: Expression) -> Iterator[tuple[str, Expression]]:
    """Method and handler of `get(list).post(add)` (axum) or `web::get().to(list)` (actix)."""
    handed: Expression = None
    for _, call in links(rust, value):
        name = None if call.callee is None else call.callee[-1]
        argument = call.arguments[0][1] if call.arguments else None
        if name in _HANDING and argument is not None:
            handed = argument
        elif name in _VERBS or name in _ANY_VERBS:
            handler = argument if argument is not None else handed
            if handler is not None:
                yield ANY_METHOD if name in _ANY_VERBS else str(name).upper(), handler
            handed = None
        elif (
            argument is not None
            and call.callee is not None
            and call.callee[0] == "name"
            and (verb := _wrapped_verb(rust, str(name))) is not None
        ):
            yield verb, argument


def _filter_detail(rust: RustWalk, receiver: Expression) -> str:
    """Method and path of a warp filter: `warp::path("x").and(warp::get())`; nothing for other chains."""
    verb, parts = ANY_METHOD, []
    for number, call in links(rust, receiver):
        for link in (number, *(a[1] for _, a in call.arguments if a is not None and a[0] == "result")):
            callee = rust.calls[link].callee
            if callee is None or callee[0] != "member" or callee[1] != ("name", "warp"):
                continue
            if callee[2] == "path":
                parts.append(rust.strings.get(link, ""))
            elif callee[2] in _VERBS:
                verb = str(callee[2]).upper()
    return f"{verb} /{'/'.join(reversed(parts))}" if parts else ""


def settle_registrations(rust: RustWalk) -> None:
    """Turn registrations into entry points, now that every function of the file is known."""
    functions: dict[tuple[int, str], int] = {}
    for number, symbol in enumerate(rust.symbols):
        if symbol.kind in {"function", "method"}:
            functions.setdefault((symbol.parent, symbol.name), number)
    for handler, scope, kind, detail, line, receiver in rust.registrations:
        found = _find_handler(rust, handler, scope, functions)
        router: Expression = None
        if receiver is not None:
            verb, _, path = detail.partition(" ")
            detail = f"{verb} {join_route(prefix_of(rust, receiver), path)}"  # noqa: PLW2901 - the same, whole
            router = ("symbol", scope)
        here = EntryPoint(scope, kind, detail, line, handler, router)
        rust.entry_points.append(here if found is None else here._replace(symbol=found, handler=None))


def _find_handler(
    rust: RustWalk, handler: Expression, scope: int, functions: Mapping[tuple[int, str], int]
) -> int | None:
    if handler is None:
        return None
    if handler[0] == "symbol":
        return int(handler[1])
    if handler[0] == "member" and handler[1] is not None and handler[1][0] in {"name", "outer"}:
        owner = rust.types.get((0, handler[1][1]))
        return None if owner is None else functions.get((owner, handler[2]))
    while handler[0] in {"name", "outer"}:
        if (scope, handler[1]) in functions:
            return functions[scope, handler[1]]
        if not scope:
            return None
        scope = rust.symbols[scope].parent
    return None
