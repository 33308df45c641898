"""What applications put before the paths of their routes: prefixes of all controllers, and versions.

An application stands in the file that makes it, else in those that say something of one. A route of a controller is
of the application whose folder is nearest to its file: of several that are as near of all, since what one of them
leaves out another may take in.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from drift.index.ids import SymbolId, file_of_symbol
from drift.index.route_rows import GLUED

if TYPE_CHECKING:
    from drift.index.route_constants import RouteConstants
    from drift.index.route_rows import MountedRow, RouteRow, RouteRows

_TILDE: Final = "/~"
_VERSIONED: Final = re.compile(r"/@([^@/]{0,300})@")
_NEUTRAL: Final = "VERSION_NEUTRAL"
_USUAL: Final = "v"
_METHOD: Final = re.compile(r"([A-Z]{3,7}) ")
_REST: Final = re.compile(r"\{?\*\w*\}?|\(\.\*\)|:\w+\(\.\*\)")


@dataclass(slots=True)
class _Application:
    """What one application says of all of its routes."""

    prefixes: dict[str, None] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    # What stands before versions, a colon, and those of routes that state none; empty where versions are not in paths.
    version: str | None = None


class Applications:
    """The applications of a project by their folders."""

    def __init__(self, rows: RouteRows, constants: RouteConstants) -> None:
        self._files = dict(rows.files)
        said = [each for each in rows.mounts if each.kind in {"all", "application", "except", "version"}]
        said = [each for each in said if file_of_symbol(SymbolId(each.symbol_id)) not in rows.tests]
        made = [each for each in said if each.kind == "application"] or said
        self._of: dict[str, _Application] = {self._folder(each.symbol_id): _Application() for each in made}
        self._near: dict[str, list[_Application]] = {}
        self._in_modules = {each.router_id for each in rows.mounts if each.kind == "under"}
        for mount in said:
            for one in self._nearest(self._folder(mount.symbol_id)):
                _add(one, mount, constants.prefix(mount.prefix, mount.symbol_id))

    def whole(self, route: RouteRow, befores: Iterable[str]) -> Sequence[str]:
        """The paths of a route after what its routers are mounted under, each once."""
        marked = _VERSIONED.match(route.path)
        path = route.path[marked.end() :] if marked is not None else route.path
        of, is_bare = self._of_route(route), path == "/" and bool(route.is_of_class)
        found: dict[str, None] = {}
        for one in of or [_Application()]:
            versions = _versions(one.version, marked[1] if marked is not None else "")
            for before in befores:
                prefixes = list(one.prefixes) or [""]
                whole = join_path(before, unless(path, before))
                if one.left_out and _is_left_out(one, route.method, whole):
                    prefixes = [""]
                for outer in (after(prefix, version) for prefix in prefixes for version in versions):
                    prefix = after(outer, before)
                    rest = path.removesuffix("/") if outer or (before and is_bare) else path
                    found[join_path(prefix, unless(rest, prefix))] = None
        return list(found)

    def _of_route(self, route: RouteRow) -> list[_Application]:
        """The applications that have the class of a route: one that stands apart from it only if a module has it."""
        if not route.is_of_class or route.router_id is None:
            return []
        folder = self._folder(route.router_id)
        is_apart = not any(_shared(each, folder) or not each for each in self._of)
        if is_apart and (len(self._of) > 1 or route.router_id not in self._in_modules):
            return []
        return self._nearest(folder)

    def _folder(self, symbol: int) -> str:
        return self._files.get(file_of_symbol(SymbolId(symbol)), "").rpartition("/")[0]

    def _nearest(self, folder: str) -> list[_Application]:
        """The applications whose folders have most in common with another, before all those around it."""
        if folder not in self._near:
            ranks: defaultdict[tuple[int, bool], list[_Application]] = defaultdict(list)
            for place, one in self._of.items():
                shared = _shared(place, folder)
                ranks[shared, f"{folder}/".startswith(f"{place}/") or not place].append(one)
            self._near[folder] = ranks[max(ranks)] if ranks else []
        return self._near[folder]


def _shared(one: str, other: str) -> int:
    count = 0
    for mine, theirs in zip(one.split("/"), other.split("/"), strict=False):
        if mine != theirs or not mine:
            break
        count += 1
    return count


def _add(one: _Application, mount: MountedRow, said: str) -> None:
    if mount.kind == "all" and said:
        one.prefixes[said] = None
    elif mount.kind == "except":
        one.left_out.add(said)
    elif mount.kind == "version":
        one.version = said


def _versions(said: str | None, own: str) -> list[str]:
    """What stands for the version in the path of a route: of the route, else the one that all have."""
    before, colon, usual = (said if said is not None else f"{_USUAL}:").partition(":")
    versions = [each for each in (own or usual).split(",") if each]
    if not colon or not versions:
        return [""]
    return list(dict.fromkeys("" if each == _NEUTRAL else f"{before}{each}" for each in versions))


def _is_left_out(one: _Application, method: str, path: str) -> bool:
    for said in one.left_out:
        verb = _METHOD.match(said)
        if verb is not None and verb[1] not in method:
            continue
        wanted = join_path("", said[verb.end() :] if verb is not None else said)
        if wanted == path or _fits(wanted.split("/"), path.split("/")):
            return True
    return False


def _fits(pattern: list[str], path: list[str]) -> bool:
    """Whether a path is one of those that a pattern leaves out: parts that any text fits, and all that is below."""
    for number, part in enumerate(pattern):
        if _REST.fullmatch(part):
            return True
        if number >= len(path) or (part != path[number] and not part.startswith(":")):
            return False
    return len(pattern) == len(path)


def unless(path: str, prefix: str) -> str:
    """A path; one behind a tilde is that of a route for which nothing else says one."""
    if not path.startswith(_TILDE):
        return path
    return "" if prefix else f"/{path.removeprefix(_TILDE)}"


def join_path(prefix: str, path: str) -> str:
    """A path after its prefix, with one slash between; marks of regular expressions at their ends are left out."""
    plain = path.removeprefix("^").removesuffix("$")
    head = prefix.removeprefix("^").strip("/")
    if head.endswith(GLUED):  # whether what is not known ends in a slash is not known either
        head = head.removesuffix(GLUED)
        return f"/{head}{plain}" if head.endswith(">") else join_path(head, plain)
    if not head:
        return f"/{plain.lstrip('/')}"
    return f"/{head}/{plain.lstrip('/')}" if plain else f"/{head}"


def after(prefix: str, path: str) -> str:
    """A path after a prefix, either of which may be empty."""
    return join_path(prefix, path) if prefix and path else prefix or path
