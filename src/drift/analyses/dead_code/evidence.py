"""Why a symbol that no link leads to may be alive all the same: names in texts, frameworks, parents, who runs it."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.dead_code.extending import attached_property, extensions_of, promised_names
from drift.analyses.dead_code.families import Families
from drift.analyses.dead_code.mentions import Mention, find_mentions
from drift.analyses.outside_parents import frameworks_used
from drift.analyses.running.graph import LEAST_CONFIDENCE, run_graph
from drift.analyses.spelled_warnings import spelled_at
from drift.analyses.unseen_calls import (
    fits,
    folder_calls,
    form_of,
    has_folder_of_framework,
    is_accessor,
    is_harmless,
    may_have_form,
    registering,
    rules,
)
from drift.analyses.usages.spoken import full_names, names_in_full
from drift.index import IndexReader
from drift.index.file_queries import FileFilter
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.scan.other_texts import kind_of_text

FACTORS: Final[Mapping[str, float]] = {
    "export": 0.6,
    "public-name": 0.75,
    "dynamic-call": 0.3,
    "named": 0.15,
    "spelled": 0.3,
    "run": 0.4,
    "mention": 0.55,
    "near-mention": 0.3,
    "template": 0.3,
    "doc": 0.75,
    "interface-impl": 0.4,
    "accessor": 0.6,
    "decorator": 0.3,
    "folder": 0.5,
    "made-elsewhere": 0.5,
    "event-handler": 0.6,
    "serialization": 0.6,
    "dynamic-name": 0.7,
    "alike": 0.5,
    "series": 0.3,
    "callback": 0.3,
    "partly-read": 0.5,
    "test-only": 0.9,
}
"""By how much each reason to be alive makes death less likely."""

_METHOD_OWNERS: Final = CLASS_KINDS | {"type", "namespace"}
_MEMBERS: Final = frozenset({"method", "property"})
_MANY_ALIKE: Final = 3  # members of one class: their names are likely put together at run time
_MANY_SIBLINGS: Final = 2
_PRIVATE_BY_HABIT: Final = "python"  # where a parent calls private names of its children all the same
_STEP: Final = re.compile(rb"[.\\:/#$]")  # from one part of a whole name to the next
_FIRST_WORD: Final = re.compile(r"_*(?:[A-Z]?[a-z0-9]+|[A-Z]+)")


class Doubt(NamedTuple):
    """A reason why code may be alive, and where that is seen."""

    kind: str
    evidence: str


class Evidence:
    """What was gathered once for all candidates: names in texts and strings, decorators, parents, who runs them."""

    def __init__(
        self,
        reader: IndexReader,
        symbols: list[SymbolRecord],
        texts: Iterable[tuple[str, bytes]],
        families: Families,
    ) -> None:
        homes: dict[str, set[str]] = defaultdict(set)
        for one in symbols:
            homes[one.name].add(one.path)
        self._extensions = extensions_of(reader, symbols)
        for each in (each for some in self._extensions.values() for each in some):
            homes[each.name].add(each.path)
        names = sorted(homes)
        self._families = families
        broken = reader.files.page(FileFilter(status="partial"), limit=-1)
        self._broken = {one.path: one.problem for one in broken}
        self._frameworks = frameworks_used(reader)
        self._reader = reader
        self._mentions = find_mentions(homes, texts)
        self._strings = reader.unused.strings_equal_to(json.dumps(names))
        self._unresolved = reader.unresolved.by_name()
        # Only a function of the module itself has so short a whole name.
        answering = reader.symbols.named("__getattr__", limit=-1)
        self._answering = {one.path: one.line for one in answering if one.qualname == one.name}
        self._definitions = {
            name: {(one.path, one.line) for one in reader.symbols.named(name, limit=-1)} for name in names
        }
        owners = sorted({one.parent_id for one in symbols if one.parent_id is not None})
        self._owners = {one.id: one for one in reader.symbols.many(owners) if one.kind in _METHOD_OWNERS}
        self._made = reader.unused.made(sorted(self._owners))
        self._promised = promised_names(reader, names)
        self._decorators = {
            symbol: name
            for symbol, name in reader.unused.decorators_of([one.id for one in symbols])
            if not is_harmless(name)
        }
        self._runners = _find_runners(reader, symbols)
        self._alike = Counter((one.parent_id, first_word(one.name)) for one in symbols)
        self._series = Counter((one.parent_id, series) for one in symbols if (series := _series_of(one.name)))
        self._siblings = Counter(
            parent
            for one in symbols
            for parent in families.own_parents.get(one.id, ())
            if one.kind in CLASS_KINDS
        )

    def doubts(self, symbol: SymbolRecord) -> Iterator[Doubt]:
        """Why the symbol may be alive."""
        yield from self._doubts_by_name(symbol)
        if symbol.id in self._decorators:
            yield Doubt("decorator", f"@{self._decorators[symbol.id]} may register it")
        yield from self._doubts_by_class(symbol)
        if symbol.path in self._broken:
            problem = self._broken[symbol.path]
            yield Doubt("partly-read", f"its file has syntax errors ({problem}), where uses are lost")
        spelt = spelled_at(self._reader, symbol.id)
        if spelt is not None:
            yield Doubt("spelled", spelt)
        elif symbol.id in self._runners:
            yield Doubt("run", f"{self._runners[symbol.id]} may run it")
        beginning = first_word(symbol.name)
        if symbol.kind in _MEMBERS and self._alike[symbol.parent_id, beginning] >= _MANY_ALIKE:
            yield Doubt("alike", f"nobody names the others that begin with {beginning!r}, either")
        elif self._series[symbol.parent_id, _series_of(symbol.name)] >= _MANY_ALIKE:
            yield Doubt("series", "it is one of a numbered series, whose names are likely put together")
        if has_folder_of_framework(symbol):
            found = folder_calls(symbol, self._frameworks)
            looking = found.framework if found is not None else "what loads files by their folder"
            yield Doubt("folder", f"{looking} may look for names in {symbol.path}")

    def _doubts_by_class(self, symbol: SymbolRecord) -> Iterator[Doubt]:
        if symbol.kind in CLASS_KINDS:
            unknown = self._families.of(symbol.id).unknown
            if unknown is not None:
                yield Doubt("made-elsewhere", f"who knows {unknown} may find it by its parent")
            parents = self._families.own_parents.get(symbol.id, ())
            if any(self._siblings[parent] >= _MANY_SIBLINGS for parent in parents):
                yield Doubt("alike", "nobody names its siblings, either: they may be found by their parent")
            yield from self._doubts_by_extensions(symbol)
        elif symbol.kind in _MEMBERS:
            yield from self._doubts_by_owner(symbol)

    def _doubts_by_extensions(self, symbol: SymbolRecord) -> Iterator[Doubt]:
        """Nobody names the class of what others call as if it were theirs."""
        for one in self._extensions.get(symbol.id, ()):
            kinds = {"dynamic-call", "mention", "near-mention", "template"}
            found = next((each for each in self._doubts_by_name(one) if each.kind in kinds), None)
            if found is not None:
                yield found._replace(evidence=f"of {one.name}, which extends others: {found.evidence}")
                return

    def _doubts_by_owner(self, symbol: SymbolRecord) -> Iterator[Doubt]:
        owner = self._owners.get(symbol.parent_id) if symbol.parent_id is not None else None
        attached = attached_property(self._reader, symbol, owner)
        if attached is not None:
            yield Doubt("template", f"pages read and set {attached} through it")
        if owner is None:
            if symbol.kind in {"method", "property"} and symbol.language != "go":
                yield Doubt("callback", "who gets the object it is in may call it")
            return
        if symbol.visibility == "private" and symbol.language != _PRIVATE_BY_HABIT:
            return
        family = self._families.of_members(owner.id)
        unknown = family.unknown
        if unknown is not None:
            extending = "a class that mixes it in" if self._families.is_mixed(owner.id) else "its class"
            yield Doubt("interface-impl", f"{extending} extends {unknown}, which may call it")
        elif (form := self._form(symbol, owner)) is not None:
            yield Doubt("interface-impl", f"its class passes for {form}, and what takes one may call it")
        elif symbol.name in self._promised:
            yield Doubt("interface-impl", f"{self._promised[symbol.name]} has a method of this name")
        elif symbol.language == "go" and symbol.name[:1].isupper():
            yield Doubt("interface-impl", "types of Go fit interfaces of other packages without saying so")
        elif owner.language in _DUCK_TYPED and not family.frameworks and owner.id not in self._made:
            yield Doubt("made-elsewhere", f"nothing here makes {owner.name}; what does may call it")

    def _form(self, symbol: SymbolRecord, owner: SymbolRecord) -> str | None:
        if not may_have_form(symbol.name, symbol.language):
            return None
        members = frozenset(one.name for one in self._reader.symbols.members(owner.id))
        return form_of(symbol.name, members, symbol.language)

    def _doubts_by_name(self, symbol: SymbolRecord) -> Iterator[Doubt]:
        name = symbol.name
        full = self._named_in_full(symbol)
        if full is not None:
            yield Doubt("named", f"its whole name stands at {full.path}:{full.line}")
        place = self._strings.get(name)
        unresolved = self._unresolved.get(name)
        if unresolved is not None:
            open_call = unresolved.examples[0]
            yield Doubt(
                "dynamic-call", f"unresolved call {open_call.text} at {open_call.path}:{open_call.line}"
            )
        elif place is not None:
            yield Doubt("dynamic-call", f"named in a string at {place[0]}:{place[1]}")
        elif symbol.path in self._answering and symbol.qualname == name:
            line = self._answering[symbol.path]
            yield Doubt("dynamic-call", f"__getattr__ at {symbol.path}:{line} may give it under another name")
        else:
            mention = self._mention(symbol)
            if mention is not None:
                yield Doubt(
                    _mention_kind(symbol, mention), f"the name stands at {mention.path}:{mention.line}"
                )
        yield from _doubts_by_form(symbol)

    def _named_in_full(self, symbol: SymbolRecord) -> Mention | None:
        """A place, such as in settings, that says the name from the package or the folder on."""
        mentions = self._mentions.get(symbol.name, ())
        if not any(_STEP.search(one.written[-len(symbol.name) - 2 :]) for one in mentions):
            return None
        record = self._reader.files.at(symbol.path)
        names = tuple(full_names(symbol, record.package if record else None))
        return next(
            (
                one
                for one in mentions
                if one.path != symbol.path
                and kind_of_text(one.path) != "doc"
                and names_in_full(one.written, len(one.written), symbol, names)
            ),
            None,
        )

    def _mention(self, symbol: SymbolRecord) -> Mention | None:
        """A place of the name outside the symbol itself that does not define another of that name."""
        definitions = self._definitions.get(symbol.name, ())
        places = sorted(
            self._mentions.get(symbol.name, ()),
            # A page has the name of the code behind it: List.razor of List.razor.cs. Documents say least.
            key=lambda one: (
                _weight_of(one.path),
                not symbol.path.startswith(one.path),
                one.path != symbol.path,
            ),
        )
        for one in places:
            is_inside = one.path == symbol.path and (
                symbol.start_byte <= one.offset < symbol.end_byte or _is_its_comment(symbol, one.line)
            )
            if not is_inside and (one.path, one.line) not in definitions:
                return one
        return None


def _is_its_comment(symbol: SymbolRecord, line: int) -> bool:
    """Whether a line is of the comment that stands over the symbol; languages set it off by a line or two."""
    height = symbol.doc.count("\n") + 3 if symbol.doc else 0
    return symbol.line - height <= line < symbol.line


def first_word(name: str) -> str:
    """The first of the words that a name is made of."""
    found = _FIRST_WORD.match(name)
    return found[0].strip("_").lower() if found else name


def _series_of(name: str) -> str:
    """What the names of a numbered series have in common; nothing where it has no number."""
    common = name.rstrip("0123456789")
    return common if common != name else ""


_DUCK_TYPED: Final = frozenset({"python", "php", "javascript", "ruby"})
"""Languages in which a class needs no parent to be one that others call by name."""

_WEIGHTS: Final = {"template": 0, "doc": 2}


def _weight_of(path: str) -> int:
    return _WEIGHTS.get(kind_of_text(path), 1)


def _mention_kind(symbol: SymbolRecord, mention: Mention) -> str:
    # In its own file the name hardly means something else.
    if mention.path == symbol.path:
        return "near-mention"
    kind = kind_of_text(mention.path)
    return kind if kind in {"template", "doc"} else "mention"


def _doubts_by_form(symbol: SymbolRecord) -> Iterator[Doubt]:
    name, known = symbol.name, rules()
    if fits(name, known.events):
        yield Doubt("event-handler", "named like an event handler")
    elif fits(name, known.serializers):
        yield Doubt("serialization", "named like a serializer")
    elif name.startswith(known.prefixes) and symbol.kind == "method":
        yield Doubt("dynamic-name", "such names are often put together at run time")
    if is_accessor(symbol):
        yield Doubt("accessor", "serialisers, mappers and forms call accessors by the field's name")
    elif symbol.kind == "property" and symbol.language in known.bound:
        yield Doubt("accessor", "serialisers, mappers and pages read properties by name")


def _find_runners(reader: IndexReader, symbols: list[SymbolRecord]) -> dict[SymbolId, str]:
    """Who comes to run each of the symbols in a way that no call shows, as the walk to tests knows it."""
    ids = [one.id for one in symbols]
    users_of = run_graph(reader).read_users(reader, ids)
    surest: dict[SymbolId, SymbolId] = {}
    for each in ids:
        found = [
            (confidence, user)
            for user, confidence in users_of[each]
            if confidence >= LEAST_CONFIDENCE and user != each
        ]
        if found:
            surest[each] = max(found)[1]
    known = {one.id: one for one in reader.symbols.many(set(surest.values()))}
    return {each: f"{known[user].qualname or known[user].path}" for each, user in surest.items()}


def called_by_framework(
    symbol: SymbolRecord, families: Families, decorators: Iterable[str], used: Collection[str]
) -> str | None:
    """The framework that calls or finds the symbol for sure."""
    for decorator in decorators:
        framework = registering(decorator)
        if framework is not None:
            return framework
    folder = folder_calls(symbol, used)
    if folder is not None and folder.is_sure:
        return folder.framework
    if symbol.kind in CLASS_KINDS:
        return families.of(symbol.id).finder
    return families.of_members(symbol.parent_id).calls(symbol.name) if symbol.kind in _MEMBERS else None
