"""Routes, and other symbols that the outside world calls."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from drift.conventions.finders.form import Finder, Source, fits_one, is_one
from drift.index.site_queries import Run

_VERSION: Final = re.compile(r"v[0-9]{1,3}(?:\.[0-9]{1,3})?(?:alpha|beta)?[0-9]{0,2}")
_PARAMETER: Final = re.compile(r"[{<:$*\[(][^/]{0,200}")
_PARAMETER_NAME: Final = re.compile(r"(?:[{<\[(]|^:|\$\{)(?:[a-z]{2,10}:)?\.{0,3}\*?(\w{1,60})")
_PLAIN: Final = re.compile(r"[A-Za-z][\w.~-]{0,80}")


class _Route(NamedTuple):
    """A route, its whole path in parts."""

    file_id: int
    line: int
    end_line: int
    method: str
    path: str
    handler: str

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(part for part in self.path.split("/") if part)

    @property
    def plain(self) -> tuple[str, ...]:
        """The parts that are words of the address, without versions."""
        return tuple(
            part
            for part in self.parts
            if not _PARAMETER.match(part) and _PLAIN.fullmatch(part) and not _VERSION.fullmatch(part)
        )


def _routes(source: Source, run: Run) -> Iterator[_Route]:
    for row in source.sites.entries(run):
        if row.kind == "http" and row.method != "PAGE":
            method, _, path = row.detail.partition(" ")
            yield _Route(row.file_id, row.line, row.end_line, method, path, row.name)


def _first(route: _Route) -> str | None:
    return next((part for part in route.plain if part.lower() != "api"), None)


def _parameters(route: _Route) -> tuple[str, ...]:
    return tuple(found[1] for part in route.parts if (found := _PARAMETER_NAME.search(part)))


def _version(route: _Route) -> str:
    return next((part for part in route.parts if _VERSION.fullmatch(part)), "")


ROUTES: Final = Finder(
    rows=_routes,
    texts={
        "path": lambda row: row.path,
        "segments": lambda row: row.plain,
        "first_segment": _first,
        "last_segment": lambda row: next(reversed(row.plain), None),
        "parameters": _parameters,
        "version": _version,
        "methods": lambda row: row.method,
        "handler": lambda row: row.handler,
        "depth": lambda row: str(len(row.plain)),
    },
    tests={
        "methods": lambda row, values: not set(values).isdisjoint(row.method.split(",")),
        "routes": fits_one(lambda row: row.path),
    },
)

ENTRIES: Final = Finder(
    rows=lambda source, run: [row for row in source.sites.entries(run) if row.kind != "http"],
    kind_of=lambda row: str(row.kind),
    texts={
        "name": lambda row: row.name,
        "detail": lambda row: row.detail,
        "in_kind": lambda row: row.owner_kind or "",
        "doc": lambda row: row.doc.strip().partition("\n")[0],
    },
    tests={
        "details": fits_one(lambda row: row.detail),
        "in_kinds": is_one(lambda row: row.owner_kind),
    },
)
