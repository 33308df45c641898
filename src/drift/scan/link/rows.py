"""The links of each file, written down from what an analysis found."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call, FileFacts, Reference
from drift.languages.kinds import CODE_KINDS, CONNECTING, EXPECTED, TYPE_KINDS, VALUE_KINDS, SymbolKind
from drift.scan.link.analysis import Analysis
from drift.scan.link.bodies import bodies_of
from drift.scan.link.calling import follow_call
from drift.scan.link.destinations import import_destination
from drift.scan.link.dispatching import may_hand_over
from drift.scan.link.handlers import names_given_objects
from drift.scan.link.hierarchy import base_values
from drift.scan.link.implicit import implicit_links, with_members_run
from drift.scan.link.links import (
    BaseLink,
    CallLink,
    FileLinks,
    ImportLink,
    MountLink,
    Place,
    ReferenceLink,
    Target,
)
from drift.scan.link.outcomes import call_link
from drift.scan.link.pipelines import with_pipeline
from drift.scan.link.referenced_symbols import imported_symbols, referenced_symbols
from drift.scan.link.routers import mount_links, router_links
from drift.scan.link.shared_scopes import SharedScopes
from drift.scan.link.shown_files import PAGE, gives_itself, shown_file
from drift.scan.link.tables import FileTable
from drift.scan.link.values import SYMBOL, SYMBOL_MASK, is_symbol, plain_name, symbol_of, tag_of

_FAULT: Final = "a fault of the linker"
_MOCKED: Final = 0.1  # what a mock does that calls what it stands for
_MOST_WRAPPINGS: Final = 4  # of a handler
_VARIABLES: Final[Collection[SymbolKind]] = frozenset({"constant", "variable"})
_NAMING: Final = frozenset({"symbol", "name", "member", "outer"})
_PATHS: Final = frozenset({"name", "member"})


def write_links(analysis: Analysis, table: FileTable) -> FileLinks:
    """All links of one file."""
    shared_scopes = SharedScopes(analysis, table)
    return FileLinks(
        imports=tuple(_import_link(analysis, table, number) for number in range(len(table.facts.imports))),
        bases=tuple(_base_links(analysis, table)),
        calls=tuple(_call_links(analysis, table, shared_scopes)),
        references=tuple(_reference_links(analysis, table, shared_scopes)),
        implicit=tuple(implicit_links(analysis, table, shared_scopes)),
        handlers=tuple(_handlers(analysis, table)),
        routers=tuple(router_links(analysis, table)),
        mounts=tuple(mount_links(analysis, table)),
    )


def unlinked(facts: FileFacts) -> FileLinks:
    """The links of a file of which nothing could be found out."""
    return FileLinks(
        imports=tuple(ImportLink(problem=_FAULT) for _ in facts.imports),
        calls=tuple(CallLink("unknown", reason=_FAULT) for _ in facts.calls),
        references=tuple(ReferenceLink() for _ in facts.references),
        mounts=tuple(MountLink() for _ in facts.mounts),
    )


def _handlers(analysis: Analysis, table: FileTable) -> Iterator[tuple[int, Place]]:
    """The functions and classes that entry points lead to, where it is one."""
    for number, entry in enumerate(table.facts.entry_points):
        if entry.handler is None:
            continue
        scope = table.first + entry.symbol
        found = _wrapped(analysis, table, entry.handler, scope)
        found = found or _of_kinds(analysis, entry.handler, scope, CODE_KINDS | TYPE_KINDS)
        found = found or _held(analysis, table, entry.handler, scope)
        if not found and entry.handler[0] == "member":
            # For a member that comes from outside its class stands in.
            found = [
                owner
                for owner in _of_kinds(analysis, entry.handler[1], scope, TYPE_KINDS)
                if analysis.program.semantics_at(owner).may_have_more_members(analysis, owner)
            ]
        if not found and entry.handler[0] == "result":
            # What makes the handler is nearest to it.
            found = _of_kinds(analysis, table.facts.calls[entry.handler[1]].callee, scope, CODE_KINDS)
        found = list(dict.fromkeys(body for one in found for body in bodies_of(analysis, one)))
        if len(found) == 1:
            yield number, analysis.program.place(found[0])
        elif not found and entry.detail.startswith(PAGE) and (file := shown_file(analysis, table, entry)):
            yield number, file


def _wrapped(
    analysis: Analysis, table: FileTable, handler: Expression, scope: int, *, depth: int = 0
) -> list[int]:
    """The functions that a call was handed which gives a handler: `allow(orders.list, "read")`."""
    if handler is None or handler[0] != "result" or depth == _MOST_WRAPPINGS:
        return []
    for _, given in table.facts.calls[handler[1]].arguments:
        found = _wrapped(analysis, table, given, scope, depth=depth + 1)
        if not found and given is not None and given[0] in _NAMING:
            found = _of_kinds(analysis, given, scope, CODE_KINDS)
        if found:
            return found
    return []


def _held(
    analysis: Analysis, table: FileTable, handler: Expression, scope: int, *, depth: int = 0
) -> list[int]:
    """The function that a variable of a file is given, where it is a handler or handed to what gives one."""
    if handler is None or depth == _MOST_WRAPPINGS:
        return []
    if handler[0] == "result":
        given = (value for _, value in table.facts.calls[handler[1]].arguments)
        found = (_held(analysis, table, value, scope, depth=depth + 1) for value in given)
        return next((one for one in found if one), [])
    if handler[0] not in _NAMING:
        return []
    variables = _of_kinds(analysis, handler, scope, _VARIABLES)
    return _value_of(analysis, variables[0], depth) if len(variables) == 1 else []


def _value_of(analysis: Analysis, variable: int, depth: int) -> list[int]:
    """The function that a variable holds, itself or in what wraps it: `var list = withUser(func() {})`."""
    table = analysis.program.table_of(variable)
    symbol = table.symbols[variable & SYMBOL_MASK]
    written = analysis.program.definitions(table, symbol.parent, symbol.name) or ()
    values = [one.value for one in written if one.kind == "value"]
    value, scope = values[0] if len(values) == 1 else None, table.first + symbol.parent
    if value is None:
        return []
    found = _wrapped(analysis, table, value, scope, depth=depth)
    if not found and value[0] in _NAMING:
        found = _of_kinds(analysis, value, scope, CODE_KINDS)
    return (
        found
        or _held(analysis, table, value, scope, depth=depth + 1)
        or _made_of_class(analysis, table, value, scope)
    )


def _made_of_class(analysis: Analysis, table: FileTable, value: Expression, scope: int) -> list[int]:
    """The class of which something outside makes a handler: `orders = OrdersView.as_view()`."""
    callee = table.facts.calls[value[1]].callee if value is not None and value[0] == "result" else None
    if callee is None or callee[0] != "member" or _of_kinds(analysis, callee, scope, CODE_KINDS):
        return []
    return _of_kinds(analysis, callee[1], scope, TYPE_KINDS)


def _of_kinds(analysis: Analysis, form: Expression, scope: int, kinds: Collection[SymbolKind]) -> list[int]:
    """The symbols of these kinds that a form names."""
    return [
        symbol
        for symbol in referenced_symbols(analysis, form, scope)
        if analysis.program.symbol(symbol).kind in kinds
    ]


def _call_links(analysis: Analysis, table: FileTable, shared_scopes: SharedScopes) -> Iterator[CallLink]:
    known: dict[Any, CallLink] = {}
    semantics = analysis.program.semantics(table)
    has_overloads, counts = semantics.has_overloads, semantics.arguments_fit != "any"
    names = semantics.overloaded_names | names_given_objects(table.file_semantics.frameworks)
    for call in table.facts.calls:
        # What is given decides, too.
        is_apart = has_overloads or (call.callee is not None and call.callee[-1] in names)
        shared_scope = None if is_apart else shared_scopes.find(call.callee, call.scope)
        if shared_scope is None:
            yield _call_link(analysis, table, call)
            continue
        # Beside what is called its last letter counts: `(this.member)()` calls what a property holds, `a!()` a macro.
        last = call.text[-1:]
        count = len(call.arguments) if counts else 0
        key = (shared_scope, call.callee, call.kind, last if last in {")", "!"} else "", count)
        link = known.get(key)
        if link is None:
            link = known[key] = _call_link(analysis, table, call)
        yield link


def _call_link(analysis: Analysis, table: FileTable, call: Call) -> CallLink:
    scope = table.first + call.scope
    link = call_link(analysis, call, scope, runs=follow_call(analysis, call, scope))
    link = with_members_run(analysis, call, scope, link=link)
    if may_hand_over(table, call):
        link = with_pipeline(analysis, call, scope, link=link)
    if call.kind == EXPECTED:
        link = _only_expected(link)
    return _with_holder(analysis, call, scope, link=link)


def _only_expected(link: CallLink) -> CallLink:
    """What is said of a call that a mock is told of: it says that another is made, and runs nothing."""
    targets, overriders = (
        tuple(one._replace(confidence=one.confidence * _MOCKED, reason="mocked") for one in found)
        for found in (link.targets, link.overriders)
    )
    return link._replace(
        targets=targets, overriders=overriders, reason="mocked" if link.targets else link.reason
    )


def _with_holder(analysis: Analysis, call: Call, scope: int, *, link: CallLink) -> CallLink:
    """What is said of a call with the constant that is called, where what it holds has no name of its own.

    `const save = client.action(async () => {…})`: a call of `save` leads outside, or to a function that only `save` names.
    """
    program, callee = analysis.program, call.callee
    if callee is None or callee[0] != "name" or not program.semantics_at(scope).calls_constants:
        return link
    if link.overriders or any(
        program.symbol(program.number(one.place)).name[:1] != "<" for one in link.targets
    ):
        return link
    held = [
        one for one in referenced_symbols(analysis, callee, scope) if program.symbol(one).kind in VALUE_KINDS
    ]
    beside = tuple(Target(program.place(one), 1 / len(held), "held") for one in held)
    return link._replace(overriders=beside) if beside else link


def _import_link(analysis: Analysis, table: FileTable, number: int) -> ImportLink:
    program = analysis.program
    destination = import_destination(analysis, table, number)
    if destination.external is not None:
        return ImportLink(external_package=destination.external_package)
    if destination.problem is not None:
        return ImportLink(problem=destination.problem)
    symbols = imported_symbols(analysis, table, number)
    places = tuple(program.place(symbol) for symbol in symbols)
    paths = {place.path for place in places}  # several overloads are of one file
    file = destination.file if destination.file is not None else paths.pop() if len(paths) == 1 else None
    written = table.facts.imports[number].name
    if written in {None, "*"}:
        # The module itself is said by its file; it is no symbol beside.
        return ImportLink(file=file, problem=None if file is not None else "a package without a file")
    if len(places) == 1 and places[0].symbol == 0:
        return ImportLink(file=places[0].path)
    if file is None and not places:
        return ImportLink(problem=f"the package has no {written}")
    return ImportLink(file=file, symbols=tuple(place for place in places if place.symbol))


def _base_links(analysis: Analysis, table: FileTable) -> list[BaseLink]:
    links = []
    for number, symbol in enumerate(table.symbols):
        for position in range(len(symbol.bases)):
            values = base_values(analysis, table.first + number, position)
            inside = tuple(
                analysis.program.place(symbol_of(value))
                for value in values
                if is_symbol(value) and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS
            )
            outside = [plain_name(value) for value in values if isinstance(value, str)]
            name = outside[0] if len(outside) == 1 and not inside else None
            links.append(BaseLink(number, position, inside, name))
    return links


def _reference_links(
    analysis: Analysis, table: FileTable, shared_scopes: SharedScopes
) -> Iterator[ReferenceLink]:
    known: dict[Any, ReferenceLink] = {}
    for reference in table.facts.references:
        shared_scope = shared_scopes.find(reference.target, reference.scope)
        if shared_scope is None:
            yield ReferenceLink(_reference_targets(analysis, table, reference))
            continue
        key = (shared_scope, reference.target, reference.kind)
        link = known.get(key)
        if link is None:
            link = known[key] = ReferenceLink(_reference_targets(analysis, table, reference))
        yield link


def _is_of_object(analysis: Analysis, table: FileTable, reference: Reference) -> bool:
    """Whether a member that is read of an object can be no method: `order.id` in Rust, whatever `order.id()` is."""
    form = reference.target
    if form is None or form[0] != "member" or not analysis.program.semantics(table).has_fields_apart:
        return False
    return not any(
        is_symbol(owner) and tag_of(owner) == SYMBOL
        for owner in analysis.evaluate(form[1], table.first + reference.scope)
    )


def _is_lent(table: FileTable, target: Expression) -> bool:
    """Whether a file is named that the one at hand does not import: a component that a framework lends it."""
    return target is not None and target[0] == "name" and target[1] not in table.names[0]


def _path_owners(analysis: Analysis, target: Expression, scope: int) -> tuple[int, ...]:
    """Of a path whose end nobody declares, what begins it: `Order` in `Order.objects.all`, `LIMITS` in `LIMITS.most`."""
    while target is not None and target[0] == "member":
        target = target[1]
        found = (
            referenced_symbols(analysis, target, scope) if target is not None and target[0] in _PATHS else ()
        )
        if found:
            symbols = analysis.program.symbol
            return tuple(one for one in found if symbols(one).kind not in CODE_KINDS)
    return ()


def _reference_targets(analysis: Analysis, table: FileTable, reference: Reference) -> tuple[Target, ...]:
    scope = table.first + reference.scope
    if reference.kind == "attribute":
        symbols = analysis.program.semantics(table).attribute_classes(analysis, reference.target, scope)
    else:
        symbols = referenced_symbols(analysis, reference.target, scope)
        symbols = symbols or _path_owners(analysis, reference.target, scope)
    targets = []
    for symbol in symbols:
        place = analysis.program.place(symbol)
        is_text = reference.kind == "string"
        is_whole = is_text or _is_lent(table, reference.target) or gives_itself(analysis, symbol)
        if not place.symbol and not is_whole:
            continue
        is_function = analysis.program.symbol(symbol).kind in CODE_KINDS
        is_callback = reference.kind == "value" and is_function
        if is_callback and _is_of_object(analysis, table, reference):
            continue
        own = place.path == table.path
        reason = (
            "connected"
            if is_function and reference.kind == CONNECTING
            else "callback"
            if is_callback
            else "named"
            if is_text
            else "scope"
            if own
            else "import"
        )
        targets.append((place, reason))
    return tuple(Target(place, 1 / len(targets), reason) for place, reason in targets)
