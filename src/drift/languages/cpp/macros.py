"""What the preprocessor defines: constants, other names, and macros with what their text calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.cpp.declarators import path_form
from drift.languages.facts import Binding, Call, Constant, Parameter
from drift.languages.gathering import MOST_SIGNATURE_CHARACTERS
from drift.languages.syntax import SourceText, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler
    from drift.languages.facts import Expression

_STRING = re.compile(r'^L?"((?:[^"\\]|\\.){3,500})"$')
_NUMBER = re.compile(r"^\(?(-?(?:0[xX][0-9a-fA-F']+|[\d.']+)(?:[eE][-+]?\d+)?)[uUlLfFzZ]*\)?$")
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
_PLAIN_NUMBERS: Final = frozenset({"-1", "0", "0.0", "1", "1.0", "2", "2.0"})
_CALLING = re.compile(rb"[A-Za-z_]\w*\s*\(")
_PASTING = re.compile(rb"[ \t]*##[ \t]*")
_BEFORE_BODY: Final = b"int f(){"
_AFTER_BODY: Final = b"\n;}"
_MOST_BODY_BYTES: Final = 20_000
_CALLED: Final = frozenset({"identifier", "qualified_identifier", "template_function"})
_DEFINITIONS: Final = frozenset(
    {"class_specifier", "function_definition", "lambda_expression", "struct_specifier"}
)
_ALL_THE_REST: Final = "__VA_ARGS__"
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
        )
    )
    if value is not None and listed is None:
        text = _unmasked(cpp.text.brief(value, 520)).strip()
        _note_macro_value(cpp, node, symbol.name, text)
        if (other := _renamed(symbol.name, text)) is not None:
            cpp.bindings.append(Binding(0, symbol.name, other, symbol.line))
        _keep_namespaces(cpp, node, text)
    elif value is not None:
        _read_calls(cpp, number, value)


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
    elif (number := _NUMBER.match(value)) and number[1] not in _PLAIN_NUMBERS:
        cpp.constants.append(Constant(cpp.scope, cpp.line(node), "number", number[1], name))


def _read_calls(cpp: CppWalk, number: int, value: Node) -> None:
    """Note what the text of a macro calls by a name that is not the macro's user's to give.

    The text is read as statements of a function. Only the number of arguments is told: what they are is
    up to who uses the macro, as are the objects whose methods it calls.
    """
    start, end = value.start_byte, value.end_byte
    text = cpp.text.source[start:end]
    if len(text) > _MOST_BODY_BYTES or _CALLING.search(text) is None:
        return
    # What is pasted is read as one name; `#x`, which makes a string of x, as x.
    joined = _PASTING.sub(lambda match: b"_" * len(match[0]), text).replace(b"#", b" ")
    snippet = SourceText(_BEFORE_BODY + joined + _AFTER_BODY)
    given = {parameter.name for parameter in cpp.symbols[number].parameters}
    # A header that C could read may define macros for C++ alone.
    tree = parse("cpp" if cpp.is_cpp or b"::" in text else "c", snippet.source)
    for call, function in _calls_in(tree.root_node):
        byte = function.start_byte - len(_BEFORE_BODY) + start
        length = function.end_byte - function.start_byte
        names = _names_called(snippet, function)
        if not names or names[0] in given or names[-1] in given:
            continue
        if b"#" in cpp.text.source[byte : byte + length]:
            continue
        line = cpp.text.line_of(byte)
        column = byte - cpp.text.line_start(line)
        cpp.calls.append(
            Call(number, line, column, path_form(names), "::".join(names)[:120], _arguments(snippet, call))
        )


def _calls_in(root: Node) -> Iterator[tuple[Node, Node]]:
    """The calls of names in a tree with what they call, apart from those inside of what the text defines."""
    waiting: list[Node] = []
    for child in root.named_children:
        # The function that was put around the text is none of its own; a broken text leaves none around it.
        waiting.extend(child.named_children if child.start_byte == 0 else [child])
    while waiting:
        node = waiting.pop()
        if node.type in _DEFINITIONS:
            continue
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            if function is not None and function.type in _CALLED:
                yield node, function
        waiting.extend(node.named_children)


def _names_called(snippet: SourceText, function: Node) -> list[str]:
    """The names of `a::b<T>` in a snippet, none where they are no plain ones."""
    written = re.sub(r"<.*>", "", snippet.text(function), flags=re.DOTALL)
    names = [part.strip() for part in written.split("::")]
    return names if all(_NAME.match(name) for name in names[1:]) and _NAME.match(names[0] or "_") else []


def _arguments(snippet: SourceText, call: Node) -> tuple[tuple[str | None, Expression], ...]:
    listed = call.child_by_field_name("arguments")
    given = [] if listed is None else [child for child in listed.named_children if child.type != "comment"]
    # By a keyword, so that no one counts them: how many these are is not known.
    return tuple((_ALL_THE_REST if _ALL_THE_REST in snippet.text(one) else None, None) for one in given)


MACRO_HANDLERS: Final[dict[str, Handler]] = {
    "preproc_def": _read_macro,
    "preproc_function_def": _read_macro,
}
