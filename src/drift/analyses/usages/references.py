"""Every use of a symbol: what the graph has, and every place of its name that the graph does not see.

What it does: looks for the name in all texts of the project, lays what the graph knows on each place, judges the rest
by what stands around it, and leaves out what is something else of the same name.
Why it matters: a change of a name, a signature or a meaning has to look at all of them, and a text search alone finds
too many.
Example: a function, its import in another file, a test that patches it by a string, a page that speaks of it.
Known limits: names put together at run time.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.outside_parents import dispatcher_of
from drift.analyses.prominence import rank_place
from drift.analyses.usages.accessors import find_accessors
from drift.analyses.usages.beside_code import BesideUse, find_beside_code
from drift.analyses.usages.beyond_code import judge_beyond_code
from drift.analyses.usages.certainty import Certainty, Found, Kind
from drift.analyses.usages.family import Family, find_family, join_families
from drift.analyses.usages.judging import Surroundings, begins_member, judge
from drift.analyses.usages.lexing import Span
from drift.analyses.usages.links import Claim, Claims, FileLinks, Links
from drift.analyses.usages.qualifiers import Qualifiers
from drift.analyses.usages.short_names import find_short_uses, short_name
from drift.analyses.usages.strings import judge_string
from drift.analyses.usages.texts import Texts, project_texts
from drift.analyses.usages.words import Word, WordedText, find_words
from drift.index import FileId, FileRecord, SymbolRecord, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader


_SURE: Final[frozenset[Certainty]] = frozenset({"likely", "resolved"})
"""Of a constructor only these count: its name is the language's, or that of its class. So of what requests run."""


_BY_FOLDER: Final = frozenset({"go"})
"""Languages in which a package is a folder, whatever name it gives itself."""


class Use(NamedTuple):
    """A place that uses the symbol. `offset` is null where its name does not stand there."""

    path: str
    role: str
    line: int
    kind: Kind
    certainty: Certainty
    text: str
    offset: int | None
    file_id: FileId | None
    is_test: bool = False
    written: str = ""  # what stands at the offset, where it is not the name itself

    @property
    def rank(self) -> int:
        """How near its file stands to the product; what is no code comes last."""
        return rank_place(self.path, self.role, is_test=self.is_test) + (4 if self.file_id is None else 0)


class References(NamedTuple):
    """All uses by file, how many places have the name and mean something else, and what was not looked through.

    `of_members` are places outside code that name members of a type, and so use it without its name.
    """

    family: Family
    uses: tuple[Use, ...]
    elsewhere: int
    left_out_files: int
    texts: Texts
    of_members: tuple[BesideUse, ...] = ()


def find_references(
    reader: "IndexReader", root: Path, symbol: SymbolRecord, *others: SymbolRecord
) -> References:
    """Every use of the symbol, or of others of its name, too, by file, each place once."""
    symbols = (symbol, *others)
    families = [find_family(reader, one) for one in symbols]
    family = join_families(families) if others else families[0]
    # A view's `post` is run by requests alone: what else is named so is something else.
    is_dispatched = not others and dispatcher_of(reader, symbol) is not None
    texts = project_texts(reader, root)
    worded = list(find_words(texts, symbol.name))
    files = {one.text.file_id for one in worded if one.text.file_id is not None}
    links = Links(reader, family, files)
    qualifiers = Qualifiers(reader, family)
    uses: list[Use] = []
    elsewhere = 0
    for one in worded:
        for word, found in _judge_text(reader, one, family, links, qualifiers):
            is_in_doubt = found is None or found[1] not in _SURE
            if found is None or (is_in_doubt and (is_dispatched or symbol.kind == "constructor")):
                elsewhere += 1
            else:
                uses.append(_use(one, word, *found))
    for found_in, word, accessor in find_accessors(links.unwritten(symbol.name), symbol, texts):
        uses.append(_use(found_in, word, "call", "resolved")._replace(written=accessor))
    for one, word in find_short_uses(texts, symbol, links):
        uses.append(_use(one, word, "type", "resolved")._replace(written=short_name(symbol) or ""))
    written = {(use.path, use.line) for use in uses}
    uses += _unwritten(reader, links, symbol.name, written)
    uses += _routes_to(reader, symbol) if is_dispatched else ()
    beside = () if is_dispatched else find_beside_code(reader, root, symbols)
    wanted = {one.id for one in symbols}
    own = [use for use in beside if use.symbol.id in wanted]
    uses = list(_with_beside(uses, own))
    uses.sort(key=lambda use: (use.path, use.line, use.offset or 0))
    members = tuple(use for use in beside if use.symbol.id not in wanted)
    return References(family, tuple(uses), elsewhere, texts.left_out, texts, members)


def _routes_to(reader: "IndexReader", method: SymbolRecord) -> Iterator[Use]:
    """The registrations of the class of a method that answers requests."""
    entries = reader.facts.entry_points_at(method.parent_id) if method.parent_id is not None else []
    files = {one.id: one for one in _files(reader, {file_of_symbol(one.registered_at) for one in entries})}
    for one in entries:
        file = files.get(file_of_symbol(one.registered_at))
        if file is not None and one.kind == "http":
            is_test = file.role == "test"
            yield Use(file.path, file.role, one.line, "route", "likely", one.detail, None, file.id, is_test)


def _with_beside(uses: list[Use], beside: list[BesideUse]) -> Iterator[Use]:
    """The uses with what pages say under another name, and those surer that settings name in full."""
    known = {(one.path, one.line): one for one in reversed(beside)}
    for use in uses:
        found = known.get((use.path, use.line))
        is_surer = found is not None and use.certainty == "text" and found.certainty == "likely"
        yield use._replace(certainty="likely") if is_surer else use
    written = {(use.path, use.line) for use in uses}
    for place, one in known.items():
        if place not in written:
            kind: Kind = "other" if one.kind == "generated" else one.kind
            yield Use(one.path, one.role, one.line, kind, one.certainty, one.text, None, None)


def _use(one: WordedText, word: Word, kind: Kind, certainty: Certainty) -> Use:
    line = one.line_of(word).decode("utf-8", "replace").strip()
    text = one.text
    return Use(
        text.path, text.role, word.line, kind, certainty, line, word.offset, text.file_id, text.role == "test"
    )


def _unwritten(
    reader: "IndexReader", links: Links, name: str, written: set[tuple[str, int]]
) -> Iterator[Use]:
    """Calls under another name, each line once."""
    calls = links.unwritten(name)
    files = {one.id: one for one in _files(reader, {one.file_id for one in calls})}
    for one in calls:
        file = files.get(one.file_id)
        if file is None or (file.path, one.line) in written:
            continue
        written.add((file.path, one.line))
        yield Use(
            file.path,
            file.role,
            one.line,
            "call",
            "resolved",
            one.text or "",
            None,
            file.id,
            file.role == "test",
        )


def _files(reader: "IndexReader", wanted: set[FileId]) -> list[FileRecord]:
    found = (reader.files.get(file) for file in sorted(wanted))
    return [one for one in found if one is not None]


def _judge_text(
    reader: "IndexReader", one: WordedText, family: Family, links: Links, qualifiers: Qualifiers
) -> Iterator[tuple[Word, Found | None]]:
    text = one.text
    if text.kind != "code" or text.file_id is None:
        package = _declared_package(reader, family.symbol)
        yield from ((word, judge_beyond_code(word, text, family, package)) for word in one.words)
        return
    file_links = links.of(text.file_id)
    claims = Claims(one, file_links, links, family.symbol.name).claims
    around = _surroundings(reader, one, family, file_links, links)
    declared = _declarations(one, around, family)
    package = _package(reader, family.symbol)
    for word in one.words:
        span = one.regions.at(word.offset)
        if span is not None and span.place == "comment":
            yield word, ("comment", "text")
        elif span is not None:
            # Python writes types and docs in strings, too: a link has been made from a type, and docs are long.
            claim = claims.get(word)
            yield word, _judge_string(claim, span, family, around)
        elif word in declared:
            yield word, declared[word]
        else:
            claim = claims.get(word)
            is_open = claim is None or claim.leads == "open"
            is_other = is_open and qualifiers.mean_another(word, around)
            found = None if is_other else _judge_code(word, claim, family, around, package)
            is_route = found is not None and found[0] in {"value", "call"} and word.line in file_links.routes
            yield word, ("route", found[1]) if found and is_route else found


def _judge_string(claim: Claim | None, span: Span, family: Family, around: Surroundings) -> Found:
    if claim is not None and claim.kind == "type" and claim.leads == "here":
        return "type", "resolved"
    kind, certainty = judge_string(span, family, around)
    is_named = claim is not None and claim.kind == "string" and claim.leads == "here" and kind != "comment"
    return kind, "resolved" if is_named else certainty


def _judge_code(
    word: Word, claim: Claim | None, family: Family, around: Surroundings, package: str | None
) -> Found | None:
    kind: Kind = "value"
    if claim is not None:
        kind = claim.kind
        if claim.leads == "here":
            return kind, "resolved"
        if claim.leads == "related":
            return kind, "likely"
        if claim.leads == "elsewhere":
            return None
    is_apart = not _may_name(around.language, family.symbol.language)
    if is_apart or begins_member(word, family.symbol.name, around):
        return None
    judged = judge(word, family, around, package=package)
    if judged is None and claim is not None and claim.kind == "import":
        return (kind, "likely") if family.is_only_one else (kind, "possible")
    if judged == "likely" and claim is not None and claim.is_outside:
        judged = "possible"  # headers.add: a call that leads outside is seldom of the project's one `add`
    return (kind, judged) if judged is not None else None


def _may_name(language: str | None, of: str | None) -> bool:
    """Whether code of a language can name what another declares, without a link that says so."""
    return language == of or None in (language, of) or any({language, of} <= some for some in _MIXED)


_MIXED: Final[tuple[frozenset[str | None], ...]] = (
    frozenset({"javascript", "typescript"}),
    frozenset({"c", "cpp"}),
    frozenset({"csharp", "wpf"}),
)
"""Languages whose files are compiled or bundled together."""


def _surroundings(
    reader: "IndexReader", one: WordedText, family: Family, file_links: FileLinks, links: Links
) -> Surroundings:
    text = one.text
    assert text.file_id is not None
    name = family.symbol.name
    bound = [each for each in file_links.imports if (each.alias or each.name) == name]
    leads = [links.leads(each.target_id) for each in bound]
    record = reader.files.get(text.file_id)
    is_open = any(each.target_id is None and not each.is_external for each in bound)
    return Surroundings(
        text.content,
        text.file_id,
        text.language,
        reader.symbols.of_file(text.file_id),
        file_links.imports,
        is_known_here=text.file_id in family.files or "here" in leads or (is_open and family.is_only_one),
        is_other_here=bool(bound) and "here" not in leads and not is_open,
        package=_package_of(record),
    )


def _package(reader: "IndexReader", symbol: SymbolRecord) -> str | None:
    return _package_of(reader.files.at(symbol.path))


def _declared_package(reader: "IndexReader", symbol: SymbolRecord) -> str | None:
    record = reader.files.at(symbol.path)
    return record.package if record is not None else None


def _package_of(record: FileRecord | None) -> str | None:
    """What files see each other's names in: the declared package, or the folder where that is what counts."""
    if record is not None and record.language in _BY_FOLDER:
        return record.path.rpartition("/")[0] or "."
    return record.package if record else None


def _declarations(one: WordedText, around: Surroundings, family: Family) -> "dict[Word, Found | None]":
    """The words by which symbols of this name are declared in the file: this one, a relative, or something else."""
    same = {each.id for each in family.same} | set(family.constructors)
    related = {each.id for each in family.related}
    found: dict[Word, Found | None] = {}
    for symbol in around.symbols:
        if symbol.name != family.symbol.name or symbol.kind == "module":
            continue
        word = next(
            (
                each
                for each in one.words
                if symbol.start_byte <= each.offset < symbol.end_byte
                and each not in found
                and one.regions.at(each.offset) is None
                and each.line >= symbol.line
            ),
            None,
        )
        if word is None:
            continue
        if symbol.id in same:
            found[word] = ("declaration", "resolved")
        elif symbol.id in related:
            found[word] = ("override", "resolved")
        else:
            found[word] = None
    return found
