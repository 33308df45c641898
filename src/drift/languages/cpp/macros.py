"""What the preprocessor defines: constants, other names, and macros with what their text calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.cpp.macro_calls import read_macro_calls
from drift.languages.facts import Binding, Constant, Parameter
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, PLAIN_NUMBERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler
    from drift.languages.expressions import Expression

_STRING = re.compile(r'^L?"((?:[^"\\]|\\.){3,500})"$')
_NUMBER = re.compile(r"^\(?(-?(?:0[xX][0-9a-fA-F']++|[\d.']+)(?:[eE][-+]?\d+)?)[uUlLfFzZ]*\)?$")
_THROUGH = re.compile(r"\(?(?:(?P<other>\w+)\s*\(\s*|L\s*##\s*)?(?P<given>\w+)[\s)]*\Z")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_WORDS: Final = frozenset(
    {
        "auto", "bool", "break", "char", "class", "const", "constexpr", "continue", "default", "delete",
        "double", "else", "enum", "explicit", "extern", "false", "float", "for", "goto", "if", "inline",
        "int", "long", "mutable", "noexcept", "nullptr", "override", "private", "protected", "public",
        "register", "return", "short", "signed", "sizeof", "static", "struct", "this", "throw", "true",
        "try", "typedef", "union", "unsigned", "using", "virtual", "void", "volatile",
    }
)  # fmt: skip
_OPENED = re.compile(r"(?<!inline )\bnamespace\s+(\w+)\s*\{")
MASKED_SLASH: Final = b"\x01"  # what stands for the slash of a `/*` that begins no comment


def _read_macro(cpp: CppWalk, node: Node) -> None:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    listed = node.child_by_field_name("parameters")
    if name is None or (listed is None and value is None):
        return  # an include guard, or a flag
    symbol = cpp.begin("constant" if listed is None else "macro", cpp.text.text(name), node)
    parameters = (
        ()
        if listed is None
        else tuple(
            Parameter(cpp.text.text(child), "rest" if child.type == "..." else "plain")
            for child in listed.children
            if child.type in {"identifier", "..."}
        )
    )
    end_line = cpp.text.line_of(max(node.start_byte, node.end_byte - 2))
    number = cpp.keep(
        symbol._replace(
            parent=0,
            end_line=end_line,
            signature=_unmasked(cpp.text.brief(node, MOST_SIGNATURE_CHARACTERS)),
            parameters=parameters,
            doc=cpp.take_doc(symbol.line),
            modifiers=("macro",) if listed is None else (),
            value_type=_given_through(cpp, value, parameters),
        )
    )
    if value is not None and listed is None:
        text = _unmasked(cpp.text.brief(value, 520)).strip()
        _note_macro_value(cpp, node, symbol.name, text)
        if (other := _renamed(symbol.name, text)) is not None:
            cpp.bindings.append(Binding(0, symbol.name, other, symbol.line))
        _keep_namespaces(cpp, node, text)
    elif value is not None:
        read_macro_calls(cpp, number, value)


def _given_through(cpp: CppWalk, value: Node | None, parameters: tuple[Parameter, ...]) -> Expression:
    """That a macro is its only argument, or that as a wide string, be it through another macro; None where it is not."""
    match = None
    if value is not None and len(parameters) == 1:
        match = _THROUGH.match(cpp.text.brief(value, 100).strip())
    is_given = match is not None and match["given"] == parameters[0].name
    return ("through", match["other"]) if match is not None and is_given else None


def _unmasked(text: str) -> str:
    return text.replace(MASKED_SLASH.decode(), "/")


def _renamed(name: str, value: str) -> Expression:
    """What `#define open _open` stands for; None where a macro's text is more than a name."""
    is_name = _NAME.match(value) is not None and value != name and value not in _WORDS
    return ("name", value) if is_name else None


def _keep_namespaces(cpp: CppWalk, node: Node, text: str) -> None:
    """Keep the namespaces that a macro opens: where it is used, they are all there is to see of them."""
    parent = 0
    for opened in _OPENED.finditer(text):
        symbol = cpp.begin("namespace", opened[1], node)
        signature = f"namespace {opened[1]}"
        parent = cpp.keep(symbol._replace(parent=parent, signature=signature, modifiers=("macro",)))


def _note_macro_value(cpp: CppWalk, node: Node, name: str, value: str) -> None:
    if text := _STRING.match(value):
        cpp.constants.append(Constant(cpp.scope, cpp.line(node), "string", text[1], name))
    elif (number := _NUMBER.match(value)) and number[1] not in PLAIN_NUMBERS:
        cpp.constants.append(Constant(cpp.scope, cpp.line(node), "number", number[1], name))


MACRO_HANDLERS: Final[dict[str, Handler]] = {
    "preproc_def": _read_macro,
    "preproc_function_def": _read_macro,
}
