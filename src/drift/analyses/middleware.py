"""Middleware of the frameworks that middleware.toml knows: what runs around every request."""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from drift.analyses.guarding import find_guarding
from drift.analyses.prominence import is_showing
from drift.index import IndexReader
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.records import SymbolRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural

_NO_LANGUAGE: Final = "no framework of the project's languages is known"


@dataclass(frozen=True, slots=True)
class MiddlewareRow:
    """Something that runs around requests. `reason` is what gave it away, `uses` calls and other uses of it."""

    name: str
    role: str
    framework: str
    file: str
    line: int
    uses: int
    reason: str


_TYPE_WORD: Final = re.compile(r"[\w.]+")


class _Sign(NamedTuple):
    """What was found and by which sign."""

    symbol: SymbolId
    role: str
    framework: str
    reason: str


def find_middleware(reader: IndexReader) -> tuple[MiddlewareRow, ...]:
    """All middleware outside tests, product before examples; of several signs the first counts."""
    rows = [_row(reader, one, sign) for one, sign in _found(reader)]
    return tuple(sorted(rows, key=middleware_key))


def find_middleware_symbols(reader: IndexReader) -> tuple[tuple[SymbolRecord, str], ...]:
    """All middleware outside tests, each with the word the framework has for it."""
    return tuple((one, sign.role) for one, sign in _found(reader))


def _found(reader: IndexReader) -> list[tuple[SymbolRecord, _Sign]]:
    signs: dict[SymbolId, _Sign] = {}
    languages = reader.listings.languages()
    for sign in (
        *_by_parent(reader, languages),
        *_by_namespace(reader, languages),
        *_by_result(reader, languages),
        *_by_own_type(reader, languages),
        *_by_parameters(reader, languages),
        *_by_method(reader, languages),
        *_by_framework(reader),
        *_by_place(reader),
    ):
        signs.setdefault(sign.symbol, sign)
    return [
        (one, signs[one.id])
        for one in reader.symbols.many(sorted(signs))
        # What a function hands out is told with the function.
        if one.role != "test" and one.parent_id not in signs
    ]


def middleware_warnings(reader: IndexReader, symbols: Collection[SymbolRecord]) -> tuple[str, ...]:
    """That requests run a symbol, or what it stands in, without a call: which of them do is told by no link."""
    parents = {one.parent_id for one in symbols if one.parent_id is not None}
    around = {(one.path, one.line) for one in (*symbols, *reader.symbols.many(parents))}
    return tuple(
        f"{row.name} is {row.role} of {row.framework}: every request that it stands before runs it, and so do "
        "tests that send one, of which those are told whose route is known"
        for row in find_middleware(reader)
        if (row.file, row.line) in around
    )


def middleware_key(row: MiddlewareRow) -> tuple[bool, str, int, str]:
    """Where it stands in the list: that of the product before that of examples, then by place."""
    return is_showing(row.file), row.file, row.line, row.name


class Frameworks(NamedTuple):
    """The frameworks whose middleware is known for the languages of a project, and those of them it imports."""

    known: tuple[str, ...]
    imported: tuple[str, ...]


def find_frameworks(reader: IndexReader) -> Frameworks:
    """Which frameworks' middleware can be told in the project at all."""
    languages = frozenset(reader.listings.languages())
    known = sorted(
        {
            table["framework"]
            for kind in _KINDS
            for table in _signs()[kind]
            if not languages.isdisjoint(table.get("languages", [table.get("language")]))
        }
    )
    imported = tuple(reader.facts.external_packages())
    beginnings = _signs()["packages"]
    return Frameworks(tuple(known), tuple(name for name in known if _is_imported(beginnings[name], imported)))


def _is_imported(beginnings: Collection[str], packages: Collection[str]) -> bool:
    """Whether one of the packages is, or lies in, one that begins like this."""
    return any(
        package == beginning
        or (
            package.startswith(beginning)
            and (not beginning[-1].isalnum() or not package[len(beginning)].isalnum())
        )
        for beginning in beginnings
        for package in packages
    )


def known_frameworks() -> tuple[str, ...]:
    """The names of all frameworks whose middleware is known."""
    return tuple(sorted(_signs()["packages"], key=str.lower))


_MOST_TYPES: Final = 5_000  # of a project that are looked at
_MAKING: Final = frozenset({"function", "method"})
_KINDS: Final = ("parents", "parameters", "returns", "methods", "decorators", "handed", "files")


@cache
def _signs() -> dict[str, Any]:
    return tomllib.loads(files("drift.analyses").joinpath("middleware.toml").read_text("utf-8"))


def _by_parent(reader: IndexReader, languages: Collection[str]) -> Iterator[_Sign]:
    known = {
        name: (role, table["framework"])
        for table in _signs()["parents"]
        if table["language"] in languages
        for name, role in table["names"].items()
    }
    texts = {text: name for text in reader.listings.base_texts() if (name := _last(text)) in known}
    packages = _signs()["packages"]
    for symbol, text, outside in reader.listings.based_on(texts):
        role, framework = known[texts[text]]
        # Frameworks share names: a pipe of Angular is none of Nest's.
        if outside is not None and "/" in outside and not _is_imported(packages[framework], (outside,)):
            continue
        yield _Sign(symbol, role, framework, f"descends from {texts[text]}")


def _by_namespace(reader: IndexReader, languages: Collection[str]) -> Iterator[_Sign]:
    for table in _signs()["namespaces"]:
        for symbol, _, outside in reader.running.parents() if table["language"] in languages else ():
            if outside is not None and table["text"] in outside:
                yield _Sign(symbol, table["role"], table["framework"], f"descends from {_last(outside)}")


def _last(text: str) -> str:
    """The last part of a parent's name as written, without what it is made of."""
    bare = text.partition("<")[0].partition("[")[0]
    return bare.replace("\\", ".").rpartition(".")[2].strip()


def _by_parameters(reader: IndexReader, languages: Collection[str]) -> Iterator[_Sign]:
    imported = tuple(reader.facts.external_packages())
    # What a route leads to stands before nothing, though it takes `next` to hand errors on.
    answering = {one.symbol_id for one in reader.graph.product_entries() if one.kind == "http"}
    for table in _signs()["parameters"]:
        wanted = [language for language in table["languages"] if language in languages]
        if table.get("imported") and not _is_imported(_signs()["packages"][table["framework"]], imported):
            continue
        taking = reader.listings.functions_taking(wanted, table["names"]) if wanted else ()
        for symbol in (one for one in taking if one not in answering):
            yield _Sign(symbol, table["role"], table["framework"], f"takes ({', '.join(table['names'])})")


def _by_result(reader: IndexReader, languages: Collection[str]) -> Iterator[_Sign]:
    for table in _signs()["returns"]:
        for text in table["texts"] if table["language"] in languages else ():
            found = reader.listings.functions_returning(table["language"], text)
            taking = table.get("taking")
            reason = f"takes {taking} and returns {text}" if taking else f"returns {text}"
            for symbol in _wrapping(reader, found, taking) if taking else found:
                yield _Sign(symbol, table["role"], table["framework"], reason)


def _by_own_type(reader: IndexReader, languages: Collection[str]) -> Iterator[_Sign]:
    """What gives a type of the project that wraps the handlers of requests; other handlers may be of jobs."""
    for table in _signs()["wrappers"]:
        if table["language"] not in languages:
            continue
        for kind in reader.symbols.of_kind("type", limit=_MOST_TYPES):
            named = re.match(table["type"], kind.signature) if kind.language == table["language"] else None
            if named is None or not _serves(reader, kind, table["framework"]):
                continue
            for path in (f"{kind.path.split('/')[-2]}.{named[1]}" if "/" in kind.path else "", named[1]):
                for symbol in reader.listings.functions_returning(table["language"], path) if path else ():
                    yield _Sign(symbol, table["role"], table["framework"], f"returns {path}")


def _serves(reader: IndexReader, kind: SymbolRecord, framework: str) -> bool:
    """Whether the file of a type imports a framework for requests."""
    packages = tuple(one.external_package or "" for one in reader.facts.imports_of(file_of_symbol(kind.id)))
    return _is_imported(_signs()["packages"][framework], packages)


def _wrapping(reader: IndexReader, functions: Iterable[SymbolId], kind: str) -> set[SymbolId]:
    """Those of the functions whose first parameter is of this type, by the function that hands each out."""
    known = reader.symbols.many(functions)
    wrapping = [one for one in known if any(each.type_text == kind for each in one.parameters[:1])]
    parents = {one.parent_id for one in wrapping if one.parent_id is not None}
    makers = {one.id for one in reader.symbols.many(parents) if one.kind in _MAKING and _hands_out(one, kind)}
    return {one.parent_id if one.parent_id in makers else one.id for one in wrapping}


def _hands_out(maker: SymbolRecord, kind: str) -> bool:
    """Whether a function gives something other than a handler: what it uses itself it does not hand out."""
    return bool(set(_TYPE_WORD.findall(maker.return_text or "")) - {kind, "error"})


def _by_method(reader: IndexReader, languages: Collection[str]) -> Iterator[_Sign]:
    for table in _signs()["methods"]:
        if table["language"] not in languages:
            continue
        name, parameter, made_with = table["name"], table["parameter"], table.get("made_with")
        holders = reader.listings.holders_of_method(table["language"], name, parameter)
        reason = f"{name} takes {parameter}"
        if made_with is not None:
            constructor = table.get("constructor", "__init__")
            made = frozenset(reader.listings.holders_of_method(table["language"], constructor, made_with))
            holders = [one for one in holders if one in made]
            reason += f", {constructor} takes {made_with}"
        for holder in holders:
            yield _Sign(holder, table["role"], table["framework"], reason)


def _by_framework(reader: IndexReader) -> Iterator[_Sign]:
    """What is decorated, handed over or put into a file as a framework that the project imports wants it."""
    imported = frozenset(find_frameworks(reader).imported)
    signs, listings = _signs(), reader.listings
    for table in signs["decorators"] if imported else ():
        for name, role in table["names"].items() if table["framework"] in imported else ():
            for symbol in listings.decorated(name):
                yield _Sign(symbol, role, table["framework"], f"decorated with {name}")
    for table in signs["handed"] if imported else ():
        for ending in table["calls"] if table["framework"] in imported else ():
            for symbol in listings.callbacks_of(ending):
                yield _Sign(symbol, table["role"], table["framework"], f"handed to {ending.lstrip('.')}")
    for table in signs["files"] if imported else ():
        for file in table["files"] if table["framework"] in imported else ():
            for symbol in listings.at_top_of(file, table["names"]):
                yield _Sign(symbol, table["role"], table["framework"], f"stands in {file}")


def _by_place(reader: IndexReader) -> Iterator[_Sign]:
    """What is handed to routers and routes to stand before handlers, whatever it looks like."""
    placed = {one.guard for one in find_guarding(reader) if one.is_middleware}
    imported = find_frameworks(reader).imported if placed else ()
    for one in reader.symbols.many(sorted(placed)):
        framework = next((name for name in imported if one.language in _languages()[name]), None)
        if framework is not None and one.kind != "method":
            yield _Sign(one.id, "middleware", framework, "stands before routes")


@cache
def _languages() -> Mapping[str, frozenset[str]]:
    """The languages of each framework."""
    found: dict[str, set[str]] = {}
    for table in (table for kind in _KINDS for table in _signs()[kind]):
        found.setdefault(table["framework"], set()).update(table.get("languages", [table.get("language")]))
    return {name: frozenset(languages) for name, languages in found.items()}


def _row(reader: IndexReader, one: SymbolRecord, sign: _Sign) -> MiddlewareRow:
    uses = reader.listings.caller_counts(one.id).calls + len(reader.facts.references_to(one.id))
    return MiddlewareRow(one.qualname, sign.role, sign.framework, one.path, one.line, uses, sign.reason)


@dataclass(frozen=True, slots=True)
class MiddlewareData:
    """Middleware by place, and how much there is of each role; null where no known framework is used, with the reason."""

    middleware: tuple[MiddlewareRow, ...] | None
    roles: dict[str, int] | None
    reason: str | None = None


def require_known(framework: str | None) -> None:
    names = known_frameworks()
    if framework is not None and framework.lower() not in {name.lower() for name in names}:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"framework: got {framework!r}; known are {', '.join(names)}",
            Recovery(details={"argument": "framework"}),
        )


def other_frameworks(framework: str | None, every: tuple[MiddlewareRow, ...]) -> tuple[str, ...]:
    known = ", ".join(sorted({row.framework for row in every}))
    return (f"there is middleware of {known}, none of {framework}",) if framework is not None else ()


MIDDLEWARE_SORTS: Final[Mapping[str, Sort[MiddlewareRow]]] = {
    "file": Sort(middleware_key),
    "name": Sort(lambda row: (row.name,)),
    "uses": Sort(lambda row: (-row.uses,), "desc"),
}


class MiddlewareList(NamedTuple):
    """The middleware that is asked for, as an answer tells it; None where whether there is any is not known."""

    rows: tuple[MiddlewareRow, ...] | None
    summary: str
    warnings: tuple[str, ...] = ()
    reason: str | None = None
    is_listed: bool = True
    """Whether there is any in the project, of which some may be asked for."""

    def ranked(self) -> Ranked[MiddlewareRow]:
        return Ranked(self.rows or (), MIDDLEWARE_SORTS)

    def data(self, shown: tuple[MiddlewareRow, ...]) -> MiddlewareData:
        if self.rows is None:
            return MiddlewareData(None, None, self.reason)
        return MiddlewareData(shown, dict(Counter(row.role for row in self.rows).most_common()))


def list_middleware(reader: IndexReader, *, framework: str | None, search: str | None) -> MiddlewareList:
    """Middleware of a framework, with a text in its name or path."""
    require_known(framework)
    every = find_middleware(reader)
    if not every:
        return _none_found(find_frameworks(reader))
    words = (search or "").lower()
    found = tuple(
        row
        for row in every
        if (framework is None or row.framework.lower() == framework.lower())
        and words in f"{row.name} {row.file}".lower()
    )
    files = plural(len({row.file for row in found}), "file")
    others = other_frameworks(framework, every) if not found else ()
    return MiddlewareList(found, f"{plural(len(found), 'piece')} of middleware in {files}", others)


def _none_found(frameworks: Frameworks) -> MiddlewareList:
    """That there is none, as far as it can be told, or that it cannot."""
    looked = f"looked for: middleware of {', '.join(frameworks.known)}" if frameworks.known else _NO_LANGUAGE
    if frameworks.imported:
        summary = f"No middleware in the forms that are known of {', '.join(frameworks.imported)}"
        return MiddlewareList(
            (), summary, (f"{looked}; written in another way it is not seen",), is_listed=False
        )
    return MiddlewareList(
        None,
        "Whether there is middleware is not known: no framework was recognised",
        reason=f"the project imports no framework whose middleware is known; {looked}",
        is_listed=False,
    )
