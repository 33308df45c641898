"""Where frameworks end errors: handlers that are told to them, and errors that they answer by themselves."""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.analyses.error_handling.hierarchy import family_name, last_name
from drift.analyses.error_handling.scopes import Scopes
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.analyses.error_handling.hierarchy import Hierarchy
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

_ARGUMENTS: Final = re.compile(r"\(([^()]{0,500})")
_TYPE: Final = re.compile(r"[A-Za-z_\\][\w.\\:]{0,200}")
_GENERIC: Final = re.compile(r"<\s{0,9}([\w.]{1,200})")
_NO_TYPES: Final = frozenset({"value", "class", "typeof", "new"})
_CALLABLE: Final = frozenset({"function", "method", "constructor"})


class Boundary(NamedTuple):
    """Code that answers for errors of these types (none: of all) at the entry points around it."""

    kind: str
    language: str
    types: tuple[str, ...]
    symbol: SymbolId
    name: str
    file: str
    line: int
    within: SymbolId | None = None  # of this class alone


class Answered(NamedTuple):
    """Errors that a framework answers by itself."""

    framework: str
    language: str
    entries: frozenset[str]
    types: tuple[str, ...]


class Boundaries:
    """The boundaries of a project."""

    def __init__(self, reader: "IndexReader", hierarchy: "Hierarchy", scopes: Scopes) -> None:
        packages = tuple(reader.facts.external_packages())
        self._hierarchy = hierarchy
        self._scopes = scopes
        self.found = tuple(dict.fromkeys(_find(reader, packages)))
        self.answered = tuple(
            Answered(
                row["framework"],
                row["language"],
                frozenset(row["entries"]),
                (*row["types"], *_marked(reader, row.get("marked", ()))),
            )
            for row in rules()["answered"]
            if _is_imported(row["packages"], packages)
        )

    def ending(
        self, language: str, thrown: str, entry: "SymbolRecord", *, kind: str
    ) -> Boundary | str | None:
        """What ends an error at an entry point: a boundary of the project, or the framework of this name."""
        for one in self.found:
            if one.language != language or not self._hierarchy.catches(language, one.types, thrown):
                continue
            if one.within is not None and entry.parent_id != one.within:
                continue
            if self._scopes.covers(one.file, entry.path):
                return one
        for row in self.answered:
            is_asked = row.language == language and kind in row.entries
            if is_asked and self._hierarchy.catches(language, row.types, thrown):
                return row.framework
        return None


def _find(reader: "IndexReader", packages: Collection[str]) -> Iterator[Boundary]:
    languages = {family_name(each) for each in reader.listings.languages()}
    for row in rules()["boundaries"]:
        if row["language"] not in languages:
            continue
        if "packages" in row and not _is_imported(row["packages"], packages):
            continue
        for symbol, types, within in _places(reader, row):
            # What a callback is given to is the place; tests show how an application is tested.
            if symbol.role != "test" and family_name(symbol.language or "") == row["language"]:
                name = symbol.qualname if symbol.kind != "module" else "(file)"
                yield Boundary(
                    row["kind"], row["language"], types, symbol.id, name, symbol.path, symbol.line, within
                )


_Place = tuple["SymbolRecord", tuple[str, ...], SymbolId | None]


def _places(reader: "IndexReader", row: Mapping[str, Any]) -> Iterator[_Place]:
    yield from _by_event(reader, row.get("events", ()))
    yield from _by_decorator(reader, row.get("decorators", ()), row.get("local_unless", ()))
    yield from _by_parent(reader, row.get("parents", ()), row.get("typed_by"))
    yield from _by_call(reader, row.get("calls", ()))
    if "first" in row:
        yield from _by_parameters(reader, row["first"], row["count"])
    for name in row.get("methods", ()):
        yield from ((one, (), None) for one in reader.symbols.named(name) if one.kind in _CALLABLE)
    if "keys" in row:
        holders = reader.errors.keyed(row["keys"])
        yield from ((one, (), None) for one in reader.symbols.many(holders))


def _by_event(reader: "IndexReader", beginnings: Iterable[str]) -> Iterator[_Place]:
    for beginning in beginnings:
        for entry in reader.facts.entry_points("event", limit=10_000):
            if entry.detail.startswith(beginning):
                yield entry.symbol, _of_status(entry.detail.removeprefix(beginning)), None


def _of_status(written: str) -> tuple[str, ...]:
    """The types of a handler that may be given a number: 500 stands for whatever nothing else caught."""
    text = written.strip()
    if text.isdigit():
        return () if text == "500" else ("HTTPException",)
    return (text,) if _TYPE.fullmatch(text) else ()


def _by_decorator(
    reader: "IndexReader", names: Iterable[str], local_unless: Collection[str]
) -> Iterator[_Place]:
    wanted = set(names)
    written = (
        [name for name in reader.running.decorator_names() if last_name(name) in wanted] if wanted else []
    )
    marked = reader.running.decorated(written) if written else []
    symbols = {one.id: one for one in reader.symbols.many({one.symbol_id for one in marked})}
    for one in marked:
        symbol = symbols[one.symbol_id]
        types = named_types(one.text) or tuple(
            each.type_text for each in symbol.parameters if each.type_text and _ends_as_error(each.type_text)
        )
        yield symbol, types, _local(reader, symbol, local_unless)


def _local(reader: "IndexReader", symbol: "SymbolRecord", unless: Collection[str]) -> SymbolId | None:
    if not unless or symbol.parent_id is None:
        return None
    around = {last_name(each.name) for each in reader.symbols.decorators(symbol.parent_id)}
    return None if around & set(unless) else symbol.parent_id


def _ends_as_error(written: str) -> bool:
    return last_name(written).endswith(("Exception", "Error", "Throwable"))


def _by_parent(reader: "IndexReader", names: Iterable[str], typed_by: str | None) -> Iterator[_Place]:
    wanted = set(names)
    texts = [each for each in reader.listings.base_texts() if last_name(each) in wanted] if wanted else []
    based = reader.listings.based_on(texts) if texts else []
    symbols = {one.id: one for one in reader.symbols.many({symbol for symbol, _, _ in based})}
    for symbol, text, _outside in based:
        one = symbols[symbol]
        said = [each for each in reader.symbols.decorators(symbol) if last_name(each.name) == typed_by]
        types = named_types(said[0].text) if said else tuple(_GENERIC.findall(text)[:1])
        # An `impl` says by its own name which errors it is for.
        yield one, (one.name,) if "impl" in one.modifiers else types, None


def _by_call(reader: "IndexReader", endings: Iterable[str]) -> Iterator[_Place]:
    calls = [
        call
        for ending in endings
        for call in reader.errors.calls_ending(ending)
        if call.text == ending or not ending[0].isalnum() or not call.text.removesuffix(ending)[-1:].isalnum()
    ]
    symbols = {one.id: one for one in reader.symbols.many({each.caller for each in calls})}
    for each in calls:
        yield symbols[each.caller]._replace(line=each.line), (), None


def _by_parameters(reader: "IndexReader", first: str, count: int) -> Iterator[_Place]:
    pattern = re.compile(first)
    for one in reader.symbols.many(reader.errors.taking(count)):
        if pattern.fullmatch(one.parameters[0].name):
            yield one, (), None


def _marked(reader: "IndexReader", names: Iterable[str]) -> Iterator[str]:
    """The names of the types that are decorated so."""
    for name in names:
        yield from (one.name for one in reader.symbols.decorated_with(name) if one.kind == "class")


def named_types(text: str) -> tuple[str, ...]:
    """The types that a decorator is given."""
    found = _ARGUMENTS.search(text)
    names = _TYPE.findall(found[1]) if found else ()
    return tuple(name.removesuffix(".class") for name in names if name not in _NO_TYPES)


def _is_imported(beginnings: Iterable[str], packages: Collection[str]) -> bool:
    return any(package == each or package.startswith(each) for each in beginnings for package in packages)


@cache
def rules() -> dict[str, Any]:
    """What boundaries.toml says."""
    folder = files("drift.analyses.error_handling")
    return tomllib.loads(folder.joinpath("boundaries.toml").read_text("utf-8"))
