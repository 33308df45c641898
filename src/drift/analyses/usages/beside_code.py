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
from drift.analyses.usages.spoken import engine_languages, full_names, names_in_full, spoken_names
from drift.analyses.usages.templates import Place, may_name, place_in_page
from drift.analyses.usages.texts import Listed, Text, project_texts
from drift.index import FileId, IndexReader, SymbolId, SymbolRecord, file_of_symbol
from drift.kernel.text import plural, shorten
from drift.languages.kinds import FUNCTION_KINDS, TYPE_KINDS
from drift.scan.other_texts import kind_of_text

BesideKind = Literal["template", "config", "string", "generated"]

_WORD: Final = re.compile(rb"(?<!\w)[^\W\d]\w*+", re.ASCII)
_STEPPED: Final = re.compile(rb"(?<=[.\\:/#$])[^\W\d]\w*+", re.ASCII)
_MARKS: Final = (b"?", b"!")  # that names end in, in Ruby
_LONGEST_SETTINGS: Final = 200_000
"""Bytes: what is longer is data, or words in another language."""
_SILENT: Final = frozenset({"module", "namespace", "constructor", "variable"})
_OF_PAGES: Final = frozenset({"method", "property", "field", "function", "constant", *TYPE_KINDS})
_SCRIPTS: Final = frozenset({"javascript", "typescript"})
_PAGES_OF_CODE: Final = (".blade.php", ".erb")
"""Pages whose expressions the scan links as far as it knows their objects."""
_BEFORE_MEMBERS: Final = frozenset({b".", b">", b"{"})
_MOST_SYMBOLS: Final = 2_000
_MOST_PLACES: Final = 2_000
_LONGEST_LINE: Final = 120
_MOST_EXAMPLES: Final = 3
_FEW_ASKED: Final = (
    3  # symbols, of which every name is looked for; of a whole file those that few others have
)
_MOST_ALIKE: Final = 4
_SHORTEST: Final = 3
"""Letters of a name: of shorter ones every page is full."""


_SAYS: Final[Mapping[tuple[Certainty, bool], str]] = {
    ("likely", False): "named in full",
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
    names = _Names(reader, wanted, {one.id for one in symbols})
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
                    if len(spoken) >= _SHORTEST and not (is_wide and _is_common(reader, spoken)):
                        self.spoken[spoken.encode()].append(symbol)
        self._of_pages: Final = self.spoken.keys() | self.full.keys()
        self._marked: Final = {word for word in self._of_pages if word.endswith(_MARKS)}

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


def _is_common(reader: IndexReader, name: str) -> bool:
    """Whether so many members have a name that a page which says it says nothing of one of them."""
    alike = reader.symbols.named(name, limit=4 * _MOST_ALIKE)
    return sum(one.kind in _OF_PAGES and one.role != "test" for one in alike) > _MOST_ALIKE


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
        place = place_in_page(text.path, text.content, match.start()) if is_page and not full else None
        # What an accessor is called by is a member; as a word of its own it is a key of anything.
        is_member = text.content[match.start() - 1 : match.start()] in _BEFORE_MEMBERS
        said = [
            one
            for one in names.spoken.get(word, ())
            if may_name(one.kind, place) and (is_member or one.name.encode() == word)
        ]
        for symbol in full or [one for one in said if _may_say(text.path, place, one.language)]:
            yield _use(text, symbol, match.start(), is_page=is_page, is_full=bool(full))


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


def _may_say(path: str, place: Place | None, language: str | None) -> bool:
    """Whether a page may mean something of a language there: an engine runs one, and scripts run in the browser."""
    if place == "script":
        return language in _SCRIPTS
    known = engine_languages(path)
    return known is None or language in known


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
