"""What the text of a macro calls: by names of its own, and on what its users give it or have around them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.kernel.text import cut_between
from drift.languages.cpp.declarators import path_form
from drift.languages.expressions import list_of
from drift.languages.facts import Call
from drift.languages.syntax import SourceText, parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk
    from drift.languages.expressions import Expression

    _Arguments = tuple[tuple[str | None, Expression], ...]

_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_CALLING = re.compile(rb"\b[A-Za-z_]\w*+\s*+(?:[({]|(?<=\s)[A-Za-z_]\w*+\s*+[;({=])")
_PASTING = re.compile(rb"(?:(?<![ \t])[ \t]+)?##[ \t]*")
_BEFORE_BODY: Final = b"int f(){"
_BEFORE_END: Final = b"int f(){try{"  # the text of a macro that ends what another has begun
_AFTER_BODY: Final = b"\n;}"
_ENDING: Final = re.compile(rb"[\s\\]*+\}")
_MOST_BODY_BYTES: Final = 20_000
_MOST_LEVELS: Final = 60
_CALLED: Final = frozenset({"identifier", "qualified_identifier", "template_function"})
_TYPES: Final = frozenset({"qualified_identifier", "template_type", "type_identifier"})
_DEFINITIONS: Final = frozenset(
    {"class_specifier", "function_definition", "lambda_expression", "struct_specifier"}
)
_LITERALS: Final = {"concatenated_string": "str", "false": "bool", "string_literal": "str", "true": "bool"}
ALL_THE_REST: Final = "__VA_ARGS__"
"""What stands in a macro for all that it is given beside its parameters."""

_MOST_OPEN: Final = 24
_HOLDERS: Final = ("array_declarator", "pointer_declarator", "reference_declarator")


def read_macro_calls(cpp: CppWalk, number: int, value: Node) -> None:
    """Note what the text of macro `number` calls, its own variables and objects known to all among it.

    The text is read as statements of a function. Of arguments that are up to who uses the macro no more is
    told than that they are there. Calls of methods of what it is given, and by names that may be methods of its users,
    are kept as the type of the symbol: each as a list of what is called and what that is given, in the macro's own words.
    """
    start, end = value.start_byte, value.end_byte
    text = cpp.text.source[start:end]
    if len(text) > _MOST_BODY_BYTES or _CALLING.search(text) is None:
        return
    # What is pasted is read as one name; `#x`, which makes a string of x, as x.
    joined = _PASTING.sub(lambda match: b"_" * len(match[0]), text).replace(b"#", b" ")
    # A header that C could read may define macros for C++ alone.
    before = _BEFORE_END if _ENDING.match(text) else _BEFORE_BODY
    snippet = before + joined + _AFTER_BODY
    tree = parse("cpp" if cpp.is_cpp or b"::" in text else "c", snippet)
    reading = _MacroText(cpp, number, start - len(before), snippet)
    for child in tree.root_node.named_children:
        # The function that was put around the text is none of its own; a broken text leaves none around it.
        for inner in child.named_children if child.start_byte == 0 else [child]:
            reading.read(inner)
    if cpp.is_cpp and reading.open and cpp.symbols[number].value_type is None:
        calls = list(dict.fromkeys(reading.open))[:_MOST_OPEN]
        cpp.symbols[number] = cpp.symbols[number]._replace(value_type=("partial", list_of(calls)))


class _MacroText:
    """The text of one macro while it is read."""

    def __init__(self, cpp: CppWalk, number: int, shift: int, snippet: bytes) -> None:
        self._cpp = cpp
        self._number = number
        self._shift = shift
        self._snippet = SourceText(snippet)
        self._given = {parameter.name for parameter in cpp.symbols[number].parameters} | {ALL_THE_REST}
        self._variables: dict[str, Expression] = {}
        self._level = 0
        self.open: list[Expression] = []
        """What is called that only who uses the macro can tell, each with what it is given."""

    def read(self, node: Node) -> Expression:
        """What an expression is worth, after noting the calls in it; of other nodes nothing."""
        if node.type in _DEFINITIONS or self._level > _MOST_LEVELS:
            return None
        self._level += 1
        value = self._value_of(node)
        self._level -= 1
        return value

    def _value_of(self, node: Node) -> Expression:
        if node.type == "identifier":
            name = self._snippet.text(node)
            if name in self._given or self._is_pasted(node):
                return None
            return self._variables.get(name, ("name", name))
        if node.type in _LITERALS:
            return ("literal", _LITERALS[node.type])
        if node.type == "number_literal":
            return ("literal", "int") if self._snippet.text(node).lstrip("+-").isdecimal() else None
        if node.type == "call_expression":
            return self._read_call(node)
        if node.type == "new_expression":
            return self._read_new(node)
        if node.type == "declaration":
            self._read_declaration(node)
            return None
        values = [self.read(child) for child in node.named_children if child.type != "comment"]
        return values[0] if node.type == "parenthesized_expression" and len(values) == 1 else None

    def _read_call(self, node: Node) -> Expression:
        function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        callee = None if function is None else self._callee(function)
        arguments = self._read_arguments(listed)
        if function is not None and (opened := self._open_callee(function)) is not None:
            given = [] if listed is None else [self._open_value(one) for one in listed.named_children]
            self.open.append(list_of((opened, *given)))
        if function is None or callee is None or self._is_pasted(function):
            return None
        field = function.child_by_field_name("field") if function.type == "field_expression" else None
        return self._note(field or function, callee, arguments)

    def _read_new(self, node: Node) -> Expression:
        """`new Box(x)`, or `new T(x)` where who uses the macro says what is made."""
        type_node, listed = node.child_by_field_name("type"), node.child_by_field_name("arguments")
        names = self._names(type_node) if type_node is not None and type_node.type in _TYPES else []
        arguments = self._read_arguments(listed)
        if type_node is None or not names or self._is_pasted(type_node):
            return None
        if self._given.isdisjoint(names):
            return self._note(type_node, path_form(names), arguments, kind="new")
        if len(names) == 1:
            given = [] if listed is None else [self._open_value(one) for one in listed.named_children]
            self.open.append(list_of((("instance", ("name", names[0])), *given)))
        return None

    def _open_callee(self, function: Node) -> Expression:
        """What is called, where that may be a method of what the macro is given, or of who uses it."""
        if function.type == "identifier":
            name = self._snippet.text(function)
            is_own = name in self._variables or self._is_pasted(function)
            return None if is_own else ("name", name)
        return self._open_value(function) if function.type == "field_expression" else None

    def _open_value(self, node: Node) -> Expression:
        """A value by the names of what the macro is given: `x`, `(x)->size`, `x.first().name`."""
        if self._level > _MOST_LEVELS:
            return None
        self._level += 1
        value = self._open_form(node)
        self._level -= 1
        return value

    def _open_form(self, node: Node) -> Expression:
        if node.type == "identifier":
            name = self._snippet.text(node)
            return None if name in self._variables or self._is_pasted(node) else ("name", name)
        if node.type == "this":
            return ("this",)
        if node.type == "field_expression":
            argument, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
            name = "" if field is None else self._snippet.text(field).partition("<")[0].strip()
            receiver = None if argument is None else self._open_value(argument)
            is_named = _NAME.match(name) is not None and name not in self._given
            return ("member", receiver, name) if receiver is not None and is_named else None
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            callee = None if function is None else self._open_callee(function)
            return None if callee is None else ("called", callee)
        inner = [one for one in node.named_children if one.type != "comment"]
        is_same = node.type in {"parenthesized_expression", "pointer_expression"} and len(inner) == 1
        return self._open_value(inner[0]) if is_same else None

    def _callee(self, function: Node) -> Expression:
        if function.type in _CALLED:
            names = self._names(function)
            is_own = bool(names) and names[0] not in self._given and names[-1] not in self._given
            return path_form(names) if is_own and names[0] not in self._variables else None
        if function.type != "field_expression":
            self.read(function)
            return None
        argument, field = function.child_by_field_name("argument"), function.child_by_field_name("field")
        receiver = None if argument is None else self.read(argument)
        name = "" if field is None else self._snippet.text(field).partition("<")[0].strip()
        if receiver is None or not _NAME.match(name) or name in self._given:
            return None
        return ("member", receiver, name)

    def _read_declaration(self, node: Node) -> None:
        """`Guard guard(x);` makes an object, whose methods the rest of the text may call."""
        type_node = node.child_by_field_name("type")
        names = self._names(type_node) if type_node is not None and type_node.type in _TYPES else []
        is_own = type_node is not None and bool(names) and not self._is_pasted(type_node)
        form = path_form(names) if is_own and not self._given & set(names) else None
        for declarator in node.children_by_field_name("declarator"):
            value = declarator.child_by_field_name("value")
            inner = declarator.child_by_field_name("declarator") or declarator
            is_list = value is not None and value.type in {"argument_list", "initializer_list"}
            if value is not None and not is_list:
                self.read(value)
            is_held = declarator.type in _HOLDERS or inner.type in _HOLDERS
            while inner.type in _HOLDERS and inner.named_child_count:
                inner = inner.named_children[-1]
            if inner.type == "identifier":
                self._variables[self._snippet.text(inner)] = None if form is None else ("instance", form)
            is_copied = any(child.type == "=" for child in declarator.children)
            is_given = value is None or (is_list and not is_copied)
            listed = declarator.child_by_field_name("parameters") if value is None else value
            arguments = self._read_arguments(listed) if value is None or is_list else ()
            if form is not None and type_node is not None and self._cpp.is_cpp and is_given and not is_held:
                self._note(type_node, form, arguments, kind="new")

    def _note(
        self, place: Node, callee: Expression, arguments: _Arguments, *, kind: str = "call"
    ) -> Expression:
        cpp, byte = self._cpp, place.start_byte + self._shift
        line = cpp.text.line_of(byte)
        text = " ".join(cut_between(self._snippet.text(place), "<", ">").split())[:120]
        column = byte - cpp.text.line_start(line)
        cpp.calls.append(Call(self._number, line, column, callee, text, arguments, kind))
        return ("result", len(cpp.calls) - 1)

    def _names(self, node: Node) -> list[str]:
        """The names of `a::b<T>`, none where they are no plain ones."""
        written = cut_between(self._snippet.text(node), "<", ">")
        names = [part.strip() for part in written.split("::")]
        return names if all(_NAME.match(name) for name in names[1:]) and _NAME.match(names[0] or "_") else []

    def _is_pasted(self, node: Node) -> bool:
        return b"#" in self._cpp.text.source[node.start_byte + self._shift : node.end_byte + self._shift]

    def _read_arguments(self, listed: Node | None) -> _Arguments:
        """What a call is given, as far as that is not up to who uses the macro."""
        given = (
            [] if listed is None else [child for child in listed.named_children if child.type != "comment"]
        )
        # By a keyword, so that no one counts them: how many these are is not known.
        keywords = [ALL_THE_REST if ALL_THE_REST in self._snippet.text(one) else None for one in given]
        return tuple((keyword, self.read(one)) for keyword, one in zip(keywords, given, strict=True))
