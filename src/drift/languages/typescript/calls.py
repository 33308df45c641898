"""Calls and constructions, and the chains of members and calls they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from drift.languages.expressions import Expression, ObjectForm
from drift.languages.facts import Call, EnvironmentRead, Import
from drift.languages.frameworks import load_frameworks
from drift.languages.limits import MOST_CALLEE_CHARACTERS
from drift.languages.typescript.entry_points import note_entry_points
from drift.languages.typescript.functions import visit_value
from drift.languages.typescript.literals import string_value
from drift.languages.typescript.modules import EXPORTS, MODULE_EXPORTS, export_properties
from drift.languages.typescript.prototypes import add_parent, prototype_owner
from drift.languages.typescript.suites import enter_suite, leave_suite
from drift.languages.typescript.types import type_arguments
from drift.languages.typescript.vocabulary import ALL_MEMBERS, TYPE_STOOD_FOR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Node

    from drift.languages.typescript.walk import Handler, Walk

    Arguments = tuple[tuple[str | None, Expression], ...]

_FRAMES: Final = 4  # of the stack, that a call takes beside the visit of it
_MOST_PLACE: Final = 60
_LATE: Final = "import("
_MOST_MEMBERS: Final = 8  # consecutive members in one value; a longer path says nothing more
_ENVIRONMENTS: Final = frozenset({"process.env", "import.meta.env", "Bun.env"})
_ENVIRONMENT_CALLS: Final = frozenset({"Deno.env.get", "process.env.get"})
_INVOKERS: Final = frozenset({"call", "apply"})
_OBJECT_COPIERS: Final = frozenset({"Object.assign", "Object.defineProperty"})
FREEZERS: Final = frozenset({"Object.freeze", "Object.seal"})  # give back what they are given
_COPIERS: Final = frozenset({"assign", "extend", "merge", "mixin"})  # what they do in every library
_INHERITER: Final = "inherits"  # of Node's util, and of what libraries have written after it
_PLACEHOLDER: Final = Call(0, 1, 0, None, "")
# Calls whose type argument says what they stand for: tokens, contexts, clients; or what fixtures tests are given.
_FRAMEWORKS: Final = load_frameworks("typescript")
_STATING: Final = (
    _FRAMEWORKS.names("injection", "tokens")
    | {"extend"}
    | {name for row in _FRAMEWORKS.words["procedures"] for name in row["clients"]}
)
_PREFIXED: Final = frozenset({"await_expression", "unary_expression"})
_INNER_FIELDS: Final = {
    "call_expression": "function",
    "member_expression": "object",
    "subscript_expression": "object",
}


@dataclass(slots=True)
class Chain:
    """A path like `a.b(1).c`, followed from its root outwards."""

    value: Expression
    text: str
    node: Node  # the name that stands last
    members: int = 0  # since the root or the last call
    has_call: bool = False

    def append(self, text: str) -> None:
        self.text += text
        if len(self.text) > MOST_CALLEE_CHARACTERS:
            self.text = "…" + self.text[1 - MOST_CALLEE_CHARACTERS :]


def follow(walk: Walk, node: Node) -> Chain:
    """The path a node stands for, its calls noted; a chain of any length costs no stack."""
    links, root, awaited = _unwind(node)
    chain = _start(walk, root, links[-1] if links else None, node)
    is_read = False  # the last link: a member that was not called
    for link in reversed(links):
        kind = link.type
        if is_read and kind != "call_expression":
            walk.add_access(chain.value, chain.node)
        is_read = kind == "member_expression"
        if kind == "call_expression":
            _follow_call(walk, chain, link)
            if link.id == awaited:
                chain.value = ("awaited", chain.value)
        elif kind == "member_expression":
            _follow_member(walk, chain, link)
        else:
            _follow_subscript(walk, chain, link)
    if chain.has_call and root is not None and root.type == "identifier":
        is_called_itself = links[-1].type == "call_expression"
        if not is_called_itself:
            walk.read(walk.named(walk.name_of(root)), root)
    return chain


def _unwind(node: Node) -> tuple[list[Node], Node | None, int | None]:
    """The links of a chain from the outermost in, its root, and the call that is awaited, if one is."""
    links: list[Node] = []
    awaited: int | None = None
    here: Node | None = node
    while here is not None:
        kind = here.type
        field = _INNER_FIELDS.get(kind)
        if field is not None:
            links.append(here)
            here = here.child_by_field_name(field)
        elif kind == "non_null_expression" and here.named_child_count:
            here = here.named_children[0]
        elif kind in _PREFIXED and links and links[-1].child_by_field_name("type_arguments") is not None:
            # The grammar reads `await f<T>(x)` as a call of `await f`, and `!f<T>(x)` as one of `!f`.
            awaited = links[-1].id if kind == "await_expression" else awaited
            here = here.named_children[-1] if here.named_child_count else None
        else:
            break
    return links, here, awaited


def _start(walk: Walk, root: Node | None, first: Node | None, node: Node) -> Chain:
    if root is None:
        return Chain(None, "", node)
    kind = root.type
    if kind == "identifier":
        name = walk.name_of(root)
        return Chain(walk.named(name), name[:MOST_CALLEE_CHARACTERS], root)
    if walk.generic_callee is not None and walk.generic_callee[0] == root.id:
        return _start_generic(walk, root, walk.generic_callee[1])
    if kind in {"this", "super"}:
        return Chain(cast("ObjectForm", (kind,)), kind, root)
    if kind == "import":
        return Chain(None, "import", root)
    if kind == "parenthesized_expression" and first is not None and first.type == "call_expression":
        return Chain(visit_value(walk, root, "<immediate function>"), "(…)", root)
    return Chain(walk.visit(root), walk.text.brief(root, _MOST_PLACE), root)


def _start_generic(walk: Walk, given: Node, callee: Node) -> Chain:
    """A call whose type arguments the grammar reads as comparisons: of `f`, in f<T>`text` and f<typeof x>(y)."""
    walk.generic_callee = None
    chain = follow(walk, callee)
    index = _add_call(walk, chain, given, None)
    chain.value, chain.members, chain.has_call = ("result", index), 0, True
    chain.append("(…)")
    return chain


def _follow_member(walk: Walk, chain: Chain, link: Node) -> None:
    name_node = link.child_by_field_name("property")
    if name_node is None:
        return
    name = walk.name_of(name_node)
    if chain.text in _ENVIRONMENTS:
        walk.environment_reads.append(EnvironmentRead(walk.scope, walk.line_of(link), name))
    _extend(chain, name, f".{name}", name_node)


def _follow_subscript(walk: Walk, chain: Chain, link: Node) -> None:
    index = link.child_by_field_name("index")
    name = string_value(walk, index)
    if name is not None:
        if chain.text in _ENVIRONMENTS:
            walk.environment_reads.append(EnvironmentRead(walk.scope, walk.line_of(link), name))
        _extend(chain, name, f"['{name}']", index or link)
        return
    if index is not None:
        walk.visit(index)
    chain.value = ("item", chain.value) if chain.value is not None and chain.members < _MOST_MEMBERS else None
    chain.members += 1
    chain.append("[…]")


def _extend(chain: Chain, name: str, text: str, node: Node) -> None:
    chain.members += 1
    chain.append(text)
    chain.node = node
    if chain.value is not None:
        chain.value = ("member", chain.value, name) if chain.members <= _MOST_MEMBERS else None
    if chain.value == MODULE_EXPORTS:
        chain.value = EXPORTS  # one thing of two names, and the shorter is what linking asks for


def _follow_call(walk: Walk, chain: Chain, link: Node) -> None:
    arguments = link.child_by_field_name("arguments")
    made_of = type_arguments(walk, link.child_by_field_name("type_arguments"))
    first = first_argument_string(walk, arguments)
    if first is not None and chain.text in {"require", "import"} and not chain.has_call:
        _import_inline(walk, chain, first, link)
        return
    index = _add_call(walk, chain, arguments, first)
    _note_type(walk, chain, index, made_of)
    if chain.text in _ENVIRONMENT_CALLS and first is not None:
        walk.environment_reads.append(EnvironmentRead(walk.scope, walk.line_of(link), first))
    callee = chain.value
    if chain.text.startswith(_LATE) and callee is not None and callee[0] == "member" and callee[2] == "then":
        _name_late_module(walk, callee[1], walk.calls[index].arguments)
    if callee is not None and callee[0] == "member" and callee[2] == "bind":
        walk.read(callee[1], link)
        chain.value = ("partial", callee[1])  # its members still count: a value has an end
    else:
        is_frozen = chain.text in FREEZERS and walk.calls[index].arguments
        chain.value = walk.calls[index].arguments[0][1] if is_frozen else ("result", index)
        if chain.text == "Object.create":
            chain.value = _created(walk.calls[index].arguments)
        chain.members = 0
    chain.has_call = True
    chain.append("(…)" if arguments is not None and arguments.named_child_count else "()")


def _created(arguments: Arguments) -> Expression:
    """A new object with what its prototype has."""
    prototype = arguments[0][1] if arguments else None
    return ("dict",) if prototype is None or prototype[0] == "literal" else ("dict", (ALL_MEMBERS, prototype))


def _import_inline(walk: Walk, chain: Chain, module: str, node: Node) -> None:
    """A module named in the middle of an expression, known from there on by the words that name it."""
    alias = f"{chain.text}('{module}')"
    walk.imports.append(Import(walk.scope, walk.line_of(node), module, None, alias))
    chain.value, chain.text, chain.members, chain.has_call = (
        ("name", alias),
        alias[:MOST_CALLEE_CHARACTERS],
        0,
        True,
    )


def _name_late_module(walk: Walk, module: Expression, arguments: Arguments) -> None:
    """`import('./cart').then(m => m.Cart)`: in the function its parameter is the module."""
    given = arguments[0][1] if arguments else None
    found = next((one for one in reversed(walk.imports) if module == ("name", one.alias)), None)
    if given is not None and given[0] == "symbol" and found is not None:
        for parameter in walk.symbols[given[1]].parameters[:1]:
            walk.imports.append(found._replace(scope=given[1], alias=parameter.name))


def _add_call(
    walk: Walk, chain: Chain, arguments: Node | None, first: str | None, *, kind: str = "call"
) -> int:
    callee, text = chain.value, chain.text
    index = len(walk.calls)
    walk.calls.append(_PLACEHOLDER)
    if first is not None:
        walk.first_strings[index] = first
    walk.depth += _FRAMES
    suite = enter_suite(walk, text, first)
    place = f"new {text}" if kind == "new" else text
    values = _visit_arguments(walk, arguments, f"<callback of {place[:_MOST_PLACE]}>")
    leave_suite(walk, suite)
    walk.depth -= _FRAMES
    if callee is not None and callee[0] == "member" and callee[2] in _INVOKERS and callee[1] is not None:
        # fn.call(self, a) calls fn; what apply passes on is not known one by one, and many objects have a
        # method of that name.
        is_call = callee[2] == "call"
        callee, values = (callee[1], values[1:]) if is_call else (("either", callee[1], callee), ())
    line, column = walk.place_of(chain.node)
    walk.calls[index] = Call(walk.scope, line, column, callee, text, values, kind)
    last = text.rpartition(".")[2]
    if last in _COPIERS:
        _copy_members(walk, values, chain.node)
    if text in _OBJECT_COPIERS:
        export_properties(walk, values, name=_second_string(walk, arguments), node=chain.node)
    elif last == _INHERITER:
        _inherit(walk, values)
    elif last == "setPrototypeOf":
        _set_prototype(walk, values, chain.node)
    note_entry_points(walk, index, arguments)
    return index


def _copy_members(walk: Walk, values: Arguments, node: Node) -> None:
    """`Object.assign(target, source)` gives one object the members of others."""
    target = values[0][1] if values else None
    for _, source in values[1:] if target is not None and target[0] in {"name", "member"} else ():
        if source is not None and source[0] in {"member", "name", "result"}:
            walk.store(target, "*", source, node=node)


def _inherit(walk: Walk, values: Arguments) -> None:
    """`util.inherits(Child, Parent)` makes one function the parent of another, as if they were classes."""
    names = [value for _, value in values if value is not None]
    if len(names) > 1:
        add_parent(walk, names[0], names[1])


def _set_prototype(walk: Walk, values: Arguments, node: Node) -> None:
    """`Object.setPrototypeOf(Child.prototype, Parent.prototype)`, and the same of plain objects."""
    pair = [value for _, value in values]
    if len(pair) != 2:  # noqa: PLR2004 - an object and its prototype
        return
    child, parent = prototype_owner(pair[0]), prototype_owner(pair[1])
    if child is not None and parent is not None:
        add_parent(walk, child, parent)
    else:
        _copy_members(walk, values, node)


def _second_string(walk: Walk, arguments: Node | None) -> str | None:
    children = arguments.named_children if arguments is not None else []
    return string_value(walk, children[1]) if len(children) > 1 else None


def first_argument_string(walk: Walk, arguments: Node | None) -> str | None:
    """The text of the first argument, where it is a constant string."""
    if arguments is None or arguments.type != "arguments" or not arguments.named_child_count:
        return None
    return string_value(walk, arguments.named_children[0])


def _visit_arguments(walk: Walk, arguments: Node | None, place: str) -> Arguments:
    if arguments is None:
        return ()
    if arguments.type != "arguments":
        walk.visit(arguments)  # a tagged template
        return ()
    outer, walk.constant_name = walk.constant_name, None
    values: list[tuple[str | None, Expression]] = []
    for child in arguments.named_children:
        if child.type != "comment":
            values.append((None, visit_value(walk, child, place)))  # noqa: PERF401 - a frame less on the stack
    walk.constant_name = outer
    return tuple(values)


def _visit_chain(walk: Walk, node: Node) -> Expression:
    chain = follow(walk, node)
    value = chain.value
    if node.type == "member_expression":
        walk.add_access(value, chain.node)
    target = value
    while target is not None and target[0] == "item":
        target = target[1]  # an element of something is a use of that
    if target is not None and not chain.has_call and target[0] in {"name", "member"}:
        walk.read(target, node)
    return value


def _visit_new(walk: Walk, node: Node) -> Expression:
    constructor = node.child_by_field_name("constructor")
    if constructor is None:
        walk.visit_children(node)
        return None
    chain = follow(walk, constructor)
    made_of = type_arguments(walk, node.child_by_field_name("type_arguments"))
    arguments = node.child_by_field_name("arguments")
    first = first_argument_string(walk, arguments)
    index = _add_call(walk, chain, arguments, first, kind="new")
    _note_type(walk, chain, index, made_of)
    return ("result", index)


def _note_type(walk: Walk, chain: Chain, index: int, made_of: Sequence[Expression]) -> None:
    """Note what a token or a context is said to stand for."""
    if made_of and chain.text.rpartition(".")[2] in _STATING:
        call = walk.calls[index]
        walk.calls[index] = call._replace(
            arguments=(*call.arguments, (TYPE_STOOD_FOR, ("instance", made_of[0])))
        )


HANDLERS: Final[Mapping[str, Handler]] = {
    "call_expression": _visit_chain,
    "member_expression": _visit_chain,
    "subscript_expression": _visit_chain,
    "non_null_expression": _visit_chain,
    "new_expression": _visit_new,
}
