"""What the graph knows of the places of a name in one file: each link laid on the word it was made from."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

from drift.analyses.usages.certainty import Kind
from drift.analyses.usages.family import Family
from drift.analyses.usages.words import Word, WordedText
from drift.index import FileId, SymbolId, file_of_symbol
from drift.index.usage_queries import CallUse, ImportUse, NamedCall, ReferenceUse

if TYPE_CHECKING:
    from drift.index import IndexReader

_Use = TypeVar("_Use", CallUse, ReferenceUse, ImportUse, NamedCall)
Leads = Literal["here", "related", "elsewhere", "open"]
"""Whether a link leads to the symbol, to one in whose place it may run, to something else, or nobody knows where."""

_MOST_LINKS: Final = 20_000
_REFERENCE_KINDS: Final[dict[str, Kind]] = {"type": "type", "string": "string"}
_STEPS: Final = (b".", b"->", b":", b"\\")  # from one part of an expression to the next
_TYPED: Final = frozenset({"csharp"})
"""Languages in which the outside name of a member begins with the declared type of its object."""
_MEMBER_OF_TYPE: Final = re.compile(r"[A-Z]\w*\.\w+")  # and no longer chain, of which nobody knows the types
_LINES_OF_A_ROUTE: Final = 6  # from where a registration begins to where it names its handler
_LINES_OF_ONE: Final = 60  # that a statement may go on for: an import list, a chain of calls


class Claim(NamedTuple):
    """What a link says of a word: the kind of use, and to whom it leads."""

    kind: Kind
    leads: Leads
    confidence: float
    within_id: SymbolId | None = None
    is_outside: bool = False  # the call leads out of the project, as far as anyone can tell


class FileLinks(NamedTuple):
    """The links of one file that concern the name."""

    calls: list[CallUse]
    references: list[ReferenceUse]
    imports: list[ImportUse]
    named: list[NamedCall]
    routes: frozenset[int]  # lines that register it with a framework


class Links:
    """The links of all files in which a name stands, read at once."""

    def __init__(self, reader: "IndexReader", family: Family, files: Collection[FileId]) -> None:
        self._family = family
        self._here = {one.id for one in family.same} | set(family.constructors)
        self._related = {one.id for one in family.related}
        others = {one.id for one in family.others}
        ids = self._here | self._related | others
        usages = reader.usages
        self._calls = _by_file(usages.calls_to(sorted(ids), limit=_MOST_LINKS))
        self._references = _by_file(usages.references_to(sorted(ids), limit=_MOST_LINKS))
        self._imports = _by_file(usages.imports_in(sorted(files)))
        self._named = _by_file(usages.calls_named(sorted(files), family.symbol.name))
        self._routes = _routes(reader, family)

    def of(self, file: FileId) -> FileLinks:
        """Those of one file."""
        return FileLinks(
            self._calls.get(file, []),
            self._references.get(file, []),
            self._imports.get(file, []),
            self._named.get(file, []),
            frozenset(self._routes.get(file, ())),
        )

    def unwritten(self, name: str) -> list[CallUse]:
        """The calls of the symbol that are written without its name: through another name, or by the language itself."""
        return [
            one
            for calls in self._calls.values()
            for one in calls
            if one.text is not None and not _ends_in(one.text, name) and self.leads(one.target_id) == "here"
        ]

    def leads(self, target: SymbolId | None) -> Leads:
        """Where a link leads."""
        if target in self._here:
            return "here"
        return "related" if target in self._related else "elsewhere"


def _routes(reader: "IndexReader", family: Family) -> dict[FileId, set[int]]:
    """The lines of each file on which a registration of the symbol may stand."""
    found: dict[FileId, set[int]] = defaultdict(set)
    for symbol in family.same:
        for entry in reader.facts.entry_points_at(symbol.id):
            found[file_of_symbol(entry.registered_at)] |= set(
                range(entry.line, entry.line + _LINES_OF_A_ROUTE)
            )
    return found


def _by_file(found: Iterable[_Use]) -> dict[FileId, list[_Use]]:
    by_file: dict[FileId, list[_Use]] = defaultdict(list)
    for one in found:
        by_file[one.file_id].append(one)
    return by_file


class Claims:
    """The claims of links on the words of one file, and the links for which no word stands there."""

    def __init__(self, worded: WordedText, links: FileLinks, all_links: Links, name: str) -> None:
        self._words = worded.words
        self._places = [(word.line, word.column) for word in worded.words]
        self._name_bytes = len(name.encode())
        self._name = name
        self._language = worded.text.language
        self._content = worded.text.content
        self.claims: dict[Word, Claim] = {}
        for reference in links.references:
            kind = _REFERENCE_KINDS.get(reference.kind, "value")
            leads = all_links.leads(reference.target_id)
            claim = Claim(kind, leads, reference.confidence, reference.within_id)
            self._lay(claim, reference.line, reference.column, reference.column, is_chain=True)
        for call in links.calls:
            self._lay_call(call, all_links)
        for one in links.imports:
            self._lay_import(one, all_links)
        outside = {one.alias or one.name or one.module for one in links.imports if one.is_external}
        for named in links.named:
            self._lay_named(named, outside)

    def _lay_call(self, call: CallUse, all_links: Links) -> None:
        if call.text is None or call.column is None or not _ends_in(call.text, self._name):
            return
        claim = Claim("call", all_links.leads(call.target_id), call.confidence, call.within_id)
        self._lay(claim, call.line, self._column(call.column, call.text), call.column)

    def _lay_import(self, one: ImportUse, all_links: Links) -> None:
        if one.name != self._name:
            return
        # A word imported from a place in the project that the linker did not follow may be a re-export of it.
        is_open = one.target_id is None and not one.is_external
        leads = "open" if is_open else all_links.leads(one.target_id)
        self._lay(Claim("import", leads, 1.0), one.line, -1, 0)

    def _lay_named(self, named: NamedCall, outside: Collection[str]) -> None:
        if not _ends_in(named.text, self._name):
            return
        before = named.text[: -len(self._name)]
        # Outside for sure is what is imported from there. What a chain of calls gave may be the project's own.
        is_external = named.outcome == "external"
        is_outside = is_external and (not before or before.rstrip(".:>-") in outside or self._is_typed(named))
        claim = Claim("call", "elsewhere" if is_outside else "open", 0.0, is_outside=is_external)
        self._lay(claim, named.line, self._column(named.column, named.text), named.column)

    def _is_typed(self, named: NamedCall) -> bool:
        """Whether a member is called of an object that is declared to be of a type outside: `IMapper.Map`."""
        is_told = self._language in _TYPED and named.external_name is not None
        return is_told and _MEMBER_OF_TYPE.fullmatch(named.external_name or "") is not None

    def _column(self, column: int, text: str) -> int:
        return column + len(text.encode()) - self._name_bytes

    def _lay(self, claim: Claim, line: int, column: int, from_column: int, *, is_chain: bool = False) -> None:
        word = self._find(line, column, from_column)
        if word is None or (is_chain and not self._is_one_chain(word, line, from_column)):
            return
        known = self.claims.get(word)
        if known is None or _weight(claim) > _weight(known):
            self.claims[word] = claim

    def _find(self, line: int, column: int, from_column: int) -> Word | None:
        """The word at a place, or the next one in what may be the same statement."""
        exact = bisect_left(self._places, (line, column))
        if exact < len(self._places) and self._places[exact] == (line, column):
            return self._words[exact]
        following = bisect_left(self._places, (line, from_column))
        if following < len(self._words) and self._words[following].line <= line + _LINES_OF_ONE:
            return self._words[following]
        return None

    def _is_one_chain(self, word: Word, line: int, column: int) -> bool:
        """Whether all from a place to the word is one expression: what has another name here has no word of it."""
        start = word.offset
        for _ in range(word.line - line + 1):
            start = self._content.rfind(b"\n", 0, start)
        between = self._content[max(start + 1 + column, 0) : word.offset]
        return not between or (between.rstrip().endswith(_STEPS) and b";" not in between)


def _ends_in(text: str, name: str) -> bool:
    """Whether what is called as written ends in this name, and not in a longer one."""
    before = text[: -len(name)]
    return text.endswith(name) and not (before and (before[-1].isalnum() or before[-1] in "_$"))


def _weight(claim: Claim) -> tuple[int, float]:
    return ("open", "elsewhere", "related", "here").index(claim.leads), claim.confidence
