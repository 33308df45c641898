"""Who fills which page, and which pages take in which: what a page calls runs with the request that asks for it.

What it does: leads from an action to the page that is named like it, from a call such as `render "a/b"` or `view('a.b')`
to the page it names, and from pages to those they take in or stand in.
Why it matters: no call in the text leads to a page, so what only pages call would have no test.
Known limits: pages of the engines that are read as code; a page whose name is put together, or that Rails finds by the
class of an object, is not found.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.clients import calls_by_line
from drift.analyses.running.edges import Run
from drift.index.ids import FileId, SymbolId, file_of_symbol, file_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_SAID: Final = 0.9  # the whole name of the page, or one beside it
_ENDING: Final = 0.6  # its end alone: a package may stand before it
_BY_NAME: Final = 0.9  # an action that says no other page
_OR_BY_NAME: Final = 0.5  # one that does, perhaps in a branch
_AROUND: Final = 0.7  # a page may be shown without what usually stands around it
_LINES_OF_CALL: Final = 3  # a name may stand below the call it is given to
_ENDINGS: Final = re.compile(r"(?:\.[A-Za-z]\w{0,9}){1,4}$")


class _Page(NamedTuple):
    id: SymbolId
    folder: str
    parts: tuple[str, ...]
    """Its name below the folder of pages, without what marks a part of a page."""
    is_partial: bool


class _Action(NamedTuple):
    file: re.Pattern[str]
    pages: str
    layouts: str
    layout: str


class _Rules(NamedTuple):
    endings: tuple[str, ...]
    roots: frozenset[str]
    calls: re.Pattern[str]
    around: re.Pattern[str]
    actions: tuple[_Action, ...]


class _Pages:
    """The pages of a project by their names."""

    def __init__(self, paths: Mapping[FileId, str]) -> None:
        self._by_name: dict[str, list[_Page]] = defaultdict(list)
        self.by_id: Final[dict[SymbolId, _Page]] = {}
        for file, path in paths.items():
            page = _page(file_symbol(file), path)
            self._by_name[page.parts[-1]].append(page)
            self.by_id[page.id] = page

    def names(self) -> set[str]:
        """The texts that may name a page."""
        ends = [one.parts[start:] for one in self.by_id.values() for start in range(len(one.parts))]
        return {sign.join(each) for each in ends for sign in "/."}

    def meant(self, said: str, folder: str | None, *, in_page: bool) -> list[tuple[SymbolId, float]]:
        """The pages that a text names, at a place whose own pages stand in `folder`: pages take in parts of pages."""
        parts = _said_parts(said)
        alike = self._by_name.get(parts[-1], []) if parts else []
        near = [one for one in alike if len(parts) == 1 and one.folder == folder]
        whole = near or [one for one in alike if one.parts == parts]
        ending = [one for one in alike if len(parts) > 1 and one.parts[-len(parts) :] == parts]
        found, confidence = (whole, _SAID) if whole else (ending, _ENDING)
        fitting = [one for one in found if one.is_partial == in_page] or found
        return [(one.id, confidence) for one in fitting]

    def inside(self, folder: str, name: str) -> list[SymbolId]:
        """The pages of a folder with this name, one for each format."""
        return [one.id for one in self._by_name.get(name, ()) if one.folder == folder and not one.is_partial]


def page_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which functions fill which pages, and which pages take in which."""
    paths = reader.pages.ending_in(_rules().endings)
    if not paths:
        return
    pages = _Pages(paths)
    kinds = {"page": _rules().calls, "around": _rules().around}
    said = reader.pages.texts_equal_to(pages.names())
    taken = reader.pages.taken()
    users = {file_of_symbol(one.symbol_id) for one in (*said, *taken)}
    folders = {file: found for file, path in reader.pages.paths(users).items() if (found := _folder(path))}
    filling: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    layouts: dict[SymbolId, str] = {}
    calls = calls_by_line(reader, users, kinds)
    for one in (*taken, *said):
        file, here = file_of_symbol(one.symbol_id), pages.by_id.get(one.symbol_id)
        beside = _beside(calls.get(one.symbol_id, {}), one.line) if one in said else {"page"}
        if "around" in beside:
            layouts[one.symbol_id] = one.value
        if "page" not in beside:
            continue
        folder = here.folder if here is not None else folders.get(file)
        for page, confidence in pages.meant(one.value, folder, in_page=here is not None):
            if page != one.symbol_id:
                filling[one.symbol_id].add(page)
                yield Run(one.symbol_id, page, confidence)
    yield from _by_action(reader, pages, filling, layouts)


def _by_action(
    reader: "IndexReader",
    pages: _Pages,
    filling: Mapping[SymbolId, Collection[SymbolId]],
    layouts: Mapping[SymbolId, str],
) -> Iterator[Run]:
    """Methods that fill the page of their own name, and what stands around the pages of a class."""
    for file, path in reader.pages.paths().items():
        rule, match = _action(path)
        if rule is None or match is None:
            continue
        folder, outer = rule.pages.format(**match.groupdict()), rule.layouts.format(**match.groupdict())
        for method, owner, name in reader.pages.methods_of(file):
            said = filling.get(method, ())
            own = pages.inside(folder, name)
            yield from (Run(method, page, _OR_BY_NAME if said else _BY_NAME) for page in own)
            whole = own or [each for each in said if not pages.by_id[each].is_partial]
            if not whole:
                continue
            around = layouts.get(owner) or (
                match["name"] if pages.inside(outer, match["name"]) else rule.layout
            )
            yield from (Run(method, page, _AROUND) for page in pages.inside(outer, around))


def _beside(calls: Mapping[int, set[str]], line: int) -> set[str]:
    """What the calls of a line do, else those of the nearest line above it."""
    near = (calls[each] for each in range(line, line - _LINES_OF_CALL, -1) if calls.get(each))
    return next(near, set())


def _folder(path: str) -> str | None:
    """Where the pages of a file of actions stand."""
    rule, match = _action(path)
    return rule.pages.format(**match.groupdict()) if rule is not None and match is not None else None


def _action(path: str) -> tuple[_Action | None, re.Match[str] | None]:
    for rule in _rules().actions:
        match = rule.file.fullmatch(path)
        if match is not None:
            return rule, match
    return None, None


def _page(symbol: SymbolId, path: str) -> _Page:
    folder, _, name = path.rpartition("/")
    plain = _ENDINGS.sub("", name)
    *above, _ = path.split("/")
    roots = [at for at, each in enumerate(above) if each in _rules().roots]
    # A folder of components below the views is a part of names: <x-card> is components/card.
    below = above[roots[0] + 1 :] if roots else above
    return _Page(symbol, folder, (*below, plain.removeprefix("_")), plain.startswith("_"))


def _said_parts(said: str) -> tuple[str, ...]:
    text = said.rpartition("::")[2].lstrip("./")
    if "/" not in text and not text.endswith(_rules().endings):
        text = text.replace(".", "/")
    return tuple(part for part in _ENDINGS.sub("", text).split("/") if part)


@cache
def _rules() -> _Rules:
    table = tomllib.loads(files("drift.analyses.running").joinpath("pages.toml").read_text("utf-8"))
    return _Rules(
        tuple(table["endings"]),
        frozenset(table["roots"]),
        re.compile(table["calls"]),
        re.compile(table["around"]),
        tuple(
            _Action(re.compile(one["file"]), one["pages"], one["layouts"], one["layout"])
            for one in table["actions"]
        ),
    )


def page_symbols(reader: "IndexReader") -> frozenset[SymbolId]:
    """The pages of a project as what runs."""
    return frozenset(map(file_symbol, reader.pages.ending_in(_rules().endings)))
