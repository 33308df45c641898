"""Functions, methods and closures: parameters, results, and the walk through a body in its own scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drift.languages.facts import Parameter, Return
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.rust.entries import note_cases
from drift.languages.rust.patterns import bind_pattern, match_pattern
from drift.languages.rust.vocabulary import EVERYDAY_TRAITS
from drift.languages.rust.walk import COMMENTS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.rust.walk import RustWalk


def read_closure(rust: RustWalk, node: Node, name: str = "") -> Expression:
    """A closure, as a symbol of its own."""
    passed, rust.passed = rust.passed, None
    symbol = rust.begin("function", name or rust.number_closure(), node)
    if any(child.type == "async" for child in node.children):
        symbol = symbol._replace(modifiers=("async",))
    parameters = node.child_by_field_name("parameters")
    first = next(iter(_listed(parameters)), None)
    if passed is None or first is None or first.type == "parameter":
        return ("symbol", define_function(rust, symbol._replace(visibility="private"), node))
    given = (first, _seen_inside(rust, first, passed))
    return ("symbol", define_function(rust, symbol._replace(visibility="private"), node, given=given))


def _seen_inside(rust: RustWalk, parameter: Node, passed: tuple[Any, ...]) -> Expression:
    """What a closure is given, under another name where its parameter is called like what it comes from."""
    root: Any = passed[1]
    while root is not None and root[0] in {"member", "awaited", "item", "either"}:
        root = root[-1] if root[0] == "either" else root[1]
    if root is None or root[0] != "name" or root[1] not in rust.text.text(parameter):
        return passed
    hidden = f"{root[1]}'"  # no name that source can write
    rust.declare(parameter, hidden, passed)
    return ("name", hidden)


def define_function(
    rust: RustWalk, symbol: Symbol, node: Node, *, given: tuple[Node, Expression] | None = None
) -> int:
    """The number of a function's symbol, after gathering its signature and body in its scope."""
    number = rust.keep(symbol)
    mark = rust.open_scope(number)
    outer, outer_matched = rust.generics, rust.matched
    if found := read_generics(rust, node):
        rust.generics = {**outer, **found}
    patterns: list[tuple[Node, Expression]] = []
    parameters = _read_parameters(rust, node.child_by_field_name("parameters"), patterns)
    result, body = node.child_by_field_name("return_type"), node.child_by_field_name("body")
    rust.symbols[number] = symbol._replace(
        signature=rust.text.brief_slice(
            node.start_byte,
            node.end_byte if body is None else body.start_byte,
            limit=MOST_SIGNATURE_CHARACTERS,
        ).removesuffix(";"),
        parameters=parameters,
        return_text=None if result is None else rust.text.brief(result, MOST_TEXT_CHARACTERS),
        return_type=None if result is None else _read_result(rust, result),
    )
    hidden = {parameter.name for parameter in parameters}
    seen = (
        outer_matched if node.type == "closure_expression" else {}
    )  # a function sees no variables around it
    rust.matched = {name: value for name, value in seen.items() if name not in hidden}
    inner = rust.open_scope(number, [p.name for p in parameters if p.kind == "plain" and p.name != "_"])
    for pattern, form in patterns:
        bind_pattern(rust, pattern, None if form is None else ("instance", form))
    if given is not None:
        match_pattern(rust, *given)
    if body is not None:
        _read_body(rust, body)
    rust.close_scope(inner)
    rust.close_scope(mark)
    rust.generics, rust.matched = outer, outer_matched
    return number


def _read_result(rust: RustWalk, node: Node) -> Expression:
    """The type of a result; `impl Trait` is one type of which no more is said, so what is given back says more."""
    form = rust.visit(node)
    is_hidden = node.type == "abstract_type" and form is not None and form[0] in {"name", "member"}
    return ("either", form) if is_hidden else form


def _read_body(rust: RustWalk, body: Node) -> None:
    """Walk a body; what it ends in is what the function gives back."""
    value = rust.visit(body)
    if value is None:
        return
    last: Node | None = body
    if body.type == "block":
        last = next((c for c in reversed(body.named_children) if c.type not in COMMENTS), body)
    rust.returns.append(Return(rust.scope, value, rust.line(last or body)))


def read_generics(rust: RustWalk, node: Node) -> dict[str, Expression]:
    """The type parameters of an item, each with its first bound, and the bounds of its where clause."""
    found: dict[str, Expression] = {}
    parameters = node.child_by_field_name("type_parameters")
    for parameter in () if parameters is None else parameters.named_children:
        name_node = parameter.child_by_field_name("name")
        if parameter.type == "type_parameter" and name_node is not None:
            found[rust.text.text(name_node)] = _read_bounds(rust, parameter.child_by_field_name("bounds"))
            rust.visit_field(parameter, "default_type")
    where = next((child for child in node.named_children if child.type == "where_clause"), None)
    for predicate in () if where is None else where.named_children:
        left = predicate.child_by_field_name("left")
        bound = _read_bounds(rust, predicate.child_by_field_name("bounds"))
        name = "" if left is None else rust.text.text(left)
        if found.get(name, bound) is None:
            found[name] = bound
    return found


def _read_bounds(rust: RustWalk, bounds: Node | None) -> Expression:
    """The first trait of a list of bounds, after noting all; one that everything has only where there is no other."""
    if bounds is None:
        return None
    forms = [rust.visit(child) for child in bounds.named_children if child.type not in COMMENTS]
    known = [form for form in forms if form is not None]
    return next((form for form in known if form[-1] not in EVERYDAY_TRAITS), next(iter(known), None))


def _listed(node: Node | None) -> list[Node]:
    """The parameters in a list; a closure's `_` is one, too, though the grammar gives it no name."""
    children = [] if node is None else node.children
    return [child for child in children if child.is_named or child.type == "_"]


def _read_parameters(
    rust: RustWalk, node: Node | None, patterns: list[tuple[Node, Expression]]
) -> tuple[Parameter, ...]:
    """Every parameter; those that are patterns are also put into `patterns`, to be bound in the body."""
    found: list[Parameter] = []
    for child in _listed(node):
        if child.type == "self_parameter":
            found.append(Parameter("self", "receiver", rust.text.text(child), rust.self_form))
        elif child.type == "parameter":
            found.append(_read_parameter(rust, child, patterns))
        elif child.type == "variadic_parameter":
            found.append(Parameter("...", "rest"))
        elif child.type == "attribute_item":
            note_cases(rust, rust.scope, [child])
        elif child.type not in COMMENTS:
            found.append(_read_bare(rust, child, patterns))
    return tuple(found)


def _read_parameter(rust: RustWalk, node: Node, patterns: list[tuple[Node, Expression]]) -> Parameter:
    pattern, type_node = node.child_by_field_name("pattern"), node.child_by_field_name("type")
    form = None if type_node is None else rust.visit(type_node)
    text = None if type_node is None else rust.text.brief(type_node, MOST_TEXT_CHARACTERS)
    if pattern is None:
        return Parameter("_", "plain", text, form)
    name = rust.text.brief(pattern, MOST_TEXT_CHARACTERS)
    if pattern.type == "self":
        return Parameter("self", "receiver", text, form)
    if pattern.type != "identifier":
        patterns.append((pattern, form))
    return Parameter(name.removeprefix("mut "), "plain", text, form)


def _read_bare(rust: RustWalk, node: Node, patterns: list[tuple[Node, Expression]]) -> Parameter:
    """A closure's parameter without a type."""
    if node.type != "identifier":
        patterns.append((node, None))
    return Parameter(rust.text.brief(node, MOST_TEXT_CHARACTERS))
