"""Which files can have a say in each other's links."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from drift.scan.link.links import FileLinks
from drift.scan.link.program import Program
from drift.scan.link.sources import Sources
from drift.scan.link.tables import FileTable


def outward_links(program: Program, table: FileTable) -> tuple[str, ...]:
    """The files and folders (with `/` at the end) that a file can reach by its imports and its package."""
    rules = program.rules(table)
    found = {*rules.neighbours(table.path, table.facts), *rules.providers(table.path)}
    for number in range(len(table.facts.imports)):
        found.update(rules.reach(program.destination(table, number)))
    found.discard(table.path)
    return tuple(sorted(found))


def connected_files(
    sources: Sources, previous: Mapping[str, FileLinks], changed: Collection[str]
) -> set[str]:
    """All files that are connected with a changed one, by the links they had or have now.

    A file that comes or goes can change where any import leads, and a changed file that is no source may be
    a configuration: then it is all of them.
    """
    paths = set(sources.paths())
    if paths != set(previous) or not paths.issuperset(changed):
        return paths
    program = Program(sources, paths)
    steps: dict[str, set[str]] = {}
    for path in paths:
        reached = set(previous[path].reaches)
        if path in changed:
            reached.update(outward_links(program, program.table(program.files[path])))
        for other in reached:
            steps.setdefault(path, set()).add(other)
            steps.setdefault(other, set()).add(path)
    _connect_folders(steps, paths)
    return _closure(steps, changed) & paths


def label_components(reaches: Mapping[str, Collection[str]]) -> dict[str, str]:
    """For each file a label that it shares with exactly the files it is connected with."""
    steps: dict[str, set[str]] = {}
    for path, reached in reaches.items():
        for other in reached:
            steps.setdefault(path, set()).add(other)
            steps.setdefault(other, set()).add(path)
    _connect_folders(steps, reaches.keys())
    labels: dict[str, str] = {}
    for path in sorted(reaches):
        if path not in labels:
            labels.update(dict.fromkeys(_closure(steps, (path,)), path))
    return labels


def _connect_folders(steps: dict[str, set[str]], paths: Collection[str]) -> None:
    """Join each folder that is reached as a whole with all that is below it."""
    folders = {place for place in steps if place.endswith("/")}
    for path in paths if folders else ():
        above = path
        while above:
            above = above.rpartition("/")[0]
            if (folder := f"{above}/") in folders:
                steps[folder].add(path)
                steps.setdefault(path, set()).add(folder)


def _closure(steps: Mapping[str, set[str]], start: Collection[str]) -> set[str]:
    seen = set(start)
    waiting = list(start)
    while waiting:
        for other in steps.get(waiting.pop(), ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen
