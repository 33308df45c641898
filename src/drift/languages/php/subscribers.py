"""Methods that code names for a framework to call: what subscribers of events list, filters and functions of Twig."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import EntryPoint
from drift.languages.frameworks import load_frameworks
from drift.languages.php.arguments import name_callable, name_in_pair
from drift.languages.php.walk import Registration, arguments_of, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.php.walk import PhpWalk

_FRAMEWORKS: Final = load_frameworks("php")
_LISTING: Final = _FRAMEWORKS.names("subscribers", "listing")
_JOINING: Final = _FRAMEWORKS.names("subscribers", "joining")
_MOST_NODES: Final = 4_000
_PAIR: Final = 2
_TEXTS: Final = frozenset({"string", "encapsed_string"})
_SHOWN: Final = 80


def note_subscriber(php: PhpWalk, number: int, body: Node) -> None:
    """Note the methods of a class that it lists for events: `[Sent::class => ['onSent', 10]]`."""
    lists = [one for one in body.named_children if _name_of(php, one) in _LISTING]
    if not lists:
        return
    methods = {
        member.name: place
        for place, member in enumerate(php.symbols[number + 1 :], number + 1)
        if member.parent == number and member.kind == "method" and member.name not in _LISTING
    }
    found: dict[str, EntryPoint] = {}
    for said, event, line in (each for one in lists for each in _named(php, one)):
        owner, _, name = said.rpartition("@")  # 'App\\Listeners\\Mails@onSent'
        if name in methods and owner.rpartition("\\")[2] in {"", php.symbols[number].name}:
            found.setdefault(name, EntryPoint(methods[name], "event", event, line))
    php.entry_points.extend(found.values())


def _name_of(php: PhpWalk, node: Node) -> str:
    name = node.child_by_field_name("name") if node.type == "method_declaration" else None
    return php.text.text(name) if name is not None else ""


def _named(php: PhpWalk, listing: Node) -> Iterator[tuple[str, str, int]]:
    """Every text and constant of a method, with the event that it stands under, and its line."""
    waiting: list[tuple[Node, str]] = [(listing, "")]
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node, event = waiting.pop()
        if node.type in _TEXTS:
            yield php.string_of(node) or "", event, php.line(node)
        elif (
            node.type == "class_constant_access_expression"
        ):  # Doctrine calls methods that are named like events
            text = php.text.brief(node, _SHOWN)
            yield text.rpartition("::")[2], event or text, php.line(node)
        elif node.type == "array_element_initializer" and node.named_child_count == _PAIR:
            key, value = node.named_children
            waiting.append((value, event or _shown(php, key)))
        else:
            event = event or _listened(php, node)
            waiting += [(each, event) for each in reversed(node.named_children)]


def _listened(php: PhpWalk, node: Node) -> str:
    """The event of `$events->listen(Sent::class, [self::class, 'onSent'])`."""
    name = node.child_by_field_name("name") if node.type == "member_call_expression" else None
    if name is None or php.text.text(name) not in _JOINING:
        return ""
    given = arguments_of(node.child_by_field_name("arguments"))
    event = value_of(given[0]) if given else None
    return "" if event is None else _shown(php, event)


def _shown(php: PhpWalk, key: Node) -> str:
    text = php.string_of(key) or php.text.brief(key, _SHOWN)
    return text.removesuffix("::class").rpartition("\\")[2]


def note_made(php: PhpWalk, number: int, nodes: list[Node]) -> None:
    """Note what an object is given that a framework calls by a name: `new TwigFilter('price', [$this, 'format'])`."""
    call = php.calls[number]
    rules = _FRAMEWORKS.calls.get(call.text.rpartition("\\")[2], ())
    rule = next((one for one in rules if one.kind == "event" and one.word), None)
    if rule is None or len(nodes) < _PAIR:
        return
    title, node = php.string_of(value_of(nodes[0])), value_of(nodes[1])
    given = call.arguments[1][1]
    handler = name_callable(php, node) or name_in_pair(php, node, given)
    if title and handler is not None and handler[0] in {"member", "name", "partial", "symbol"}:
        php.registrations.append(Registration(handler, php.scope, "event", f"{rule.word} {title}", call.line))
