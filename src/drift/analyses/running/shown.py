"""What is shown with components and pages in a browser: templates, hooks, layouts, and what starts the application.

What it does: leads from the class of a component to its template and to the methods that run when it is shown, and from
what a page shows to what stands around it: layouts by their folders, and the files that start the application whose
router has the page.
Why it matters: no call in the text leads to a template, and a test that opens a page runs all of these.
Known limits: a file that starts an application is one that nothing imports; of many none is taken.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run
from drift.index.ids import FileId, SymbolId, file_of_symbol, file_symbol, is_file

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

_SHOWN: Final = 0.95
_NAMED: Final = 0.25
_ON_EVENT: Final = 0.45  # what markup ties to an event runs where a test lets that happen
_MOST_STARTS: Final = 3
_DEFAULT: Final = "default"
_PAGE: Final = "page"


class _Rules(NamedTuple):
    decorators: tuple[str, ...]
    naming: tuple[str, ...]
    template: re.Pattern[str]
    hooks: str
    files: tuple[str, ...]
    templates: tuple[str, ...]
    layouts: frozenset[str]
    with_default: frozenset[str]


@cache
def _rules() -> _Rules:
    text = files("drift.analyses.running").joinpath("pages.toml").read_text("utf-8")
    table = tomllib.loads(text)["components"]
    return _Rules(
        tuple(table["decorators"]),
        tuple(table["naming"]),
        re.compile(table["template"]),
        table["hooks"],
        tuple(table["files"]),
        tuple(table["templates"]),
        frozenset(table["layouts"]),
        frozenset(table["with_default"]),
    )


def shown_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which templates, constructors and hooks run where a component is shown."""
    rules = _rules()
    components = [one for one in reader.running.decorated(rules.decorators) if one.kind == "class"]
    if not components:
        return
    paths = reader.pages.paths()
    by_path = {path: file for file, path in paths.items()}
    for one in components:
        said = rules.template.search(one.text)
        here = paths.get(file_of_symbol(one.symbol_id))
        if said is None or here is None:
            continue
        template = by_path.get(normpath(join(dirname(here), said["path"])))
        if template is not None:
            yield Run(one.symbol_id, file_symbol(template), _SHOWN)
    for owner, hook in reader.pages.hooks_of({one.symbol_id for one in components}, rules.hooks):
        yield Run(owner, hook, _SHOWN)


def component_files(reader: "IndexReader") -> Collection[FileId]:
    """The files that are a component each, whose code runs where one is shown and not where it is imported."""
    return reader.pages.ending_in(_rules().files)


def template_files(reader: "IndexReader") -> Collection[FileId]:
    """The files that are the template of a component of another file."""
    return reader.pages.ending_in(_rules().templates)


class Naming:
    """Who names components, pages and functions without running them: lists of what a class may use, routers, events."""

    def __init__(self, reader: "IndexReader") -> None:
        rules = _rules()
        marked = reader.running.decorated(rules.naming)
        self._components: Final = {one.symbol_id for one in marked if one.decorator in rules.decorators}
        self._listing: Final = {file_symbol(file_of_symbol(one.symbol_id)) for one in marked}
        self._limits: Final = dict.fromkeys(reader.pages.on_events(), _ON_EVENT)
        self._limits.update(dict.fromkeys(reader.pages.procedures(), _NAMED))
        for place, shown in reader.pages.shown():
            self._limits[place, shown] = self._limits[file_symbol(file_of_symbol(place)), shown] = _NAMED

    def limit(self, user: SymbolId, used: SymbolId) -> float:
        """How surely at most the first runs the second."""
        if user in self._listing and used in self._components:
            return _NAMED
        return self._limits.get((user, used), 1.0)


def page_companions(reader: "IndexReader") -> Iterator[tuple[SymbolId, SymbolId]]:
    """What stands around each handler of a page or starts its application, each after the handler."""
    paths = reader.pages.paths()
    yield from _layouts(reader, paths)
    shown = reader.pages.shown()
    if not shown:
        return
    tests = reader.pages.test_paths()
    importers: dict[FileId, set[FileId]] = defaultdict(set)
    loading: dict[tuple[FileId, FileId], set[SymbolId]] = defaultdict(set)
    for importer, target in reader.running.imported():
        if (file := file_of_symbol(importer)) not in tests and file != target:
            importers[target].add(file)
            loading[file, target].add(importer)
    known: dict[FileId, list[FileId]] = {}
    for place, handler in shown:
        file = file_of_symbol(place)
        if file not in known:
            known[file] = _starts(file, importers)
        yield from ((handler, file_symbol(start)) for start in known[file])
        # The functions beside the path that load what it shows.
        late = loading[file, file_of_symbol(handler)]
        yield from ((handler, one) for one in late if not is_file(one))


def _starts(file: FileId, importers: Mapping[FileId, set[FileId]]) -> list[FileId]:
    """The files that import this one, directly or through others, and that nothing imports; none of many."""
    seen, pending, starts = {file}, [file], []
    while pending:
        here = pending.pop()
        above = importers.get(here, set())
        if not above:
            starts.append(here)
        new = above - seen
        seen |= new
        pending += new
    return sorted(starts) if len(starts) <= _MOST_STARTS else []


def _layouts(reader: "IndexReader", paths: Mapping[FileId, str]) -> Iterator[tuple[SymbolId, SymbolId]]:
    """The layouts in the folders of each handler and above, up to where a folder of pages begins."""
    by_folder: dict[str, list[SymbolId]] = defaultdict(list)
    for file, path in paths.items():
        if _file_name(path) not in _rules().layouts:
            continue
        exported = [one for one in reader.symbols.of_file(file) if "exported" in one.modifiers]
        given = [one.id for one in exported if _DEFAULT in one.modifiers]
        by_folder[dirname(path)] += given or [file_symbol(file)]
        if given:
            by_folder[dirname(path)] += _with_default(exported)
    beside: dict[FileId, list[SymbolId]] = {}
    for handler, _ in reader.guards.handlers():
        file = file_of_symbol(handler)
        if file not in beside:
            named = _file_name(paths.get(file, "")) == _PAGE
            beside[file] = _with_default(reader.symbols.of_file(file)) if named else []
        yield from ((handler, each) for each in beside[file] if each != handler)
        folder = dirname(paths.get(file, ""))
        while folder:
            yield from ((handler, each) for each in by_folder.get(folder, ()) if each != handler)
            folder = dirname(folder)


def _with_default(symbols: Iterable["SymbolRecord"]) -> list[SymbolId]:
    """What of the top of a file a framework runs where it shows the default of the file."""
    names = _rules().with_default
    return [
        one.id
        for one in symbols
        if one.name in names and one.name == one.qualname and "exported" in one.modifiers
    ]


def _file_name(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
