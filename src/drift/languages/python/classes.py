"""Classes of Python: their symbols, bases and bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import METACLASS, Base, EntryPoint
from drift.languages.frameworks import load_frameworks
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.python.functions import apply_decorators, define_function, signature_of, take_doc
from drift.languages.python.kinds import (
    ARGUMENT_LIST,
    ASSIGNMENT,
    BLOCK,
    CALL,
    CLASS_DEFINITION,
    DECORATED_DEFINITION,
    FUNCTION_DEFINITION,
    IDENTIFIER,
)
from drift.languages.python.migrations import MIGRATION, note_migrations
from drift.languages.python.type_forms import named_type
from drift.languages.python.walk import Frame, part_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Draft, Walk

_FRAMEWORKS: Final = load_frameworks("python")
_ENUM_BASES: Final = _FRAMEWORKS.names("classes", "enums")
_INTERFACE_BASES: Final = _FRAMEWORKS.names("classes", "interfaces")
_ABSTRACT_BASES: Final = _FRAMEWORKS.names("classes", "abstract")
_DATA_CLASS_DECORATORS: Final = _FRAMEWORKS.names("classes", "data")
_MODIFIERS: Final = _FRAMEWORKS.mapping("modifiers")


def visit_class(walk: Walk, node: Node) -> Expression:
    return _define_class(walk, node, [])


def visit_decorated(walk: Walk, node: Node) -> Expression:
    decorators = [child for child in node.named_children if child.type == "decorator"]
    if function := part_of(node, FUNCTION_DEFINITION):
        define_function(walk, function, decorators)
    elif definition := part_of(node, CLASS_DEFINITION):
        _define_class(walk, definition, decorators)
    else:
        walk.visit_children(node)
    return None


def _define_class(walk: Walk, node: Node, decorators: list[Node]) -> Expression:
    name_node, body = part_of(node, IDENTIFIER), part_of(node, BLOCK)
    if name_node is None or body is None:
        walk.visit_children(node)
        return None
    name = walk.name(name_node)
    number = walk.draft("class", name, node)
    draft = walk.drafts[number]
    draft.signature = signature_of(walk, node, body)
    draft.decorators = apply_decorators(walk, number, decorators)
    superclasses = part_of(node, ARGUMENT_LIST)
    metaclass: tuple[Node, Expression] | None = None
    if superclasses is not None:
        draft.bases, metaclass = _read_bases(walk, superclasses, draft)
    if draft.bases or metaclass is not None or _has_made_members(body):
        walk.add_class_making(number, node.start_byte)
    _classify(draft)
    walk.frame.names.add(name)
    # `self.x = …` sets a property of that name rather than making a field, wherever the property stands.
    declared = dict.fromkeys(_method_names(walk, body), number)
    walk.enter(Frame(number, "class", walk.frame, declared=declared))
    if metaclass is not None:
        walk.bind(METACLASS, metaclass[1], metaclass[0])
    draft.doc = take_doc(walk, body)
    walk.visit_children(body)
    _note_called(walk, number)
    if name == MIGRATION:
        note_migrations(walk, body)
    walk.leave()
    return None


def _has_made_members(body: Node) -> bool:
    """Whether calls make what the body of a class holds: objects that may be told their names in it."""
    return any(child.kind_id == DECORATED_DEFINITION or _ends_in_call(child) for child in body.named_children)


def _ends_in_call(statement: Node) -> bool:
    assignment = part_of(statement, ASSIGNMENT)
    return assignment is not None and assignment.children[-1].kind_id == CALL


def _method_names(walk: Walk, body: Node) -> Iterator[str]:
    for child in body.named_children:
        definition = part_of(child, FUNCTION_DEFINITION) if child.kind_id == DECORATED_DEFINITION else child
        if definition is not None and definition.kind_id == FUNCTION_DEFINITION:
            name = part_of(definition, IDENTIFIER)
            if name is not None:
                yield walk.name(name)


def _read_bases(
    walk: Walk, node: Node, draft: Draft
) -> tuple[tuple[Base, ...], tuple[Node, Expression] | None]:
    bases: list[Base] = []
    metaclass: tuple[Node, Expression] | None = None
    for argument in node.named_children:
        if argument.type == "comment":
            continue
        if argument.type == "keyword_argument":
            if walk.text.brief(argument.children[-1], 60).rpartition(".")[2] in _ABSTRACT_BASES:
                draft.modifiers.add("abstract")
            value = walk.visit(argument.children[-1])
            if walk.name(argument.children[0]) == "metaclass":
                metaclass = (argument, value)
        elif argument.type in {"list_splat", "dictionary_splat"}:
            walk.visit(argument.children[-1])
        else:
            bases.append(Base(walk.text.brief(argument, MOST_TEXT_CHARACTERS), named_type(walk, argument)))
    return tuple(bases), metaclass


def _classify(draft: Draft) -> None:
    for base in draft.bases:
        last = base.text.partition("[")[0].rpartition(".")[2]
        if last in _ENUM_BASES:
            draft.kind = "enum"
        elif last in _INTERFACE_BASES:
            draft.kind = "interface"
        elif last in _ABSTRACT_BASES:
            draft.modifiers.add("abstract")
    for decorator in draft.decorators:
        last = decorator.name.rpartition(".")[2]
        if last in _DATA_CLASS_DECORATORS or decorator.name in _DATA_CLASS_DECORATORS:
            draft.modifiers.add("data")
        elif last in _MODIFIERS:
            draft.modifiers.add(_MODIFIERS[last])


def _note_called(walk: Walk, number: int) -> None:
    """What a framework calls of a class by its base: of a management command its `handle`, by the file's name."""
    draft = walk.drafts[number]
    bases = [base.text.rpartition(".")[2] for base in draft.bases]
    rules = next((_FRAMEWORKS.methods[base] for base in bases if base in _FRAMEWORKS.methods), None)
    if rules is None:
        return
    for place in range(number + 1, len(walk.drafts)):
        called = walk.drafts[place]
        if called.parent == number and called.name in rules:
            rule = rules[called.name][0]
            name = walk.path.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
            walk.entry_points.append(
                EntryPoint(place, rule.kind, f"{rule.word} {name}", walk.line(called.node))
            )
            return
