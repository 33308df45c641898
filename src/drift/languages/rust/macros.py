"""Macro calls. Their arguments are bare tokens, in which calls, paths and constants are found by shape.

A name, path or field chain followed by parentheses is a call; what is between commas is an argument. That
is right for macros that take expressions, which most do; those that take code to generate are left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import list_of
from drift.languages.facts import Binding, EnvironmentRead
from drift.languages.rust.calls import finish_call
from drift.languages.rust.mounts import note_list
from drift.languages.rust.programs import note_program
from drift.languages.rust.vocabulary import OPAQUE_MACROS, TEXT_MACROS, THROWING_MACROS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.rust.walk import RustWalk

_NAMES: Final = frozenset({"identifier", "self", "super", "crate", "metavariable", "primitive_type"})
# Words of the language that are names in most places: `T::default()`, `set.union(other)`.
_MEMBERS: Final = frozenset({*_NAMES, "integer_literal", "await", "default", "gen", "union"})
_SET_BY_CARGO: Final = ("CARGO_", "OUT_DIR")  # always there when it is read, so nothing to configure
_APPLYING: Final = frozenset({".", "::", "?", "!", "token_tree"})
_MOST_MEMBERS: Final = 40
_MOST_PARAMETER_TOKENS: Final = 7  # mut name: &mut Type,


def read_macro(rust: RustWalk, node: Node) -> Expression:
    """The value of `name!(…)`."""
    name_node = node.child_by_field_name("macro")
    tokens = next((child for child in node.named_children if child.type == "token_tree"), None)
    if name_node is None:
        return None
    return _apply_macro(rust, node, rust.text.text(name_node).replace(" ", ""), tokens)


def note_macro(rust: RustWalk, node: Node) -> None:
    """Note the call of a macro whose arguments are read elsewhere."""
    name_node = node.child_by_field_name("macro")
    if name_node is not None:
        path = rust.text.text(name_node).replace(" ", "")
        rust.add_call(node, _macro_form(rust, path), text=f"{path[:118]}!")


def _apply_macro(rust: RustWalk, node: Node, path: str, tokens: Node | None) -> Expression:
    name = path.rpartition("::")[2]
    arguments: Expression = None
    if tokens is not None and name not in OPAQUE_MACROS:
        arguments = rust.visit(tokens)
    values = _listed(arguments)
    number = rust.add_call(
        node,
        _macro_form(rust, path),
        text=f"{path[:118]}!",
        arguments=tuple([(None, value) for value in values]),
    )
    note_list(rust, number)
    first = None if tokens is None else next((c for c in tokens.named_children), None)
    note_program(rust, node, name, rust.string_of(first))
    if name in THROWING_MACROS:
        rust.add_handling(node, "throw")
    elif name in {"env", "option_env"} and (variable := rust.string_of(first)):
        if not variable.startswith(_SET_BY_CARGO):
            rust.environment_reads.append(EnvironmentRead(rust.scope, rust.line(node), variable))
        return ("literal", "str")
    elif name == "vec":
        return list_of(values)
    elif name in TEXT_MACROS:
        return ("literal", "str")
    elif name == "matches":
        return ("literal", "bool")
    return ("result", number)


def _macro_form(rust: RustWalk, path: str) -> Expression:
    """A macro's path; nothing where a variable has the same name, which is never what is meant."""
    first, *rest = path.split("::")[:_MOST_MEMBERS]
    if not rest and first in rust.locals:
        return None
    form: Expression = ("name", first)
    for name in rest:
        form = ("member", form, name)
    return form


class _Reader:
    """A pass over the tokens of one pair of brackets."""

    def __init__(self, rust: RustWalk, tokens: list[Node]) -> None:
        self.rust = rust
        self.tokens = tokens
        self.place = 0
        self.values: list[Expression] = []
        self.last = tokens[0] if tokens else None  # the name a chain has come to
        self.is_in_parameters = False  # of a closure, between its bars
        self.members = 0  # in a row, to keep what is hostile shallow

    def read(self) -> list[Expression]:
        """The values between the commas, after gathering what is in them."""
        value: Expression = None
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            if token.type == ",":
                self.values.append(value)
                value = None
                self.place += 1
                self.is_in_parameters = self.is_in_parameters and self._bind_parameter()
                continue
            read = self._read_chain() if token.type in _NAMES else self._read_token(token)
            if self._peek() == ".":
                read = self._apply_rest(token, self._unbracketed(token, read))
            value = value or read
        if value is not None:
            self.values.append(value)
        return self.values

    def _read_token(self, token: Node) -> Expression:
        self.place += 1
        if token.type == "fn":
            self.place += 1  # the name of a function being declared
            return None
        if token.type == "|":
            self.is_in_parameters = not self.is_in_parameters and self._bind_parameter()
            return None
        return self.rust.visit(token) if token.is_named else None

    def _unbracketed(self, token: Node, value: Expression) -> Expression:
        """What a member is applied to: `(x).y` is of x, and nothing is known of what braces end in."""
        opening = self.rust.text.source[token.start_byte : token.start_byte + 1]
        if token.type != "token_tree" or value is None or opening == b"[":
            return value
        return value[1] if opening == b"(" and value[0] == "list" and len(value) == 2 else None  # noqa: PLR2004  # a list of one

    def _bind_parameter(self) -> bool:
        """Keep `name: Type`, the parameter of a closure; whether there is one. It is left to be read as well."""
        words = self.tokens[self.place : self.place + _MOST_PARAMETER_TOKENS]
        if words and words[0].type == "mutable_specifier":
            words = words[1:]
        if len(words) < 4 or (words[0].type, words[1].type) != ("identifier", ":"):  # noqa: PLR2004  # name, colon, type, end
            return False
        kinds = [word for word in words[2:] if word.type not in {"&", "mutable_specifier"}]
        if len(kinds) < 2 or kinds[0].type != "identifier" or kinds[1].type not in {"|", ","}:  # noqa: PLR2004  # type and end
            return False
        text = self.rust.text
        form = self.rust.name_form(text.text(kinds[0]))
        name, line = text.text(words[0]), self.rust.line(words[0])
        self.rust.bindings.append(Binding(self.rust.scope, name, None, line, form))
        return True

    def _peek(self) -> str:
        return self.tokens[self.place].type if self.place < len(self.tokens) else ""

    def _read_chain(self) -> Expression:
        """A name and all that is applied to it."""
        rust, first = self.rust, self.tokens[self.place]
        self.place += 1
        name = rust.text.text(first)
        value = rust.name_form(name)
        # Before `::` it is a module or a type that is meant.
        if first.type == "self" and self._peek() != "::":
            value = ("this",)
        elif self._peek() == "::" and name in rust.matched:
            value = ("outer", name)
        elif self._peek() == "::" and value is not None and value[0] == "name" and value[1] in rust.locals:
            value = ("outer", value[1])
        is_matched = self._peek() not in _APPLYING and name in rust.matched
        value = self._apply_rest(first, value)
        if not is_matched:
            rust.refer_to(first, value)
        return value

    def _apply_rest(self, first: Node, value: Expression) -> Expression:
        """What comes of a value by the members, calls and marks that follow it."""
        self.last, self.members = first, 0
        while (following := self._peek()) in _APPLYING:
            before = self.place
            if following in {".", "::"}:
                value = self._read_member(value)
            elif following == "?":
                self.place += 1
                value = ("awaited", value)
            else:
                value = self._read_brackets(first, value)
            if self.place == before:
                break
        return value

    def _read_member(self, value: Expression) -> Expression:
        self.place += 1
        if self._peek() == "<":
            self._skip_generics()
            return value
        if self._peek() not in _MEMBERS:
            return value
        # `::` goes through modules and types, `.` through what is read.
        is_read = value is not None and value[0] == "member" and self.tokens[self.place - 1].type == "."
        if is_read and self.last is not None:
            self.rust.refer(self.last, value, "value")
        self.last = self.tokens[self.place]
        self.place += 1
        self.members += 1
        name = self.rust.text.text(self.last)
        is_member = name != "await" and self.members < _MOST_MEMBERS
        return ("member", value, name) if is_member else ("awaited", value)

    def _read_brackets(self, first: Node, value: Expression) -> Expression:
        """A call, an index or a macro; braces are a body of their own and end the chain."""
        if self._peek() == "!":
            return self._read_nested_macro(first, self.last) if self._is_macro() else value
        if self._opens_with(b"("):
            self.members = 0
            return self._read_call(first, self.last, value)
        if self._opens_with(b"["):
            self.rust.visit(self.tokens[self.place])
            self.place += 1
            return ("item", value)
        return value

    def _opens_with(self, bracket: bytes) -> bool:
        start = self.tokens[self.place].start_byte
        return self.rust.text.source[start : start + 1] == bracket

    def _is_macro(self) -> bool:
        following = self.place + 1
        return following < len(self.tokens) and self.tokens[following].type == "token_tree"

    def _read_nested_macro(self, first: Node, last: Node | None) -> Expression:
        tokens = self.tokens[self.place + 1]
        self.place += 2
        path = self.rust.text.slice(first.start_byte, (last or first).end_byte).replace(" ", "")
        return _apply_macro(self.rust, first, path, tokens)

    def _read_call(self, first: Node, last: Node | None, callee: Expression) -> Expression:
        rust, tokens = self.rust, self.tokens[self.place]
        self.place += 1
        arguments = rust.visit(tokens)
        text = rust.text.brief_slice(first.start_byte, (last or first).end_byte, limit=120)
        string = rust.string_of(next(iter(tokens.named_children), None))
        return finish_call(rust, first, callee, text=text, values=_listed(arguments), string=string)

    def _skip_generics(self) -> None:
        depth = 0
        while self.place < len(self.tokens):
            kind = self.tokens[self.place].type
            depth += (kind == "<") - (kind == ">") - 2 * (kind == ">>")
            self.place += 1
            if depth <= 0:
                return


def read_tokens(rust: RustWalk, node: Node) -> Expression:
    """The arguments in a pair of brackets, as a list."""
    return list_of(_Reader(rust, node.children[1:-1]).read())


def _listed(arguments: Expression) -> list[Expression]:
    """What `read_tokens` found between brackets."""
    return list(arguments[1:]) if arguments is not None and arguments[0] == "list" else []
