"""Functions, methods and lambdas of Python: their symbols, parameters and bodies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.comments import dedent_doc
from drift.languages.facts import Binding, Decorator, EntryPoint, Parameter, Return
from drift.languages.frameworks import load_frameworks
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.python.calls import visit_callee
from drift.languages.python.kinds import (
    BLOCK,
    COMMENT,
    EXPRESSION_STATEMENT,
    IDENTIFIER,
    KEYWORD_SEPARATOR,
    LAMBDA_PARAMETERS,
    PARAMETERS,
    POSITIONAL_SEPARATOR,
    STRING,
    TYPE,
)
from drift.languages.python.promises import gives_its_own_class, is_left_to_others
from drift.languages.python.providers import note_provided
from drift.languages.python.registrations import note_decorated
from drift.languages.python.signals import note_sent
from drift.languages.python.strings import string_value
from drift.languages.python.type_forms import type_value
from drift.languages.python.walk import Frame, part_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Draft, Walk

_FRAMEWORKS: Final = load_frameworks("python")
_TEST_CASE_ENDINGS: Final = _FRAMEWORKS.texts("tests", "base_endings")
_FIXTURE_DECORATORS: Final = _FRAMEWORKS.names("tests", "fixtures")
_PROPERTY_DECORATORS: Final = _FRAMEWORKS.names("properties", "decorators")
_MODIFIERS: Final = _FRAMEWORKS.mapping("modifiers")
_COMMENT = re.compile(rb"#[^\n]*")
_ITSELF: Final = ("this",)
_CLASS_RECEIVERS: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})


def visit_function(walk: Walk, node: Node) -> Expression:
    return define_function(walk, node, [])


def define_function(walk: Walk, node: Node, decorators: list[Node]) -> Expression:
    name_node, body = part_of(node, IDENTIFIER), part_of(node, BLOCK)
    if name_node is None or body is None:
        walk.visit_children(node)
        return None
    name = walk.name(name_node)
    is_method = walk.frame.kind == "class"
    number = walk.draft("method" if is_method else "function", name, node)
    draft = walk.drafts[number]
    draft.signature = signature_of(walk, node, body)
    draft.decorators = apply_decorators(walk, number, decorators)
    _classify(draft, is_method=is_method)
    if node.children[0].type == "async":
        draft.modifiers.add("async")
    _read_parameters(walk, part_of(node, PARAMETERS), number, is_method=is_method)
    note_sent(walk, number, decorators)
    returned = part_of(node, TYPE)
    if returned is not None:
        draft.return_text = walk.text.brief(returned, MOST_TEXT_CHARACTERS)
        draft.return_type = type_value(walk, returned)
        if draft.kind == "property":
            draft.value_type = draft.return_type
        if gives_its_own_class(draft):
            draft.return_type = _ITSELF
    is_of_interface = is_method and walk.drafts[walk.frame.number].kind == "interface"
    if is_method and is_left_to_others(walk, body, is_of_interface=is_of_interface):
        draft.modifiers.add("abstract")
    walk.frame.names.add(name)
    _note_test(walk, number)
    _walk_body(walk, number, body)
    return None


def visit_lambda(walk: Walk, node: Node) -> Expression:
    number = walk.draft("function", "<lambda>", node)
    walk.drafts[number].signature = walk.text.brief(node, MOST_SIGNATURE_CHARACTERS)
    _read_parameters(walk, part_of(node, LAMBDA_PARAMETERS), number, is_method=False)
    _take_receiver(walk, walk.drafts[number])
    body = node.children[-1] if node.child_count > 1 else None
    _enter_function(walk, number)
    first_reference = len(walk.references)
    if body is not None:
        value = walk.visit(body)
        if value is not None:
            walk.returns.append(Return(number, value, walk.line(body)))
    _forget_locals(walk, first_reference)
    walk.leave()
    return ("symbol", number)


def _take_receiver(walk: Walk, draft: Draft) -> None:
    """A lambda in the body of a class, in a table of it too, that begins with `self` works on its objects."""
    parameters = draft.parameters
    if walk.frame.kind == "class" and parameters and parameters[0][:2] == ("self", "plain"):
        draft.parameters = (parameters[0]._replace(kind="receiver"), *parameters[1:])


def apply_decorators(walk: Walk, number: int, decorators: list[Node]) -> tuple[Decorator, ...]:
    """Note each decorator as a call that is given the symbol, and what it registers the symbol for."""
    found: list[Decorator] = []
    for node in decorators:
        parts = [part for part in node.named_children if part.type != "comment"]
        if not parts:
            continue
        expression = parts[0]
        named = expression.children[0] if expression.type == "call" else expression
        decorator = Decorator(
            walk.text.brief(named, MOST_TEXT_CHARACTERS),
            walk.text.brief(expression, MOST_TEXT_CHARACTERS),
            walk.line(node),
        )
        found.append(decorator)
        first_call = len(walk.calls)
        if expression.type == "call":
            callee, byte = walk.visit(expression), expression.start_byte
        else:
            callee, byte = visit_callee(walk, expression)
        note_provided(walk, number, first_call=first_call)
        walk.add_call(
            byte,
            callee,
            text=walk.callee_text(expression),
            arguments=((None, ("symbol", number)),),
            kind="decorator",
        )
        note_decorated(walk, number, decorator=decorator, node=expression)
    return tuple(found)


def signature_of(walk: Walk, node: Node, body: Node) -> str:
    """The head of a definition on one line, without its colon and comments."""
    start, end = node.start_byte, body.start_byte
    if b"#" not in walk.source[start:end]:
        head = walk.text.brief_slice(start, end, limit=MOST_SIGNATURE_CHARACTERS)
    else:
        head = " ".join(_COMMENT.sub(b"", walk.source[start:end]).decode("utf-8", "replace").split())
        head = head[:MOST_SIGNATURE_CHARACTERS]
    return head.rstrip(" :")


def take_doc(walk: Walk, body: Node) -> str:
    """The docstring of a body, which thereby counts as comment."""
    for statement in body.named_children:
        kind = statement.kind_id
        if kind == COMMENT:
            continue
        if kind != EXPRESSION_STATEMENT or statement.named_child_count != 1:
            return ""
        literal = statement.named_children[0]
        if literal.kind_id != STRING:
            return ""
        value = string_value(walk.source[literal.start_byte : literal.end_byte])
        if value is None:
            return ""
        walk.doc_spans.append((literal.start_byte, literal.end_byte))
        return dedent_doc(value)
    return ""


def _classify(draft: Draft, *, is_method: bool) -> None:
    for decorator in draft.decorators:
        last = decorator.name.rpartition(".")[2]
        modifier = _MODIFIERS.get(last)
        if modifier is not None:
            draft.modifiers.add(modifier)
        if is_method and (last in _PROPERTY_DECORATORS or last in {"setter", "deleter"}):
            draft.kind = "property"
    if is_method and draft.name == "__init__":
        draft.kind = "constructor"
    if is_method and draft.name in _CLASS_RECEIVERS:
        draft.modifiers.add("classmethod")


def _read_parameters(walk: Walk, node: Node | None, number: int, *, is_method: bool) -> None:
    """Read the parameters in the scope around the function, where defaults and annotations are evaluated."""
    parameters: list[Parameter] = []
    is_keyword_only = False
    for child in node.named_children if node is not None else ():
        kind = child.kind_id
        if kind == IDENTIFIER and not is_keyword_only:
            parameters.append(Parameter(walk.name(child)))
            continue
        if kind in (COMMENT, POSITIONAL_SEPARATOR):
            continue
        if kind == KEYWORD_SEPARATOR:
            is_keyword_only = True
            continue
        parameter = _read_parameter(walk, child, number)
        if parameter.kind == "rest":
            is_keyword_only = True
        elif parameter.kind == "plain" and is_keyword_only:
            parameter = parameter._replace(kind="keyword")
        parameters.append(parameter)
    draft = walk.drafts[number]
    takes_receiver = is_method and "static" not in draft.modifiers
    if takes_receiver and parameters and parameters[0].kind == "plain":
        parameters[0] = parameters[0]._replace(kind="receiver")
    draft.parameters = tuple(parameters)


def _read_parameter(walk: Walk, node: Node, number: int) -> Parameter:
    children = node.children
    is_compound = node.type in {"typed_parameter", "default_parameter", "typed_default_parameter"}
    named = children[0] if is_compound and children else node
    kind = {"list_splat_pattern": "rest", "dictionary_splat_pattern": "keywords"}.get(named.type, "plain")
    if kind != "plain" and named.named_children:
        named = named.named_children[0]
    name = walk.text.brief(named, MOST_TEXT_CHARACTERS)
    written = part_of(node, TYPE) if is_compound else None
    first_call = len(walk.calls)
    default = children[-1] if is_compound and node.type != "typed_parameter" else None
    value = walk.visit(default) if default is not None else None
    if value is not None and value[0] != "literal":
        if value == ("name", name):
            # `def run(sleep=sleep)`: the default is read where no parameter is known yet
            value = ("outer", name)
        walk.bindings.append(Binding(number, name, value, walk.line(named)))
    declared = type_value(walk, written) if written is not None else None
    note_provided(walk, number, written=written, declared=declared, first_call=first_call)
    return Parameter(
        name,
        kind,
        walk.text.brief(written, MOST_TEXT_CHARACTERS) if written is not None else None,
        declared,
        walk.text.brief(default, MOST_TEXT_CHARACTERS) if default is not None else None,
    )


def _enter_function(walk: Walk, number: int) -> None:
    outer, parameters = walk.frame, walk.drafts[number].parameters
    names = {parameter.name for parameter in parameters}
    receiver = outer.receiver if outer.kind == "function" and outer.receiver not in names else None
    if parameters and parameters[0].kind == "receiver":
        receiver = parameters[0].name
    walk.enter(Frame(number, "function", outer, receiver=receiver, names=names))


def _walk_body(walk: Walk, number: int, body: Node) -> None:
    _enter_function(walk, number)
    first_reference = len(walk.references)
    walk.drafts[number].doc = take_doc(walk, body)
    walk.visit_children(body)
    _forget_locals(walk, first_reference)
    walk.leave()


def _forget_locals(walk: Walk, first: int) -> None:
    """Drop references that only name a local of the function that ends here."""
    if len(walk.references) == first:
        return
    names = walk.frame.names
    kept = [
        reference
        for reference in walk.references[first:]
        if not (
            reference.target is not None and reference.target[0] == "name" and reference.target[1] in names
        )
    ]
    walk.references[first:] = kept


def _note_test(walk: Walk, number: int) -> None:
    draft = walk.drafts[number]
    if not draft.name.startswith("test") or _is_fixture(draft):
        return
    line = walk.line(draft.node)
    owner = walk.drafts[draft.parent]
    is_case = draft.kind == "method" and any(base.text.endswith(_TEST_CASE_ENDINGS) for base in owner.bases)
    if not is_case:
        is_collected = draft.parent == 0 or (draft.kind == "method" and "Test" in owner.name)
        if not is_collected or not _is_test_file(walk.path):
            return
        # A case may inherit from another one, which says nothing by its name; pytest wants none.
        is_case = bool(owner.bases) and not owner.name.startswith("Test")
    walk.entry_points.append(EntryPoint(number, "test", "unittest" if is_case else "pytest", line))
    draft.modifiers.add("test")


def _is_fixture(draft: Draft) -> bool:
    """Whether tests are given what it makes: pytest runs no fixture as a test, whatever its name is."""
    return any(one.name.rpartition(".")[2] in _FIXTURE_DECORATORS for one in draft.decorators)


def _is_test_file(path: str) -> bool:
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.startswith(("test_", "tests.")) or name.endswith("_test.py") or name == "tests.py"
