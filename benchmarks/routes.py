"""The routes of a project's index beside a list that was made without Drift.

    drift scan PROJECT
    python benchmarks/routes.py PROJECT LIST [--under DIRECTORY] [--leave DIRECTORY]... [--show 20]

LIST has a line `METHOD /path` for each route, from a framework's own printer (Flask's `app.url_map`, FastAPI's
`app.routes`, Django's `get_resolver()`) or read by hand; `GET,POST /path` is two routes, and `*` is said by printers
that know of no methods: any method of the index is then right, and only the path is compared.

A parameter counts by its place, not by its name or form, and a slash at the end of a path is nothing; all else of
method and path must be equal. Routes of test files are left out. Prints recall, precision, and what differs, with
the place of what only the index has.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from drift.index import IndexReader
from drift.index.ids import file_of_symbol
from drift.project import StateDir

ANY = "*"
# One parameter in the forms of the frameworks: {id}, {id:int}, <int:id>, :id, *path, (?P<id>[0-9]+), (.*)
_PARAMETER = re.compile(
    r"\((?:[^()\n]|\([^()\n]{0,80}\)){0,200}\)[?*+]?|\{[^{}\n]{0,80}\}|<[^<>\n]{0,80}>|(?<=/)[:*][\w.]{0,60}\??"
)


class Route(NamedTuple):
    method: str
    path: str


def plain_path(path: str) -> str:
    """A path by what is fixed in it, with the places of its parameters."""
    bare = path.strip().removeprefix("^").removesuffix("$").removesuffix("\\Z")
    return "/" + _PARAMETER.sub("{}", f"/{bare.removeprefix('/')}").removeprefix("/").removesuffix("/")


def routes_in(line: str) -> Iterator[Route]:
    """The routes of `GET,POST /one, /other -> handler`."""
    methods, _, paths = line.partition(" -> ")[0].strip().partition(" ")
    for method in methods.split(","):
        for path in re.split(r", (?=/)", paths) or [""]:
            yield Route(ANY if method == "ANY" else method.upper(), plain_path(path))


def listed(text: str) -> set[Route]:
    """The routes of a list; empty lines and those with a # at their beginning say nothing."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return {route for line in lines for route in routes_in(line)}


def indexed(reader: IndexReader, under: str, left: Iterable[str]) -> dict[Route, str]:
    """The routes of the index outside of tests, each with a place."""
    files = {one.id: one.path for one in reader.files.stamps() if one.role != "test"}
    found: dict[Route, str] = {}
    for entry in reader.profiles.routes():
        path = files.get(file_of_symbol(entry.registered_at))
        if path is not None and path.startswith(under) and not path.startswith(tuple(left)):
            for route in routes_in(entry.detail):
                found.setdefault(route, f"{path}:{entry.line}")
    return found


def compare(true: set[Route], found: Iterable[Route]) -> tuple[list[Route], list[Route]]:
    """What only the list has, and what only the index has; a method that the list does not know is any."""
    methods: defaultdict[str, set[str]] = defaultdict(set)
    known = set(found)
    for method, path in known:
        methods[path].add(method)
    any_method = {path for method, path in true if method == ANY}
    missing = [one for one in true if one not in known and not (one.method == ANY and methods[one.path])]
    extra = [one for one in known if one not in true and one.path not in any_method]
    return sorted(missing), sorted(extra)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("list", type=Path)
    parser.add_argument("--under", default="", help="only routes that stand in this directory")
    parser.add_argument(
        "--leave", action="append", default=[], help="not those of this directory; repeatable"
    )
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    true = listed(options.list.read_text(encoding="utf-8"))
    with IndexReader(StateDir(options.project.resolve()).index_db) as reader:
        places = indexed(reader, options.under, options.leave)
    missing, extra = compare(true, places)
    recall = f"{1 - len(missing) / len(true):.3f}" if true else "-"
    precision = f"{1 - len(extra) / len(places):.3f}" if places else "-"
    name = options.project.resolve().name
    print(f"{name}: {len(true)} listed, {len(places)} indexed, recall {recall}, precision {precision}")
    for method, path in missing[: options.show]:
        print(f"  missing  {method} {path}")
    for one in extra[: options.show]:
        print(f"  extra    {one.method} {one.path}  ({places[one]})")


if __name__ == "__main__":
    main()
