"""Who depends on whom: files, or the folders, packages and layers they lie in, and by which names.

A file depends on another that it imports. Where a language shows names without importing them one by one (all of a
package in Java and Go, of a namespace in C# and PHP), a call, a type or a parent that leads there counts as well;
elsewhere what is called without an import was handed in, which is what imports are avoided for. Imports for types
alone are gone at run time and count as nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from posixpath import dirname
from threading import Lock
from typing import Final, Literal, NamedTuple

from drift.index import IndexReader
from drift.index.file_queries import FileStamp
from drift.languages.kinds import TYPE_KINDS

Level = Literal["file", "folder", "package", "layer"]

MIN_CONFIDENCE: Final = 0.5
_IMPORTS_SAY_ALL: Final = frozenset({"python", "typescript", "javascript", "cpp", "ruby", "xaml", "wpf"})
_CODE_ROLES: Final = frozenset({"source", "test", "config"})
_ABSTRACT_KINDS: Final = frozenset({"interface", "trait", "type"})
_MOST_KEPT: Final = 4


class Dependency(NamedTuple):
    """One module using another: by which names, and the first place where it does. A whole file has the name `*`."""

    source: str
    target: str
    names: tuple[str, ...]
    path: str
    line: int

    @property
    def weight(self) -> int:
        return len(self.names)


class Offer(NamedTuple):
    """What a module declares for others: how many types and functions, and how many of them are abstract."""

    names: int = 0
    abstract: int = 0


class ModuleGraph:
    """The modules of one level, and what each uses of which other."""

    def __init__(
        self,
        members: Mapping[str, tuple[str, ...]],
        edges: Mapping[tuple[str, str], Dependency],
        offers: Mapping[str, Offer],
    ) -> None:
        self.members = members
        self.edges = edges
        self.offers = offers

    @cached_property
    def targets(self) -> dict[str, list[str]]:
        """Of each module those that it uses."""
        found: dict[str, list[str]] = {name: [] for name in self.members}
        for source, target in sorted(self.edges):
            found[source].append(target)
        return found

    @cached_property
    def sources(self) -> dict[str, list[str]]:
        """Of each module those that use it."""
        found: dict[str, list[str]] = {name: [] for name in self.members}
        for source, target in sorted(self.edges):
            found[target].append(source)
        return found

    def grouped(self, name_of: Callable[[str], str]) -> "ModuleGraph":
        """The same with several modules as one; what they use of each other inside is gone."""
        members: dict[str, list[str]] = defaultdict(list)
        offers: dict[str, Offer] = {}
        for name, paths in self.members.items():
            outer = name_of(name)
            members[outer].extend(paths)
            own, known = self.offers.get(name, Offer()), offers.get(outer, Offer())
            offers[outer] = Offer(known.names + own.names, known.abstract + own.abstract)
        edges: dict[tuple[str, str], Dependency] = {}
        for one in self.edges.values():
            ends = name_of(one.source), name_of(one.target)
            if ends[0] == ends[1]:
                continue
            names = tuple(f"{one.target}:{name}" if name == "*" else name for name in one.names)
            known_edge = edges.get(ends)
            if known_edge is None:
                edges[ends] = one._replace(source=ends[0], target=ends[1], names=names)
            else:
                edges[ends] = known_edge._replace(
                    names=tuple(sorted({*known_edge.names, *names})),
                )
        return ModuleGraph({name: tuple(paths) for name, paths in members.items()}, edges, offers)


def module_graph(reader: IndexReader, level: Level = "file", *, with_tests: bool = False) -> ModuleGraph:
    """The graph of a level other than `layer`, kept as long as the index stays the same."""
    files = _file_graph(reader, with_tests=with_tests)
    if level == "file":
        return files
    if level == "folder":
        return files.grouped(folder_of)
    packages = {path: package for path, _, package in reader.files.paths_with_packages()}
    return files.grouped(lambda path: packages.get(path) or folder_of(path))


def folder_of(path: str) -> str:
    return dirname(path) or "."


_kept: dict[tuple[object, int, bool], ModuleGraph] = {}
_lock: Final = Lock()


def _file_graph(reader: IndexReader, *, with_tests: bool) -> ModuleGraph:
    key = (reader.path, reader.generation(), with_tests)
    with _lock:
        found = _kept.get(key)
    if found is None:
        found = _read_graph(reader, with_tests=with_tests)
        with _lock:
            while len(_kept) >= _MOST_KEPT:
                del _kept[next(iter(_kept))]
            _kept[key] = found
    return found


def _read_graph(reader: IndexReader, *, with_tests: bool) -> ModuleGraph:
    files = {int(one.id): one for one in reader.files.stamps() if _is_module(one, with_tests=with_tests)}
    uses = [
        one for one in reader.coupling.uses(files, min_confidence=MIN_CONFIDENCE) if one.target_id in files
    ]
    named = reader.coupling.outer_names({one.used for one in uses if one.used is not None})
    found: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    imported: set[tuple[int, int]] = set()
    for one in uses:
        if one.is_type_only:
            continue
        pair = one.source_id, one.target_id
        name = named.get(one.used, "*") if one.used is not None else "*"
        found[pair][name] = min(one.line, found[pair].get(name, one.line))
        if one.is_import:
            imported.add(pair)
    edges = {}
    for pair, names in found.items():
        source, target = files[pair[0]], files[pair[1]]
        if pair in imported or source.language not in _IMPORTS_SAY_ALL:
            edges[source.path, target.path] = _dependency(source.path, target.path, names)
    members = {one.path: (one.path,) for one in files.values()}
    return ModuleGraph(members, edges, _offers(reader, files))


def _is_module(one: FileStamp, *, with_tests: bool) -> bool:
    return one.language is not None and one.role in _CODE_ROLES and (with_tests or one.role != "test")


def _dependency(source: str, target: str, names: Mapping[str, int]) -> Dependency:
    # A file that is imported as a whole is used by the names that are called of it, where these are known.
    known = sorted(name for name in names if name != "*") or ["*"]
    return Dependency(source, target, tuple(known), source, min(names.values()))


def _offers(reader: IndexReader, files: Mapping[int, FileStamp]) -> dict[str, Offer]:
    names: dict[str, int] = defaultdict(int)
    abstract: dict[str, int] = defaultdict(int)
    for one in reader.coupling.offered():
        file = files.get(one.file_id)
        if file is None or one.visibility == "private":
            continue
        names[file.path] += 1
        is_abstract = one.kind in _ABSTRACT_KINDS or "abstract" in one.modifiers.split()
        abstract[file.path] += is_abstract and one.kind in TYPE_KINDS
    return {path: Offer(count, abstract[path]) for path, count in names.items()}


def reached(starts: Iterable[str], links: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """What the links lead to from the starts, themselves left out, with the fewest steps."""
    depths = dict.fromkeys(starts, 0)
    frontier = list(depths)
    own = set(depths)
    depth = 0
    while frontier:
        depth += 1
        following = [target for one in frontier for target in links.get(one, ()) if target not in depths]
        depths.update(dict.fromkeys(following, depth))
        frontier = list(dict.fromkeys(following))
    return {name: steps for name, steps in depths.items() if name not in own}
