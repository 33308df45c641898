"""Finding out what expressions are: answers found on demand and kept, with what was read to find them.

An answer that met itself on the way (a function that returns what it returns) depends on where one began to
ask. Such answers are kept for the file under way only, whose questions always come in the same order; all
others are the same whoever asks, and kept for good, with how deep they go. Asked for where there is no room
for that much, they are found anew and cut off, as they would be for one who knew nothing; what was cut off is
kept for the level it was asked at. So the links of a file depend on nothing but the facts that were read for
them, whatever was linked before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from drift.languages.expressions import Expression, place_key
from drift.scan.link.program import Program
from drift.scan.link.values import NOTHING, Form, Value, Values

MOST_VALUES: Final = 48  # a set beyond that says nothing
# Calls and stores that are looked at for one parameter, member or container: more than a set may hold, so that none
# is cut short without a word.
MOST_GIVEN: Final = 64
# Functions of one name that the arguments of a call are held against; all are meant where there are more.
MOST_OVERLOADS: Final = 300
# Of those that fit, each is compared with all others; more stay open, as a set does.
MOST_COMPARED: Final = 64
_MOST_LEVELS: Final = 90  # of questions in questions; each is up to eight frames of the thousand there are
_SURE: Final = 1 << 30  # the answer is the same whoever asks
_CUT_OFF: Final = 1 << 29  # it went too deep, and is the same for all who ask at that level
_OF_THIS_FILE: Final = 1 << 20  # it is the same for all of this file
_SPREAD: Final = 2  # the parts of an element that no key asks for
_FEW_READS: Final = 4

Evaluator = Callable[["Analysis", Any, int], Values]
Surplus = Callable[["Analysis", int, int], list[tuple[str | None, tuple[Form, int]]]]
"""What calls give for a parameter that collects the surplus."""


Answer = tuple[Any, tuple[Any, ...], int]
"""What a question came to, what was read for it (few things: keys, and what stands for many), and its depth."""


class Reads:
    """What was read for an answer, as one thing that whoever asks again takes over."""

    __slots__ = ("answer_count", "keys")

    def __init__(self, keys: Iterable[Any]) -> None:
        self.keys = tuple(keys)  # a set of them would take five times the memory
        self.answer_count = -1  # of what stands for many; not counted until somebody looks through it

    def put_in_order(self) -> None:
        """Put what stands for many first, so that the keys behind it can be taken at once, again and again."""
        answers = [one for one in self.keys if type(one) is Reads]
        if answers:
            self.keys = (*answers, *(one for one in self.keys if type(one) is not Reads))
        self.answer_count = len(answers)


@dataclass(slots=True)
class Container:
    """Something with elements, known by where it is made. Entries are (constant key or None, value, scope)."""

    kind: str
    scope: int
    name: str | None = None  # what it is kept under, by which calls that put something in are found
    function: tuple[int, int] | None = None  # the function and parameter whose surplus arguments it takes
    part: tuple[int, int | None, int | None] | None = None  # of another, from one place to another
    entries: list[tuple[str | None, Form, int]] = field(default_factory=list)
    _by_key: dict[str | None, list[tuple[str | None, Form, int]]] = field(default_factory=dict)
    _seen_count: int = 0

    def fill(self, elements: Iterable[Expression], scope: int) -> None:
        """Take the elements of a list, under their places up to one that may stand for several."""
        is_placed = True
        for place, element in enumerate(elements):
            if element is not None:
                is_placed = is_placed and not (element[0] == "item" and len(element) == _SPREAD)
                self.entries.append((place_key(place) if is_placed else None, element, scope))

    def under(self, key: str | None) -> list[tuple[str | None, Form, int]]:
        """The entries of a key: tables have thousands, and are asked for each of them."""
        for entry in self.entries[self._seen_count :]:
            self._by_key.setdefault(entry[0], []).append(entry)
        self._seen_count = len(self.entries)
        return self._by_key.get(key, [])


class Analysis:
    """What is known of the values in a program."""

    def __init__(self, program: Program, forms: Mapping[Any, Evaluator], surplus: Surplus) -> None:
        self.program = program
        self.containers: list[Container] = []
        self.surplus = surplus
        self._forms = forms
        self._for_scan: dict[Any, Answer] = {}
        self._for_file: dict[Any, Answer] = {}  # sure too, but nobody asks again after this file
        # What is not sure: questions that are open, and answers that met one; each with what it depends on.
        self._unsure: dict[Any, tuple[Any, int]] = {}
        self._unfinished: list[Any] = []  # those of the answers that depend on a question still open
        self._cut_off: dict[tuple[int, Any], Any] = {}  # by level
        self._open_count = 0
        self._depends_on = _SURE  # the outermost open question that was met again
        self._container_numbers: dict[Any, int] = {}
        self._level = 0
        self._deepest = 0  # the level below the innermost one that the open question has come to

    def begin_file(self) -> None:
        """Forget what holds for one file alone, and questions left open where the last file ended in a fault."""
        self._for_file.clear()
        self._unsure.clear()
        self._cut_off.clear()
        self._unfinished.clear()
        self._open_count = self._level = self._deepest = 0
        self._depends_on = _SURE
        self.program.reads = set()

    def evaluate(self, expression: Form, scope: int) -> Values:
        """The values an expression may have where it stands."""
        if expression is None:
            return NOTHING
        form = self._forms.get(expression[0])
        if form is None:
            return NOTHING
        level = self._level
        if level >= self._deepest:
            if level >= _MOST_LEVELS:
                self._depend_on(_CUT_OFF)
                return NOTHING
            self._deepest = level + 1
        self._level = level + 1
        values = form(self, expression, scope)
        self._level = level
        return values

    def memoised(self, key: Any, compute: Callable[..., Values], *arguments: Any) -> Values:
        """The values that `compute` gives, found once."""
        # Two of three questions have been asked before, so the answer is looked up right here.
        answer = self._for_scan.get(key)
        if answer is None or (self._level + answer[2] > self._deepest and not self._has_room(answer[2])):
            return self._find_out(self._for_scan, key, compute, arguments)  # type: ignore[no-any-return] # what compute gives
        self.program.reads.update(answer[1])
        return answer[0]  # type: ignore[no-any-return] # what compute gave

    def memoised_for_file(self, key: Any, compute: Callable[..., Values], *arguments: Any) -> Values:
        """The same for what no other file will ask."""
        answer = self._for_file.get(key)
        if answer is None or (self._level + answer[2] > self._deepest and not self._has_room(answer[2])):
            return self._find_out(self._for_file, key, compute, arguments)  # type: ignore[no-any-return] # what compute gives
        self.program.reads.update(answer[1])
        return answer[0]  # type: ignore[no-any-return] # what compute gave

    def cached(self, key: Any, compute: Callable[..., Any], *arguments: Any) -> Any:
        """Whatever `compute` gives, found once; an empty tuple where it is asked for while being found."""
        answer = self._for_scan.get(key)
        if answer is None or (self._level + answer[2] > self._deepest and not self._has_room(answer[2])):
            return self._find_out(self._for_scan, key, compute, arguments, is_limited=False)
        self.program.reads.update(answer[1])
        return answer[0]

    def cached_answer(self, key: Any) -> Any:
        """What `cached` has found for good; None where it has not."""
        answer = self._for_scan.get(key)
        return None if answer is None else answer[0]

    def _has_room(self, depth: int) -> bool:
        """Whether an answer that goes so deep, deeper than any so far, could have been found from here."""
        bottom = self._level + depth
        if bottom > _MOST_LEVELS:
            return False
        self._deepest = bottom
        return True

    def _find_out(
        self,
        answers: dict[Any, Answer],
        key: Any,
        compute: Callable[..., Any],
        arguments: tuple[Any, ...],
        *,
        is_limited: bool = True,
    ) -> Any:
        unsure = self._unsure.get(key)
        if unsure is not None:
            self._depend_on(unsure[1])
            return unsure[0]
        if self._level >= _MOST_LEVELS:
            self._depend_on(_CUT_OFF)
            return NOTHING
        if self._cut_off and (self._level, key) in self._cut_off:
            self._depend_on(_CUT_OFF)
            return self._cut_off[self._level, key]
        program = self.program
        outer_reads, outer_depends = program.reads, self._depends_on
        reads: set[Any] = set()
        program.reads, self._depends_on = reads, _SURE
        place, unfinished_before = self._open_count, len(self._unfinished)
        self._open_count = place + 1
        self._unsure[key] = (NOTHING, place)
        level, outer_deepest = self._level, self._deepest
        self._level = self._deepest = level + 1
        values = compute(self, *arguments)
        deepest = self._deepest
        if outer_deepest > deepest:
            self._deepest = outer_deepest
        self._level = level
        self._open_count = place
        if is_limited and len(values) > MOST_VALUES:
            values = NOTHING
        depends = self._depends_on
        program.reads, self._depends_on = outer_reads, outer_depends
        if depends == _SURE:
            shared = tuple(reads) if len(reads) <= _FEW_READS else (Reads(reads),)
            answers[key] = (values, shared, deepest - level)
            outer_reads.update(shared)
            del self._unsure[key]
        elif depends == _CUT_OFF:
            outer_reads.update(reads)
            del self._unsure[key]
            self._cut_off[level, key] = values
            self._depend_on(_CUT_OFF)
        else:
            outer_reads.update(reads)
            self._depend_on(self._keep_circular(key, values, place, depends, unfinished_before))
        return values

    def _depend_on(self, question: int) -> None:
        self._depends_on = min(self._depends_on, question)

    def _keep_circular(self, key: Any, values: Any, place: int, depends: int, before: int) -> int:
        """Keep an answer that met an open question; which one the asker then depends on."""
        if depends < place:
            self._unsure[key] = (values, depends)
            self._unfinished.append(key)
            return depends
        # The circle closes here: what was found inside it, with this answer missing, is found anew if asked.
        for inside in self._unfinished[before:]:
            del self._unsure[inside]
        del self._unfinished[before:]
        self._unsure[key] = (values, _OF_THIS_FILE)
        return _OF_THIS_FILE

    def container(self, key: Any, kind: str, scope: int) -> tuple[Value, Container | None]:
        """The container made at a place; itself too when it is new and to be filled."""
        number = self._container_numbers.get(key)
        if number is not None:
            return ("container", number), None
        number = self._container_numbers[key] = len(self.containers)
        made = Container(kind, scope)
        self.containers.append(made)
        return ("container", number), made


def flatten(reads: Iterable[Any]) -> set[int]:
    """All keys among what was read, through the answers in it."""
    waiting = [one for one in reads if type(one) is Reads]
    seen = set(waiting)
    keys = {one for one in reads if type(one) is not Reads}
    while waiting:
        answer = waiting.pop()
        if answer.answer_count < 0:
            answer.put_in_order()
        if not answer.answer_count:
            keys.update(answer.keys)
            continue
        keys.update(answer.keys[answer.answer_count :])
        for one in answer.keys[: answer.answer_count]:
            if one not in seen:
                seen.add(one)
                waiting.append(one)
    return keys
