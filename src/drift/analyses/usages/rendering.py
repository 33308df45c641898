"""Who makes the pages that name a symbol: functions whose texts say such a page, or one that takes it in.

What it does: goes from the pages that name a member to the pages that include or extend those, and from all of them to the
functions and classes that say their names.
Why it matters: a property that only a page reads runs for the tests that ask for the page.
Example: `{{ log.payload }}` in logs/get.html, and `render("logs/get.html")` in a handler.
Known limits: a page that a framework chooses by the name of an action is said nowhere; names that several members have, and
everyday ones, are passed over.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.analyses.usages.beside_code import find_beside_code
from drift.analyses.usages.texts import project_texts
from drift.scan.link.unique_names import is_everyday
from drift.scan.other_texts import kind_of_text

if TYPE_CHECKING:
    from drift.index import IndexReader, SymbolId, SymbolRecord

# {% include "a.html" %}, {% extends 'a' %}, @include('a.b'), <%= render "a" %>, {{ template "a" . }}, {{> a }}
_TAKEN_IN: Final = re.compile(
    r"""\b(?:include\w{0,20}|extends|import|from|embed|use|component|each|template|partial|render|layout)\b"""
    r"""[^\n"'{}<>]{0,40}["']([\w@:./-]{1,200})["']|\{\{>\s{0,3}([\w./-]{1,200})"""
)
_ENDINGS: Final = re.compile(r"(?:\.[A-Za-z]\w{1,9}){1,2}$")
_MOST_ALIKE: Final = 2  # members of one name: which of more a page means is anyone's guess
_MOST_PAGES: Final = 200
_BY_WORD: Final = ".blade.php"
_CODE: Final = frozenset({"function", "method", "constructor", "class"})

_Parts = tuple[str, ...]


def find_rendering(
    reader: "IndexReader", root: Path, symbols: Collection["SymbolRecord"]
) -> dict["SymbolId", tuple["SymbolId", ...]]:
    """Of each symbol that pages name the functions and classes that say one of these pages."""
    telling = [one for one in symbols if _is_telling(reader, one)]
    named: dict[SymbolId, set[str]] = defaultdict(set)
    for use in find_beside_code(reader, root, telling) if telling else ():
        if use.kind == "template":
            named[use.symbol.id].add(use.path)
    for place in reader.callers.places([one.id for one in symbols], named=None):
        if kind_of_text(place.path) == "template":  # a page whose calls are linked
            named[place.callee_id].add(place.path)
    if not named:
        return {}
    pages = _Pages(reader, root)
    return {symbol: found for symbol, paths in named.items() if (found := tuple(pages.makers(reader, paths)))}


def _is_telling(reader: "IndexReader", symbol: "SymbolRecord") -> bool:
    if symbol.kind not in {"method", "property", "function"} or is_everyday(symbol.name):
        return False
    alike = [one for one in reader.symbols.named(symbol.name) if one.kind in {"method", "property", "field"}]
    return len(alike) <= _MOST_ALIKE


class _Pages:
    """The pages of a project, and which of them take in which."""

    def __init__(self, reader: "IndexReader", root: Path) -> None:
        texts = project_texts(reader, root)
        texts.keep(lambda one: kind_of_text(one.path) == "template" and one.role not in {"vendored", "test"})
        self._by_name: dict[str, list[tuple[_Parts, str]]] = defaultdict(list)
        for path in texts.paths():
            parts = _parts(path)
            self._by_name[parts[-1]].append((parts, path))
        self._taking: dict[str, set[str]] = defaultdict(set)
        for text in texts:
            for found in _TAKEN_IN.finditer(text.content.decode("utf-8", "replace")):
                for taken in self.meant(found[1] or found[2]):
                    self._taking[taken].add(text.path)

    def meant(self, said: str) -> list[str]:
        """The pages that a text may name: those whose path ends so."""
        parts = _said_parts(said)
        alike = self._by_name.get(parts[-1], ()) if parts else ()
        found = [path for known, path in alike if known[-len(parts) :] == parts]
        return found if len(parts) > 1 or len(found) == 1 else []

    def makers(self, reader: "IndexReader", paths: Iterable[str]) -> Iterator["SymbolId"]:
        """The functions and classes whose texts say one of the pages, or one that takes it in."""
        pending = sorted(paths)
        seen = set(pending)
        while pending and len(seen) <= _MOST_PAGES:
            above = self._taking.get(pending.pop(), set()) - seen
            seen |= above
            pending += sorted(above)
        found = {
            one.symbol_id
            for path in seen
            for said in _names_of(path)
            for one in reader.facts.constants_equal_to(said)
            if path in self.meant(said)
        }
        yield from (one.id for one in reader.symbols.many(found) if one.kind in _CODE and one.role != "test")


def _parts(path: str) -> _Parts:
    return tuple(_ENDINGS.sub("", path).split("/"))


def _said_parts(said: str) -> _Parts:
    """The parts of a page as it is named: admin/show.html.twig, admin.show, mail::show."""
    text = said.rpartition("::")[2].lstrip("@./")
    if "/" not in text and "." in text and not _has_page_ending(text):
        text = text.replace(".", "/")
    return tuple(part for part in _ENDINGS.sub("", text).split("/") if part)


def _has_page_ending(text: str) -> bool:
    return kind_of_text(text) == "template"


def _names_of(path: str) -> Iterator[str]:
    """The texts that may name a page: the ends of its path, with its ending and without, and with dots.

    A word alone names a page of Blade; elsewhere it is a key of anything.
    """
    pieces = path.split("/")
    plain = _parts(path)
    for start in range(len(pieces)):
        yield "/".join(pieces[start:])
        if start < len(plain) - 1 or path.endswith(_BY_WORD):
            yield "/".join(plain[start:])
            yield ".".join(plain[start:])
