"""Rows of the framework files: how code is handed to a framework, and how that is shown.

A file has three lists of rows, by what gives the code away, and lists of words:

- `decorators`: a decorator, annotation or attribute at a function, method or class;
- `calls`: a call that is given a handler, such as `app.get("/users", show)`;
- `methods`: methods of classes with a certain base, which a framework calls by their names;
- `mounts`: a call that gives a router a prefix, where it is made or where it is mounted;
- `words`: names that the reading of the language asks for, such as the variables that hold routers.

In `names` and `word`, `{verb}`, `{Verb}` and `{VERB}` stand for every usual method of HTTP.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, NamedTuple, get_args

# TRACE and CONNECT are left out: logs and clients have methods of these names. Rows that want them say so.
METHODS_OF_HTTP: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
EVERY_METHOD_OF_HTTP: Final = frozenset({*METHODS_OF_HTTP, "TRACE", "CONNECT"})
ANY_METHOD: Final = "ANY"  # of a route that says none
SAID_METHOD: Final = "SAID"  # of a route whose method and path its handler says, perhaps in another file
SAID: Final = "said"  # the kind of a mount that is what a handler says of its route

# As in `index.route_rows`: what ends a prefix that is not known and that paths stand right behind, and what stands
# before a path that is never reached without a prefix.
GLUED: Final = "~"
UNKNOWN_PREFIX: Final = "/<…>"

Selector = int | str
"""An argument by its place (from the end if below zero) or by its keyword."""

Kind = Literal["http", "cli", "job", "event", "test", "main", "export"]
Shown = Literal["detail", "name", "written"]
MountKind = Literal["own", "under", "instead", "all", "application", "tree", "version"]
Need = Literal["call", "no arguments", "path", "receiver", "request", "text"]


class Rule(NamedTuple):
    """One way to hand code to a framework."""

    kind: str  # of the entry point that the code becomes
    word: str = ""  # stands before the detail; of a route its method
    detail: tuple[Selector, ...] = ()  # the argument that says for what: a path, a title, a schedule
    methods: tuple[Selector, ...] = ()  # of a route: the argument that lists its methods
    default: str = ""  # of a route: its method where none is listed; empty for any
    handler: Selector = 0  # of a call: the argument that is the code
    shown: str = (
        "detail"  # as detail: what `detail` selects, the rule's own name, or all arguments as written
    )
    expands: tuple[
        str, ...
    ] = ()  # of a route that stands for several: the methods of each, and the end of its path
    fallback: str = ""  # "symbol": where nothing is selected, the name of the decorated code is shown
    receivers: frozenset[str] = frozenset()  # what may stand before the dot; empty for anything
    packages: tuple[str, ...] = ()  # one of these must be imported
    # of a call, where no import tells: what the names of the class that made the receiver, and of the code, end in
    makers: tuple[str, ...] = ()
    is_below: bool = False  # of a route: its path stands below one that is said where the code is not
    endings: tuple[str, ...] = ()
    owners: frozenset[str] = frozenset()  # the class around must have a decorator of one of these names
    needs: frozenset[str] = frozenset()  # what else must hold
    is_test: bool = False  # marks the code as a test, rather than as something a test framework also runs


class MountRule(NamedTuple):
    """One way to give the routes of a router a prefix."""

    # own: the call makes the router; under: it mounts it; instead: likewise, and its own prefix is void; all: it
    # puts the prefix before the routes of all controllers of the application; application: it makes that; tree: it
    # is given rows with the paths of classes and of those below them; version: it puts versions before routes
    kind: str
    prefix: tuple[Selector, ...]
    router: tuple[Selector, ...] = ()  # the argument that is mounted
    default: str = ""  # the prefix where none is given
    named: tuple[
        Selector, ...
    ] = ()  # the argument whose text is the prefix where none is given: `Namespace("users")`
    into: tuple[Selector, ...] = ()  # the argument that the router is mounted into: `Api(blueprint)`
    # the argument with the router whose own prefix stands before this one's: `NestedSimpleRouter(router, "shops")`
    below: tuple[Selector, ...] = ()
    # the argument that names the parameter behind the prefix, `{shop_pk}`, and what is put behind that name
    parameter: tuple[Selector, ...] = ()
    key: str = ""
    through: frozenset[str] = (
        frozenset()
    )  # the router stands in a call of one of these: `include("shop.urls")`
    members: frozenset[str] = (
        frozenset()
    )  # what may stand behind the router: `router.urls`, `router.routes()`
    is_glued: bool = False  # paths stand right behind the prefix, without a slash between


Rules = Mapping[str, tuple[Rule, ...]]


@dataclass(frozen=True, slots=True)
class Frameworks:
    """The file of one language."""

    decorators: Rules
    calls: Rules
    methods: Mapping[str, Rules]  # by base, then by method
    mounts: Mapping[str, MountRule]
    words: Mapping[str, Any]

    def names(self, *path: str) -> frozenset[str]:
        """A list of words as a set."""
        return frozenset(self.texts(*path))

    def texts(self, *path: str) -> tuple[str, ...]:
        """A list of words in its order."""
        found: Any = self.words
        for name in path:
            found = found[name]
        return tuple(found)

    def mapping(self, *path: str) -> dict[str, str]:
        """A table of words."""
        found: Any = self.words
        for name in path:
            found = found[name]
        return dict(found)


@cache
def load_frameworks(language: str) -> Frameworks:
    """The rows of a language's file, checked when first asked for.

    Raises:
        ValueError: a row states something that no rule can state.
    """
    text = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    unknown = tables.keys() - {"decorators", "calls", "methods", "mounts", "words"}
    if unknown:
        raise ValueError(f"{language}.toml has unknown lists {sorted(unknown)}")
    by_base: dict[str, dict[str, tuple[Rule, ...]]] = {}
    for row in tables.get("methods", ()):
        for base in row["bases"]:
            _gather(
                {key: value for key, value in row.items() if key != "bases"}, by_base.setdefault(base, {})
            )
    return Frameworks(
        decorators=_by_name(tables.get("decorators", ())),
        calls=_by_name(tables.get("calls", ())),
        methods=by_base,
        mounts={name: _mount(row) for row in tables.get("mounts", ()) for name in row["names"]},
        words=tables.get("words", {}),
    )


def _by_name(rows: list[dict[str, Any]]) -> dict[str, tuple[Rule, ...]]:
    found: dict[str, tuple[Rule, ...]] = {}
    for row in rows:
        _gather(row, found)
    return found


def _gather(row: Mapping[str, Any], found: dict[str, tuple[Rule, ...]]) -> None:
    for name in row["names"]:
        for written, word in _spelled(name, row.get("word", "")):
            found[written] = (*found.get(written, ()), _rule(row, word))


def _spelled(name: str, word: str) -> Iterator[tuple[str, str]]:
    """A name and its word for each method of HTTP, if it has a place for one."""
    if "{" not in name:
        yield name, word
        return
    for method in METHODS_OF_HTTP:
        forms = {"{verb}": method.lower(), "{Verb}": method.capitalize(), "{VERB}": method}
        yield _filled(name, forms), _filled(word, forms)


def _filled(text: str, forms: Mapping[str, str]) -> str:
    for mark, form in forms.items():
        text = text.replace(mark, form)
    return text


def _rule(row: Mapping[str, Any], word: str) -> Rule:
    given = {key: value for key, value in row.items() if key != "names"} | {"word": word}
    unknown = given.keys() - set(Rule._fields)
    if unknown:
        raise ValueError(f"a row for {row['names']} states unknown things: {sorted(unknown)}")
    rule = Rule(**{key: _typed(key, value) for key, value in given.items()})
    _check(rule.kind, Kind)
    _check(rule.shown, Shown)
    for need in rule.needs:
        _check(need, Need)
    return rule


def _mount(row: Mapping[str, Any]) -> MountRule:
    given = {key: value for key, value in row.items() if key != "names"}
    unknown = given.keys() - set(MountRule._fields)
    if unknown:
        raise ValueError(f"a mount of {row['names']} states unknown things: {sorted(unknown)}")
    rule = MountRule(**{key: _typed(key, value) for key, value in given.items()})
    _check(rule.kind, MountKind)
    return rule


def _typed(key: str, value: Any) -> Any:
    """A value in the type of its field: lists are tuples or sets, a single selector is a list of one."""
    if key in {"members", "needs", "owners", "receivers", "through"}:
        return frozenset(value)
    if key in {
        "below",
        "detail",
        "endings",
        "expands",
        "into",
        "makers",
        "methods",
        "named",
        "packages",
        "parameter",
        "prefix",
        "router",
    }:
        return tuple(value) if isinstance(value, list) else (value,)
    return value


def _check(value: str, allowed: Any) -> None:
    if value not in get_args(allowed):
        raise ValueError(f"{value!r} is none of {get_args(allowed)}")
