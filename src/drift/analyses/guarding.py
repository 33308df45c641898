"""Which functions and classes stand before the handlers of routes, and so run with their requests.

What is written there is looked up as the file knows it: what it imports, calls, names or has itself. A word in quotes
is the name under which a class is known elsewhere: 'signed' => CheckSignature::class.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.index.ids import FileId, SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.guard_queries import WrittenGuard

_NAME: Final = re.compile(r"[A-Za-z_]\w{1,80}+(?:\.\w{1,80}+)*+")
_QUOTED: Final = re.compile(r"'[^']*+'|\"[^\"]*+\"|`[^`]*+`")
_ALIAS: Final = re.compile(r"[\w.-]{3,80}")
_OF_ROUTER: Final = frozenset({"argument", "wrapper", "chain", "group", "router", "mount", "filter"})
"""How middleware is given; by the others dependencies, permissions and decorators are."""
_DECORATING: Final = "decorator"
_NAMES_IN_TEXTS: Final = "php"
"""A language whose middleware is named by texts, `'auth:api'`, which name no symbol, and by classes."""
_OF_CLASS: Final = "::"


class Guarding(NamedTuple):
    """A handler, and a function, class or variable that stands before it; whether as frameworks take middleware.

    `is_decorator`: it decorates the handler, and so runs when the file is imported.
    """

    handler: SymbolId
    guard: SymbolId
    is_middleware: bool
    is_decorator: bool = False


def find_guarding(reader: "IndexReader") -> tuple[Guarding, ...]:
    """All that stands before handlers and is the project's own."""
    return _guarding.get(reader, lambda: tuple(dict.fromkeys(_resolve(reader))))


_guarding: Final = PerState[tuple[Guarding, ...]]()


_Known = Mapping[str, dict[SymbolId, str]]
"""The symbols of each name that a file knows, with their paths."""


def _resolve(reader: "IndexReader") -> Iterator[Guarding]:
    written = reader.guards.written()
    files = {one.file_id for one in written if one.file_id is not None}
    known: dict[FileId, dict[str, dict[SymbolId, str]]] = defaultdict(lambda: defaultdict(dict))
    anywhere: dict[str, dict[SymbolId, str]] = defaultdict(dict)
    for file, name, symbol, path in reader.guards.known_in(files):
        known[file][name][symbol] = path
        anywhere[name][symbol] = path
    aliases: dict[str, set[SymbolId]] = defaultdict(set)
    wanted = {alias for one in written if (alias := _alias(one)) is not None}
    for name, symbol in reader.guards.aliased(wanted) if wanted else ():
        aliases[name].add(symbol)
    for one in written:
        names: _Known = known[one.file_id] if one.file_id is not None else anywhere
        found = {each for said in _said(one) for each in _meant(names, said)}
        for guard in (found | aliases.get(_alias(one) or "", set())) - {one.handler_id}:
            yield Guarding(one.handler_id, guard, one.how in _OF_ROUTER, one.how == _DECORATING)


def _meant(names: _Known, said: str) -> set[SymbolId]:
    """The symbols of a name; of several those of the package or file that is said before it."""
    before, _, name = said.rpartition(".")
    found = names.get(name, {})
    package = before.rpartition(".")[2]
    inside = {each for each, path in found.items() if package in re.split(r"[/.]", path)}
    return inside if package and inside else set(found)


def _said(one: "WrittenGuard") -> list[str]:
    """The names in what is written; of middleware the one that is given or called, not what that is given."""
    if one.language == _NAMES_IN_TEXTS and one.how in _OF_ROUTER and not _is_class(one.text):
        return []
    text = one.text.partition("(")[0] if one.how in _OF_ROUTER else _QUOTED.sub("", one.text)
    return _NAME.findall(text.replace("::class", "").replace("::", "."))


def _is_class(text: str) -> bool:
    """Whether it is more than the text of a name: `Signed::class`, `new Signed()`, `$signed`."""
    return _OF_CLASS in text or "$" in text or "(" in text or "\\" in text


def _alias(one: "WrittenGuard") -> str | None:
    """The name of a class in what is written, without what is handed to it: throttle of 'throttle:6,1'."""
    name = one.text.strip("\"'").partition(":")[0]
    return name if one.how in _OF_ROUTER and _ALIAS.fullmatch(name) else None
