"""How many of the calls that really happen are in the call graph.

    python benchmarks/resolution.py PROJECT --source src/click --tests tests -- -m pytest -q tests

Runs the command after `--` with this interpreter in the project, under a profiler hook that notes which
function of the project calls which. Then the project is linked, and compared:

    overall   of all pairs that ran; many are no call in the text (operators, descriptors, iteration)
    named     of the pairs whose callee's name stands as a call in the caller
    precision of the edges at call sites that ran, the share whose target was seen to run: a lower bound,
              since a target the tests do not reach counts as wrong. An abstract method is not judged unless
              it ran: it stands for those that write it out
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from drift.languages.facts import FileFacts
from drift.languages.python import extract
from drift.scan.link import FileLinks, MemorySources, Place
from drift.scan.link.link import link

COMPREHENSIONS = (".<listcomp>", ".<dictcomp>", ".<setcomp>", ".<genexpr>")

TRACER = """
import atexit, json, os, runpy, sys, threading
root, out, *command = sys.argv[1:]
root = os.path.realpath(root) + os.sep
pairs, inside = set(), {}

def is_inside(code):
    known = inside.get(code)
    if known is None:
        known = inside[code] = os.path.realpath(code.co_filename).startswith(root)
    return known

def watch(frame, event, argument):
    if event == "call" and frame.f_back is not None:
        callee, caller = frame.f_code, frame.f_back.f_code
        if is_inside(callee) and is_inside(caller):
            pairs.add((caller, callee))

def describe(code):
    return [os.path.realpath(code.co_filename)[len(root):], code.co_qualname, code.co_firstlineno]

def save():
    sys.setprofile(None)
    with open(out, "w") as file:
        json.dump([[describe(a), describe(b)] for a, b in pairs], file)

atexit.register(save)
sys.argv = command[1:] if command[0] == "-m" else command
sys.path.insert(0, "")
threading.setprofile(watch)
sys.setprofile(watch)
if command[0] == "-m":
    runpy.run_module(command[1], run_name="__main__", alter_sys=True)
else:
    runpy.run_path(command[0], run_name="__main__")
"""


class Pair(NamedTuple):
    caller: Place
    callee: Place


class Names:
    """Finds the symbol of a code object: by its qualified name, and by line among several of one name."""

    def __init__(self, facts: dict[str, FileFacts]) -> None:
        self._places: dict[tuple[str, str], list[tuple[int, Place]]] = defaultdict(list)
        for path, found in facts.items():
            for number, symbol in enumerate(found.symbols):
                name = qualified_name(found, number)
                self._places[path, name].append((symbol.line, Place(path, number)))

    def find(self, path: str, qualname: str, line: int) -> Place | None:
        for suffix in COMPREHENSIONS:
            while suffix in qualname:
                qualname = qualname.replace(suffix, "")
        name = qualname.replace(".<locals>", "")
        if name in {"<module>", *(suffix[1:] for suffix in COMPREHENSIONS)}:
            name = ""
        places = self._places.get((path, name))
        # The line is the first decorator's, the symbol's the one of its name.
        return min(places, key=lambda place: (place[0] < line, abs(place[0] - line)))[1] if places else None


def qualified_name(facts: FileFacts, number: int) -> str:
    names = []
    while number:
        names.append(facts.symbols[number].name)
        number = facts.symbols[number].parent
    return ".".join(reversed(names))


def trace(project: Path, command: list[str]) -> list[list[list[object]]]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "pairs.json")
        tracer = Path(folder, "tracer.py")
        tracer.write_text(TRACER, encoding="utf-8")
        paths = [str(project / "src"), str(project), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run(
            [sys.executable, str(tracer), str(project), str(out), *command],
            cwd=project,
            env=environment,
            stdout=sys.stderr,
            check=False,
        )
        return json.loads(out.read_text(encoding="utf-8"))


def read_facts(project: Path, folders: list[str]) -> dict[str, FileFacts]:
    paths = [path for folder in folders for path in sorted((project / folder).rglob("*.py"))]
    names = [path.relative_to(project).as_posix() for path in paths]
    return {name: extract((project / name).read_bytes(), name) for name in names}


def true_pairs(facts: dict[str, FileFacts], traced: list[list[list[object]]], source: str) -> set[Pair]:
    """The pairs that end in the source, without modules and class bodies, which nobody calls."""
    names = Names(facts)
    found = set()
    for caller, callee in traced:
        start = names.find(*caller)  # type: ignore[arg-type]  # as the tracer wrote them
        end = names.find(*callee)  # type: ignore[arg-type]  # as the tracer wrote them
        if start is None or end is None or (start == end and callee[1].endswith(COMPREHENSIONS)):  # type: ignore[attr-defined]  # a string
            continue
        kind = facts[end.path].symbols[end.symbol].kind
        if end.path.startswith(source) and kind in {"function", "method", "constructor", "property"}:
            found.add(Pair(start, end))
    return found


def called_names(facts: dict[str, FileFacts], place: Place) -> set[str]:
    calls = facts[place.path].calls
    return {call.text.rpartition(".")[2].strip() for call in calls if call.scope == place.symbol}


def spoken_names(facts: dict[str, FileFacts], place: Place) -> set[str]:
    """The names under which a symbol is called: its own, its class's for a constructor."""
    symbols = facts[place.path].symbols
    symbol = symbols[place.symbol]
    return {symbol.name, symbols[symbol.parent].name} if symbol.kind == "constructor" else {symbol.name}


def edges(
    facts: dict[str, FileFacts], links: dict[str, FileLinks], *, override: bool, unique: bool
) -> set[Pair]:
    found = set()
    for path, linked in links.items():
        for call, said in zip(facts[path].calls, linked.calls, strict=True):
            if said.reason == "unique-name" and not unique:
                continue
            for target in (*said.targets, *(said.overriders if override else ())):
                found.add(Pair(Place(path, call.scope), target.place))
        for number, said in linked.implicit:
            scope = facts[path].accesses[number].scope
            targets = (*said.targets, *(said.overriders if override else ()))
            found.update(Pair(Place(path, scope), target.place) for target in targets)
    return found


def precision(facts: dict[str, FileFacts], found: set[Pair], true: set[Pair], source: str) -> tuple[int, int]:
    """Right and all edges among those whose caller was seen to call something of the same name."""
    observed = {(pair.caller, name) for pair in true for name in spoken_names(facts, pair.callee)}
    judged = [
        pair
        for pair in found
        if pair.callee.path.startswith(source)
        and (pair in true or "abstract" not in facts[pair.callee.path].symbols[pair.callee.symbol].modifiers)
        and any((pair.caller, name) in observed for name in spoken_names(facts, pair.callee))
    ]
    return sum(pair in true for pair in judged), len(judged)


def report(facts: dict[str, FileFacts], links: dict[str, FileLinks], true: set[Pair], source: str) -> None:
    named = {pair for pair in true if spoken_names(facts, pair.callee) & called_names(facts, pair.caller)}
    print(f"{len(true)} pairs ran, {len(named)} of them named as a call in the caller")
    for label, options in (
        ("values only", {"override": False, "unique": False}),
        ("+ unique names", {"override": False, "unique": True}),
        ("+ overriders", {"override": True, "unique": True}),
    ):
        found = edges(facts, links, **options)
        right, judged = precision(facts, found, true, source)
        print(
            f"{label:15} overall {len(found & true) / len(true):.3f}  named {len(found & named) / len(named):.3f}"
            f"  precision {right / judged:.3f} of {judged}"
        )


def show_misses(facts: dict[str, FileFacts], pairs: Iterable[Pair], count: int) -> None:
    for caller, callee in sorted(pairs)[:count]:
        print(
            f"  {caller.path}:{qualified_name(facts[caller.path], caller.symbol)}"
            f" -> {callee.path}:{qualified_name(facts[callee.path], callee.symbol)}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("--source", required=True, help="the folder whose functions count as callees")
    parser.add_argument("--tests", default="tests")
    parser.add_argument("--pairs", type=Path, help="keep what ran here, or read it from here if it exists")
    parser.add_argument("--misses", type=int, default=0, help="how many misses to show")
    parser.add_argument("command", nargs="+", help="what to run, after --")
    options = parser.parse_args()
    project = options.project.resolve()

    if options.pairs is not None and options.pairs.exists():
        traced = json.loads(options.pairs.read_text(encoding="utf-8"))
    else:
        traced = trace(project, options.command)
        if options.pairs is not None:
            options.pairs.write_text(json.dumps(traced), encoding="utf-8")
    facts = read_facts(project, [options.source, options.tests])
    started = time.process_time()
    links = link(MemorySources(facts, {}))
    seconds = time.process_time() - started
    outcomes = Counter(call.outcome for linked in links.values() for call in linked.calls)
    count = sum(outcomes.values())
    print(f"{len(facts)} files, {count} calls {dict(outcomes)}, {seconds / count * 1e6:.0f} us a call")
    true = true_pairs(facts, traced, options.source)
    report(facts, links, true, options.source)
    if options.misses:
        found = edges(facts, links, override=True, unique=True)
        show_misses(facts, true - found, options.misses)


if __name__ == "__main__":
    main()
