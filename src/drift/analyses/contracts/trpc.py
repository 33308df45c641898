"""Procedures of tRPC: what routers hold, with the names that lead to them and the schemas of what they are sent.

What it does: values of a router are procedures (`.input(…).query(…)`), other routers, and names of either, which are
followed to other files; merged and spread routers are one. A router that no other holds is a root, and the path of a procedure
are the keys from there.
Limits: routers that code puts together, such as by a loop, and those that are loaded lazily are not read.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import Endpoint, TypeUse
from drift.index.path_text import text_to_path
from drift.kernel.reading import read_beginning
from drift.languages.syntax import SourceText, parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.analyses.contracts.type_names import TypeNames
    from drift.index import IndexReader
    from drift.index.error_queries import ErrorFile

_SCRIPTS: Final = frozenset({"typescript", "javascript"})
_PACKAGE: Final = "@trpc/"
_MOST_BYTES: Final = 2_000_000
_MOST_FILES: Final = 2_000
_MOST_DEPTH: Final = 12
_MOST_PROCEDURES: Final = 10_000
_MOST_SCHEMA: Final = 6_000
_THROUGH: Final = frozenset(
    {"as_expression", "satisfies_expression", "parenthesized_expression", "non_null_expression"}
)
_FUNCTIONS: Final = frozenset(
    {"arrow_function", "function_expression", "generator_function", "function_declaration"}
)
_SCHEMA_NAME: Final = re.compile(r"\A[\w$.]{1,100}\Z")


class Procedure(NamedTuple):
    """A procedure by the keys that lead to it."""

    keys: tuple[str, ...]
    method: str  # QUERY, MUTATION, SUBSCRIPTION
    file: str
    line: int
    request: TypeUse | None
    response: TypeUse | None

    @property
    def path(self) -> str:
        return ".".join(self.keys)


class Place(NamedTuple):
    """A value of a file."""

    module: "Module"
    node: "Node"


class Module:
    """A file and what its names stand for."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.text = SourceText(source)
        grammar = "javascript" if path.endswith((".js", ".mjs", ".cjs", ".jsx")) else "typescript"
        self.root = parse("tsx" if path.endswith(".tsx") else grammar, source).root_node

    @cached_property
    def names(self) -> dict[str, "Node"]:
        """Variables and functions at the top of the file, with what they are given."""
        found: dict[str, Node] = {}
        for statement in self.root.named_children:
            inner = statement.child_by_field_name("declaration") or statement
            declared = [inner] if inner.type in _FUNCTIONS else inner.named_children
            for each in declared:
                name = each.child_by_field_name("name")
                value = each if each.type in _FUNCTIONS else each.child_by_field_name("value")
                if name is not None and value is not None:
                    found.setdefault(self.said(name), value)
        return found

    def said(self, node: "Node") -> str:
        return self.text.slice(node.start_byte, node.end_byte)

    def line(self, node: "Node") -> int:
        return self.text.line_of(node.start_byte)


def find_procedures(
    reader: "IndexReader", root: Path, names: "TypeNames", files: dict[int, "ErrorFile"]
) -> list[Procedure]:
    """Every procedure of the routers of a project, outside tests."""
    if not any(package.startswith(_PACKAGE) for package in reader.facts.external_packages()):
        return []
    return _Reading(root, names).procedures(_paths(reader, files))


def endpoint_of(one: Procedure) -> Endpoint:
    """A procedure as what answers requests."""
    return Endpoint(
        one.method, f"/{one.path}", "trpc", one.file, one.line, one.path, None, one.response, one.request
    )


def _paths(reader: "IndexReader", files: dict[int, "ErrorFile"]) -> list[str]:
    """The files with calls that make routers or procedures."""
    makers, kinds = re.compile(data()["trpc"]["routers"]), data()["trpc"]["procedures"]
    wanted = {
        number
        for number, text in reader.contracts.words()
        if (last := text.rpartition(".")[2]) in kinds or makers.fullmatch(last)
    }
    found = {call.caller >> 16 for call in reader.contracts.calls(wanted)}
    states = (files[number] for number in sorted(found) if number in files)
    return [one.path for one in states if one.language in _SCRIPTS and one.role not in {"test", "vendored"}]


def plain(node: "Node") -> "Node":
    """What stands in brackets or before `as` and `satisfies`."""
    for _ in range(_MOST_DEPTH):
        if node.type not in _THROUGH or not node.named_children:
            break
        node = node.named_children[0]
    return node


def called(node: "Node", module: Module) -> str:
    """The last name of what is called; empty where it is no call."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None:
        return ""
    last = function.child_by_field_name("property") or function
    return module.said(last) if last.type in {"identifier", "property_identifier"} else ""


def given(node: "Node") -> list["Node"]:
    """What a call is given."""
    arguments = node.child_by_field_name("arguments")
    return arguments.named_children if arguments is not None and arguments.type == "arguments" else []


class _Reading:
    def __init__(self, root: Path, names: "TypeNames") -> None:
        self._root = root
        self._names = names
        self._modules: dict[str, Module | None] = {}
        self._held: set[tuple[str, int]] = set()  # routers that another holds
        self._kinds: dict[str, str] = data()["trpc"]["procedures"]
        self._makers = re.compile(data()["trpc"]["routers"])
        self._merging = frozenset(data()["trpc"]["merging"])

    def procedures(self, paths: Iterable[str]) -> list[Procedure]:
        routers: list[Place] = []
        for path in list(paths)[:_MOST_FILES]:
            module = self._module(path)
            values = module.names.values() if module is not None else ()
            routers += [
                Place(module, plain(value)) for value in values if module and self._is_router(value, module)
            ]
        found = [(place, list(self._in(place, (), 0))) for place in routers]
        return [
            one
            for place, held in found
            if (place.module.path, place.node.start_byte) not in self._held
            for one in held
        ][:_MOST_PROCEDURES]

    def _module(self, path: str) -> Module | None:
        if path not in self._modules and len(self._modules) < _MOST_FILES:
            try:
                source = read_beginning(self._root, text_to_path(path), _MOST_BYTES)
            except OSError:
                source = b""
            self._modules[path] = Module(path, source) if source else None
        return self._modules.get(path)

    def _is_router(self, value: "Node", module: Module) -> bool:
        """Whether a value is a router, or a record that one is made of."""
        node = plain(value)
        if node.type == "object":
            return any(
                each is not None and self._kinds.get(called(plain(each), module)) and self._acts(plain(each))
                for each in (child.child_by_field_name("value") for child in node.named_children)
            )
        name = called(node, module)
        return bool(
            self._makers.fullmatch(name) and any(each.type == "object" for each in map(plain, given(node)))
        ) or (name in self._merging and bool(given(node)))

    def _acts(self, node: "Node") -> bool:
        """Whether the last call of a procedure is given what it does: a function, or the name of one."""
        function = node.child_by_field_name("function")
        is_member = function is not None and function.type == "member_expression"
        return is_member and any(
            each.type in _FUNCTIONS or each.type in {"identifier", "call_expression", "member_expression"}
            for each in given(node)
        )

    def _in(self, place: Place, keys: tuple[str, ...], depth: int) -> Iterator[Procedure]:
        """The procedures that a value holds."""
        module, node = place.module, plain(place.node)
        if depth > _MOST_DEPTH:
            return
        if node.type == "object":
            yield from self._in_object(Place(module, node), keys, depth)
        elif node.type == "identifier":
            target = self._named(module, module.said(node))
            if target is not None:
                self._held.add((target.module.path, plain(target.node).start_byte))
                yield from self._in(target, keys, depth + 1)
        elif node.type == "member_expression":  # `router._def.procedures`
            holder = node.child_by_field_name("object")
            if holder is not None and module.said(node).endswith(tuple(data()["trpc"]["records"])):
                inner = holder.child_by_field_name("object") or holder
                yield from self._in(Place(module, inner), keys, depth + 1)
        elif node.type == "call_expression":
            yield from self._in_call(Place(module, node), keys, depth)

    def _in_object(self, place: Place, keys: tuple[str, ...], depth: int) -> Iterator[Procedure]:
        module = place.module
        for child in place.node.named_children:
            if child.type == "pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is not None and value is not None and key.type != "computed_property_name":
                    name = module.said(key).strip("'\"")
                    yield from self._in(Place(module, value), (*keys, name), depth + 1)
            elif child.type == "shorthand_property_identifier":
                target = self._named(module, module.said(child))
                if target is not None:
                    self._held.add((target.module.path, plain(target.node).start_byte))
                    yield from self._in(target, (*keys, module.said(child)), depth + 1)
            elif child.type == "spread_element" and child.named_children:
                yield from self._in(Place(module, child.named_children[0]), keys, depth + 1)

    def _in_call(self, place: Place, keys: tuple[str, ...], depth: int) -> Iterator[Procedure]:
        module, node = place
        name = called(node, module)
        if name in self._kinds and self._acts(node):
            if keys:
                yield self._procedure(place, keys)
        elif name in self._merging:
            for each in given(node):
                yield from self._in(Place(module, each), keys, depth + 1)
        elif self._makers.fullmatch(name) and any(
            each.type in {"object", "identifier"} for each in map(plain, given(node))
        ):
            yield from self._in(Place(module, given(node)[0]), keys, depth + 1)
        else:
            made = self._made_by(place)
            if made is not None:
                yield from self._in(made, keys, depth + 1)

    def _made_by(self, place: Place) -> Place | None:
        """What a function of the project gives back that makes a router."""
        function = place.node.child_by_field_name("function")
        if function is None or function.type != "identifier":
            return None
        target = self._named(place.module, place.module.said(function))
        node = plain(target.node) if target is not None else None
        body = node.child_by_field_name("body") if node is not None and node.type in _FUNCTIONS else None
        if target is None or body is None:
            return None
        if body.type != "statement_block":
            return Place(target.module, body)
        returns = [
            each for each in body.named_children if each.type == "return_statement" and each.named_children
        ]
        return Place(target.module, returns[-1].named_children[0]) if returns else None

    def _named(self, module: Module, name: str) -> Place | None:
        """What a name of a file stands for, there or where it is from."""
        own = module.names.get(name)
        if own is not None:
            return Place(module, own)
        symbol = self._names.value(name, module.path)
        other = self._module(symbol.path) if symbol is not None and symbol.path != module.path else None
        value = other.names.get(symbol.name) if other is not None and symbol is not None else None
        return Place(other, value) if other is not None and value is not None else None

    def _procedure(self, place: Place, keys: tuple[str, ...]) -> Procedure:
        module, node = place
        asked = list(self._schemas(place, "input", 0))
        answered = next(self._schemas(place, "output", 0), None)
        request = None
        if asked:
            # Schemas that stand in several files are only told where one says all.
            same = [one for one in asked if one.file == asked[0].file]
            request = (
                TypeUse(" & ".join(one.text for one in same), asked[0].file, "request")
                if same == asked
                else None
            )
        return Procedure(
            keys, self._kinds[called(node, module)], module.path, module.line(node), request, answered
        )

    def _schemas(self, place: Place, name: str, depth: int) -> Iterator[TypeUse]:
        """The schemas that a chain of calls is given by a method, those of the procedure it begins with among them."""
        module, node = place
        while node.type == "call_expression":
            if called(node, module) == name and given(node):
                yield _schema(module, plain(given(node)[0]))
            function = node.child_by_field_name("function")
            holder = function.child_by_field_name("object") if function is not None else None
            if holder is None:
                return
            node = plain(holder)
        target = self._named(module, module.said(node)) if node.type == "identifier" else None
        if target is not None and depth < _MOST_DEPTH:
            yield from self._schemas(Place(target.module, plain(target.node)), name, depth + 1)


def _schema(module: Module, node: "Node") -> TypeUse:
    said = module.said(node)[:_MOST_SCHEMA]
    return TypeUse(f"z.infer<typeof {said}>" if _SCHEMA_NAME.match(said) else said, module.path, "request")
