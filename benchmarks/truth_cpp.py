"""The calls that gcc sees in a C or C++ project, for `truth.py`.

    python benchmarks/truth_cpp.py PROJECT PAIRS.jsonl [--made FOLDER] [-- -DOPTION=ON …]

Needs gcc (10 or newer). A project with a CMakeLists.txt is built by CMake in a temporary folder, with the options after
`--`. Any other is built by hand in a copy of it, FOLDER, with the flags of `FLAGS`: `make CFLAGS="…"`. With `--made`
nothing is built, and what is found in FOLDER is read.

gcc writes a graph per compiled file, with the place of each function; a call of what another file defines is joined to
it by the name that a linker would use. Of calls through pointers and virtual ones, which the compiler does not follow,
the lines are told as ones of which nothing is known. Left out are destructors and functions that the compiler writes, of which no text speaks,
as what is called and as what calls: of what such a constructor runs it is open whether who makes the object runs it, as of
what a template makes that is given the type; lambdas as what is called;
what was not compiled (other platforms, options that are off, templates and inline functions that nobody uses); and
names of the linker that several programs of the project define. A macro is not in the graph: what it
stands for is called by its users.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

FLAGS = "-fcallgraph-info=su -O0 -fno-inline -fkeep-static-functions -g"

_NODE = re.compile(
    r'^node: \{ title: "(?P<title>.*?)" label: "(?P<label>.*?)\\n(?P<place>[^"]*?:\d+:\d+)(?:\\n.*?)?"(?P<outside> shape)?'
)
_EDGE = re.compile(r'^edge: \{ sourcename: "(.*?)" targetname: "(.*?)"(?: label: "(.*?)")?')
_PLACE = re.compile(r"(.*):(\d+):(\d+)\Z")
_WHOLE_MAKING = re.compile(r"C1(?=[EI])")  # gcc writes one constructor, C2, and gives it this name beside
_MAKING = re.compile(r"\b(\w+)(?:<[^()]*>)?::\1\(")
_UNSAID = re.compile(r"::~|<lambda\(")
_STARTING = (
    "__static_initialization_and_destruction"  # of the variables of a file: its place is the file's end
)
_THROUGH_POINTER = "__indirect_call"
_WRITTEN_NAME = re.compile(r"(?:\w+\s*(?:<[^<>]*>)?\s*::\s*)*(~?\w+)")
_CLASS_HEAD = re.compile(r"\w+\s*(?:<.*>)?\s*(?:final\b\s*)?(?:$|\{|;|:(?!:)|//|/\*)")


class Place(NamedTuple):
    path: str
    line: int
    column: int


class Function(NamedTuple):
    place: Place
    label: str  # as the source would say it: `void Box::open(int)`


class Unit(NamedTuple):
    """What one compiled file defines and calls."""

    defined: dict[str, Function]
    edges: list[tuple[str, str, Place | None]]


class Sources:
    """The files of a project by the places that the compiler names."""

    def __init__(self, project: Path, made: Path) -> None:
        self._project = project
        self._roots = (project, made)
        self.lines = cache(self._read_lines)
        self.locate = cache(self._locate)

    def _locate(self, text: str, beside: Path) -> Place | None:
        match = _PLACE.match(text)
        if match is None:
            return None
        path = self._project_path(Path(match[1]), beside)
        return None if path is None else Place(path, int(match[2]), int(match[3]))

    def _project_path(self, written: Path, beside: Path) -> str | None:
        """The path in the project; a relative one is from a folder around the compiled file."""
        found = [written] if written.is_absolute() else [folder / written for folder in beside.parents]
        for candidate in found:
            for root in self._roots:
                path = candidate.resolve()
                if path.is_relative_to(root) and (self._project / path.relative_to(root)).is_file():
                    return path.relative_to(root).as_posix()
        return None

    def _read_lines(self, path: str) -> list[str]:
        return (self._project / path).read_text("utf-8", errors="replace").splitlines()

    def text_at(self, place: Place) -> str:
        lines = self.lines(place.path)
        return lines[place.line - 1][place.column - 1 :] if place.line <= len(lines) else ""


def build(project: Path, made: Path, options: list[str]) -> None:
    """Compile a project with CMake, as far as that goes."""
    flags = [f"-DCMAKE_C_FLAGS={FLAGS}", f"-DCMAKE_CXX_FLAGS={FLAGS}", "-DCMAKE_BUILD_TYPE=None"]
    subprocess.run(["cmake", "-S", project, "-B", made, *flags, *options], check=True)
    subprocess.run(["cmake", "--build", made, "--", "-k"], check=False)


def read_unit(path: Path, sources: Sources) -> Unit:
    defined: dict[str, Function] = {}
    edges: list[tuple[str, str, Place | None]] = []
    for text in path.read_text("utf-8", errors="replace").splitlines():
        if (edge := _EDGE.match(text)) is not None:
            edges.append((edge[1], edge[2], sources.locate(edge[3] or "", path)))
        elif (node := _NODE.match(text)) is not None and not node["outside"]:
            place = sources.locate(node["place"], path)
            if place is not None:
                defined[node["title"]] = Function(place, node["label"])
    return Unit(defined, edges)


def only_functions(units: list[Unit]) -> dict[str, Function]:
    """What each name of the linker means, if that is one function."""
    found: dict[str, dict[Place, Function]] = {}
    for unit in units:
        for title, function in unit.defined.items():
            found.setdefault(title, {})[function.place] = function
    return {title: next(iter(places.values())) for title, places in found.items() if len(places) == 1}


def is_written(function: Function, sources: Sources) -> bool:
    """Whether text defines a function, rather than the compiler for a class."""
    is_cpp = "(" in function.label
    return not is_cpp or not _CLASS_HEAD.match(sources.text_at(function.place))


def is_told_of(function: Function, sources: Sources) -> bool:
    """Whether a function is one that text defines and calls by its name."""
    is_cpp = "(" in function.label
    own = function.label.partition(" [with ")[0]  # behind it stands what a template is made with
    return not is_cpp or not (_UNSAID.search(own) or _CLASS_HEAD.match(sources.text_at(function.place)))


def _makes(function: Function | None) -> bool:
    """Whether a function is a constructor: `Box::Box(int)`."""
    return function is not None and _MAKING.search(function.label.partition(" [with ")[0]) is not None


def unwritten_calls(
    unit: Unit, everywhere: dict[str, Function], sources: Sources
) -> Iterator[tuple[str, str]]:
    """What is called for a function by one that the compiler writes, each as (caller, callee); what a template makes."""
    called: dict[str, set[str]] = {}
    for caller, callee, _ in unit.edges:
        called.setdefault(caller, set()).add(callee)
    for caller, first in called.items():
        waiting, seen = list(first), set(first)
        while waiting:
            one = _WHOLE_MAKING.sub("C2", waiting.pop(), count=1)
            function = unit.defined.get(one) or everywhere.get(one)
            if function is None:
                continue
            further = called.get(one, set()) - seen
            if "[with " in function.label and is_written(function, sources):
                written = {each: _WHOLE_MAKING.sub("C2", each, count=1) for each in further}
                further = {
                    each
                    for each, name in written.items()
                    if _makes(unit.defined.get(name) or everywhere.get(name))
                }
                yield from ((caller, each) for each in further)
                continue
            if is_written(function, sources):
                continue
            seen |= further
            waiting += further
            yield from ((caller, each) for each in further)


def pairs(units: list[Unit], sources: Sources) -> Iterator[dict[str, object]]:
    everywhere = only_functions(units)
    seen: set[tuple[str, int, Place]] = set()
    for unit in units:
        for caller, callee, place in unit.edges:
            calling = unit.defined.get(caller)
            source = place if _STARTING in caller else getattr(calling, "place", None)
            if calling is not None and _STARTING not in caller and not is_written(calling, sources):
                continue
            if callee == _THROUGH_POINTER:
                if source is not None and place is not None and place.path == source.path:
                    yield {"caller": [*source[:2]], "callee": None, "line": place.line}
                continue
            written = (
                callee
                if callee in unit.defined or callee in everywhere
                else _WHOLE_MAKING.sub("C2", callee, count=1)
            )
            target = unit.defined.get(written) or everywhere.get(written)
            if source is None or target is None or not is_told_of(target, sources):
                continue
            if (source.path, source.line, target.place) in seen:
                continue
            seen.add((source.path, source.line, target.place))
            name = _WRITTEN_NAME.match(sources.text_at(target.place))
            yield {
                "caller": [source.path, source.line],
                "callee": [target.place.path, target.place.line],
                "name": name[1] if name and name[1] != "operator" else None,
                "line": place.line if place is not None and place.path == source.path else None,
            }


def open_pairs(units: list[Unit], sources: Sources) -> Iterator[dict[str, object]]:
    """What is called by way of functions that the compiler writes, of which it is open whether it is an edge."""
    everywhere = only_functions(units)
    for unit in units:
        for caller, callee in unwritten_calls(unit, everywhere, sources):
            source = unit.defined.get(caller)
            written = _WHOLE_MAKING.sub("C2", callee, count=1)
            target = unit.defined.get(written) or everywhere.get(written)
            if source is None or target is None or not is_told_of(target, sources):
                continue
            name = _WRITTEN_NAME.match(sources.text_at(target.place))
            yield {
                "caller": [source.place.path, source.place.line],
                "callee": [target.place.path, target.place.line],
                "name": name[1] if name and name[1] != "operator" else None,
                "kind": "reference",
            }


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the calls that gcc sees in a project.")
    parser.add_argument("project", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--made", type=Path, help="a folder in which the project was built with the flags")
    parser.add_argument("options", nargs="*", help="for CMake")
    arguments = parser.parse_args()
    project = arguments.project.resolve()
    with tempfile.TemporaryDirectory() as folder:
        made = (arguments.made or Path(folder)).resolve()
        if arguments.made is None:
            build(project, made, arguments.options)
        sources = Sources(project, made)
        units = [read_unit(path, sources) for path in sorted(made.rglob("*.ci"))]
        found = [json.dumps(pair) for pair in (*pairs(units, sources), *open_pairs(units, sources))]
    arguments.pairs.write_text("\n".join(found) + "\n", encoding="utf-8")
    print(f"{len(found)} pairs from {len(units)} compiled files")


if __name__ == "__main__":
    main()
