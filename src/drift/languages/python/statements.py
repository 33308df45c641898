"""Statements of Python: what they bind, import, raise, catch and give back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import with_type_arguments
from drift.languages.facts import EntryPoint, Handling, Import, Return
from drift.languages.python.classes import visit_class, visit_decorated
from drift.languages.python.functions import visit_function
from drift.languages.python.kinds import (
    ASSIGNMENT,
    ATTRIBUTE,
    BLOCK,
    COLON_TOKEN,
    ELSE_CLAUSE,
    IDENTIFIER,
    STRING,
    TYPE,
)
from drift.languages.python.listed_routes import note_listed_routes
from drift.languages.python.members import visit_delete
from drift.languages.python.methods_run import AUGMENTED
from drift.languages.python.operators import note_binary, visit_tested
from drift.languages.python.patterns import visit_match
from drift.languages.python.targets import assign, assign_augmented, assign_elements, declare, note_exports
from drift.languages.python.type_forms import aliased_classes, dotted, either, is_union, type_value
from drift.languages.python.walk import meaningful_children, part_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Handler, Walk

_MOST_TYPE_CHARACTERS: Final = 120
_NAMED_LITERALS: Final = frozenset(
    {"string", "concatenated_string", "integer", "float", "unary_operator", "parenthesized_expression"}
)
_TYPE_MAKERS: Final = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple", "NewType"})
_MAIN_GUARDS: Final = frozenset(
    {'__name__ == "__main__"', "__name__ == '__main__'", '"__main__" == __name__', "'__main__' == __name__"}
)
_TYPE_GUARDS: Final = frozenset({"TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING"})


def _visit_assignment(walk: Walk, node: Node) -> Expression:
    """`a = b = value` is one statement whose targets all get the value."""
    targets: list[tuple[Node, Expression]] = []
    text = ""
    statement, right = node, None
    while True:
        left, written, right = _sides(node)
        targets.append((left, type_value(walk, written) if written is not None else None))
        text = walk.text.text(written) if written is not None else text
        if right is None or right.kind_id != ASSIGNMENT:
            break
        node = right
    value = _visit_right(walk, targets, right) if right is not None else None
    is_symbol = walk.frame.kind != "function"
    is_type = is_symbol and _makes_type(walk, statement, right)
    for target, declared in targets:
        if is_symbol:
            declare(walk, target, statement, declared=declared, is_type=is_type)
        is_kept = target.kind_id == ATTRIBUTE or (not is_symbol and target.kind_id == IDENTIFIER)
        assign(walk, target, value, declared=with_type_arguments(declared, text) if is_kept else declared)
        if right is not None and walk.scope == 0:
            if walk.name(target) == "__all__":
                note_exports(walk, right)
            elif right.type == "list":
                note_listed_routes(walk, walk.name(target), right)
    return value


def _sides(node: Node) -> tuple[Node, Node | None, Node | None]:
    """Target, type and value of an assignment."""
    children = node.children
    if len(children) == 1:
        return children[0], None, None
    written = part_of(node, TYPE) if children[1].kind_id == COLON_TOKEN else None
    is_given = children[-1].kind_id not in (TYPE, COLON_TOKEN)
    return children[0], written, children[-1] if is_given else None


def _visit_right(walk: Walk, targets: list[tuple[Node, Expression]], right: Node) -> Expression:
    is_named = walk.frame.kind != "function" and right.type in _NAMED_LITERALS
    if is_named and targets and targets[0][0].kind_id == IDENTIFIER:
        walk.naming = walk.name(targets[0][0])
    is_alias = walk.scope == 0 and len(targets) == 1 and is_union(walk, right)
    value = aliased_classes(walk, right) if is_alias else walk.visit(right)
    walk.naming = None
    return value


def _makes_type(walk: Walk, statement: Node, right: Node | None) -> bool:
    written = part_of(statement, TYPE)
    if written is not None and walk.text.brief(written, 40).rpartition(".")[2] == "TypeAlias":
        return True
    if right is None or right.type != "call":
        return False
    return walk.text.brief(right.children[0], 40).rpartition(".")[2] in _TYPE_MAKERS


def _visit_augmented(walk: Walk, node: Node) -> Expression:
    children = node.children
    left, right = children[0], children[-1]
    value = walk.visit(right)
    if walk.scope == 0 and walk.name(left) == "__all__":
        note_exports(walk, right)
        return None
    changed = assign_augmented(walk, left)
    sign = children[1].type
    for method in AUGMENTED.get(sign, ()):
        walk.add_access(changed, method, node.start_byte)
    note_binary(walk, sign[:-1], None, right=value, byte=node.start_byte)
    return None


def _visit_type_alias(walk: Walk, node: Node) -> Expression:
    types = [child for child in node.named_children if child.type == "type"]
    left, right = types[0] if types else None, types[-1] if len(types) > 1 else None
    target = left
    while target is not None and target.type != "identifier":
        target = target.named_children[0] if target.named_children else None
    value = type_value(walk, right) if right is not None else None
    if target is not None:
        declare(walk, target, node, declared=value, is_type=True)
        walk.bind(walk.name(target), value[1] if value and value[0] == "instance" else None, target)
    return None


def _visit_expression_statement(walk: Walk, node: Node) -> Expression:
    for child in node.named_children:
        if child.kind_id != STRING:
            walk.visit(child)
        elif node.named_child_count == 1:
            # A string that stands alone is a doc string or a remark, no constant, and no line of code.
            walk.doc_spans.append((child.start_byte, child.end_byte))
    return None


def _visit_import(walk: Walk, node: Node) -> Expression:
    for child in node.named_children:
        if child.type == "aliased_import":
            parts = child.named_children
            _add_import(walk, child, walk.text.text(parts[0]), name=None, alias=walk.name(parts[-1]))
        elif child.type == "dotted_name":
            module = walk.text.text(child)
            first, dot, _ = module.partition(".")
            _add_import(walk, child, first, name=None, alias=first)
            if dot:
                # `import a.b` binds a, and makes sure that a.b is loaded.
                _add_import(walk, child, module, name=None, alias=None)
    return None


def _visit_import_from(walk: Walk, node: Node) -> Expression:
    # The module stands right after `from`; without a path there it is __future__.
    after_from = node.children[1] if node.child_count > 1 else None
    source = after_from if after_from is not None and after_from.is_named else None
    module = "__future__" if source is None else "".join(walk.text.text(source).split())
    for child in node.named_children:
        if source is not None and child.start_byte == source.start_byte:
            continue
        if child.type == "aliased_import":
            parts = child.named_children
            _add_import(walk, child, module, name=walk.text.text(parts[0]), alias=walk.name(parts[-1]))
        elif child.type == "dotted_name":
            name = walk.text.text(child)
            _add_import(walk, child, module, name=name, alias=name)
        elif child.type == "wildcard_import":
            _add_import(walk, child, module, name="*", alias=None)
    return None


def _add_import(walk: Walk, node: Node, module: str, *, name: str | None, alias: str | None) -> None:
    found = Import(walk.scope, walk.line(node), module, name, alias, is_type_only=walk.is_type_only)
    walk.imports.append(found)


def _visit_if(walk: Walk, node: Node) -> Expression:
    condition = node.children[1] if walk.frame.kind != "function" and node.child_count > 1 else None
    written = walk.text.brief(condition, 60) if condition is not None else ""
    if walk.scope == 0 and written.strip("()") in _MAIN_GUARDS:
        walk.entry_points.append(EntryPoint(0, "main", "__main__", walk.line(node)))
    if written not in _TYPE_GUARDS:
        return visit_tested(walk, node)
    body = part_of(node, BLOCK)
    for child in node.named_children:
        before = walk.is_type_only
        walk.is_type_only = before or (body is not None and child.start_byte == body.start_byte)
        walk.visit(child)
        walk.is_type_only = before
    return None


def _visit_for(walk: Walk, node: Node) -> Expression:
    assign_elements(walk, node)
    for child in node.named_children:
        if child.kind_id in (BLOCK, ELSE_CLAUSE):
            walk.visit(child)
    return None


def _visit_with(walk: Walk, node: Node) -> Expression:
    is_async = node.children[0].type == "async"
    for child in node.named_children:
        if child.type != "with_clause":
            walk.visit(child)
            continue
        for item in child.named_children:
            for context in _contexts(item):
                _visit_context(walk, context, is_async=is_async)
    return None


def _contexts(item: Node) -> list[Node]:
    """What one item opens: several where all stand in parentheses, which parse as a tuple."""
    inner = item
    while inner.type in {"with_item", "parenthesized_expression", "tuple"} and inner.named_child_count == 1:
        inner = inner.named_children[0]
    if inner.type == "tuple" and any(part.type == "as_pattern" for part in inner.named_children):
        return meaningful_children(inner)
    return [inner]


def _visit_context(walk: Walk, node: Node, *, is_async: bool) -> None:
    """`with x as y`: y is what `x.__enter__()` gives back, a call nobody writes but all make."""
    enter, leave = ("__aenter__", "__aexit__") if is_async else ("__enter__", "__exit__")
    byte = node.start_byte
    if node.type != "as_pattern":
        value = walk.visit(node)
        walk.add_access(value, enter, byte)
        walk.add_access(value, leave, byte)
        return
    parts = meaningful_children(node)
    value = walk.visit(parts[0])
    walk.add_access(value, leave, byte)
    entered: Expression = None
    if value is not None:
        number = walk.add_call(byte, ("member", value, enter), text=enter, kind="implicit")
        entered = ("awaited", ("result", number)) if is_async else ("result", number)
    assign(walk, parts[-1], entered)


def _visit_try(walk: Walk, node: Node) -> Expression:
    body = part_of(node, BLOCK)
    if body is not None:
        walk.handlings.append(Handling(walk.scope, walk.line(node), walk.last_line(body), "try"))
    walk.visit_children(node)
    return None


def _visit_except(walk: Walk, node: Node) -> Expression:
    body = part_of(node, BLOCK)
    head = [child for child in meaningful_children(node) if child.type != "block"]
    caught = head[0] if head else None
    target = head[1] if len(head) > 1 else None  # `except A, e` of old
    if caught is not None and caught.type == "as_pattern":
        parts = caught.named_children
        caught, target = parts[0], parts[-1]
    types = [] if caught is None else _exception_types(caught)
    names = tuple(walk.text.brief(part, _MOST_TYPE_CHARACTERS) for part in types)
    is_empty = body is not None and _does_nothing(body)
    walk.handlings.append(
        Handling(walk.scope, walk.line(node), walk.last_line(node), "catch", names, is_empty=is_empty)
    )
    for part in types:
        written = dotted(walk.text.text(part))
        if written is None:
            walk.visit(part)
        else:
            walk.refer(part.start_byte, written, "type")
    if target is not None:
        classes = [dotted(name) for name in names]
        assign(walk, target, either([("instance", path) for path in classes if path is not None]))
    if body is not None:
        walk.visit(body)
    return None


def _exception_types(node: Node) -> list[Node]:
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return (
        [part for part in node.named_children if part.type != "comment"] if node.type == "tuple" else [node]
    )


def _does_nothing(body: Node) -> bool:
    for statement in body.named_children:
        if statement.type in {"comment", "pass_statement"}:
            continue
        if statement.type != "expression_statement":
            return False
        if any(child.type not in {"ellipsis", "string"} for child in statement.named_children):
            return False
    return True


def _visit_finally(walk: Walk, node: Node) -> Expression:
    walk.handlings.append(Handling(walk.scope, walk.line(node), walk.last_line(node), "finally"))
    walk.visit_children(node)
    return None


def _visit_raise(walk: Walk, node: Node) -> Expression:
    parts = [part for part in node.named_children if part.type != "comment"]
    types: tuple[str, ...] = ()
    if parts:
        raised = _made_class(walk, parts[0].children[0]) if parts[0].type == "call" else parts[0]
        if not _is_caught(walk, parts[0]):
            types = (walk.text.brief(raised, _MOST_TYPE_CHARACTERS),)
    walk.handlings.append(Handling(walk.scope, walk.line(node), walk.last_line(node), "throw", types))
    for place, part in enumerate(parts):
        value = walk.visit(part)
        if place == 0 and value is not None and value[0] in {"name", "member"}:
            # A class that is raised is called first.
            walk.add_access(("instance", value), "__init__", node.start_byte)
    return None


def _made_class(walk: Walk, called: Node) -> Node:
    """What is called to make an error, or its class where that has a method for it: `TokenError.expired()`."""
    owner = called.child_by_field_name("object") if called.type == "attribute" else None
    method = called.child_by_field_name("attribute") if owner is not None else None
    if owner is None or method is None or walk.name(method)[:1].isupper():
        return called
    last = owner.child_by_field_name("attribute") if owner.type == "attribute" else owner
    is_class = last is not None and last.type == "identifier" and walk.name(last)[:1].isupper()
    return owner if is_class else called


def _is_caught(walk: Walk, raised: Node) -> bool:
    """Whether what is raised is the error that a handler around caught, which is no type."""
    around = raised.parent if raised.type == "identifier" else None
    while around is not None and around.type not in {"function_definition", "class_definition", "module"}:
        if around.type == "except_clause":
            caught = next((each for each in around.named_children if each.type == "as_pattern"), None)
            alias = caught.child_by_field_name("alias") if caught is not None else None
            if alias is not None and walk.name(alias) == walk.name(raised):
                return True
        around = around.parent
    return False


def _visit_return(walk: Walk, node: Node) -> Expression:
    for child in node.named_children:
        value = walk.visit(child)
        if value is not None:
            walk.returns.append(Return(walk.scope, value, walk.line(node)))
    return None


def _visit_global(walk: Walk, node: Node) -> Expression:
    for child in node.named_children:
        if child.type == "identifier":
            walk.frame.borrowed[walk.name(child)] = 0
    return None


def _visit_nonlocal(walk: Walk, node: Node) -> Expression:
    for child in node.named_children:
        if child.type != "identifier":
            continue
        name = walk.name(child)
        frame = walk.frame.outer
        while frame is not None and not (frame.kind == "function" and name in frame.names):
            frame = frame.outer
        walk.frame.borrowed[name] = frame.number if frame is not None else 0
    return None


STATEMENT_HANDLERS: Final[dict[str, Handler]] = {
    "assignment": _visit_assignment,
    "assert_statement": visit_tested,
    "augmented_assignment": _visit_augmented,
    "class_definition": visit_class,
    "decorated_definition": visit_decorated,
    "delete_statement": visit_delete,
    "elif_clause": visit_tested,
    "except_clause": _visit_except,
    "expression_statement": _visit_expression_statement,
    "finally_clause": _visit_finally,
    "for_statement": _visit_for,
    "function_definition": visit_function,
    "future_import_statement": _visit_import_from,
    "global_statement": _visit_global,
    "if_statement": _visit_if,
    "import_from_statement": _visit_import_from,
    "import_statement": _visit_import,
    "match_statement": visit_match,
    "nonlocal_statement": _visit_nonlocal,
    "raise_statement": _visit_raise,
    "return_statement": _visit_return,
    "try_statement": _visit_try,
    "type_alias_statement": _visit_type_alias,
    "while_statement": visit_tested,
    "with_statement": _visit_with,
}
