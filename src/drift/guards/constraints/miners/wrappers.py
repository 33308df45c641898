"""What is called through a function of the project's own, and hardly ever directly."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from drift.guards.constraints.form import Constraint, Predicate, Where, fits_name
from drift.guards.constraints.miners.settings import parameters
from drift.index.ids import file_of_symbol
from drift.kernel.words import split_words

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Call, Scene
    from drift.index.ids import FileId, SymbolId


def propose_wrappers(scene: "Scene") -> Iterator[Constraint]:
    """For each kind of call with a wrapper: the wrapper is what is called."""
    settings = parameters("wrappers")
    used = _callers(scene)
    for each in settings["kinds"]:
        yield from _of_kind(scene, each, used)


def _callers(scene: "Scene") -> dict["SymbolId", Counter[str]]:
    """The files of the product that call each function of another file."""
    found: dict[SymbolId, Counter[str]] = defaultdict(Counter)
    for _, calls in scene.functions:
        for call in calls:
            is_elsewhere = call.callee is not None and call.callee >> 16 != call.file
            if is_elsewhere and call.callee is not None and scene.files[call.file].role == "source":
                found[call.callee][scene.path(call.file)] += 1
    return found


def _of_kind(
    scene: "Scene", kind: dict[str, Any], used: dict["SymbolId", Counter[str]]
) -> Iterator[Constraint]:
    settings = parameters("wrappers")
    patterns = tuple(kind["calls"])
    direct = [
        call
        for call in scene.calls_of(patterns)
        if call.callee is None and scene.files[call.file].role == "source"
    ]
    by_file: dict[str, list[Call]] = defaultdict(list)
    for call in direct:
        by_file[scene.path(call.file)].append(call)
    wrappers: dict[str, list[SymbolId]] = {}
    for path, calls in by_file.items():
        inside = _reaching(scene, calls[0].file, {call.caller for call in calls})
        known = [
            each
            for each in sorted(inside)
            if used.get(each)
            and _is_thin(scene, each, settings["most_lines"])
            and _is_named(scene, each, kind["names"])
        ]
        if known and _is_mostly(scene, calls, settings["least_part"]):
            wrappers[path] = known
    if not wrappers:
        return
    through = {
        path: sum(len(used[each]) for each in known) for path, known in wrappers.items()
    }  # fmt: skip
    best = max(through, key=lambda path: (through[path], path))
    # What is called otherwise too has no wrapper, or several; both are no rule.
    fitting = {name for call in by_file[best] for name in call.names if fits_name(patterns, name)}
    named = tuple(
        sorted(each for each in fitting if not any(each.startswith(f"{other}.") for other in fitting))
    )
    if named:
        yield _constraint(scene, kind, best, named, wrappers[best], through[best])


def _reaching(scene: "Scene", file: "FileId", callers: set["SymbolId"]) -> set["SymbolId"]:
    """Some functions of a file, and those of the same file that call them."""
    found, calls = set(callers), scene.calls_in(file)
    while True:
        more = {
            caller for caller, made in calls.items() if any(call.callee in found for call in made)
        } - found
        if not more:
            return found
        found |= more


def _is_named(scene: "Scene", symbol: "SymbolId", words: list[str]) -> bool:
    """Whether the name of a function or of its file says what it stands for."""
    place = scene.place(symbol)
    stem = posixpath.basename(scene.path(file_of_symbol(symbol))).partition(".")[0]
    return place is not None and not set(words).isdisjoint(split_words(f"{place.qualname} {stem}"))


def _is_mostly(scene: "Scene", calls: list["Call"], least: float) -> bool:
    """Whether what stands around the calls does little else: who notes something down while at work is no logger."""
    around = sum(len(scene.calls_in(calls[0].file)[caller]) for caller in {call.caller for call in calls})
    return len(calls) >= least * around


def _is_thin(scene: "Scene", symbol: "SymbolId", most_lines: int) -> bool:
    place = scene.place(symbol)
    return place is not None and place.kind != "module" and place.code_lines <= most_lines


def _constraint(
    scene: "Scene", kind: dict[str, Any], path: str, named: tuple[str, ...], wrappers: list["SymbolId"], users: int
) -> Constraint:  # fmt: skip
    places = [place for each in wrappers if (place := scene.place(each)) is not None]
    told = sorted({place.qualname for place in places})
    short = ", ".join(told[:3]) + (" and others" if len(told) > 3 else "")  # noqa: PLR2004 - three are read
    return Constraint(
        f"wrapper/{kind['kind'].replace(' ', '-').lower()}:{path}",
        "must_wrap",
        kind["category"],
        f"For {kind['kind']} call {short} of {path}, not {', '.join(named[:3])}",
        Predicate(
            "calls",
            {
                "never": (*named, *(f"{each}.*" for each in named)),
                "instead": tuple(f"{path}::{each}" for each in told),
            },
        ),
        Where(exclude=(path,)),
        guidance=f"Call {told[0]} of {path}, as {users} files do.",
    )
