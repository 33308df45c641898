"""Calls of tRPC's procedures: `trpc.post.list.useQuery()`, `client.post.list.query()`, `utils.post.list.invalidate()`.

A chain of names leads to a procedure if its end, without what is done with it, are the keys of one. Of a client that the project
makes, chains that lead to none are told, too.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import ClientCall
from drift.analyses.contracts.trpc import Module, Procedure, called, given, plain
from drift.index.path_text import text_to_path
from drift.kernel.reading import ProjectFiles

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.index import IndexReader
    from drift.index.error_queries import ErrorFile

_SCRIPTS: Final = frozenset({"typescript", "javascript"})
_MOST_BYTES: Final = 2_000_000
_MOST_FILES: Final = 5_000
_MOST_PARTS: Final = 20
_FUNCTIONS: Final = frozenset(
    {"arrow_function", "function_expression", "function_declaration", "method_definition"}
)


def find_procedure_calls(
    reader: "IndexReader", root: Path, files: dict[int, "ErrorFile"], procedures: Iterable[Procedure]
) -> list[ClientCall]:
    """Every call of a procedure outside tests."""
    known = {one.path: one for one in procedures}
    if not known:
        return []
    paths = _paths(reader, files, known)
    modules: list[Module] = []
    with ProjectFiles(root) as opened:
        for path in paths[:_MOST_FILES]:
            try:
                modules.append(Module(path, opened.read_beginning(text_to_path(path), _MOST_BYTES)))
            except OSError:
                continue
    clients = {name for module in modules for name in _clients(module)}
    return [call for module in modules for call in _calls(module, known, clients)]


def _paths(reader: "IndexReader", files: dict[int, "ErrorFile"], known: dict[str, Procedure]) -> list[str]:
    """The files with calls whose last name is that of a procedure or of what is done with one."""
    table = data()["trpc"]
    lasts = {*_operations(), *table["creators"], *(one.keys[-1] for one in known.values())}
    wanted = {number for number, text in reader.contracts.words() if text.rpartition(".")[2] in lasts}
    found = {call.caller >> 16 for call in reader.contracts.calls(wanted)}
    states = (files[number] for number in sorted(found) if number in files)
    return [one.path for one in states if one.language in _SCRIPTS and one.role not in {"test", "vendored"}]


def _operations() -> dict[str, str]:
    return {name: method for method, names in data()["trpc"]["operations"].items() for name in names}


def _clients(module: Module) -> Iterator[str]:
    """The names of clients that a file makes."""
    creators = frozenset(data()["trpc"]["creators"])
    waiting = [module.root]
    while waiting:
        node = waiting.pop()
        if node.type == "variable_declarator":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            made = plain(value) if value is not None else None
            if made is not None and made.type == "await_expression" and made.named_children:
                made = made.named_children[0]
            if (
                name is not None
                and made is not None
                and name.type == "identifier"
                and called(made, module) in creators
            ):
                yield module.said(name)
        waiting.extend(node.named_children)


def _calls(module: Module, known: dict[str, Procedure], clients: set[str]) -> Iterator[ClientCall]:
    operations = _operations()
    holders = {
        ".".join(keys[:size]) for keys in (one.keys for one in known.values()) for size in range(len(keys))
    }
    callers = re.compile(data()["trpc"]["callers"])
    waiting = [module.root]
    while waiting:
        node = waiting.pop()
        waiting.extend(reversed(node.named_children))
        parts = _chain(node, module) if node.type == "call_expression" else ()
        if len(parts) < 2:  # noqa: PLR2004 - a client and a name
            continue
        *before, last = parts
        method = operations.get(last)
        found = _ending(before, known) if method is not None else None
        if found is not None and method is not None:
            yield _call(module, node, method, found.path, last)
        elif callers.fullmatch(parts[0]) and (direct := known.get(".".join(parts[1:]))) is not None:
            yield _call(module, node, direct.method, direct.path, "")
        elif method is not None and before[0] in clients and ".".join(before[1:]) not in holders:
            yield _call(module, node, method, ".".join(before[1:]), last)


def _ending(parts: list[str], known: dict[str, Procedure]) -> Procedure | None:
    """The procedure that the end of a chain names, behind at least one name."""
    return next(
        (found for start in range(1, len(parts)) if (found := known.get(".".join(parts[start:])))), None
    )


def _chain(node: "Node", module: Module) -> tuple[str, ...]:
    """The names of a chain that ends in a call; what it begins with may itself be called."""
    parts: list[str] = []
    at = node.child_by_field_name("function")
    while at is not None and at.type == "member_expression" and len(parts) < _MOST_PARTS:
        last = at.child_by_field_name("property")
        if last is None or last.type != "property_identifier":
            return ()
        parts.append(module.said(last))
        holder = at.child_by_field_name("object")
        at = plain(holder) if holder is not None else None
    if at is None or not parts:
        return ()
    if at.type in {"identifier", "this"}:
        parts.append(module.said(at))
    elif at.type == "call_expression":
        parts.append(called(at, module) or "()")
    else:
        return ()
    return tuple(reversed(parts))


def _call(module: Module, node: "Node", method: str, path: str, operation: str) -> ClientCall:
    if operation in data()["trpc"]["without_input"]:
        sent = [each for name in _hooked(node, module) for each in _sent_later(name, module)]
    else:
        sent = [plain(each) for each in given(node)[:1]]
    told = {_keys(each, module) for each in sent}
    inline = told.pop() if len(told) == 1 else None
    return ClientCall(
        method,
        f"/{path}",
        "trpc",
        module.path,
        module.line(node),
        _function(node, module),
        inline=inline,
    )


def _hooked(node: "Node", module: Module) -> Iterator[str]:
    """The calls by which what a hook gives sends: `create.mutate` of `const create = ….useMutation()`."""
    around = node.parent
    while around is not None and around.type in {"arguments", "call_expression"}:
        around = around.parent  # useMutation(trpc.post.create.mutationOptions())
    name = (
        around.child_by_field_name("name")
        if around is not None and around.type == "variable_declarator"
        else None
    )
    senders = data()["trpc"]["senders"]
    if name is not None and name.type == "identifier":
        yield from (f"{module.said(name)}.{each}" for each in senders)
    elif name is not None and name.type == "object_pattern":
        for each in name.named_children:
            key = each.child_by_field_name("key") or each
            value = each.child_by_field_name("value") or each
            if module.said(key) in senders:
                yield module.said(value)


def _sent_later(name: str, module: Module) -> Iterator["Node"]:
    """What calls of a name are given first."""
    waiting = [module.root]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.named_children)
        function = node.child_by_field_name("function") if node.type == "call_expression" else None
        if function is not None and given(node) and module.said(function) == name:
            yield plain(given(node)[0])


def _keys(node: "Node", module: Module) -> tuple[str, ...] | None:
    """The names of an object that is sent; None where it is none, or more is put into it than is written."""
    if node.type != "object":
        return None
    found: list[str] = []
    for child in node.named_children:
        key = child.child_by_field_name("key") if child.type == "pair" else child
        if key is None or key.type in {"computed_property_name", "spread_element", "method_definition"}:
            return None
        if key.type != "comment":
            found.append(module.said(key).strip("'\""))
    return tuple(found)


def _function(node: "Node", module: Module) -> str:
    """The nearest function around a call that has a name."""
    around = node.parent
    while around is not None:
        if around.type in _FUNCTIONS:
            holder = around if around.child_by_field_name("name") is not None else around.parent
            name = holder.child_by_field_name("name") if holder is not None else None
            if name is not None and name.type in {"identifier", "property_identifier"}:
                return module.said(name)
        around = around.parent
    return "(file)"
