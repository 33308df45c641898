"""What holds declarations: the file, namespaces, linkage blocks, templates, conditional parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.cpp.declarations import keep_alias
from drift.languages.cpp.declarators import segments
from drift.languages.cpp.entries import note_function, test_block
from drift.languages.cpp.openings import enter_openings
from drift.languages.facts import Import
from drift.languages.kinds import FUNCTION_KINDS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler

_NOT_CODE: Final = ("condition", "name")
_TYPE_PARAMETERS: Final = frozenset(
    {
        "optional_type_parameter_declaration", "type_parameter_declaration",
        "variadic_type_parameter_declaration",
    }
)  # fmt: skip


def _read_unit(cpp: CppWalk, node: Node) -> None:
    """A sequence of declarations, in which a test may be a call and the block after it."""
    _visit_all(cpp, node.named_children)


def _visit_all(cpp: CppWalk, children: list[Node]) -> None:
    skip: Node | None = None
    for place, child in enumerate(children):
        if child == skip:
            continue
        if cpp.openings or cpp.entered:
            enter_openings(cpp, child)
        following = children[place + 1] if place + 1 < len(children) else None
        if (
            child.type == "expression_statement"
            and following is not None
            and following.type == "compound_statement"
        ):
            name = None if cpp.is_in_function else test_block(cpp, child)
            if name is not None:
                _read_test(cpp, name, child, following)
                skip = following
                continue
        if child.type == "compound_statement" and not cpp.is_in_function and place:
            _read_body(cpp, children[place - 1], child)
        else:
            number = len(cpp.symbols)
            cpp.visit(child)
            if child.type == "function_definition" and place and 1 < number < len(cpp.symbols):
                _begin_at_head(cpp, children[place - 1], number)


def _begin_at_head(cpp: CppWalk, before: Node, number: int) -> None:
    """Let a function begin where the first of its heads does, of which the preprocessor chooses one.

    The head before it is a declaration that lacks its end; it changes places with the head of the function.
    """
    if before.type != "declaration" or not before.child_count or not before.children[-1].is_missing:
        return
    head, function = cpp.symbols[number - 1], cpp.symbols[number]
    if head.name != function.name or head.kind != function.kind or head.start_byte != before.start_byte:
        return
    lines, size = head.end_line - head.line, head.end_byte - head.start_byte
    cpp.symbols[number] = function._replace(line=head.line, column=head.column, start_byte=head.start_byte)
    cpp.symbols[number - 1] = head._replace(
        line=function.line,
        column=function.column,
        start_byte=function.start_byte,
        end_line=min(function.line + lines, function.end_line),
        end_byte=min(function.start_byte + size, function.end_byte),
    )


def _read_body(cpp: CppWalk, before: Node, body: Node) -> None:
    """A block at file level: the body of the function declared right before it.

    That happens when a head is chosen by `#ifdef`, or has a macro in it that the grammar stumbles over. Of several
    heads to choose from, the first begins the function.
    """
    number = _first_head(cpp, before)
    symbol = cpp.symbols[number]
    if symbol.kind not in FUNCTION_KINDS or "declaration" not in symbol.modifiers:
        cpp.visit(body)
        return
    if not before.start_byte <= symbol.start_byte < before.end_byte:
        cpp.visit(body)
        return
    cpp.symbols[number] = symbol._replace(
        end_byte=body.end_byte,
        end_line=cpp.text.line_of(max(body.start_byte, body.end_byte - 1)),
        modifiers=tuple(word for word in symbol.modifiers if word != "declaration"),
    )
    outer = (cpp.scope, cpp.known)
    cpp.scope, cpp.known = number, {parameter.name for parameter in symbol.parameters}
    cpp.visit(body)
    cpp.scope, cpp.known = outer
    note_function(cpp, number, is_test=False)


def _first_head(cpp: CppWalk, before: Node) -> int:
    """The first declaration inside a node of what was declared last."""
    number = len(cpp.symbols) - 1
    name = cpp.symbols[number].name
    while number and cpp.symbols[number - 1].name == name:
        if cpp.symbols[number - 1].start_byte < before.start_byte:
            break
        number -= 1
    return number


def _read_test(cpp: CppWalk, name: str, head: Node, body: Node) -> None:
    symbol = cpp.begin("function", name, head)
    end = body.end_byte
    end_line = cpp.text.line_of(max(body.start_byte, end - 1))
    number = cpp.keep(
        symbol._replace(
            end_byte=end,
            end_line=end_line,
            signature=cpp.text.brief(head, 300),
            doc=cpp.take_doc(symbol.line),
        )
    )
    outer = (cpp.scope, cpp.known)
    cpp.scope, cpp.known = number, set()
    cpp.visit(body)
    cpp.scope, cpp.known = outer
    note_function(cpp, number, is_test=True)


def _read_conditional(cpp: CppWalk, node: Node) -> None:
    """Both sides of `#if`, but not its condition: which side holds is not ours to say."""
    # Compared as nodes: asking each child for its field would take time squared in a guarded header.
    not_code = {field.id for name in _NOT_CODE if (field := node.child_by_field_name(name)) is not None}
    _visit_all(cpp, [child for child in node.named_children if child.id not in not_code])


def _read_namespace(cpp: CppWalk, node: Node) -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    outer = (cpp.scope, cpp.is_hidden)
    if name is None:
        cpp.is_hidden = True
    else:
        parts = [child for child in name.named_children if child.type == "namespace_identifier"] or [name]
        is_inline = any(child.type == "inline" for child in node.children)
        for part in parts:
            word = cpp.text.text(part)
            cpp.namespaces.add(word)
            symbol = cpp.begin("namespace", word, node)
            doc = cpp.take_doc(symbol.line) if part == parts[-1] else ""
            modifiers = ("inline",) if is_inline else ()
            cpp.scope = cpp.keep(symbol._replace(doc=doc, modifiers=modifiers, signature=f"namespace {word}"))
    if body is not None:
        cpp.visit(body)
    cpp.scope, cpp.is_hidden = outer


def _read_linkage(cpp: CppWalk, node: Node) -> None:
    cpp.visit_field(node, "body")


def _read_template(cpp: CppWalk, node: Node) -> None:
    parameters = node.child_by_field_name("parameters")
    outer = cpp.type_parameters
    names: set[str] = set()
    for parameter in () if parameters is None else parameters.named_children:
        if parameter.type in _TYPE_PARAMETERS:
            names.update(
                cpp.text.text(child) for child in parameter.children if child.type == "type_identifier"
            )
    cpp.type_parameters = outer | names
    outer_template = cpp.template
    for child in node.named_children:
        if child == parameters or child.type in {"comment", "requires_clause"}:
            continue
        cpp.template = outer_template or node
        cpp.visit(child)
    cpp.template = None
    cpp.type_parameters = outer


def _read_concept(cpp: CppWalk, node: Node) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        keep_alias(cpp, node, cpp.text.text(name), None, "concept")


def _read_using(cpp: CppWalk, node: Node) -> None:
    """`using namespace std;` takes all names of it, `using std::vector;` one."""
    if not node.named_child_count:
        return
    target = node.named_children[-1]
    names = segments(cpp, target)
    if any(child.type == "namespace" for child in node.children):
        cpp.imports.append(Import(cpp.scope, cpp.line(node), "::".join(names), "*", None))
    elif len(names) > 1:
        module = "::".join(names[:-1]) or "::"
        cpp.imports.append(Import(cpp.scope, cpp.line(node), module, names[-1], names[-1]))


def _read_namespace_alias(cpp: CppWalk, node: Node) -> None:
    name = node.child_by_field_name("name")
    if name is not None and node.named_child_count > 1:
        module = cpp.text.brief(node.named_children[-1], 200).replace(" ", "")
        cpp.imports.append(Import(cpp.scope, cpp.line(node), module, None, cpp.text.text(name)))


UNIT_HANDLERS: Final[dict[str, Handler]] = {
    "ERROR": _read_unit,
    "concept_definition": _read_concept,
    "declaration_list": _read_unit,
    "linkage_specification": _read_linkage,
    "namespace_alias_definition": _read_namespace_alias,
    "namespace_definition": _read_namespace,
    "preproc_elif": _read_conditional,
    "preproc_else": _read_conditional,
    "preproc_if": _read_conditional,
    "preproc_ifdef": _read_conditional,
    "template_declaration": _read_template,
    "translation_unit": _read_unit,
    "using_declaration": _read_using,
}
