"""What a PHP call is given, and callables that are named by strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.php.walk import qualify, value_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

# Which argument of a built-in function is a callable, that may be a function's name in a string.
_CALLABLES: Final = {
    "add_action": 1, "add_filter": 1, "add_shortcode": 1, "array_filter": 1, "array_map": 0,
    "array_reduce": 1, "array_walk": 1, "call_user_func": 0, "call_user_func_array": 0,
    "iterator_apply": 1, "ob_start": 0, "preg_replace_callback": 1, "register_activation_hook": 1,
    "register_deactivation_hook": 1, "register_shutdown_function": 0, "set_error_handler": 0,
    "set_exception_handler": 0, "spl_autoload_register": 0, "uasort": 1, "uksort": 1, "usort": 1,
}  # fmt: skip
_FUNCTION_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_\\:@")


def read_arguments(
    php: PhpWalk, nodes: list[Node], callee: Expression
) -> tuple[tuple[str | None, Expression], ...]:
    """The arguments of a call of `callee`: (keyword with its `$`, value)."""
    name = callee[-1] if callee is not None and callee[0] in {"name", "member"} else None
    place_of_callable = _CALLABLES.get(name.lower()) if isinstance(name, str) else None
    found: list[tuple[str | None, Expression]] = []
    for place, argument in enumerate(nodes):
        value_node, keyword = value_of(argument), argument.child_by_field_name("name")
        value = None if value_node is None else php.visit(value_node)
        if value_node is not None and value_node.type == "variadic_unpacking":
            value = ("item", value)
        if place == place_of_callable:
            value = name_callable(php, value_node) or name_in_pair(php, value_node, value)
        found.append((None if keyword is None else f"${php.text.text(keyword)}", value))
    return tuple(found)


def name_in_pair(php: PhpWalk, node: Node | None, value: Expression) -> Expression:
    """What `[$object, 'method']` calls where a callable is wanted; any other value as it is."""
    if node is None or node.type != "array_creation_expression" or value is None or value[0] != "list":
        return value
    last = node.named_children[-1] if node.named_child_count else None
    method = php.string_of(value_of(last)) if last is not None else None
    if len(value) != 3 or not method:  # noqa: PLR2004 - the form's name, an owner and a method
        return value
    return ("member", value[1], method)


def name_callable(php: PhpWalk, node: Node | None) -> Expression:
    """What a string in a place for callables names: `f`, `A::f`, `A@f`; None for anything else."""
    name = php.string_of(node)
    if node is None or not name or not _FUNCTION_NAME.issuperset(name):
        return None
    owner, mark, method = name.replace("@", "::").replace("\\\\", "\\").partition("::")
    form: Expression = ("member", qualify(owner), method) if mark else qualify(owner)
    php.refer(node, form, "value")
    return form
