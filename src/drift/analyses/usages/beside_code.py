"""Uses of symbols in what is no code: pages that name a member in an expression, settings that name something in full.

What it does: looks for the names of symbols in templates, and for their whole names in settings and in strings of code.
Why it matters: no link leads from there, so that a view model that only pages read would seem to have no users.
Example: `{{ .User.FullName }}` in a page of Go, `<bean class="shop.Cart">` in settings of Spring.
Known limits: a page says a name and not whose it is. Pages in strings of code are not looked at.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, Literal, NamedTuple

from drift.analyses.graph_rows import shown_name
from drift.analyses.usages.certainty import Certainty
from drift.analyses.usages.receivers import fits_receiver, is_declared_receiver, names_owner
from drift.analyses.usages.spoken import full_names, is_hidden, is_setter, names_in_full, spoken_names
from drift.analyses.usages.templates import may_name, may_run, needs_receiver, place_in_page
from drift.analyses.usages.texts import Listed, Text, project_texts
from drift.index import FileId, IndexReader, SymbolId, SymbolRecord, file_of_symbol
from drift.kernel.text import plural, shorten
from drift.languages.kinds import FUNCTION_KINDS, TYPE_KINDS
from drift.scan.link.unique_names import is_everyday, is_of_libraries
from drift.scan.other_texts import kind_of_text

BesideKind = Literal["template", "config", "string", "generated"]

_WORD: Final = re.compile(rb"(?<!\w)[^\W\d]\w*+", re.ASCII)
_STEPPED: Final = re.compile(rb"(?<=[.\\:/#$])[^\W\d]\w*+", re.ASCII)
_MARKS: Final = (b"?", b"!")  # that names end in, in Ruby
_LONGEST_SETTINGS: Final = 200_000
"""Bytes: what is longer is data, or words in another language."""
_SILENT: Final = frozenset({"module", "namespace", "constructor", "variable"})
_OF_PAGES: Final = frozenset({"method", "property", "field", "function", "constant", *TYPE_KINDS})
_MEMBERS: Final = frozenset({"method", "property", "field"})
_PAGES_OF_CODE: Final = (".blade.php", ".erb")
"""Pages whose expressions the scan links as far as it knows their objects."""
_MOST_SYMBOLS: Final = 2_000
_MOST_PLACES: Final = 2_000
_LONGEST_LINE: Final = 120
_MOST_EXAMPLES: Final = 3
_FEW_ASKED: Final = (
    3  # symbols, of which every name is looked for; of a whole file those that few others have
)
_MOST_ALIKE: Final = 4
_MOST_NAMESAKES: Final = 60
_SHORTEST: Final = 3
"""Letters of a name: of shorter ones every page is full, so that they count only behind an object named like the class."""
_LEAST: Final = 2


_SAYS: Final[Mapping[tuple[Certainty, bool], str]] = {
    ("likely", False): "named",
    ("possible", False): "perhaps named in templates, which say the name alone,",
    ("possible", True): "perhaps called by generated code, which is not read,",
}
_GENERATED: Final[BesideKind] = "generated"
_MOST_OF_GENERATED: Final = 3  # places of a name in one file


class BesideUse(NamedTuple):
    """A place outside code that names a symbol, or says it in full in a string."""

    symbol: SymbolRecord
    path: str
    role: str
    line: int
    kind: BesideKind
    certainty: Certainty
    text: str
    fits: bool = True
    """Whether the object that a page names there may be of the symbol's class, as far as names tell."""


@dataclass(frozen=True, slots=True)
class BesideRow:
    """A place outside code that names what changes: `possible` by a name that others may have, `likely` in full."""

    file: str
    line: int
    kind: BesideKind
    certainty: Certainty
    symbol: str
    text: str


def beside_row(use: BesideUse) -> BesideRow:
    return BesideRow(
        use.path, use.line, use.kind, use.certainty, shown_name(use.symbol), shorten(use.text, _LONGEST_LINE)
    )


def find_beside_code(
    reader: IndexReader, root: Path, symbols: Collection[SymbolRecord]
) -> tuple[BesideUse, ...]:
    """Where pages, settings and strings name the symbols or their members, the surest first.

    Pages that name most of the members of a type come before those that have one word in common with it.
    """
    wanted = _with_members(reader, symbols)
    if not wanted:
        return ()
    asked = {one.id for one in symbols}
    names = _Names(reader, wanted, asked)
    texts = project_texts(reader, root)
    texts.keep(_is_beside_code)
    found: list[BesideUse] = []
    shares: dict[str, int] = {}
    generated = {one.path for one in reader.files.stamps() if one.problem == _GENERATED}
    for text in texts:
        if text.path in generated:
            found += _in_generated(text, symbols)
            continue
        present = names.present_in(text)
        if not present:
            continue
        uses = list(_without_links(reader, text, _uses_in(text, present, names)))
        shares[text.path] = len({use.symbol.name for use in uses})
        found += uses
        if len(found) >= _MOST_PLACES:
            break
    found += _in_strings(reader, names)
    # A member of other objects is told where nothing better is known of what was asked for.
    fitting = {use.symbol.id for use in found if use.fits}
    found = [use for use in found if use.fits or (use.symbol.id in asked and use.symbol.id not in fitting)]
    return tuple(
        sorted(
            found, key=lambda use: (use.certainty != "likely", -shares.get(use.path, 0), use.path, use.line)
        )
    )


def beside_warnings(reader: IndexReader, root: Path, symbol: SymbolRecord) -> tuple[str, ...]:
    """That callers which are not told may stand in pages and settings."""
    return say_beside(find_beside_code(reader, root, [symbol]))


def say_beside(found: Collection[BesideUse]) -> tuple[str, ...]:
    """The places as a sentence for each certainty, with what is named there; nothing where there are none."""
    told = []
    for (certainty, is_generated), says in _SAYS.items():
        uses = [
            use for use in found if use.certainty == certainty and (use.kind == _GENERATED) == is_generated
        ]
        places = list(dict.fromkeys((use.path, use.line) for use in uses))
        if places:
            names = list(dict.fromkeys(shown_name(use.symbol) for use in uses))
            title = ", ".join(names[:_MOST_EXAMPLES]) + (", …" if len(names) > _MOST_EXAMPLES else "")
            some = ", ".join(f"{path}:{line}" for path, line in places[:_MOST_EXAMPLES])
            told.append(f"{title}: {says} in {plural(len(places), 'place')} outside the graph: {some}")
    return tuple(told)


class _Names:
    """What is looked for: words of pages, with the symbols each may mean, and names in full."""

    def __init__(
        self, reader: IndexReader, symbols: Iterable[SymbolRecord], asked: Collection[SymbolId]
    ) -> None:
        self.spoken: dict[bytes, list[SymbolRecord]] = defaultdict(list)
        self.full: dict[bytes, list[tuple[SymbolRecord, tuple[tuple[str, ...], ...]]]] = defaultdict(list)
        self._reader: Final = reader
        self._alike: dict[str, int] = {}
        self._owners: dict[str, set[str]] = {}
        packages: dict[FileId, str | None] = {}
        is_wide = len(asked) > _FEW_ASKED
        for symbol in symbols:
            file = file_of_symbol(symbol.id)
            if file not in packages:
                record = reader.files.get(file)
                packages[file] = record.package if record else None
            if symbol.id in asked:  # a name in full of a member has that of its type in it
                names = tuple(full_names(symbol, packages[file]))
                self.full[symbol.name.encode()].append((symbol, names))
            if symbol.kind in _OF_PAGES:
                for spoken in spoken_names(symbol):
                    if len(spoken) >= _LEAST and not (is_wide and self.alike(spoken) > _MOST_ALIKE):
                        self.spoken[spoken.encode()].append(symbol)
        self._of_pages: Final = self.spoken.keys() | self.full.keys()
        self._marked: Final = {word for word in self._of_pages if word.endswith(_MARKS)}

    def alike(self, name: str) -> int:
        """How many have a name: of many a page that says it says nothing of one of them."""
        if name not in self._alike:
            found = self._reader.symbols.named(name, limit=4 * _MOST_ALIKE)
            self._alike[name] = sum(one.kind in _OF_PAGES and one.role != "test" for one in found)
        return self._alike[name]

    def is_of_another(self, content: bytes, offset: int, symbol: SymbolRecord) -> bool:
        """Whether the object before a member is called like another class that has one of its name, and not like its own."""
        if symbol.name not in self._owners:
            found = self._reader.symbols.named(symbol.name, limit=_MOST_NAMESAKES)
            owners = {one.qualname.rpartition(".")[0].rpartition(".")[2] for one in found}
            self._owners[symbol.name] = owners
        own = symbol.qualname.rpartition(".")[0].rpartition(".")[2]
        others = self._owners[symbol.name] - {own, ""}
        return not names_owner(content, offset, own) and any(
            names_owner(content, offset, one) for one in others
        )

    def present_in(self, text: Text) -> set[bytes]:
        """The words that a text has, some perhaps as a part of longer ones."""
        if kind_of_text(text.path) == "template":
            return self._of_pages & set(_WORD.findall(text.content)) | {
                word for word in self._marked if word in text.content
            }
        if len(text.content) > _LONGEST_SETTINGS:
            return set()
        # Settings are long and have few of the names: to look for these is quicker than to take all words apart.
        return {word for word in self.full if word in text.content}


def _with_members(reader: IndexReader, symbols: Collection[SymbolRecord]) -> list[SymbolRecord]:
    """The symbols with the members of types: a page names what an object has, and not what it is."""
    found = {one.id: one for one in symbols}
    for one in symbols:
        if one.kind in TYPE_KINDS and len(found) < _MOST_SYMBOLS:
            found |= {each.id: each for each in reader.symbols.members(one.id)}
    return [one for one in found.values() if one.kind not in _SILENT and one.role != "test"][:_MOST_SYMBOLS]


def _is_beside_code(one: Listed) -> bool:
    if one.language is not None:
        return one.path.endswith(_PAGES_OF_CODE)
    return one.kind != "doc" and one.role not in {"vendored", "test"}


def _uses_in(text: Text, present: Collection[bytes], names: _Names) -> Iterator[BesideUse]:
    is_page = kind_of_text(text.path) == "template"
    # A name in full has steps before its last word, and only such names count in settings.
    for match in (_WORD if is_page else _STEPPED).finditer(text.content):
        word = match[0]
        if (marked := text.content[match.start() : match.end() + 1]) in present and marked.endswith(_MARKS):
            word = marked
        if word not in present:
            continue
        full = [
            symbol
            for symbol, paths in names.full.get(word, ())
            if names_in_full(text.content, match.end(), symbol, paths)
        ]
        for symbol in full:
            yield _use(text, symbol, match.start(), is_page=is_page, is_full=True)
        if is_page and not full:
            yield from _said_in_page(text, word, match.start(), names)


def _said_in_page(text: Text, word: bytes, offset: int, names: _Names) -> Iterator[BesideUse]:
    place = place_in_page(text.path, text.content, offset)
    if place is None:
        return
    for symbol in names.spoken.get(word, ()):
        if not may_name(symbol.kind, place) or not may_run(symbol.language, place):
            continue
        if is_hidden(symbol, text.path) or (is_setter(symbol) and not place.is_bound):
            continue
        # What an accessor is called by is a member; as a word of its own it is a key of anything.
        if not place.is_member and (symbol.name.encode() != word or needs_receiver(symbol)):
            continue
        if place.component is not None:
            if symbol.qualname.endswith(f"{place.component}.{symbol.name}"):
                yield _use(text, symbol, offset, is_page=True, is_full=True)
            continue
        fits = _fits(text, offset, symbol, names, is_member=place.is_member)
        if fits is not None and (fits or len(word) >= _SHORTEST):
            is_known = place.is_member and is_declared_receiver(text.content, offset, symbol)
            use = _use(text, symbol, offset, is_page=True, is_full=is_known)
            yield use._replace(fits=fits)


def _fits(text: Text, offset: int, symbol: SymbolRecord, names: _Names, *, is_member: bool) -> bool | None:
    """Whether the object that a page names may have the member; None where its name speaks against it."""
    if symbol.kind not in _MEMBERS:
        return True
    fits = fits_receiver(text.content, offset, symbol) if is_member else None
    is_anyones = is_everyday(symbol.name) or is_of_libraries(symbol.name)
    is_short = offset + _LEAST == _end_of_word(text.content, offset)
    if fits and names.is_of_another(text.content, offset, symbol):
        return None
    if fits or (fits is None and not is_anyones and not is_short):
        return True
    if is_anyones or is_short:
        return None if symbol.kind == "method" else False
    return names.alike(symbol.name) == 1


def _end_of_word(content: bytes, offset: int) -> int:
    found = _WORD.match(content, offset)
    return found.end() if found else offset


def _without_links(reader: IndexReader, text: Text, uses: Iterable[BesideUse]) -> Iterator[BesideUse]:
    """Those of which the graph does not know to whom they lead."""
    if text.file_id is None:
        yield from uses
        return
    known: dict[str, set[int]] = {}
    for use in uses:
        name = use.symbol.name
        if name not in known:
            calls = reader.usages.calls_named([text.file_id], name)
            known[name] = {call.line for call in calls if call.outcome != "unknown"}
        if use.line not in known[name]:
            yield use


def _in_generated(text: Text, symbols: Collection[SymbolRecord]) -> Iterator[BesideUse]:
    """Where code that a tool wrote calls or declares something by the name of a function: a server that is implemented, say."""
    for symbol in symbols if len(symbols) <= _FEW_ASKED else ():
        if symbol.kind not in FUNCTION_KINDS or len(symbol.name) <= _SHORTEST:
            continue
        called = re.compile(rb"(?<!\w)" + re.escape(symbol.name.encode()) + rb"\(")
        for match in islice(called.finditer(text.content), _MOST_OF_GENERATED):
            yield _use(text, symbol, match.start(), is_page=False, is_full=False)._replace(kind=_GENERATED)


def _use(text: Text, symbol: SymbolRecord, offset: int, *, is_page: bool, is_full: bool) -> BesideUse:
    content = text.content
    start, end = content.rfind(b"\n", 0, offset) + 1, content.find(b"\n", offset)
    line = content[start : end if end >= 0 else len(content)].decode("utf-8", "replace").strip()
    return BesideUse(
        symbol,
        text.path,
        text.role,
        content.count(b"\n", 0, offset) + 1,
        "template" if is_page else "config",
        "likely" if is_full else "possible",
        line,
    )


def _in_strings(reader: IndexReader, names: _Names) -> Iterator[BesideUse]:
    """Strings of code that are the whole name of a type, as containers and drivers are told of classes."""
    written: dict[str, SymbolRecord] = {}
    for known in names.full.values():
        for symbol, (full, *by_path) in known:
            if by_path and symbol.kind in TYPE_KINDS:  # the first is by its package
                written |= dict.fromkeys((".".join(full), "\\".join(full), "\\\\".join(full)), symbol)
    if not written:
        return
    for name, (path, line) in reader.unused.strings_equal_to(json.dumps(sorted(written))).items():
        yield BesideUse(written[name], path, "source", line, "string", "likely", name)
