"""Calls that come in a certain order in the functions of a project: what is checked before it is done, what ends what was begun.

Two calls go together by their full names, or as methods of one object. That both are called in most functions around is
no order of theirs: so what comes first or last has to be rarer where the other is not called.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.guards.constraints.form import Constraint, ConstraintCategory, Predicate, fits_name
from drift.guards.constraints.miners.settings import parameters
from drift.guards.constraints.orders import receiver
from drift.guards.constraints.route_guards import last_part
from drift.kernel.words import split_words

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Call, Scene
    from drift.index.ids import FileId

_MOST_KEYS: Final = 60  # calls of a function that are looked at
_SELVES: Final = frozenset({"", "self", "this", "$this", "cls", "super", "super()", "static", "parent"})


class _Key(NamedTuple):
    """What is called: by its full name, or as a method of some object."""

    pattern: str
    on: str
    """The object as written; empty of a full name."""

    @property
    def kind(self) -> tuple[str, bool]:
        return self.pattern, bool(self.on)


class _Function(NamedTuple):
    file: "FileId"
    keys: dict[_Key, int]
    """Each thing called, by its first place."""


def propose_sequences(scene: "Scene") -> Iterator[Constraint]:
    """For each call that mostly comes behind a check: the check; for each that is mostly ended: what ends it."""
    settings = parameters("sequences")
    functions = list(_functions(scene, tuple(settings["never"])))
    guards, acting, ending = (frozenset(settings[name]) for name in ("guards", "acting", "ending"))
    before = _together(functions, guards, acting, is_last_told=True)
    yield from _proposed(functions, before, settings, is_before=True)
    after = _together(functions, acting, ending, is_last_told=False)
    yield from _proposed(functions, after, settings, is_before=False)


def _functions(scene: "Scene", never: tuple[str, ...]) -> Iterator[_Function]:
    for symbol, calls in scene.functions:
        place = scene.place(symbol)
        if scene.files[calls[0].file].role != "source" or place is None or place.kind == "module":
            continue
        keys: dict[_Key, int] = {}
        for call in calls:
            if not any(fits_name(never, name) for name in call.names):
                for key in _keys(call):
                    keys.setdefault(key, call.number)
        yield _Function(calls[0].file, dict(list(keys.items())[:_MOST_KEYS]))


def _keys(call: "Call") -> Iterator[_Key]:
    written = call.names[-1]
    on = receiver(written)
    if call.callee is not None or len(call.names) > 1:
        yield _Key(call.names[0], "")
    elif not on:
        yield _Key(written, "")
    if on not in _SELVES:
        yield _Key(f"*.{last_part(written)}", on)


def _words(key: _Key) -> frozenset[str]:
    return frozenset(split_words(last_part(key.pattern)))


def _together(
    functions: Iterable[_Function], first: frozenset[str], then: frozenset[str], *, is_last_told: bool
) -> dict[tuple[str, bool], Counter[str]]:
    """For each thing called, in how many functions it comes behind, or before, each other one."""
    found: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    for function in functions:
        begun = [key for key in function.keys if not first.isdisjoint(_words(key))]
        ended = [key for key in function.keys if not then.isdisjoint(_words(key))]
        pairs = {
            (one.kind, other.pattern) if not is_last_told else (other.kind, one.pattern)
            for one in begun
            for other in ended
            if one.on == other.on
            and one.pattern != other.pattern
            and function.keys[one] < function.keys[other]
        }
        for told, beside in pairs:
            found[told][beside] += 1
    return found


def _proposed(
    functions: list[_Function],
    found: dict[tuple[str, bool], Counter[str]],
    settings: dict[str, Any],
    *,
    is_before: bool,
) -> Iterator[Constraint]:
    calling: dict[tuple[str, bool], list[_Function]] = defaultdict(list)
    for function in functions:
        for kind in {key.kind for key in function.keys}:
            calling[kind].append(function)
    known = tuple(pair["first"] for pair in parameters("order")["pairs"])
    for kind, beside in sorted(found.items()):
        if not is_before and fits_name(known, kind[0]):
            continue  # one of those pairs, which is proposed by itself
        most = [
            (times, other)
            for other, times in beside.items()
            if times >= settings["least_share"] * len(calling[kind]) and times >= settings["least_sites"]
        ]
        told = [
            each
            for each in most
            if _is_rare(functions, calling, kind, (each[1], kind[1]), settings["most_beside"])
        ]
        if told:
            # Of several the one that is called least elsewhere says most.
            other = min(told, key=lambda each: (len(calling[each[1], kind[1]]), each[1]))[1]
            yield _constraint(kind[0], other, is_same=kind[1], is_before=is_before)


def _is_rare(
    functions: list[_Function],
    calling: dict[tuple[str, bool], list[_Function]],
    told: tuple[str, bool],
    other: tuple[str, bool],
    most: float,
) -> bool:
    """Whether the functions of the same files that do not call one of the two mostly do not call the other either."""
    files = {function.file for function in calling[told]}
    around = sum(1 for function in functions if function.file in files) - len(calling[told])
    beside = sum(1 for function in calling[other] if function.file in files)
    both = sum(1 for function in calling[other] if any(key.kind == told for key in function.keys))
    return beside - both <= most * max(1, around)


def _constraint(told: str, other: str, *, is_same: bool, is_before: bool) -> Constraint:
    first, then = (other, told) if is_before else (told, other)
    words = frozenset(split_words(last_part(first)))
    category: ConstraintCategory = next(
        (
            name
            for name, known in parameters("sequences")["categories"].items()
            if not words.isdisjoint(known)
        ),
        "structural",
    )
    same = " on the same object" if is_same else ""
    short, wanted = told.removeprefix("*"), other.removeprefix("*")
    when = "Before" if is_before else "After"
    return Constraint(
        f"{when.lower()}/{told.removeprefix('*.')}:{other.removeprefix('*.')}",
        "must_precede" if is_before else "must_follow",
        category if is_before else "errors",
        f"{when} {short} the same function calls {wanted}{same}",
        Predicate("order", {"first": (first,), "then": (then,), "same": ("receiver",) if is_same else ()}),
        guidance=f"Call {wanted} {'first' if is_before else 'on every way out of the function'}.",
    )
