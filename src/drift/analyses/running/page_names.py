"""The pages of a project that are code, and which of them a text names: whole, by its end, or by what it may spell."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.spelling import OPEN, Spelling
from drift.index.ids import FileId, SymbolId, file_symbol
from drift.languages.ruby.inflection import plural, singular
from drift.languages.taken_pages import OBJECT

if TYPE_CHECKING:
    from drift.index import IndexReader

_SAID: Final = 0.9  # the whole name of the page, or one beside it
_ENDING: Final = 0.6  # its end alone: a package may stand before it
_SPELLED: Final = 0.5  # one of those that a name which is put together may mean
_MOST_SPELLED: Final = 60
_FEWEST_LETTERS: Final = 3
_ENDINGS: Final = re.compile(r"(?:\.[A-Za-z]\w{0,9}){1,4}$")


class Page(NamedTuple):
    """A page that is code."""

    id: SymbolId
    folder: str
    parts: tuple[str, ...]
    """Its name below the folder of pages, without what marks a part of a page."""
    is_partial: bool


class Action(NamedTuple):
    """Files whose methods fill the pages that are named like them."""

    file: re.Pattern[str]
    pages: str
    layouts: str
    layout: str


class PageRules(NamedTuple):
    """What `pages.toml` says of pages that are code."""

    endings: tuple[str, ...]
    roots: frozenset[str]
    plain_endings: tuple[str, ...]
    plain_roots: frozenset[str]
    calls: re.Pattern[str]
    apart: re.Pattern[str]
    around: re.Pattern[str]
    actions: tuple[Action, ...]
    beside: tuple[str, str]


class Pages:
    """The pages of a project by their names."""

    def __init__(self, paths: Mapping[FileId, str]) -> None:
        self._by_name: dict[str, list[Page]] = defaultdict(list)
        self.by_id: Final[dict[SymbolId, Page]] = {}
        for file, path in paths.items():
            page = _page(file_symbol(file), path)
            self._by_name[page.parts[-1]].append(page)
            self.by_id[page.id] = page
        self._parts = {part for one in self.by_id.values() for part in one.parts}

    def names(self) -> set[str]:
        """The texts that may name a page."""
        ends = [one.parts[start:] for one in self.by_id.values() for start in range(len(one.parts))]
        return {sign.join(each) for each in ends for sign in "/."}

    def meant(self, said: str, folder: str | None, *, in_page: bool) -> list[tuple[SymbolId, float]]:
        """The pages that a text names, at a place whose own pages stand in `folder`: pages take in parts of pages."""
        if said.startswith(OBJECT):  # @messages, or message: messages/message
            one = singular(said.removeprefix(OBJECT))
            said = f"{plural(one)}/{one}"
        parts = _said_parts(said)
        if OPEN in said:
            return self._spelled(Spelling(parts), folder, in_page=in_page) if parts else []
        alike = self._by_name.get(parts[-1], []) if parts else []
        near = [one for one in alike if len(parts) == 1 and one.folder == folder]
        whole = near or [one for one in alike if one.parts == parts]
        ending = [one for one in alike if len(parts) > 1 and one.parts[-len(parts) :] == parts]
        found, confidence = (whole, _SAID) if whole else (ending, _ENDING)
        return [(one.id, confidence) for one in _fitting(found, in_page=in_page)]

    def is_whole(self, said: str) -> bool:
        """Whether a text is the whole path of a page, or of its folder, as no other text is by chance."""
        if "/" not in said or said.startswith("/"):
            return False
        parts = _said_parts(said)
        if OPEN in said:  # of a page by a name that is put together, the folder
            return OPEN not in "".join(parts[:-1])
        return any(one.parts == parts for one in self._by_name.get(parts[-1], ())) if parts else False

    def may_spell(self, parts: Collection[str]) -> bool:
        """Whether the known ones of the parts of a name are of pages."""
        known = [part for part in parts if OPEN not in part]
        return bool(known or "".join(parts).strip(OPEN)) and self._parts.issuperset(known)

    def inside(self, folder: str, name: str) -> list[SymbolId]:
        """The pages of a folder with this name, one for each format."""
        return [one.id for one in self._by_name.get(name, ()) if one.folder == folder and not one.is_partial]

    def _spelled(self, name: Spelling, folder: str | None, *, in_page: bool) -> list[tuple[SymbolId, float]]:
        """The pages that a name may mean which is put together; none where too little of it is known."""
        known = sum(letter.isalpha() for part in name.parts for letter in part)
        if known < _FEWEST_LETTERS or (name.parts[-1] == OPEN and not name.owner_letters):
            return []
        last, whole = re.compile(name.pattern()), re.compile(name.whole_pattern())
        found = [
            one
            for page, alike in self._by_name.items()
            if last.fullmatch(page)
            for one in alike
            if (one.folder == folder if len(name.parts) == 1 else whole.fullmatch(".".join(one.parts)))
        ]
        fitting = _fitting(found, in_page=in_page)
        return [(one.id, _SPELLED) for one in fitting] if len(fitting) <= _MOST_SPELLED else []


def page_paths(reader: "IndexReader") -> dict[FileId, str]:
    """The paths of the pages of a project that are code: by their ending, or by their folder and that they have no code."""
    rules = page_rules()
    found = reader.pages.ending_in(rules.endings)
    plain = {
        file: path
        for file, path in reader.pages.ending_in(rules.plain_endings).items()
        if file not in found and not rules.plain_roots.isdisjoint(path.lower().split("/")[:-1])
    }
    bare = reader.pages.without_code(plain) if plain else ()
    return found | {file: path for file, path in plain.items() if file in bare}


def page_symbols(reader: "IndexReader") -> frozenset[SymbolId]:
    """The pages of a project as what runs."""
    return frozenset(map(file_symbol, page_paths(reader)))


def _fitting(pages: Iterable[Page], *, in_page: bool) -> list[Page]:
    found = list(pages)
    return [one for one in found if one.is_partial == in_page] or found


def _page(symbol: SymbolId, path: str) -> Page:
    folder, _, name = path.rpartition("/")
    plain = _ENDINGS.sub("", name)
    *above, _ = path.split("/")
    rules = page_rules()
    is_plain = not name.endswith(rules.endings)
    roots = [
        at
        for at, each in enumerate(above)
        if (each.lower() in rules.plain_roots if is_plain else each in rules.roots)
    ]
    # A folder of components below the views is a part of names: <x-card> is components/card.
    below = above[roots[0] + 1 :] if roots else above
    return Page(symbol, folder, (*below, plain.removeprefix("_")), plain.startswith("_"))


def _said_parts(said: str) -> tuple[str, ...]:
    text = said.rpartition("::")[2].lstrip("./")
    if "/" not in text and not text.endswith(page_rules().endings):
        text = text.replace(".", "/")
    return tuple(part for part in _ENDINGS.sub("", text).split("/") if part)


@cache
def page_rules() -> PageRules:
    """What `pages.toml` says of pages that are code, read once."""
    table = tomllib.loads(files("drift.analyses.running").joinpath("pages.toml").read_text("utf-8"))
    return PageRules(
        tuple(table["endings"]),
        frozenset(table["roots"]),
        tuple(table["plain"]["endings"]),
        frozenset(table["plain"]["roots"]),
        re.compile(table["calls"]),
        re.compile(table["apart"]),
        re.compile(table["around"]),
        tuple(
            Action(re.compile(one["file"]), one["pages"], one["layouts"], one["layout"])
            for one in table["actions"]
        ),
        (table["beside"]["page"], table["beside"]["class"]),
    )
