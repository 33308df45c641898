"""Entry points: what frameworks, test runners and the virtual machine call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.java import frameworks
from drift.languages.java.values import string_of
from drift.languages.objects import Registration, join_route

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.objects import Annotation, Heading, ObjectWalk, OpenClass

_MOST_DETAIL_CHARACTERS: Final = 120


def annotation_values(walk: ObjectWalk, annotation: Node, keys: tuple[str, ...]) -> list[str]:
    """The values an annotation gives to one of these keys, bare ones being those of `value`.

    A string is its contents; what is computed elsewhere stands as written, in angle brackets.
    """
    found: list[str] = []
    for node in _value_nodes(walk, annotation, keys):
        if node.type == "string_literal":
            found.append(string_of(walk, node))
        else:
            found.append(f"<{walk.text.brief(node, _MOST_DETAIL_CHARACTERS)}>")
    return found


def _value_nodes(walk: ObjectWalk, annotation: Node, keys: tuple[str, ...]) -> Iterator[Node]:
    arguments = annotation.child_by_field_name("arguments")
    for child in arguments.named_children if arguments is not None else ():
        value: Node | None = child
        key = "value"
        if child.type == "element_value_pair":
            name, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            key = walk.text.text(name) if name is not None else ""
        if value is None or key not in keys or value.type.endswith("comment"):
            continue
        if value.type == "element_value_array_initializer":
            yield from value.named_children
        else:
            yield value


def route_prefix(walk: ObjectWalk, heading: Heading) -> str:
    """The path that a class gives to all its methods."""
    for annotation in heading.annotations:
        if annotation.name in frameworks.PREFIX_ANNOTATIONS:
            values = annotation_values(walk, annotation.node, frameworks.PATH_KEYS)
            # The name of a Spring controller's bean is no path.
            if values and (annotation.name != "Controller" or values[0].startswith("/")):
                return values[0]
    return ""


def note_method_entries(walk: ObjectWalk, number: int, heading: Heading) -> None:
    """Note a method as an entry point in each way its annotations, its name and its class make it one."""
    symbol = walk.symbols[number]
    owner = walk.classes[-1] if walk.classes else None
    if heading.annotations:
        _note_annotated(walk, number, heading)
    if owner is not None:
        _note_called(walk, number, owner)
    is_bare = not symbol.parameters or (
        len(symbol.parameters) == 1 and (symbol.parameters[0].type_text or "").startswith("String")
    )
    if symbol.name == "main" and "static" in symbol.modifiers and is_bare and symbol.return_text == "void":
        walk.enter_at(number, "main", "main")


def _note_annotated(walk: ObjectWalk, number: int, heading: Heading) -> None:
    for annotation in heading.annotations:
        name = annotation.name
        if name in frameworks.TEST_ANNOTATIONS:
            walk.add_modifier(number, "test")
            walk.enter_at(number, "test", name)
        elif name in frameworks.FIXTURE_ANNOTATIONS:
            walk.enter_at(number, "test", name)
        elif name in frameworks.EVENT_ANNOTATIONS:
            walk.enter_at(number, "event", _detail(walk, annotation))
        elif name in frameworks.JOB_ANNOTATIONS:
            walk.enter_at(number, "job", _detail(walk, annotation))
        elif name in frameworks.COMMAND_ANNOTATIONS:
            walk.enter_at(number, "cli", _command(walk, annotation, walk.symbols[number].name))
    _note_routes(walk, number, heading)


def _detail(walk: ObjectWalk, annotation: Annotation) -> str:
    """The annotation's name and its arguments, as written."""
    arguments = annotation.node.child_by_field_name("arguments")
    if arguments is None:
        return annotation.name
    return f"{annotation.name} {walk.text.brief(arguments, _MOST_DETAIL_CHARACTERS).strip('()')}".rstrip()


def _command(walk: ObjectWalk, annotation: Annotation, fallback: str) -> str:
    names = annotation_values(walk, annotation.node, ("name", "key"))
    return f"command {names[0] if names else fallback}"


def _note_routes(walk: ObjectWalk, number: int, heading: Heading) -> None:
    owner = walk.classes[-1] if walk.classes else None
    if owner is not None and not frameworks.CLIENT_ANNOTATIONS.isdisjoint(owner.heading.names()):
        return
    prefix = owner.prefix if owner is not None else ""
    own_paths = [
        path
        for annotation in heading.annotations
        if annotation.name == "Path"
        for path in annotation_values(walk, annotation.node, ("value",))
    ]
    for annotation in heading.annotations:
        for verb in _verbs(walk, annotation):
            paths = own_paths or annotation_values(walk, annotation.node, frameworks.PATH_KEYS) or [""]
            for path in paths:
                walk.enter_at(number, "http", f"{verb} {join_route(prefix, path)}")


def _verbs(walk: ObjectWalk, annotation: Annotation) -> list[str]:
    """The HTTP verbs an annotation makes a method answer."""
    name = annotation.name
    if name == "RequestMapping":
        methods = annotation_values(walk, annotation.node, ("method",))
        return [method.strip("<>").rpartition(".")[2] for method in methods] or ["ANY"]
    # With an argument it is a Retrofit annotation: a request that is sent.
    if name in frameworks.JAXRS_VERBS and annotation.node.child_by_field_name("arguments") is None:
        return [name]
    verb = frameworks.SPRING_VERBS.get(name)
    if verb is None and walk.imports_any(frameworks.MICRONAUT_PACKAGES):
        verb = frameworks.MICRONAUT_VERBS.get(name)
    return [verb] if verb else []


def _note_called(walk: ObjectWalk, number: int, owner: OpenClass) -> None:
    name = walk.symbols[number].name
    for base in sorted(owner.base_names):
        # All of them are given something; a method without parameters only has the same name.
        if walk.symbols[number].parameters and name in frameworks.CALLED_METHODS.get(base, ()):
            kind, detail = frameworks.CALLED_METHODS[base][name]
            path = f" {join_route(owner.prefix)}" if kind == "http" else ""
            walk.enter_at(number, kind, detail + path)
    if "TestCase" in owner.base_names and name.startswith("test"):
        walk.add_modifier(number, "test")
        walk.enter_at(number, "test", "TestCase")


def note_class_entries(walk: ObjectWalk, owner: OpenClass) -> None:
    """Note the command that a class is, once its methods are known."""
    for annotation in owner.heading.annotations:
        if annotation.name in frameworks.COMMAND_ANNOTATIONS:
            methods = [owner.methods[name] for name in frameworks.COMMAND_METHODS if name in owner.methods]
            command = _command(walk, annotation, owner.name)
            walk.enter_at(methods[0] if methods else owner.number, "cli", command)


def register_route(
    walk: ObjectWalk,
    node: Node,
    *,
    name: str,
    listed: Node,
    arguments: tuple[tuple[str | None, Expression], ...],
) -> None:
    """Keep the handler of `get("/path", handler)` where a framework with such calls is imported."""
    if name.lower() not in frameworks.ROUTER_VERBS or not walk.imports_any(frameworks.ROUTER_PACKAGES):
        return
    path = listed.named_children[0] if listed.named_child_count else None
    if path is None or path.type != "string_literal":
        return
    detail = f"{name.upper()} {join_route(string_of(walk, path))}"
    handler = arguments[-1][1]
    walk.registrations.append(Registration(handler, walk.scope, "http", detail, walk.line(node)))
