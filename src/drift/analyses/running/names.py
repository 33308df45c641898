"""A second leg of evidence: who may run a function by the names that stand in calls and in titles of tests.

All of it is faint: it counts only where nothing surer leads from a test to a function.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.arity import keeps_private, may_take
from drift.analyses.error_handling.hierarchy import family_name
from drift.analyses.running.edges import Run
from drift.analyses.running.views import VERBS, ViewFamilies
from drift.index.ids import SymbolId, file_of_symbol
from drift.scan.link.unique_names import is_everyday

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.run_records import NamedFunction

_MENTIONED: Final = 0.24  # a call of a member of this name, shared by all functions that have it
_ONLY: Final = 0.4  # the same, where one alone has the name, or it and those that override it
_TITLED: Final = 0.2  # a test that is named after it
_MOST_ALIKE: Final = 4
_MOST_IN_FAMILY: Final = 60  # with those that override them
# No code of one of these calls a method of another by its name.
_APART: Final = frozenset({"python", "javascript", "java", "csharp", "go", "rust", "php", "ruby", "cpp"})
_WORDS: Final = re.compile(r"\w++")
_TITLE: Final = re.compile(r"(?:test|Test|it|should)_?(\w+)")
_ENTERED: Final = frozenset({"main", "init", "setup"})  # no test is named after what a program begins with


def name_runs(reader: "IndexReader") -> Iterator[Run]:
    """Who calls a member that nobody could place and that functions of the project are named like."""
    functions: dict[str, list[SymbolId]] = defaultdict(list)
    known = {one.id: one for one in reader.running.product_functions()}
    for dispatched in _dispatched(reader, known.values()):
        del known[dispatched]
    for one in known.values():
        functions[one.name.lower()].append(one.id)
    wanted: dict[int, list[SymbolId]] = {}
    names: dict[int, str] = {}
    for word, text in reader.running.open_texts():
        words = _WORDS.findall(text)
        found = functions.get(words[-1].lower(), ()) if words else ()
        if 0 < len(found) <= _MOST_IN_FAMILY:
            wanted[word], names[word] = list(found), words[-1]
    overriding = reader.running.overriding({used for found in wanted.values() for used in found})
    # Those that override another of them run in its place, which the walk knows.
    alone = {word: [each for each in found if each not in overriding] for word, found in wanted.items()}
    wanted = {word: found for word, found in wanted.items() if len(alone[word]) <= _MOST_ALIKE}
    tongues = _tongues(reader)
    for caller, word, is_unknown, arguments in reader.running.open_callers(wanted):
        tongue = tongues.get(file_of_symbol(caller))
        is_sure = is_unknown and len(alone[word]) == 1 and not is_everyday(names[word])
        confidence = _ONLY if is_sure else _MENTIONED / len(alone[word])
        for used in wanted[word]:
            is_near = tongue is None or tongues.get(file_of_symbol(used), tongue) == tongue
            if is_near and _may_be_meant(known[used], caller, arguments):
                yield Run(caller, used, confidence)
    titled = {
        case: found
        for case, title in reader.running.test_names()
        if (named := _TITLE.fullmatch(title)) is not None
        and named[1].lower() not in _ENTERED
        and 0 < len(found := functions.get(named[1].lower(), ())) <= _MOST_ALIKE
    }
    # A test that calls one of that name is about that one.
    called = {(case, used) for case, used, _ in reader.testing.used(titled)}
    for case, found in titled.items():
        tongue = tongues.get(file_of_symbol(case))
        near = [each for each in found if tongues.get(file_of_symbol(each)) == tongue] or found
        meant = [used for used in near if (case, used) in called]
        yield from (Run(case, used, _TITLED) for used in meant or near)


def _dispatched(reader: "IndexReader", functions: Iterable["NamedFunction"]) -> list[SymbolId]:
    """Those that requests alone run: what calls another of their name, response.get(key), does not mean them."""
    named = [one.id for one in functions if one.name.upper() in VERBS]
    families = ViewFamilies(reader) if named else None
    return [
        one.id
        for one in (reader.symbols.many(named) if families is not None else ())
        if families is not None and one.parent_id is not None and families.dispatches(one.parent_id, one.name)
    ]


def _may_be_meant(function: "NamedFunction", caller: SymbolId, arguments: int) -> bool:
    """Whether the language lets a call of a member run a function, as far as both are written."""
    is_kept = function.is_private and keeps_private(function.language)
    if is_kept and file_of_symbol(function.id) != file_of_symbol(caller):
        return False
    return function.is_remade or may_take(function.language, function.parameters_json, arguments)


def _tongues(reader: "IndexReader") -> dict[int, str]:
    """The languages of files, those that call each other as one; pages and the like are of none."""
    return {
        number: family_name(one.language)
        for number, one in reader.errors.files().items()
        if family_name(one.language) in _APART
    }
