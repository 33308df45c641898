"""Which classes of tests start the application they test, and how much of it.

Known limits: what a class of tests starts by a call of its own is told by the name of what it makes.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.started_rules import Annotated, Hosted
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_CLASS: Final = re.compile(r"\b([A-Z]\w{0,80})\s{0,9}(?:\.class\b|::class\b)")
_ARGUMENT: Final = re.compile(r"[<,]\s{0,9}(?:\w{1,80}\.){0,8}(\w{1,80})")
_WHOLE_ARGUMENT: Final = re.compile(r"[<,]\s{0,9}((?:\w{1,80}\.){1,8}\w{1,80})")
_MAKING: Final = re.compile(r"(?:new\s{1,9})?(?:\w{1,80}\.){0,8}[A-Z]\w{0,80}(?:<[\w.,\s<>]{1,200}>)?")
_MOST_COMPOSED: Final = 4  # annotations of annotations, fixtures that make fixtures


class Starting(NamedTuple):
    """A class of tests that starts an application; `named`: the classes it says to start with."""

    tests: SymbolId
    named: frozenset[str]
    is_whole: bool
    spaces: str = ""  # what stands before the names


def annotated_tests(reader: "IndexReader", rules: Annotated) -> list[Starting]:
    """The classes of tests that have an annotation which starts something, also one that is made of such."""
    known = set(reader.running.decorator_names())
    names = {each: True for each in rules.starting if each in known}
    names |= {each: False for each in rules.slices if each in known}
    found: dict[SymbolId, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    pending = dict(names)
    for _ in range(_MOST_COMPOSED):
        composed: dict[str, bool] = {}
        for one in reader.running.decorated(pending) if pending else ():
            found[one.symbol_id][one.decorator].update(_CLASS.findall(one.text))
            if one.kind == "interface" and one.name in known and one.name not in names:
                composed[one.name] = names[one.decorator]
        names |= composed
        pending = composed
    for one in reader.running.decorated(rules.importing) if found else ():
        if one.symbol_id in found:
            found[one.symbol_id][one.decorator].update(_CLASS.findall(one.text))
    tests = {one.id for one in reader.symbols.many(found) if one.role == "test" and one.kind == "class"}
    return [
        Starting(each, frozenset().union(*said.values()), any(names.get(name) for name in said))
        for each, said in found.items()
        if each in tests
    ]


def imported_names(reader: "IndexReader", rules: Annotated) -> Mapping[SymbolId, set[str]]:
    """The classes that the annotations of classes name to start with these."""
    found: dict[SymbolId, set[str]] = defaultdict(set)
    for one in reader.running.decorated(rules.importing):
        found[one.symbol_id].update(_CLASS.findall(one.text))
    return found


def hosted_tests(reader: "IndexReader", rules: Hosted) -> list[Starting]:
    """What in tests starts the program of a host and says which: it descends from a factory, makes or is given one."""
    texts = {text: (_head(text), *_ARGUMENT.findall(text)) for text in reader.listings.base_texts()}
    found: dict[SymbolId, set[str]] = defaultdict(set)
    spaces: dict[SymbolId, str] = defaultdict(str)
    names: dict[str, None] = {}
    pending = [text for text, said in texts.items() if any(map(rules.starting.fullmatch, said))]
    calls = _calls_in_tests(reader, rules)
    for _ in range(_MOST_COMPOSED):
        made = [call for call in calls if rules.starting.fullmatch(call.head) or call.head in names]
        new = {SymbolId(call.caller) for call in made} - found.keys()
        for call in made:
            found[call.caller].update(call.said)
        for symbol, text, _ in reader.listings.based_on(pending) if pending else ():
            new |= {symbol} - found.keys()
            found[symbol].update(texts[text][1:])
            spaces[symbol] += " ".join(_WHOLE_ARGUMENT.findall(text))
        if not new:
            break
        names |= dict.fromkeys(_names_of(reader, new))
        pending = [text for text, said in texts.items() if not names.keys().isdisjoint(said)]
    tests = {one.id for one in reader.symbols.many(found) if one.role == "test"}
    # What names another that starts it comes to the program through that one.
    known = _classes_named(reader, {name for each in tests for name in found[each] if name not in names})
    starts = ((each, frozenset(name for name in found[each] if known.get(name))) for each in tests)
    implicit = {each for each in tests if rules.program in found[each]}
    return [
        Starting(each, said, is_whole=True, spaces=spaces[each])
        for each, said in sorted(starts)
        if said or each in implicit
    ]


def _names_of(reader: "IndexReader", symbols: Iterable[SymbolId]) -> Iterator[str]:
    """The names of these classes, of other symbols those of the classes they stand in."""
    for one in reader.symbols.many(symbols):
        owner = one.qualname.split(".")
        yield one.name if one.kind == "class" or len(owner) == 1 else owner[-2]


def fixture_pairs(reader: "IndexReader", rules: Hosted) -> Iterator[tuple[SymbolId, SymbolId]]:
    """Classes of tests, each with a class of which a framework gives it an object, or that runs around it."""
    texts = [text for text in reader.listings.base_texts() if _head(text) in rules.fixtures]
    held: dict[SymbolId, set[str]] = defaultdict(set)
    for symbol, text, _ in reader.listings.based_on(texts) if texts else ():
        held[symbol].update(_ARGUMENT.findall(text)[:1])
    by_name = _classes_named(reader, {name for some in held.values() for name in some})
    for symbol, names in held.items():
        yield from ((symbol, each) for name in names for each in by_name.get(name, ()))
    yield from _collected(reader, rules)
    yield from _around(reader, rules)


def _collected(reader: "IndexReader", rules: Hosted) -> Iterator[tuple[SymbolId, SymbolId]]:
    """Classes of a collection with the class that defines it, by what both say in brackets or by its name."""
    defining, member = rules.collections
    defined: dict[str, set[SymbolId]] = defaultdict(set)
    marked = reader.running.decorated((defining, member))
    for one in marked:
        if one.decorator == defining:
            said = one.text.partition("(")[2].rstrip(")] ")
            defined[said].add(one.symbol_id)
            defined[f"{one.name}.{said}"].add(one.symbol_id)
            defined[f"typeof({one.name}"].add(one.symbol_id)
    for one in marked:
        said = one.text.partition("(")[2].rstrip(")] ")
        if one.decorator == member and said in defined:
            yield from ((one.symbol_id, each) for each in sorted(defined[said]) if each != one.symbol_id)


def _around(reader: "IndexReader", rules: Hosted) -> Iterator[tuple[SymbolId, SymbolId]]:
    """Classes of tests with the classes that run before all below their folder."""
    marked = {one.symbol_id for one in reader.running.decorated(rules.around) if one.kind == "class"}
    if not marked:
        return
    around = reader.symbols.many(marked)
    cases = reader.symbols.many({case for case, _ in reader.running.test_names()})
    owners = {one.parent_id: one.path for one in cases if one.parent_id is not None and one.kind == "method"}
    for each in around:
        folder = each.path.rpartition("/")[0] + "/"
        yield from ((owner, each.id) for owner, path in owners.items() if path.startswith(folder))


class _Call(NamedTuple):
    """A call in tests: who makes it, the class it is of as written, and the type arguments."""

    caller: SymbolId
    head: str
    said: list[str]


def _calls_in_tests(reader: "IndexReader", rules: Hosted) -> list[_Call]:
    """The calls in tests that may make a factory of a program: `new WebApplicationFactory<Program>()`."""
    tests = [file for file, _, role in reader.starts.files_of([rules.language]) if role == "test"]
    words = {
        word: text
        for word, text in (reader.testing.call_texts(tests) if tests else {}).items()
        if _MAKING.fullmatch(text)
    }
    calls = reader.testing.calls_written(tests, words) if words else []
    return [_Call(one.caller_id, _head(one.text), _ARGUMENT.findall(one.text)) for one in calls]


def _classes_named(reader: "IndexReader", names: Iterable[str]) -> Mapping[str, list[SymbolId]]:
    return {
        name: [one.id for one in reader.symbols.named(name) if one.kind == "class"] for name in sorted(names)
    }


def _head(text: str) -> str:
    return text.partition("<")[0].rpartition(".")[2].strip()
