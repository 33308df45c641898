"""Routes of servers that are written after a document of OpenAPI, where what a generator makes of it is not read.

A class that implements such a parent answers each operation with the method of its name, behind what the class itself
puts before its routes, else what the document says of the server. In Python an operation may name its function.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from drift.index.design_rows import AnsweringRow, OperationRow
from drift.index.route_rows import RouteRow
from drift.scan.documented_routes import join

_NO_NAME: Final = re.compile(r"[^A-Za-z0-9]+")
_ARGUMENTS: Final = re.compile(r"[\[(<]")
_SERVER: Final = "server"


class Designed(NamedTuple):
    """A route of a document, the line of its handler, and whether a class of its own stands before it."""

    route: RouteRow
    line: int


class DesignedRoutes:
    """The operations that documents of a project declare, by the names of what answers them."""

    def __init__(self, rows: Iterable[OperationRow]) -> None:
        self._operations: defaultdict[str, list[OperationRow]] = defaultdict(list)
        self._servers: dict[str, str] = {}
        for row in rows:
            if row.kind == _SERVER:
                self._servers.setdefault(row.document, row.path)
            else:
                self._operations[_key(_last(row))].append(row)

    def names(self) -> set[str]:
        """The names, in any case, of the functions that may answer operations."""
        found: set[str] = set()
        for key, rows in self._operations.items():
            found |= {key, *map(_last, rows)}
        return found

    def dotted(self) -> set[str]:
        """The names of those functions that operations name with their module."""
        return {_last(row) for rows in self._operations.values() for row in rows if _is_dotted(row)}

    def told(
        self, answering: Iterable[AnsweringRow], first: int, prefixed: Collection[int], taken: Collection[int]
    ) -> Iterator[Designed]:
        """The routes that these answer, numbered from a position on; `prefixed` are classes with a path of their own."""
        seen = set(taken)
        for one in answering:
            row = self._meant(one) if one.symbol_id not in seen else None
            if row is None or row.method is None:
                continue
            seen.add(one.symbol_id)
            base = self._servers.get(row.document, "")
            path = row.path.removeprefix(base) if base else row.path
            whole = path if one.owner_id in prefixed else join(base, path)
            route = RouteRow(
                one.symbol_id,
                first,
                f"{row.method} {whole}",
                row.method,
                whole,
                one.owner_id,
                handler_id=one.symbol_id,
                is_of_class=1 if one.owner_id is not None else None,
            )
            first += 1
            yield Designed(route, one.line)

    def _meant(self, one: AnsweringRow) -> OperationRow | None:
        """The operation of the nearest document that a function answers; none where several may be meant."""
        rows = [each for each in self._operations.get(_key(one.name), ()) if _is_answered(each, one)]
        best = max((_shared(each.document, one.path) for each in rows), default=0)
        near = [each for each in rows if _shared(each.document, one.path) == best]
        return near[0] if len({(each.method, each.path) for each in near}) == 1 else None


def _is_answered(row: OperationRow, one: AnsweringRow) -> bool:
    if one.owner_id is not None:
        return not _is_dotted(row) and _is_generated(one.parent)
    module, _, _ = row.name.rpartition(".")
    place = one.path.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")
    return _is_dotted(row) and one.path.endswith(_data().named_from) and f".{place}".endswith(f".{module}")


def _is_dotted(row: OperationRow) -> bool:
    return "." in row.name and not _is_unnamed(row)


def _is_unnamed(row: OperationRow) -> bool:
    """Whether an operation has no id: its method and path stand for one, the path without that of the server."""
    return row.name.startswith(f"{row.method} ")


def _is_generated(parent: str) -> bool:
    """Whether a parent outside has a name as generators give them."""
    name = _ARGUMENTS.split(parent)[0].rpartition(".")[2]
    data = _data()
    return name not in data.frameworks and name.endswith(data.parents)


class _Data(NamedTuple):
    parents: tuple[str, ...]
    frameworks: frozenset[str]
    named_from: tuple[str, ...]


@cache
def _data() -> _Data:
    told = tomllib.loads((files("drift.scan") / "designed_routes.toml").read_text(encoding="utf-8"))
    return _Data(tuple(told["parents"]), frozenset(told["frameworks"]), tuple(told["named_from"]))


def _last(row: OperationRow) -> str:
    """The name of what answers an operation; of one without an id what generators make of its path and method."""
    if _is_unnamed(row):
        return f"{_NO_NAME.sub('', row.path)}{(row.method or '').lower()}"
    return row.name.rpartition(".")[2]


def _key(name: str) -> str:
    return _NO_NAME.sub("", name).lower()


def _shared(document: str, path: str) -> int:
    """How many folders above two files are the same."""
    count = 0
    for mine, theirs in zip(document.split("/")[:-1], path.split("/")[:-1], strict=False):
        if mine != theirs:
            break
        count += 1
    return count
