"""Signals of Qt: which function a `connect` registers for which signal, be it by pointers to members or by the old macros."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.facts import EntryPoint, Reference
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import CONNECTING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk

_FRAMEWORKS: Final = load_frameworks("cpp")
_CONNECTING: Final = _FRAMEWORKS.names("signals", "connect")
_NAMING: Final = _CONNECTING | _FRAMEWORKS.names("signals", "disconnect")
_SECTIONS: Final = _FRAMEWORKS.names("signals", "sections")
_OF_SIGNALS: Final = _FRAMEWORKS.names("signals", "signal_macros")
_OF_SLOTS: Final = _FRAMEWORKS.names("signals", "slot_macros")
_OUTSIDE: Final = re.compile("|".join(_FRAMEWORKS.texts("signals", "classes_outside")))
_NAMED: Final = re.compile(rb"[A-Z_]{1,30}\s{0,9}\(\s{0,9}([A-Za-z_]\w{0,200})")
_MEMBER: Final = re.compile(r"&\s{0,9}(?:\w{1,100}::){0,9}(\w{1,100})::(\w{1,200})")
_LEAST_ARGUMENTS: Final = 3  # who sends, what, and what runs
_SECOND: Final = 1
_MOST_WORDS_BYTES: Final = 40
_MOST_TEXT: Final = 300

_Arguments = tuple[tuple[str | None, Expression], ...]


def names_signals(callee: Expression, listed: Node) -> bool:
    """Whether a call may connect a signal, or undo that, by the name of what is called."""
    if callee is None or callee[0] not in {"name", "member"} or callee[-1] not in _NAMING:
        return False
    return listed.named_child_count >= _LEAST_ARGUMENTS


def opens_signals(cpp: CppWalk, node: Node) -> bool:
    """Whether `signals:` stands there, which may have been read past as a macro."""
    written = cpp.written[node.start_byte : node.start_byte + _MOST_WORDS_BYTES]
    return written.partition(b":")[0].decode("utf-8", "replace").strip() in _SECTIONS


def read_connection(
    cpp: CppWalk, callee: Expression, listed: Node, read: Callable[[CppWalk, Node], Expression]
) -> _Arguments:
    """The arguments of `connect(a, &A::changed, b, &B::update)`, with `SIGNAL(changed())` as a member of who sends it.

    What runs for the signal is not run by who connects it, and so is named as what is connected.
    """
    nodes = [child for child in listed.named_children if child.type != "comment"]
    values: list[Expression] = []
    for node in nodes:
        before = len(cpp.references)
        values.append(_read_macro(cpp, node, nodes, values) or read(cpp, _pointer_in(node)))
        for number in range(before, len(cpp.references)):
            one = cpp.references[number]
            if one.kind == "value" and one.target == values[-1] and node.type != "identifier":
                cpp.references[number] = one._replace(kind=CONNECTING)
    is_connecting = callee is not None and callee[-1] in _CONNECTING
    runs = _what_runs(cpp, nodes, values) if is_connecting else None
    if runs is not None:
        _note_outside(cpp, nodes[_SECOND], runs)
    return tuple((None, value) for value in values)


def _macro_of(cpp: CppWalk, node: Node) -> str:
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    return "" if function is None or function.type != "identifier" else cpp.text.text(function)


def _read_macro(cpp: CppWalk, node: Node, nodes: list[Node], values: list[Expression]) -> Expression:
    """`SIGNAL(changed(int))` as a member of the argument before it, `SLOT(update(int))` of that or of the object itself."""
    macro = _macro_of(cpp, node)
    if macro not in _OF_SIGNALS | _OF_SLOTS or not values:
        return None
    named = _NAMED.match(cpp.text.source, node.start_byte, min(node.end_byte, node.start_byte + _MOST_TEXT))
    is_own = _macro_of(cpp, nodes[len(values) - 1]) in _OF_SIGNALS  # no receiver stands between
    owner: Expression = ("this",) if is_own else values[-1]
    if named is None or owner is None:
        return None
    form: Expression = ("member", owner, named[1].decode())
    line = cpp.text.line_of(named.start(1))
    column = named.start(1) - cpp.text.line_start(line)
    cpp.references.append(Reference(cpp.scope, line, column, form, CONNECTING))
    return form


def _pointer_in(node: Node) -> Node:
    """`&A::changed` of `qOverload<int>(&A::changed)` and `static_cast<void (A::*)(int)>(&A::changed)`."""
    is_bracketed = node.type == "parenthesized_expression"
    listed = node.child_by_field_name("arguments") if node.type == "call_expression" else None
    given = node.named_children if is_bracketed else [] if listed is None else listed.named_children
    return given[0] if len(given) == 1 and given[0].type == "pointer_expression" else node


def _what_runs(cpp: CppWalk, nodes: list[Node], values: list[Expression]) -> Expression:
    """The function that is connected, a lambda marked as such."""
    for node, value in list(zip(nodes, values, strict=True))[2:4]:
        if value is not None and value[0] == "symbol" and isinstance(value[1], int):
            symbol = cpp.symbols[value[1]]
            modifiers = tuple(sorted({*symbol.modifiers, "connected"}))
            cpp.symbols[value[1]] = symbol._replace(modifiers=modifiers)
            return value
        if _macro_of(cpp, node) in _OF_SLOTS | _OF_SIGNALS or _pointer_in(node).type == "pointer_expression":
            return value
    return None


def _note_outside(cpp: CppWalk, signal: Node, runs: Expression) -> None:
    """Note what a signal of a library runs: nothing in the project is seen to send that."""
    named = _MEMBER.search(cpp.text.brief(signal, _MOST_TEXT))
    if named is None or not _OUTSIDE.fullmatch(named[1]):
        return
    detail, line = f"{named[1]}::{named[2]}", cpp.line(signal)
    if runs is not None and runs[0] == "symbol" and isinstance(runs[1], int):
        cpp.entry_points.append(EntryPoint(runs[1], "event", detail, line))
    else:
        cpp.entry_points.append(EntryPoint(cpp.scope, "event", detail, line, runs))
