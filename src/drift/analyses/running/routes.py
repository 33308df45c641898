"""The routes of a project, and which of them a path or a name in a test means."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.answer_formats import without_format
from drift.analyses.running.route_parts import (
    Parts,
    RouteParts,
    ends_in,
    equal_parts,
    fits,
    read_parts,
    read_route_parts,
    word_of,
    words_alike,
)
from drift.analyses.running.unplaced_routes import told_alike
from drift.analyses.running.view_set_names import ACTIONS
from drift.analyses.running.views import MEMBERS, VERBS, ViewFamilies, through_parents
from drift.index.ids import FileId, SymbolId, file_of_symbol, is_file

if TYPE_CHECKING:
    from drift.index import IndexReader

ANY: Final = "any"
NAMING_HANDLERS: Final = frozenset({"php"})
"""Languages whose routes name what answers them and how they are named, so that no other text says it."""
_STANDING: Final = "USE"  # the word of what stands before all requests below its path
_WHOLE: Final = 0.9  # method and path are those of the route
_PART: Final = 0.4  # the path begins like that of the route and is built further
# One of both paths ends like the other: a prefix that the text does not show stands before the route, or a base
# address that the client was made with before the request.
BEHIND: Final = 0.6
# The same, where other routes say the prefix themselves, so that it is likely not a hidden one.
FAINT: Final = 0.35
_BEFORE_ALL: Final = 0.6  # it stands before all requests, if nothing before it answers
_ON_ERROR: Final = 0.25  # it runs if what stands before it fails
_MOST_BEFORE: Final = 3  # parts of such a prefix
PAGE: Final = "PAGE"
"""The word of a page that a router in the browser shows, and of what opens pages: any that is asked for with GET, too."""
_HASHED: Final = ("#/", "/#/")
_SHOWING: Final = "GET"
_OF_BROWSER: Final = frozenset({PAGE})
_ORIGIN: Final = re.compile(
    r"https?://(?:[^/@]{0,100}@)?(?P<host>\[[^\]/]{0,60}\]|[^/:?#]{1,255})(?::[^/?#]{0,60})?"
)
_MOST_ENTRIES: Final = 100_000

_OF_ERRORS: Final = 4  # parameters of what Express runs for an error alone
_DETAIL: Final = re.compile(r"\bdetail\s*=\s*True|^detail_route")
_URL_PATH: Final = re.compile(r"""\burl_path\s*=\s*["']([^"']{1,200})["']""")
_METHOD: Final = re.compile(r"""["'](get|post|put|patch|delete|head|options|GET|POST|PUT|PATCH|DELETE)["']""")

_OPTIONAL: Final = re.compile(r"/(?:\{[^{}/]{1,100}\?\}|:\w{1,100}\?)\Z")
# What ASP.NET takes where a path says no action and no controller.
_INDEX: Final = "/Index"
_HOME: Final = ("home",)
_MOST_SITES: Final = 2  # a server's path and that of a servlet in it


class Route(NamedTuple):
    """A handler, the methods it answers to (None: any), and its path."""

    handler: SymbolId
    methods: frozenset[str] | None
    parts: RouteParts

    def answers(self, asked: Collection[str]) -> bool:
        """Whether a request with one of these methods comes to it."""
        if self.is_page:
            return PAGE in asked
        is_shown = PAGE in asked and self.methods is not None and _SHOWING in self.methods
        return self.methods is None or is_shown or ANY in asked or not self.methods.isdisjoint(asked)

    @property
    def is_page(self) -> bool:
        """Whether a router in the browser shows it."""
        return self.methods == _OF_BROWSER


class Routes:
    """All routes of a project, by path and by name."""

    def __init__(self, reader: "IndexReader") -> None:
        self._by_start: dict[tuple[int, str | None], list[Route]] = defaultdict(list)
        self._by_end: dict[tuple[int, str | None], list[Route]] = defaultdict(list)
        self._by_entry: dict[SymbolId, list[Route]] = defaultdict(list)
        self._bases: Counter[RouteParts] = Counter()
        self._beginnings: set[RouteParts] = set()
        self._standing: list[Route] = []
        alike = told_alike(reader)
        for entered, route in _read(reader):
            if entered in alike:  # its path says too little, but whoever asks by its name comes to it
                self._by_entry[entered].append(route)
                continue
            if route.methods is not None and _STANDING in route.methods:
                self._standing.append(route)
                continue
            parts = route.parts
            self._by_start[len(parts), word_of(parts[0]) if parts else None].append(route)
            self._by_end[len(parts), word_of(parts[-1]) if parts else None].append(route)
            self._by_entry[entered].append(route)
            self._beginnings.update(
                route.parts[:end] for end in range(1, min(len(route.parts), _MOST_BEFORE + 1))
            )

        self._of_errors = {
            one.id
            for one in reader.symbols.many({each.handler for each in self._standing})
            if len(one.parameters) == _OF_ERRORS
        }

    def __bool__(self) -> bool:
        return bool(self._by_start)

    def fitting(self, path: str, methods: Collection[str]) -> Iterator[tuple[Route, float]]:
        """The routes that a path may lead to: whole, those with most equal parts, else those it ends or begins like."""
        parts = read_parts(path)
        whole = self._surest(parts, methods)
        plain = without_format(path)
        if plain is not None and (inside := self._surest(read_parts(plain), methods)):
            most = max((equal_parts(one.parts, parts) for one in whole), default=-1)
            if equal_parts(inside[0].parts, read_parts(plain)) > most:
                parts, whole = read_parts(plain), inside
        below = self._below_open(parts, methods)
        if below and words_alike(below[0].parts[1:], parts) > max(
            (words_alike(one.parts, parts) for one in whole), default=0
        ):
            whole = below
        if whole:
            # Of what stands in the place of a part that is filled in, any of several words may be meant.
            meant = len({one.parts for one in whole}) if None in parts else 1
            yield from ((one, _WHOLE / meant) for one in whole)
            return
        behind = self._behind(parts, methods)
        if behind:
            # The path of another route, which answers to another method, is no path of one that ends like it.
            said = max((words_alike(one.parts, parts) for one in self._surest(parts, (ANY,))), default=0)
            yield from ((one, self._fit_behind(one, parts)) for one in behind if len(one.parts) >= said)
            return
        if path.endswith("/") and parts:
            for one in self._alike(parts, len(parts) + 1):
                if one.parts[-1] is None and fits(one.parts[:-1], parts):
                    yield one, _PART

    def shown_at(self, path: str) -> list[tuple[Route, float]]:
        """The pages that may be shown where an address has to fit an expression: of this path, else those that end like it."""
        parts = read_parts(path)
        whole = self._surest(parts, (PAGE,))
        # Whatever stands before is left out of many expressions, an identifier among it.
        found = whole or [
            one
            for (size, last), some in self._by_end.items()
            if parts and size > len(parts) and last in {parts[-1], None}
            for one in some
            if one.answers((PAGE,)) and ends_in(one.parts[size - len(parts) :], parts)
        ]
        most = max((equal_parts(one.parts[len(one.parts) - len(parts) :], parts) for one in found), default=0)
        found = [one for one in found if equal_parts(one.parts[len(one.parts) - len(parts) :], parts) == most]
        meant = len({one.parts for one in found})
        return [(one, (_WHOLE if whole else BEHIND) / meant) for one in found]

    def standing_before(self, path: str) -> Iterator[tuple[Route, float]]:
        """What stands before all requests below a part of this path, such as a function that is given to `app.use`."""
        parts = read_parts(path)
        for one in self._standing:
            if len(one.parts) <= len(parts) and fits(one.parts, parts[: len(one.parts)]):
                yield one, _ON_ERROR if one.handler in self._of_errors else _BEFORE_ALL

    def ending_in(self, path: str, methods: Collection[str]) -> Iterator[tuple[Route, RouteParts]]:
        """The routes that end like a path, each with what stands before: what its application is mounted under."""
        parts = read_parts(path)
        for one in self._ending(parts):
            if one.answers(methods):
                yield one, one.parts[: len(one.parts) - len(parts)]

    def has_whole(self, path: str) -> bool:
        """Whether a route has this very path, apart from parts that any text fits, and more of it than those."""
        parts = read_parts(path)
        return any(equal_parts(one.parts, parts) for one in self._surest(parts, (ANY,)))

    def has_words(self, path: str, words: Collection[str]) -> bool:
        """Whether a route that this path leads to has each of these words as a part of its own."""
        plain = {each.lower().replace("-", "") for each in words}
        return any(plain <= set(one.parts) for one, _ in self.fitting(path, (ANY,)))

    def of(self, handler: SymbolId) -> list[Route]:
        """The routes that are entered through a function or a class."""
        return self._by_entry.get(handler, [])

    def at(self, path: str) -> list[Route]:
        """The routes of a path, which may be mounted behind a prefix that it does not show."""
        parts = read_parts(path)
        return self._surest(parts, (ANY,)) or self._ending(parts)

    def _surest(self, parts: Parts, methods: Collection[str]) -> list[Route]:
        asked = [
            one for one in self._alike(parts, len(parts)) if one.answers(methods) and fits(one.parts, parts)
        ]
        # What a browser opens is a page before it is what a server answers at the same path.
        asked = [one for one in asked if one.is_page] or asked
        most = max((equal_parts(one.parts, parts) for one in asked), default=0)
        return [one for one in asked if equal_parts(one.parts, parts) == most]

    def _below_open(self, parts: Parts, methods: Collection[str]) -> list[Route]:
        """The routes of a path behind what a variable puts before them all, which may be nothing: path(prefix, include(…))."""
        asked = [
            one
            for one in self._by_start.get((len(parts) + 1, None), ())
            if one.answers(methods) and fits(one.parts[1:], parts) and words_alike(one.parts[1:], parts)
        ]
        most = max((equal_parts(one.parts[1:], parts) for one in asked), default=0)
        return [one for one in asked if equal_parts(one.parts[1:], parts) == most]

    def _behind(self, parts: Parts, methods: Collection[str]) -> list[Route]:
        """The routes whose path the asked one ends like, else those that end like it behind the base of the client."""
        for start in range(1, min(len(parts), _MOST_BEFORE + 1)):
            rest = parts[start:]
            found = [one for one in self._surest(rest, methods) if ends_in(one.parts, rest)]
            if found:
                return found
        asked = [one for one in self._ending(parts) if one.answers(methods)]
        bases = {one.parts[: -len(parts)] for one in asked}
        base = max(bases, key=lambda one: (self._bases[one], -len(one)), default=())
        under = [one for one in asked if one.parts[: -len(parts)] == base]
        most = max((equal_parts(one.parts[len(base) :], parts) for one in under), default=0)
        return [one for one in under if equal_parts(one.parts[len(base) :], parts) == most]

    def _fit_behind(self, route: Route, parts: Parts) -> float:
        before = parts[: len(parts) - len(route.parts)] if len(route.parts) < len(parts) else ()
        return FAINT if before in self._beginnings else BEHIND

    def learn_bases(self, paths: Iterable[str]) -> None:
        """Note what stands before most of the paths that are asked for with an end alone: the base of their client."""
        for parts in {read_parts(path) for path in paths}:
            if not self._surest(parts, (ANY,)):
                self._bases.update({one.parts[: -len(parts)] for one in self._ending(parts)})

    def _ending(self, parts: Parts) -> list[Route]:
        """The routes that end like a path, behind a few words."""
        ends = {parts[-1], None} if parts and parts[-1] is not None else {None}
        return [
            one
            for before in (range(1, _MOST_BEFORE + 1) if parts else ())
            for end in ends
            for one in self._by_end.get((before + len(parts), end), ())
            if ends_in(one.parts[before:], parts) and all(map(word_of, one.parts[:before]))
        ]

    def _alike(self, parts: Parts, length: int) -> list[Route]:
        """The routes of this length that begin as the path does."""
        first = parts[0] if parts else None
        if first is None and length:
            return [one for (size, _), some in self._by_start.items() if size == length for one in some]
        found = self._by_start.get((length, first), [])
        return found if first is None else [*found, *self._by_start.get((length, None), ())]


class RoutesOfTests:
    """The routes that files of tests register for themselves, and ask for."""

    def __init__(self, reader: "IndexReader") -> None:
        self._in_files: dict[FileId, set[RouteParts]] = defaultdict(set)
        requests = reader.facts.entry_points("http", limit=_MOST_ENTRIES)
        for entry in (*requests, *reader.facts.entry_points("page", limit=_MOST_ENTRIES)):
            if entry.symbol.role == "test":
                path = entry.detail.partition(" ")[2].partition(" -> ")[0]
                self._in_files[file_of_symbol(entry.symbol.id)].add(read_route_parts(path))

    def answers(self, file: FileId, path: str) -> bool:
        """Whether a path is that of a route which the file itself registers."""
        parts = read_parts(path)
        return any(len(one) == len(parts) and fits(one, parts) for one in self._in_files.get(file, ()))


def path_in(text: str, own_hosts: re.Pattern[str]) -> str | None:
    """The path that a text of a test asks for; None for one that is no path, or that asks another host."""
    origin = _ORIGIN.match(text)
    if origin is not None and "{" not in origin["host"] and not own_hosts.fullmatch(origin["host"]):
        return None
    path = (text[origin.end() :] if origin is not None else text).partition("?")[0]
    if path.startswith(_HASHED):  # a router in the browser that keeps its path behind a mark: /#/login
        path = path.partition("#")[2]
    if path.startswith(("{", "${")):  # what stands before is put together elsewhere
        path = path[path.find("}") + 1 :]
    return path if path.startswith("/") else None


def _read(reader: "IndexReader") -> Iterator[tuple[SymbolId, Route]]:
    """Each route with what it is entered through: a function, or a class and in it the member that answers."""
    entries = [one for one in reader.graph.product_entries() if one.kind == "http"]
    entries += through_parents(reader, entries)
    members = {
        one.id: one.name for one in reader.symbols.many({one.member_id for one in entries if one.member_id})
    }
    actions = {one.symbol_id: one for one in reader.running.decorated(ACTIONS)}
    families = ViewFamilies(reader)
    sites = [each for one in reader.running.site_prefixes() if (each := read_route_parts(one))]
    lost = _lost(reader)
    for entry in entries:
        if (entry.symbol_id, entry.line) in lost:
            continue
        written, _, rest = entry.detail.partition(" ")
        path = rest.partition(" -> ")[0]
        if not path:
            continue
        words = frozenset(written.split(","))
        verbs = words & (VERBS | {_STANDING, PAGE}) or None
        # A router that is mounted twice has all its routes at both places.
        for parts in (one for each in path.split(", ") for one in _forms(each, sites)):
            route = Route(entry.symbol_id, verbs, parts)
            yield entry.symbol_id, route
            if entry.member_id is None or route.is_page:  # what a page runs of its class is told by `shown`
                continue
            action = actions.get(entry.member_id)
            name = members.get(entry.member_id, "")
            if action is None and name not in MEMBERS and not families.may_ask(entry.symbol_id, name):
                continue
            answering = (
                _answering(name, route) if action is None else _of_action(action.name, action.text, route)
            )
            if answering is not None:
                yield entry.symbol_id, answering._replace(handler=entry.member_id)


def _lost(reader: "IndexReader") -> set[tuple[SymbolId, int]]:
    """The routes that lead to nothing that the project shows, by where they are registered."""
    said = [
        one
        for one in reader.running.registered()
        if one.language in NAMING_HANDLERS and one.handler == one.symbol
    ]
    lines = {one.id: one.line for one in reader.symbols.many({one.symbol for one in said})}
    return {
        (one.symbol, one.line)
        for one in said
        if is_file(one.symbol) or lines.get(one.symbol, one.line) < one.line
    }


def _forms(path: str, sites: Collection[RouteParts]) -> Iterator[RouteParts]:
    """The parts of a path, also without what may be left out: `{id?}`, and words that a site begins with by itself.

    Clients that start no server know nothing of what stands before all routes of it.
    """
    parts = read_route_parts(path)
    yield parts
    bare = parts
    for _ in range(_MOST_SITES):
        bare = next((bare[len(one) :] for one in sites if bare[: len(one)] == one), bare)
    if bare != parts:
        yield bare
    if parts and parts[-1] is None and _OPTIONAL.search(path):
        yield (parts := parts[:-1])
    elif not path.endswith(_INDEX):
        return
    if path.partition("/{")[0].endswith(_INDEX):
        yield parts[:-1]
        if parts[:-1] == _HOME:
            yield ()


def _answering(member: str, route: Route) -> Route | None:
    """The route as far as a member of a view answers it; None for one that another member answers."""
    if member not in MEMBERS:
        return route
    verb, is_one = MEMBERS[member]
    if is_one is not None and is_one != (bool(route.parts) and route.parts[-1] is None):
        return None
    return route._replace(methods=frozenset({verb})) if route.answers({verb}) else None


def _of_action(name: str, text: str, route: Route) -> Route | None:
    """The route of an extra action of a view set, below those of its view."""
    if bool(route.parts) and route.parts[-1] is None:
        return None  # it is told from the route of all
    written = _URL_PATH.search(text)
    verbs = frozenset(each.upper() for each in _METHOD.findall(text)) & VERBS
    below: RouteParts = (None,) if _DETAIL.search(text) else ()
    last = read_route_parts(written[1] if written else name)
    return route._replace(methods=verbs or frozenset({"GET"}), parts=(*route.parts, *below, *last))
