"""Calls and constructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.csharp.entries import REGISTERING_NAMES, note_registration
from drift.languages.csharp.implied import contents_wanted, note_wanted
from drift.languages.csharp.type_forms import name_type, read_type, read_type_arguments, with_count
from drift.languages.csharp.values import STRING, STRINGS, member_name, read_elements, string_of
from drift.languages.csharp.walk import CsharpWalk, last_operand, operands
from drift.languages.expressions import dict_of, last_name
from drift.languages.facts import EnvironmentRead
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import EXPECTED
from drift.languages.limits import MOST_CALLEE_CHARACTERS
from drift.languages.objects import dotted_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression

_INITIALIZER: Final = "initializer_expression"
_ENVIRONMENT: Final = "GetEnvironmentVariable"
# A task is read as what it gives when awaited, so what is called on the task itself is named here.
_TASK: Final = dotted_form(["global::System", "Threading", "Tasks", "Task"])
_AWAITING: Final = frozenset(
    {"AsTask", "ConfigureAwait", "WaitAsync"}
)  # whose result is awaited in its stead
# Of mocks: the call that is expected is written on what these give.
_EXPECTING: Final = frozenset(
    {"DidNotReceive", "DidNotReceiveWithAnyArgs", "Received", "ReceivedWithAnyArgs"}
)
_TOLD_TO_MOCKS: Final = load_frameworks("csharp").names("mocks", "told")
_LAMBDA: Final = "lambda_expression"
_TOLD: Final = frozenset({"invocation_expression", "member_access_expression"})
_OF_TASKS: Final = _AWAITING | {"ContinueWith", "GetAwaiter"}

# Functions of common libraries that give back an object of the type, or a list of such, in angle brackets.
_GIVING_ONE: Final = frozenset(
    {
        "Adapt", "Create", "CreateInstance", "Deserialize", "DeserializeAsync", "DeserializeObject", "Fake", "For",
        "GetFromJsonAsync", "GetRequiredService", "GetService", "Map", "Of", "ReadFromJsonAsync", "Resolve",
    }
)  # fmt: skip
_GIVING_MANY: Final = frozenset({"Cast", "GetServices", "OfType"})


def read_arguments(walk: CsharpWalk, node: Node | None) -> tuple[tuple[str | None, Expression], ...]:
    """The values of an argument list with the names they are given by."""
    values: list[tuple[str | None, Expression]] = []
    for argument in node.named_children if node is not None else ():
        if argument.type != "argument":
            continue
        name = argument.child_by_field_name("name") if argument.child_count > 1 else None
        value = last_operand(argument)
        if value is not None:
            values.append((walk.text.text(name) if name is not None else None, walk.visit(value)))
    return tuple(values)


def _read_argument(walk: CsharpWalk, node: Node) -> Expression:
    value = last_operand(node)
    return walk.visit(value) if value is not None else None


def _read_invocation(walk: CsharpWalk, node: Node) -> Expression:
    """A fluent chain nests deeper with each link, so it is a loop from its innermost receiver out."""
    chain = [node]
    receiver = _receiver_of(node)
    while receiver is not None and receiver.type == "invocation_expression":
        chain.append(receiver)
        receiver = _receiver_of(receiver)
    value: Expression = None
    if receiver is not None:
        value = walk.visit(receiver)
    is_expected = node.start_byte in walk.expected
    for link in reversed(chain):
        first = len(walk.calls)
        value = _read_link(walk, link, value)
        if is_expected:
            _expect(walk, link, first)
        is_expected = is_expected or _is_named(link, _EXPECTING)
    return value


def _expect(walk: CsharpWalk, link: Node, first: int) -> None:
    """Say of the call that a link of a chain is, among those from the first on, that it is only expected."""
    function = link.child_by_field_name("function")
    name = function.child_by_field_name("name") if function is not None else None
    line, column = walk.place(name or function or link)
    for number in range(len(walk.calls) - 1, first - 1, -1):
        call = walk.calls[number]
        if (call.line, call.column) == (line, column):
            walk.calls[number] = call._replace(kind=EXPECTED)
            return


def _is_named(link: Node, names: frozenset[str]) -> bool:
    function = link.child_by_field_name("function")
    name = function.child_by_field_name("name") if function is not None else None
    return name is not None and name.text is not None and name.text.decode("utf-8", "replace") in names


def note_expected(walk: CsharpWalk, listed: Node) -> None:
    """Note the calls that a mock is told of: `store.Verify(s => s.Save(order), Times.Once)`."""
    for argument in listed.named_children:
        given = last_operand(argument)
        body = given.child_by_field_name("body") if given is not None and given.type == _LAMBDA else None
        if body is not None and body.type in _TOLD:
            walk.expected.add(body.start_byte)


def _receiver_of(invocation: Node) -> Node | None:
    function = invocation.child_by_field_name("function")
    if function is None:
        return None
    if function.type == "member_access_expression":
        return function.child_by_field_name("expression")
    if function.type == "conditional_access_expression" and _bound_name(function) is not None:
        return function.child_by_field_name("condition")
    return None


def _bound_name(access: Node) -> Node | None:
    """The name in `?.name`."""
    binding = access.named_children[-1] if access.named_child_count else None
    if binding is None or binding.type != "member_binding_expression":
        return None
    return binding.child_by_field_name("name")


def _read_link(walk: CsharpWalk, node: Node, receiver: Expression) -> Expression:
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None:
        return None
    place = function
    name = ""
    if function.type in {"generic_name", "identifier"}:
        callee = name_type(walk, function)
        name = last_name(callee)
        read_type_arguments(walk, function)
    elif function.type in {"conditional_access_expression", "member_access_expression"}:
        is_plain = function.type == "member_access_expression"
        place = (function.child_by_field_name("name") if is_plain else _bound_name(function)) or function
        name = member_name(walk, place) if place != function else ""
        target = _TASK if name in _OF_TASKS else receiver
        callee = ("member", target, name) if name else walk.visit(function)
    else:
        callee = walk.visit(function)
    said = len(walk.references)
    if walk.has_mocks and listed is not None and name in _TOLD_TO_MOCKS:
        note_expected(walk, listed)
    arguments = read_arguments(walk, listed)
    if name == "nameof" and place == function:
        # It says a name and uses nothing of what has it; an attribute is given it for what is to run.
        if node.parent is None or node.parent.type != "attribute_argument":
            walk.references[said:] = [one._replace(kind="name") for one in walk.references[said:]]
        return STRING
    text = walk.callee_text(node.start_byte, function.end_byte, name)
    number = walk.add_call(place, callee, text=text, arguments=arguments)
    is_same = name in _AWAITING or name in _EXPECTING
    value = receiver if is_same else _result_of(walk, place, name=name, number=number)
    if listed is not None and name:
        if name == _ENVIRONMENT:
            _note_environment(walk, node, listed)
        if name in REGISTERING_NAMES or walk.labels or walk.has_routers:
            note_registration(walk, node, name=name, listed=listed, number=number)
    return value


def _result_of(walk: CsharpWalk, place: Node, *, name: str, number: int) -> Expression:
    """What a call gives back: that which its type argument says, where the function is known for it."""
    if place.type == "generic_name" and (name in _GIVING_ONE or name in _GIVING_MANY):
        kinds = [child for child in place.named_children if child.type == "type_argument_list"]
        if kinds and kinds[0].named_child_count == 1:
            kind = read_type(walk, kinds[0].named_children[0])
            return ("instance", ("list", kind) if name in _GIVING_MANY else kind)
    return ("result", number)


def _note_environment(walk: CsharpWalk, node: Node, listed: Node) -> None:
    """`Environment.GetEnvironmentVariable("X") ?? fallback`."""
    first = last_operand(listed.named_children[0]) if listed.named_child_count else None
    if first is None or first.type not in STRINGS:
        return
    default: str | None = None
    parent = node.parent
    if parent is not None and parent.type == "binary_expression":
        sign, right = parent.child_by_field_name("operator"), parent.child_by_field_name("right")
        if sign is not None and sign.type == "??" and right is not None and right != node:
            default = walk.text.brief(right, 200)
    walk.environment_reads.append(
        EnvironmentRead(walk.scope, walk.line(node), string_of(walk, first), default)
    )


def _read_creation(walk: CsharpWalk, node: Node) -> Expression:
    """`new T(...) { A = 1 }`, and `new(...)` where the type is implied."""
    type_node = node.child_by_field_name("type")
    listed = node.child_by_field_name("arguments")
    implied = walk.implied.pop(node.start_byte, None)
    contents: Expression = None
    if type_node is not None:
        callee, text, place = name_type(walk, type_node), walk.call_text(type_node), type_node
        contents = contents_wanted(callee, read_type_arguments(walk, type_node))
        for child in node.named_children if contents is not None else ():
            if child.type == _INITIALIZER:
                note_wanted(walk, child, contents)
    else:
        callee, text, place = implied, _dotted(implied) or "new()", node
        listed = next((child for child in node.named_children if child.type == "argument_list"), None)
    arguments = read_arguments(walk, listed)
    number = walk.add_call(place, callee, text=text, arguments=arguments, kind="new")
    value: Expression = ("result", number)
    if type_node is not None and contents is not None:
        # A class of the project may have the name of the collection.
        value = ("own", ("instance", with_count(type_node, callee)), ("instance", contents))
    if callee is not None and callee[-1] in {"Command", "RootCommand"}:
        _label_command(walk, value, listed)
    for child in node.named_children:
        if child.type == _INITIALIZER:
            _read_member_values(walk, child, value)
    return value


def _dotted(form: Expression) -> str:
    """A type's name as written, from its form."""
    names: list[str] = []
    while form is not None:
        if form[0] == "generic":
            form = form[1]
        names.append(last_name(form))
        form = form[1] if form is not None and form[0] == "member" else None
    return ".".join(reversed(names))[:MOST_CALLEE_CHARACTERS]


def _label_command(walk: CsharpWalk, value: Expression, listed: Node | None) -> None:
    first = (
        last_operand(listed.named_children[0]) if listed is not None and listed.named_child_count else None
    )
    walk.labels[value] = string_of(walk, first) if first is not None and first.type in STRINGS else ""


def _read_member_values(walk: CsharpWalk, node: Node, owner: Expression) -> None:
    """`{ Name = x, Items = { 1, 2 } }` behind a construction: members of the new object."""
    for child in node.named_children:
        left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
        is_member = child.type == "assignment_expression" and left is not None and left.type == "identifier"
        if not is_member or left is None or right is None:
            walk.visit(child)
            continue
        name = walk.text.text(left)
        if right.type == _INITIALIZER:
            walk.owners[right.start_byte] = ("member", owner, name)
        walk.note_member(left, owner, name)
        walk.store(left, owner, name=name, value=walk.visit(right))


def _read_initializer(walk: CsharpWalk, node: Node) -> Expression:
    """`{ 1, 2 }`, or the members of an object that is a member itself: `new Order { Customer = { Name = x } }`."""
    owner = walk.owners.pop(node.start_byte, None)
    if owner is None:
        return read_elements(walk, node)
    _read_member_values(walk, node, owner)
    return None


def _read_anonymous_object(walk: CsharpWalk, node: Node) -> Expression:
    """`new { A = x, b.C }`: a container with named values."""
    found = operands(node)
    pairs: list[tuple[str | None, Expression]] = []
    name: str | None = None
    for child in found:
        following = child.next_sibling
        if child.type == "identifier" and following is not None and following.type == "=":
            name = walk.text.text(child)
            continue
        pairs.append((name, walk.visit(child)))
        name = None
    return dict_of(pairs)


def _read_with(walk: CsharpWalk, node: Node) -> Expression:
    """`record with { A = 1 }`: a copy of the same kind."""
    found = operands(node)
    value = walk.visit(found[0]) if found else None
    for initializer in found[1:]:
        inner = operands(initializer)
        if len(inner) > 1 and inner[0].type == "identifier":
            walk.note_member(inner[0], value, walk.text.text(inner[0]))
            walk.store(inner[0], value, name=walk.text.text(inner[0]), value=walk.visit(inner[-1]))
    return value


CALL_HANDLERS: Final[dict[str, Callable[[CsharpWalk, Node], Expression]]] = {
    "anonymous_object_creation_expression": _read_anonymous_object,
    "argument": _read_argument,
    "implicit_object_creation_expression": _read_creation,
    "initializer_expression": _read_initializer,
    "invocation_expression": _read_invocation,
    "object_creation_expression": _read_creation,
    "with_expression": _read_with,
}
