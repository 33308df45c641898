"""Pages of Django and Jinja: who fills them, which take in which, and what their expressions run.

What it does: leads from a text of the code that names a page to the page, from a page to those it takes in, and from its
tags, filters and members to the functions they mean.
Why it matters: what pages alone call has no caller in the code, and would have no test.
Example: `render(request, "shop/cart.html")`, and in the page `{{ cart.total|money }}`.
Known limits: a page says the name of a member and not whose it is: an object is taken for one of the class it is named
after, else for one of the only class that has the member. Pages found by the name of a model are not known.
"""

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run
from drift.documents.page_code import CALLED, FILTER, MEMBER, SHOWN, TAG, TAKEN
from drift.index.ids import FileId, SymbolId, is_file
from drift.scan.link.unique_names import is_everyday, is_of_libraries

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.page_queries import PageCode, PageWord
    from drift.index.run_records import Decorated

_FILLED: Final = 0.9  # the only page that a function names
_ONE_OF: Final = 0.7  # one of several
_TAKEN: Final = 0.9
_REGISTERED: Final = 0.9  # a tag or filter by the name it is registered with
_BY_NAME: Final = 0.7  # the only function of the name
_NAMED_AFTER: Final = 0.9  # a member of an object that is named after its class
_ALONE: Final = 0.7  # a member that one class alone has
_ONE_OF_FEW: Final = 0.4
_FEW: Final = 3
_TEXT: Final = 0.7  # an object that is shown, by its __str__
_ANSWERING: Final = ("get", "post")
_QUOTED: Final = re.compile(r"""["']([^"'\n]{1,200})["']""")
_NAME: Final = re.compile(r"""\bname\s{0,9}=\s{0,9}["'](\w{1,100})["']""")
_STR: Final = "__str__"
_MEANING: Final = frozenset({TAG, FILTER, CALLED, MEMBER})
_MOST_DEEP: Final = 8  # pages in pages


class _Rules(NamedTuple):
    roots: frozenset[str]
    registering: re.Pattern[str]
    filling: re.Pattern[str]


class FilledPages(NamedTuple):
    """Who fills which of these pages, how surely, and which pages take in which."""

    fillers: Mapping[FileId, Mapping[SymbolId, float]]
    takers: Mapping[FileId, frozenset[FileId]]


def find_filled_pages(reader: "IndexReader") -> FilledPages:
    """Who shows the pages of Django, Jinja and Twig, and which take in which."""
    named = _by_name(reader.pages.documents())
    fillers: dict[FileId, dict[SymbolId, float]] = defaultdict(dict)
    for user, page, confidence in _filling(reader, named, _registered(reader)):
        fillers[page][user] = max(confidence, fillers[page].get(user, 0.0))
    takers: dict[FileId, set[FileId]] = defaultdict(set)
    for one in reader.pages.said_of_code((TAKEN,)):
        for page in named.get(one.name.lstrip("./"), ()):
            takers[page].add(one.file)
    return FilledPages(fillers, {page: frozenset(some) for page, some in takers.items()})


def filled_page_runs(reader: "IndexReader") -> Iterator[Run]:
    """Who runs what by filling a page: a page is no symbol, so that what it says counts for who fills it."""
    said = reader.pages.said_of_code((TAKEN, TAG, FILTER, CALLED, MEMBER, SHOWN))
    if not said:
        return
    named = _by_name(reader.pages.documents())
    marks = _registered(reader)
    code = _Code(marks, reader.pages.meant_by({one.name for one in said if one.kind in _MEANING} | {_STR}))
    taking: dict[FileId, set[FileId]] = defaultdict(set)
    running: dict[FileId, dict[SymbolId, float]] = defaultdict(dict)
    for one in said:
        if one.kind == TAKEN:
            taking[one.file].update(named.get(one.name.lstrip("./"), ()))
        for used, confidence in code.meant(one):
            running[one.file][used] = max(confidence, running[one.file].get(used, 0.0))
    whole: dict[FileId, dict[SymbolId, float]] = {}
    for user, page, confidence in _filling(reader, named, marks):
        if page not in whole:
            whole[page] = _run_with(page, taking, running)
        yield from (Run(user, used, sureness * confidence) for used, sureness in whole[page].items())


def _run_with(
    page: FileId, taking: Mapping[FileId, set[FileId]], running: Mapping[FileId, dict[SymbolId, float]]
) -> dict[SymbolId, float]:
    """What a page runs, with those it takes in or stands in."""
    found: dict[SymbolId, float] = {}
    level, seen, sureness = {page}, {page}, 1.0
    for _ in range(_MOST_DEEP):
        for here in level:
            for used, confidence in running.get(here, {}).items():
                found[used] = max(sureness * confidence, found.get(used, 0.0))
        level = {each for here in level for each in taking.get(here, ())} - seen
        seen |= level
        sureness *= _TAKEN
    return found


def _by_name(paths: Mapping[FileId, str]) -> dict[str, list[FileId]]:
    """The pages by what code calls them: what stands below a folder of pages, else any end of the path."""
    found: dict[str, list[FileId]] = defaultdict(list)
    roots = _rules().roots
    for file, path in paths.items():
        parts = path.split("/")
        below = [at + 1 for at, each in enumerate(parts[:-1]) if each in roots]
        for start in below or range(max(len(parts) - 1, 1)):
            found["/".join(parts[start:])].append(file)
    return found


def _filling(
    reader: "IndexReader", named: Mapping[str, list[FileId]], marks: "list[Decorated]"
) -> Iterator[tuple[SymbolId, FileId, float]]:
    """Who fills which pages, and how surely."""
    by_user: dict[SymbolId, set[str]] = defaultdict(set)
    for text in reader.pages.texts_equal_to(named):
        if not is_file(text.symbol_id):  # what a file says at its top fills nothing when it is imported
            by_user[text.symbol_id].add(text.value)
    for mark in marks:
        if _rules().filling.fullmatch(mark.decorator):
            by_user[mark.symbol_id].update(each for each in _QUOTED.findall(mark.text) if each in named)
    for user, names in by_user.items():
        confidence = _FILLED if len(names) == 1 else _ONE_OF
        members = [one.id for one in reader.symbols.members(user) if one.name in _ANSWERING]
        for page in {page for name in names for page in named[name]}:
            yield from ((each, page, confidence) for each in (user, *members))


def _registered(reader: "IndexReader") -> "list[Decorated]":
    """The functions that decorators make tags, filters and functions of pages."""
    names = [each for each in reader.running.decorator_names() if _rules().registering.fullmatch(each)]
    return reader.running.decorated(names) if names else []


class _Code:
    """The code that words of pages mean."""

    def __init__(self, marks: "Iterable[Decorated]", found: "Iterable[PageCode]") -> None:
        self._registered: dict[str, list[SymbolId]] = defaultdict(list)
        for mark in marks:
            fills = _rules().filling.fullmatch(mark.decorator) is not None
            renamed = _NAME.search(mark.text) or (None if fills else _QUOTED.search(mark.text))
            self._registered[renamed[1] if renamed else mark.name].append(mark.symbol_id)
        self._functions: dict[str, list[SymbolId]] = defaultdict(list)
        self._members: dict[str, list[PageCode]] = defaultdict(list)
        for one in found:
            if one.owner_kind == "class" and one.kind != "function" and not _needs_arguments(one):
                self._members[one.name].append(one)
            elif one.owner_kind == "module":
                self._functions[one.name].append(one.id)

    def meant(self, word: "PageWord") -> list[tuple[SymbolId, float]]:
        """What a word runs, and how surely."""
        if word.kind == MEMBER:
            return _members(word.owner, self._members.get(word.name, []))
        if word.kind == SHOWN:
            texts = self._members.get(_STR, ())
            return [(one.id, _TEXT) for one in texts if _is_named_after(word.name, one.owner)]
        own, alone = self._registered.get(word.name, ()), self._functions.get(word.name, ())
        if word.kind == TAKEN or own or len(alone) != 1:
            return [(each, _REGISTERED) for each in own if word.kind != TAKEN]
        return [(alone[0], _BY_NAME)]


def _members(owner: str | None, alike: "list[PageCode]") -> list[tuple[SymbolId, float]]:
    """The members of one name that a page means behind an object."""
    own = [one for one in alike if owner is not None and _is_named_after(owner, one.owner)]
    if own:
        return [(one.id, _NAMED_AFTER) for one in own]
    if not 0 < len(alike) <= _FEW or is_everyday(alike[0].name) or is_of_libraries(alike[0].name):
        return []
    return [(one.id, _ALONE if len(alike) == 1 else _ONE_OF_FEW) for one in alike]


def _is_named_after(name: str, owner: str) -> bool:
    return name.replace("_", "").lower() == owner.lower()


def _needs_arguments(code: "PageCode") -> bool:
    """Whether a member cannot be called without arguments, as a page does."""
    given = [each for each in json.loads(code.parameters) if each[0] not in {"self", "cls"}]
    return any((each[1] if len(each) > 1 else "plain") == "plain" and not any(each[3:4]) for each in given)


@cache
def _rules() -> _Rules:
    table = tomllib.loads(files("drift.analyses.running").joinpath("pages.toml").read_text("utf-8"))["filled"]
    return _Rules(frozenset(table["roots"]), re.compile(table["registering"]), re.compile(table["filling"]))
