"""Routes that documents tell: prefixes before the routes of whole folders, and paths with the controllers that answer.

Symfony takes in the attributes of a folder under a prefix (`resource`, `prefix`), other documents of routes, and names
controllers itself. Of several that take in a file the last holds, as routes of one name replace each other.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from drift.index.route_rows import ANY_METHOD, FIRST_DOCUMENTED, DocumentedRow, MethodRow, RouteRow

_MOST_TAKEN: Final = 500
_MOST_DEPTH: Final = 8  # of documents that take in each other, perhaps in circles
_MOST_PATTERN: Final = 200
_MOST_STARS: Final = 4
_ROOT: Final = re.compile(r"%kernel\.(?:project|root)_dir%/?")
_CONFIGURATION: Final = "config"
_INVOKED: Final = "__invoke"
_MARKS: Final = re.compile(r"\*\*/?|\*|\?|\{[^{}]*\}")


class _Taken(NamedTuple):
    """What a document takes in, and under which prefix."""

    document: str
    pattern: re.Pattern[str]
    prefix: str


class Controller(NamedTuple):
    """What a document names for a route: `show` of the class Carts in a namespace."""

    package: str
    owner: str
    name: str


class DocumentedRoutes:
    """What the documents of a project say of its routes."""

    def __init__(self, rows: Iterable[DocumentedRow], files: Iterable[tuple[int, str]]) -> None:
        ordered = sorted(rows, key=lambda row: (-row.document.count("/"), row.document))
        self._rows: Final = tuple(ordered)
        self._paths: Final[Mapping[int, str]] = dict(files) if ordered else {}
        self._prefixes: Final[dict[str, str]] = {}
        self._known: Final[dict[int, str]] = {}
        bundles = self._bundles()
        taken = (row for row in ordered if row.kind == "route-import" and _is_plain(row.name))
        self._taken: Final = tuple(
            _Taken(row.document, _pattern(place), row.path or "")
            for row in list(taken)[:_MOST_TAKEN]
            for place in _places(row, bundles)
        )

    def before(self, file: int) -> str:
        """The prefix of the routes that a file of code tells of itself."""
        if not self._taken:
            return ""
        if file not in self._known:
            self._known[file] = self._around(self._paths.get(file, ""), 0)
        return self._known[file]

    def controllers(self) -> set[str]:
        """The names of the methods that documents name."""
        return {one.name for row in self._rows if (one := _controller(row)) is not None}

    def told(self, methods: Iterable[MethodRow]) -> Iterator[tuple[RouteRow, int]]:
        """The routes whose controllers documents name, each with the line of the controller."""
        known = {Controller(_plain(one.package or ""), one.owner, one.name): one for one in methods}
        for position, row in enumerate(self._rows, FIRST_DOCUMENTED):
            controller = _controller(row)
            found = known.get(controller) if controller is not None else None
            if found is None:
                continue
            path = join(self._around(row.document, 0), row.path or "")
            method = row.method or ANY_METHOD
            yield RouteRow(found.symbol_id, position, f"{method} {path}", method, path, None), found.line

    def _around(self, path: str, depth: int) -> str:
        """The prefix under which a file is taken in, with that of the document that does so."""
        if depth > _MOST_DEPTH or not path:
            return ""
        found = next((one for one in reversed(self._taken) if one.pattern.match(path)), None)
        if found is None or found.document == path:
            return ""
        if found.document not in self._prefixes:
            self._prefixes[found.document] = ""  # for documents that take in each other
            self._prefixes[found.document] = self._around(found.document, depth + 1)
        return join(self._prefixes[found.document], found.prefix)

    def _bundles(self) -> dict[str, str]:
        """Folders of bundles by the names that `@ShopBundle/…` says: that of the class in them."""
        asked = {row.name[1:].partition("/")[0] for row in self._rows if row.name[:1] == "@"}
        found: dict[str, str] = {}
        for path in self._paths.values() if asked else ():
            folder, _, name = path.rpartition("/")
            if (stem := name.partition(".")[0]) in asked:
                found.setdefault(stem, folder)
        return found


def join(prefix: str, path: str) -> str:
    """A path after its prefix, with one slash between."""
    whole = f"{prefix.strip('/')}/{path.strip('/')}".strip("/")
    return f"/{whole}" if whole else ""


def _is_plain(place: str) -> bool:
    return len(place) <= _MOST_PATTERN and place.count("*") <= _MOST_STARS


def _places(row: DocumentedRow, bundles: Mapping[str, str]) -> Iterator[str]:
    """Where what a document takes in stands, as a path of the project."""
    written = row.name
    if written.startswith("@"):
        bundle, _, rest = written[1:].partition("/")
        if bundle in bundles:
            yield posixpath.normpath(f"{bundles[bundle]}/{rest}").lstrip("./")
        return
    folder = posixpath.dirname(row.document)
    if _ROOT.match(written):
        above, _, _ = f"/{row.document}".partition(f"/{_CONFIGURATION}/")
        folder, written = above.strip("/"), _ROOT.sub("", written)
    found = posixpath.normpath(posixpath.join(folder, written))
    if not found.startswith("../") and found not in {".", ".."}:
        yield found


def _pattern(place: str) -> re.Pattern[str]:
    """What fits a file or all below a folder; marks stand for parts of the path."""
    made, at = "", 0
    for mark in _MARKS.finditer(place):
        made += re.escape(place[at : mark.start()])
        at = mark.end()
        if mark[0].startswith("{"):
            made += f"(?:{'|'.join(map(re.escape, mark[0][1:-1].split(',')))})"
        else:
            made += ".*" if mark[0].startswith("**") else "[^/]*" if mark[0] == "*" else "[^/]"
    return re.compile(f"{made}{re.escape(place[at:])}(?:/|$)")


def _controller(row: DocumentedRow) -> Controller | None:
    if row.kind != "route" or not row.controller:
        return None
    whole, _, name = row.controller.replace("::", ":").partition(":")
    package, _, owner = _plain(whole).rpartition(".")
    return Controller(package, owner, name or _INVOKED)


def _plain(name: str) -> str:
    return name.strip("\\").replace("\\", ".")
