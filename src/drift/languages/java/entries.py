"""Entry points: what frameworks, test runners and the virtual machine call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import describe, find_rule, join_route, load_frameworks, routes
from drift.languages.java.values import string_of
from drift.languages.limits import MOST_DETAIL_CHARACTERS
from drift.languages.objects import Registration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.frameworks import Selector
    from drift.languages.objects import Annotation, Heading, ObjectWalk, OpenClass

_FRAMEWORKS: Final = load_frameworks("java")
_COMPOSED_MAPPING: Final = re.compile(r"[A-Z]\w{0,60}((?:Get|Post|Put|Patch|Delete)Mapping)")
_PREFIXES: Final = _FRAMEWORKS.names("routes", "prefixes")
_OTHERS: Final = _FRAMEWORKS.names("routes", "plain")
_PREFIXES_BY_PATH: Final = _FRAMEWORKS.names("routes", "prefixes_by_path")
_SITES: Final = _FRAMEWORKS.names("routes", "sites")
_HANDED_DOWN: Final = _FRAMEWORKS.names("routes", "handed_down")
_CONTROLLERS: Final = _FRAMEWORKS.texts("routes", "controllers")
_PATHS: Final = _FRAMEWORKS.names("routes", "paths")
_PATH_KEYS: Final = _FRAMEWORKS.texts("routes", "path_keys")
_CLIENTS: Final = _FRAMEWORKS.names("routes", "clients")
_COMMAND_METHODS: Final = _FRAMEWORKS.texts("commands", "methods")
_TEST_BASES: Final = _FRAMEWORKS.names("tests", "bases")
_CHANGED: Final = re.compile(r"@MappingTarget\s{1,9}(?:final\s{1,9})?[\w.<>]{1,100}\s{1,9}(\w{1,100})")
_MAPPERS: Final = _FRAMEWORKS.names("mappers", "annotations")
_MAPPER_PACKAGES: Final = _FRAMEWORKS.texts("mappers", "packages")
REGISTERING_NAMES: Final = frozenset(_FRAMEWORKS.calls)


class _AnnotationSite:
    """An annotation, as the matcher asks about it."""

    receiver = ""

    def __init__(self, walk: ObjectWalk, annotation: Annotation) -> None:
        self._walk = walk
        self._annotation = annotation
        self.name = annotation.name
        self.owners = walk.classes[-1].heading.names() if walk.classes else ()

    @property
    def is_call(self) -> bool:
        return self._annotation.node.child_by_field_name("arguments") is not None

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        return annotation_values(self._walk, self._annotation.node, selectors)

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        texts = self.texts(selectors)
        return texts[0] if texts and not texts[0].startswith("<") else None

    def written(self) -> str:
        arguments = self._annotation.node.child_by_field_name("arguments")
        if arguments is None:
            return self.name
        return f"{self.name} {self._walk.text.brief(arguments, MOST_DETAIL_CHARACTERS).strip('()')}".rstrip()

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return self._walk.imports_any(packages)


class _CallSite:
    """A call that may register a route, as the matcher asks about it."""

    receiver = ""
    is_call = True
    owners: tuple[str, ...] = ()

    def __init__(self, walk: ObjectWalk, name: str, listed: Node) -> None:
        self._walk = walk
        self._listed = listed
        self.name = name

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        text = self.constant(selectors)
        return [] if text is None else [text]

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        place, given = selectors[0], self._listed.named_children
        if not isinstance(place, int) or place >= len(given) or given[place].type != "string_literal":
            return None
        return string_of(self._walk, given[place])

    def written(self) -> str:
        return f"{self.name}{self._walk.text.brief(self._listed, MOST_DETAIL_CHARACTERS)}"

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return self._walk.imports_any(packages)


def annotation_values(walk: ObjectWalk, annotation: Node, keys: tuple[Selector, ...]) -> list[str]:
    """The values an annotation gives to one of these keys, bare ones being those of `value`.

    A string is its contents; what is computed elsewhere stands as written, in angle brackets.
    """
    found: list[str] = []
    for node in _value_nodes(walk, annotation, keys):
        if node.type == "string_literal":
            found.append(string_of(walk, node))
        else:
            found.append(f"<{walk.text.brief(node, MOST_DETAIL_CHARACTERS)}>")
    return found


def _value_nodes(walk: ObjectWalk, annotation: Node, keys: tuple[Selector, ...]) -> Iterator[Node]:
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
        if annotation.name in _PREFIXES:
            values = annotation_values(walk, annotation.node, _PATH_KEYS)
            if values and (annotation.name not in _PREFIXES_BY_PATH or values[0].startswith("/")):
                return values[0]
    return ""


def is_mapper(walk: ObjectWalk, heading: Heading) -> bool:
    """Whether a tool writes the methods of a class: they read the members of what they are given, and set those of a result."""
    is_marked = any(annotation.name in _MAPPERS for annotation in heading.annotations)
    return is_marked and walk.imports_any(_MAPPER_PACKAGES)


def mapped(walk: ObjectWalk, number: int) -> Expression:
    """A method of a mapper, or its parameter that is changed by it."""
    changed = _CHANGED.search(walk.symbols[number].signature)
    return ("member", ("symbol", number), changed[1]) if changed else ("symbol", number)


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
    answered: list[str] = []
    is_client = bool(walk.classes) and not _CLIENTS.isdisjoint(walk.classes[-1].heading.names())
    for annotation in heading.annotations:
        rules = _FRAMEWORKS.decorators.get(_mapping(annotation.name))
        if rules is None:
            continue
        site = _AnnotationSite(walk, annotation)
        rule = find_rule(rules, site)
        if rule is None:
            continue
        if rule.kind != "http":
            if rule.is_test:
                walk.add_modifier(number, "test")
            walk.enter_at(number, rule.kind, describe(rule, site, walk.symbols[number].name))
        elif not is_client:
            prefix = walk.classes[-1].prefix if walk.classes else ""
            answered += routes(rule, site, prefix, paths=_own_paths(walk, heading))
    router = _composed(walk, walk.classes[-1]) if answered and walk.classes else None
    for detail in answered:
        walk.enter_at(number, "http", detail, router=router)


def _mapping(name: str) -> str:
    """The annotation of Spring that one of the project's own is made of, by its name: `AnonymousGetMapping`."""
    found = _COMPOSED_MAPPING.fullmatch(name)
    return name if found is None else found[1]


def note_composed(walk: ObjectWalk, owner: OpenClass) -> None:
    """Note the path that an annotation gives to the classes it stands at, or a controller to those below it."""
    line = walk.symbols[owner.number].line
    if owner.prefix:
        walk.mounts.append(Mount(owner.number, line, "own", owner.prefix, ("symbol", owner.number)))
    elif (above := _class_above(walk, owner)) is not None:
        walk.mounts.append(Mount(owner.number, line, "under", "", ("symbol", owner.number), above))


def hands_down(walk: ObjectWalk, owner: OpenClass) -> bool:
    """Whether classes below a controller may have its path, or that of one above it."""
    is_marked = not _HANDED_DOWN.isdisjoint(owner.heading.names())
    return is_marked or _class_above(walk, owner) is not None


def _class_above(walk: ObjectWalk, owner: OpenClass) -> Expression:
    """The class that a controller without a path of its own may have one from."""
    if owner.prefix or not owner.name.endswith(_CONTROLLERS):
        return None
    bases = [base for base in walk.symbols[owner.number].bases if base.kind == "extends"]
    return bases[0].type if bases and owner.kind == "class" else None


def _composed(walk: ObjectWalk, owner: OpenClass) -> Expression:
    """What may say the path of a class: an annotation of the project's own (`@ApiController`), else the class above."""
    if owner.prefix:
        return None
    home = tuple((walk.package or "").split(".")[:2])
    imported = {one.alias: tuple(one.module.split(".")[:2]) for one in walk.imports if one.alias}
    own = [
        each.name
        for each in owner.heading.annotations
        if each.name not in _FRAMEWORKS.decorators
        and each.name not in _OTHERS
        and imported.get(each.name, home) == home
    ]
    return ("name", own[0]) if own else _class_above(walk, owner)


def _own_paths(walk: ObjectWalk, heading: Heading) -> list[str]:
    """The paths that a method has beside the annotation that says its verb."""
    return [
        path
        for annotation in heading.annotations
        if annotation.name in _PATHS
        for path in annotation_values(walk, annotation.node, ("value",))
    ]


def _note_called(walk: ObjectWalk, number: int, owner: OpenClass) -> None:
    name = walk.symbols[number].name
    for base in sorted(owner.base_names):
        # All of them are given something; a method without parameters only has the same name.
        rules = _FRAMEWORKS.methods.get(base, {}).get(name) if walk.symbols[number].parameters else None
        for rule in rules or ():
            path = f" {join_route(owner.prefix)}" if rule.kind == "http" else ""
            walk.enter_at(number, rule.kind, rule.word + path)
    for base in _TEST_BASES & owner.base_names:
        if name.startswith("test"):
            walk.add_modifier(number, "test")
            walk.enter_at(number, "test", base)


def note_class_entries(walk: ObjectWalk, owner: OpenClass) -> None:
    """Note the command that a class is, once its methods are known, and what it puts before all routes."""
    for annotation in owner.heading.annotations:
        for path in annotation_values(walk, annotation.node, ("value",)) if annotation.name in _SITES else ():
            walk.mounts.append(Mount(owner.number, walk.symbols[owner.number].line, "site", path))
        site = _AnnotationSite(walk, annotation)
        rule = find_rule(_FRAMEWORKS.decorators.get(annotation.name, ()), site)
        if rule is not None and rule.kind == "cli":
            methods = [owner.methods[name] for name in _COMMAND_METHODS if name in owner.methods]
            command = describe(rule, site, owner.name)
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
    site = _CallSite(walk, name, listed)
    rule = find_rule(_FRAMEWORKS.calls.get(name, ()), site)
    if rule is None:
        return
    handler = arguments[-1][1]
    for detail in routes(rule, site):
        walk.registrations.append(Registration(handler, walk.scope, rule.kind, detail, walk.line(node)))
