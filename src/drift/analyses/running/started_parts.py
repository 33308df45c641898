"""What of an application runs while it starts, without a call in the text."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run, reached_from
from drift.analyses.running.started_rules import Annotated, Hosted
from drift.index.ids import SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

_SURE: Final = 0.8
_CONDITIONAL: Final = 0.4  # only with a profile, a setting or a class beside it
_LAZILY: Final = 0.6  # before the method that is called first, of an object that a framework makes
_FAINTLY: Final = 0.25  # the same, for who starts the application and is not seen to call one
_CODE: Final = frozenset({"method", "constructor"})


class Part(NamedTuple):
    """A function that runs at the start, the class it is of, and how surely."""

    symbol: SymbolId
    owner: SymbolId
    confidence: float


def parts_of(reader: "IndexReader", rules: Annotated) -> list[Part]:
    """What runs at the start of applications of annotated classes."""
    found = [
        *_marked(reader, rules),
        *_made(reader, rules),
        *_of_parents(reader, rules),
        *lazy_parts(reader, rules),
    ]
    symbols = {one.symbol for one in found} | {one.owner for one in found}
    names = [name for name in reader.running.decorator_names() if rules.conditions.fullmatch(name)]
    conditional = {one.symbol_id for one in reader.running.decorated(names)} & symbols if names else set()
    return [
        one._replace(confidence=min(one.confidence, _CONDITIONAL))
        if {one.symbol, one.owner} & conditional
        else one
        for one in found
    ]


def lazy_runs(reader: "IndexReader", rules: Annotated) -> Iterator[Run]:
    """What runs once an object is there that a framework makes for the first call of one of its methods."""
    owners = {one.symbol_id for one in reader.running.decorated(rules.lazy)} if rules.lazily else set()
    for one in reader.running.decorated(rules.lazily) if owners else ():
        if one.parent_id in owners:
            for member in reader.symbols.members(one.parent_id):
                if member.kind == "method" and member.id != one.symbol_id and member.visibility != "private":
                    yield Run(member.id, one.symbol_id, _LAZILY)


def lazy_parts(reader: "IndexReader", rules: Annotated) -> Iterator[Part]:
    """The same, for whoever starts the application: some test may call such a method."""
    owners = {one.symbol_id for one in reader.running.decorated(rules.lazy)} if rules.lazily else set()
    for one in reader.running.decorated(rules.lazily) if owners else ():
        if one.parent_id in owners:
            yield Part(one.symbol_id, one.parent_id, _FAINTLY)


def _marked(reader: "IndexReader", rules: Annotated) -> Iterator[Part]:
    """Methods with an annotation that says it: makers of objects, what follows the making, listeners to the start."""
    for one in reader.running.decorated((*rules.making, *rules.after)):
        if one.kind in _CODE:
            yield Part(one.symbol_id, one.parent_id, _SURE)
    listening = {one.symbol_id: one.text for one in reader.running.decorated(rules.listening)}
    for each in reader.symbols.many(listening):
        said = f"{listening[each.id]} {each.signature}"
        if rules.events.search(said) and each.parent_id is not None:
            yield Part(each.id, each.parent_id, _SURE)
    for event in rules.observing:
        for each in reader.symbols.many(reader.starts.taking([rules.language], event)):
            if each.parent_id is not None:
                yield Part(each.id, each.parent_id, _SURE)


def _made(reader: "IndexReader", rules: Annotated) -> Iterator[Part]:
    """The constructors of what is made, by the annotation of the class."""
    constructors = reader.running.constructors()
    # An object that a container has is no sign that anybody calls what its class overrides.
    below = {child for child, *_ in reader.running.parents()}
    for one in reader.running.decorated(rules.components):
        for each in constructors.get(one.symbol_id, ()) if one.kind == "class" else ():
            if one.symbol_id not in below:
                yield Part(each, one.symbol_id, _SURE)


def _of_parents(reader: "IndexReader", rules: Annotated) -> Iterator[Part]:
    """Methods that a parent outside is there for: runners, listeners to the start, configurers."""
    wanted: dict[SymbolId, Collection[str]] = {}
    overriding: set[SymbolId] = set()
    for child, _, name in reader.running.parents():
        last = (name or "").rpartition(".")[2]
        if last in rules.methods:
            wanted[child] = rules.methods[last]
        elif rules.overriding is not None and rules.overriding.fullmatch(last):
            overriding.add(child)
    for child, text, _ in _listeners(reader, rules):
        wanted[child] = rules.listeners[text.partition("<")[0].rpartition(".")[2].strip()]
    for each in _members(reader, {*wanted, *overriding}):
        owner = each.parent_id
        if owner is None:
            continue
        is_meant = each.name in wanted.get(owner, ()) or (
            owner in overriding and each.kind == "method" and _overrides(reader, each)
        )
        if is_meant:
            yield Part(each.id, owner, _SURE)


def _listeners(reader: "IndexReader", rules: Annotated) -> list[tuple[SymbolId, str, str | None]]:
    texts = [
        text
        for text in (reader.listings.base_texts() if rules.listeners else ())
        if text.partition("<")[0].rpartition(".")[2].strip() in rules.listeners and rules.events.search(text)
    ]
    return reader.listings.based_on(texts) if texts else []


def _overrides(reader: "IndexReader", method: "SymbolRecord") -> bool:
    return any(one.name == "Override" for one in reader.symbols.decorators(method.id))


def _members(reader: "IndexReader", owners: Iterable[SymbolId]) -> list["SymbolRecord"]:
    return reader.symbols.many({method for _, method in reader.guards.methods(owners)})


def hosts_of(reader: "IndexReader", rules: Hosted) -> list["SymbolRecord"]:
    """The programs that make a host: a file with statements at its top, or its Main."""
    mains = {one.symbol_id for one in reader.graph.product_entries() if one.kind == "main"}
    entries = [one for one in reader.symbols.many(mains) if one.language == rules.language]
    files = {file_of_symbol(one.id) for one in entries}
    words = {
        word: text
        for word, text in (reader.testing.call_texts(files) if files else {}).items()
        if rules.hosts.fullmatch(text.removeprefix("new ").strip())
    }
    making = (
        {file_of_symbol(call.caller_id) for call in reader.testing.calls_written(files, words)}
        if words
        else set()
    )
    return [one for one in entries if file_of_symbol(one.id) in making]


def parts_of_hosts(reader: "IndexReader", rules: Hosted) -> list[Part]:
    """What a host runs while it starts: hosted services, what says how it is made, what is looked up for it."""
    wanted: dict[SymbolId, Collection[str]] = {}
    made: set[SymbolId] = set()
    names: Mapping[SymbolId, set[str]] = _parent_names(reader)
    for child, above in names.items():
        for name in above:
            if name in rules.methods:
                wanted[child] = rules.methods[name]
            if name in rules.making:
                made.add(child)
    for one in reader.symbols.named(rules.startup):
        if one.language == rules.language and one.role == "source" and one.parent_id is not None:
            wanted.setdefault(one.parent_id, rules.configuring)
    return [
        Part(each.id, each.parent_id, _SURE)
        for each in _members(reader, {*wanted, *made})
        if each.parent_id is not None and each.role == "source"
        if each.name in wanted.get(each.parent_id, ()) or each.kind == "constructor"
    ]


def _parent_names(reader: "IndexReader") -> Mapping[SymbolId, set[str]]:
    """The names of the parents of each class outside the project, those of its parents' parents among them."""
    above: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    outside: dict[SymbolId, set[str]] = defaultdict(set)
    for child, parent, name in reader.running.parents():
        if parent is not None:
            above[child].append(parent)
        elif name is not None:
            outside[child].add(name.partition("<")[0].rpartition(".")[2])
    found: dict[SymbolId, set[str]] = {}
    for child in {*above, *outside}:
        found[child] = set().union(*(outside.get(each, set()) for each in reached_from(child, above)))
    return found
