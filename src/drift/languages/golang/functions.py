"""Functions as Go declares them: parameters, results, and the walk through a body in its own scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.expressions import list_of
from drift.languages.facts import Parameter
from drift.languages.golang.vocabulary import PREDECLARED_TYPES
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.golang.walk import GoWalk


def read_closure(go: GoWalk, node: Node, name: str = "") -> Expression:
    """A function literal, as a symbol of its own."""
    parent = go.scope if go.closure_parent is None else go.closure_parent
    symbol = go.begin("function", name or go.number_closure(parent), node)
    return ("symbol", define_function(go, symbol._replace(parent=parent), node))


def define_function(go: GoWalk, symbol: Symbol, node: Node) -> int:
    """The number of a function's symbol, after gathering its signature and body in its scope."""
    number = go.keep(symbol)
    mark = go.open_scope(number)
    outer = (go.result_names, go.closure_parent)
    go.closure_parent = None
    parameters = (*symbol.parameters, *read_parameters(go, node.child_by_field_name("parameters")))
    result, body = node.child_by_field_name("result"), node.child_by_field_name("body")
    results = _read_results(go, result)
    go.symbols[number] = symbol._replace(
        signature=go.text.brief_slice(
            node.start_byte,
            node.end_byte if body is None else body.start_byte,
            limit=MOST_SIGNATURE_CHARACTERS,
        ),
        parameters=parameters,
        return_text=None if result is None else go.text.brief(result, MOST_TEXT_CHARACTERS),
        return_type=_return_type(results),
    )
    inner = go.open_scope(number, [p.name for p in parameters if p.kind != "receiver" and p.name != "_"])
    names = [result.name for result in results if result.name != "_"]
    go.result_names = tuple(names) if len(names) == len(results) else ()
    if body is not None:
        for name, form in ((entry.name, entry.type) for entry in results if entry.name != "_"):
            go.declare(node, name, None, form)
        go.is_in_body, was_in_body = True, go.is_in_body
        go.visit(body)
        go.is_in_body = was_in_body
    go.close_scope(inner)
    go.close_scope(mark)
    go.result_names, go.closure_parent = outer
    return number


def read_parameters(go: GoWalk, node: Node | None) -> tuple[Parameter, ...]:
    """Every parameter of a list; one without a name is called `_`."""
    found: list[Parameter] = []
    for declaration in () if node is None else node.named_children:
        type_node = declaration.child_by_field_name("type")
        if type_node is None:
            continue
        is_rest = declaration.type == "variadic_parameter_declaration"
        form = go.visit(type_node)
        type_text = go.text.brief(type_node, MOST_TEXT_CHARACTERS)
        names = [go.text.text(name) for name in declaration.children_by_field_name("name")]
        found += [
            Parameter(
                name,
                "rest" if is_rest else "plain",
                f"...{type_text}" if is_rest else type_text,
                ("list", form) if is_rest else form,
            )
            for name in names or ["_"]
        ]
    return tuple(found)


def _read_results(go: GoWalk, node: Node | None) -> tuple[Parameter, ...]:
    if node is None:
        return ()
    if node.type == "parameter_list":
        return read_parameters(go, node)
    return (Parameter("_", type=go.visit(node)),)


def _return_type(results: tuple[Parameter, ...]) -> Expression:
    """The type a function gives back.

    Of several results only those whose type has code in some project are kept, so that unpacking
    `(T, error)` gives a T.
    """
    if len(results) < 2:  # noqa: PLR2004 - one result is no list
        return results[0].type if results else None
    return list_of(result.type for result in results if not _is_predeclared(result.type))


def _is_predeclared(form: Expression) -> bool:
    return form is None or (form[0] == "name" and form[1] in PREDECLARED_TYPES)
