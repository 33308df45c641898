"""Whether a regular expression may take time that grows faster than the text it is given.

The pattern becomes an automaton with one state per character it takes (Glushkov's construction). Two loops that can
take the same text one after the other make matching quadratic when what follows may fail: each character is offered
to both. `search`, `findall`, `finditer`, `sub` and `split` add a loop of their own at the front: they begin anew at
every character. Two ways around within one loop (`(a+)+`) are exponential.

Lookarounds of more than one character are taken to hold always, so what is found may be harmless; what is not found
may still be slow by its constant, as a bounded repeat is.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from re import _constants as sre
from re import _parser as parser

# More repeats than this are as good as endless.
_MANY = 2_000
_SAMPLES = [chr(code) for code in range(128)] + [
    "\u00a0",
    "\u00e9",
    "\u0130",
    "\u2019",
    "\u2028",
    "\u4e2d",
    "\U0001f600",
]
_ALL = frozenset(_SAMPLES)
_WORD = frozenset(one for one in _SAMPLES if one.isalnum() or one == "_")
_SPACE = frozenset(one for one in _SAMPLES if one.isspace())
_DIGIT = frozenset(one for one in _SAMPLES if one.isdecimal())
_NEWLINE = frozenset("\n")
_NOTHING: frozenset[str] = frozenset()
_CATEGORIES = {
    sre.CATEGORY_DIGIT: _DIGIT,
    sre.CATEGORY_NOT_DIGIT: _ALL - _DIGIT,
    sre.CATEGORY_SPACE: _SPACE,
    sre.CATEGORY_NOT_SPACE: _ALL - _SPACE,
    sre.CATEGORY_WORD: _WORD,
    sre.CATEGORY_NOT_WORD: _ALL - _WORD,
}
_ONE_CHARACTER = frozenset({sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN})
_START = 0
_EVERYWHERE = frozenset({"search", "findall", "finditer", "sub", "subn", "split", "scanner"})


@dataclass(frozen=True, slots=True)
class _Gate:
    """What may stand before and after a place between characters; `at_start` only before the first."""

    before: frozenset[str] = _ALL
    after: frozenset[str] = _ALL
    at_start: bool = False
    at_end: bool = False

    def __and__(self, other: "_Gate") -> "_Gate":
        return _Gate(
            self.before & other.before,
            self.after & other.after,
            at_start=self.at_start or other.at_start,
            at_end=self.at_end or other.at_end,
        )


# Where a fragment begins or ends: a state, and the gates passed on the way to it.
Ends = list[tuple[int, _Gate]]


@dataclass(slots=True)
class _Fragment:
    first: Ends
    last: Ends
    empty: list[_Gate]
    """The gates under which it takes no character; none when it must take some."""


@dataclass(slots=True)
class _Automaton:
    takes: list[frozenset[str]] = field(default_factory=lambda: [_ALL])
    edges: dict[tuple[int, int], list[_Gate]] = field(default_factory=dict)
    after: dict[int, set[int]] = field(default_factory=dict)
    doubled: set[tuple[int, int]] = field(default_factory=set)
    held: list[frozenset[int]] = field(default_factory=lambda: [frozenset()])
    """For each state the atomic groups it stands in: they give nothing back once left."""
    groups: int = 0
    within: tuple[int, ...] = ()

    def add_state(self, taken: frozenset[str]) -> _Fragment:
        self.takes.append(taken)
        self.held.append(frozenset(self.within))
        state = len(self.takes) - 1
        return _Fragment([(state, _Gate())], [(state, _Gate())], [])

    def join(self, last: Ends, first: Ends, *, is_loop: bool = False) -> None:
        for source, leaving in last:
            for target, entering in first:
                gate = leaving & entering
                if gate.at_start or gate.at_end or not (gate.before & self.takes[source]):
                    continue
                if not gate.after & self.takes[target]:
                    continue
                known = self.edges.setdefault((source, target), [])
                # What a group inside the loop took it keeps: there is one way to take it.
                if is_loop and known and not self.held[source] - set(self.within):
                    self.doubled.add((source, target))
                known.append(gate)
                self.after.setdefault(source, set()).add(target)


def _gated(ends: Ends, gates: Iterable[_Gate]) -> Ends:
    return [(state, mine & gate) for gate in gates for state, mine in ends]


def _sequence(automaton: _Automaton, parts: Iterable[_Fragment]) -> _Fragment:
    whole = _Fragment([], [], [_Gate()])
    for part in parts:
        automaton.join(whole.last, part.first)
        whole = _Fragment(
            whole.first + _gated(part.first, whole.empty),
            part.last + _gated(whole.last, part.empty),
            [one & other for one in whole.empty for other in part.empty],
        )
    return whole


def _choice(parts: list[_Fragment]) -> _Fragment:
    return _Fragment(
        [end for part in parts for end in part.first],
        [end for part in parts for end in part.last],
        [gate for part in parts for gate in part.empty],
    )


class _Builder:
    def __init__(self, flags: int) -> None:
        self.automaton = _Automaton()
        self._flags = flags
        self._captured: dict[int, list] = {}

    def build(self, items) -> _Fragment:
        return _sequence(self.automaton, [self._item(*item) for item in items])

    def _item(self, op, given) -> _Fragment:
        if op in _ONE_CHARACTER:
            return self.automaton.add_state(self._taken(op, given))
        makers = {
            sre.AT: lambda: _Fragment([], [], self._place(given)),
            sre.BRANCH: lambda: _choice([self.build(branch) for branch in given[1]]),
            sre.SUBPATTERN: lambda: self._group(*given),
            sre.ATOMIC_GROUP: lambda: self._atomic(lambda: self.build(given)),
            sre.MAX_REPEAT: lambda: self._repeat(*given),
            sre.MIN_REPEAT: lambda: self._repeat(*given),
            sre.POSSESSIVE_REPEAT: lambda: self._atomic(lambda: self._repeat(*given)),
            sre.ASSERT: lambda: _Fragment([], [], self._look(op, *given)),
            sre.ASSERT_NOT: lambda: _Fragment([], [], self._look(op, *given)),
            sre.GROUPREF: lambda: self.build(self._captured[given]),
            sre.GROUPREF_EXISTS: lambda: _choice([self.build(given[1]), self.build(given[2] or [])]),
        }
        return makers[op]()

    def _group(self, number, added, removed, items) -> _Fragment:
        before, self._flags = self._flags, (self._flags | added) & ~removed
        if number is not None:
            self._captured[number] = list(items)
        made = self.build(items)
        self._flags = before
        return made

    def _atomic(self, make) -> _Fragment:
        self.automaton.groups += 1
        before = self.automaton.within
        self.automaton.within = (*before, self.automaton.groups)
        made = make()
        self.automaton.within = before
        return made

    def _repeat(self, least: int, most: int, items) -> _Fragment:
        body = self.build(items)
        if most is sre.MAXREPEAT or most > _MANY:
            self.automaton.join(body.last, body.first, is_loop=True)
        if least == 0:
            body.empty = [_Gate(), *body.empty]
        return body

    def _taken(self, op, given) -> frozenset[str]:
        if op is sre.ANY:
            return _ALL if self._flags & re.DOTALL else _ALL - _NEWLINE
        if op is sre.LITERAL:
            return self._cased({chr(given)})
        if op is sre.NOT_LITERAL:
            return _ALL - self._cased({chr(given)})
        chosen: set[str] = set()
        is_negated = False
        for kind, value in given:
            if kind is sre.NEGATE:
                is_negated = True
            elif kind is sre.LITERAL:
                chosen.add(chr(value))
            elif kind is sre.RANGE:
                chosen |= {one for one in _SAMPLES if value[0] <= ord(one) <= value[1]} or {chr(value[0])}
            elif kind is sre.CATEGORY:
                chosen |= _CATEGORIES[value]
        taken = self._cased(chosen)
        return _ALL - taken if is_negated else taken

    def _cased(self, chosen: set[str]) -> frozenset[str]:
        if not self._flags & re.IGNORECASE:
            return frozenset(chosen)
        return frozenset(form for one in chosen for form in (one, one.lower(), one.upper()))

    def _place(self, at) -> list[_Gate]:
        if at is sre.AT_BEGINNING and self._flags & re.MULTILINE:
            return [_Gate(at_start=True), _Gate(before=_NEWLINE)]
        if at in {sre.AT_BEGINNING, sre.AT_BEGINNING_STRING}:
            return [_Gate(at_start=True)]
        if at is sre.AT_END:
            return [_Gate(at_end=True), _Gate(after=_NEWLINE)]
        if at is sre.AT_END_STRING:
            return [_Gate(at_end=True)]
        other = _ALL - _WORD
        if at is sre.AT_BOUNDARY:
            return [
                _Gate(before=_WORD, after=other),
                _Gate(before=other, after=_WORD),
                _Gate(after=_WORD, at_start=True),
                _Gate(before=_WORD, at_end=True),
            ]
        return [_Gate(before=_WORD, after=_WORD), _Gate(before=other, after=other)]

    def _look(self, op, direction, items) -> list[_Gate]:
        taken = self._one_character(items)
        if taken is None:
            return [_Gate()]
        if op is sre.ASSERT_NOT:
            taken = _ALL - taken
            edge = _Gate(at_start=True) if direction < 0 else _Gate(at_end=True)
            return [_Gate(before=taken) if direction < 0 else _Gate(after=taken), edge]
        return [_Gate(before=taken) if direction < 0 else _Gate(after=taken)]

    def _one_character(self, items) -> frozenset[str] | None:
        items = list(items)
        if len(items) != 1:
            return None
        op, given = items[0]
        if op is sre.BRANCH:
            parts = [self._one_character(branch) for branch in given[1]]
            return None if None in parts else frozenset().union(*parts)
        if op is sre.SUBPATTERN:
            return self._one_character(given[3])
        return self._taken(op, given) if op in _ONE_CHARACTER else None


def find_risk(pattern: str | bytes, flags: int = 0, method: str = "search") -> str | None:
    """What makes the pattern slow on some text; None when its time grows as the text does."""
    tree = parser.parse(pattern, flags)
    builder = _Builder(tree.state.flags)
    automaton = builder.automaton
    whole = builder.build(tree)
    if method in _EVERYWHERE:
        automaton.edges[_START, _START] = [_Gate()]
        automaton.after[_START] = {_START}
        automaton.join([(_START, _Gate())], whole.first)
    cycles = _cycles(automaton)
    settled = _settled(automaton, cycles, whole, is_whole=method == "fullmatch")
    loops = [state for state in cycles if cycles[state]]
    for source, target in sorted(automaton.doubled):
        if target in cycles.get(source, ()) or source == target:
            return f"two ways around a loop over {_shown(automaton.takes[source] & automaton.takes[target])}"
    for one in loops:
        for other in loops:
            if (
                other not in settled
                and other not in cycles[one]
                and (shared := _shared(automaton, cycles, one, other))
            ):
                first = "every place to begin at" if one == _START else "a loop"
                return f"{first} and a loop after it both take {_shown(shared)}"
    return None


def _cycles(automaton: _Automaton) -> dict[int, set[int]]:
    """For each state the loop it stands in: those that can be reached from it and reach it again."""
    reached = {state: _reach(state, lambda one: automaton.after.get(one, set())) for state in automaton.after}
    return {
        state: {other for other in others if state in reached.get(other, ())}
        for state, others in reached.items()
    }


def _reach(state: int, after) -> set[int]:
    seen: set[int] = set()
    waiting = list(after(state))
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting.extend(after(one))
    return seen


def _settled(
    automaton: _Automaton, cycles: dict[int, set[int]], whole: _Fragment, *, is_whole: bool
) -> set[int]:
    """The states of loops after which a match cannot fail: what they took is never offered again."""
    exits: dict[int, list[_Gate]] = {}
    for state, gate in whole.last:
        exits.setdefault(state, []).append(gate)
    found = set()
    for state, gates in exits.items():
        plain = [gate for gate in gates if not gate.at_start and gate.before == _ALL]
        # Either it may stop wherever it may go on, or at whatever it does not take.
        stays = automaton.edges.get((state, state), [])
        inner = [gate for gate in plain if not gate.at_end] if not is_whole else []
        may_stop = all(any(gate.after >= stay.after for gate in inner) for stay in stays) if inner else False
        ends = is_whole or any(gate.at_end or gate.after == _ALL for gate in plain)
        if may_stop or (ends and automaton.takes[state].union(*(gate.after for gate in inner)) == _ALL):
            found.add(state)
    # A way around a loop that passes such a state loses no more than its last round.
    return found | {state for state, around in cycles.items() if around & found}


def _shared(automaton: _Automaton, cycles: dict[int, set[int]], one: int, other: int) -> frozenset[str]:
    """What both loops take when the way from the first to the second is within it; empty where there is none."""
    if automaton.held[one] - automaton.held[other]:
        return _NOTHING  # left for good: nothing of it is offered to the other
    both = _around(automaton, cycles, one) & _around(automaton, cycles, other)

    def steps(state: int) -> Iterator[int]:
        for target in automaton.after.get(state, ()):
            if not automaton.takes[target] & both:
                continue
            if any(
                gate.before & automaton.takes[state] & both and gate.after & automaton.takes[target] & both
                for gate in automaton.edges[state, target]
            ):
                yield target

    return both if both and other in _reach(one, lambda state: set(steps(state))) else _NOTHING


def _around(automaton: _Automaton, cycles: dict[int, set[int]], state: int) -> frozenset[str]:
    """What is taken on the way around a loop."""
    return frozenset().union(*(automaton.takes[each] for each in cycles[state]))


def _shown(characters: frozenset[str]) -> str:
    few = sorted(characters, key=lambda one: (not one.isalnum(), one))[:3]
    return " ".join(map(repr, few))
