"""The state of finding out what expressions are: values known so far, and what has flowed where.

Values are found on demand and kept. What depends on a cell (the arguments that reach a parameter, the classes
a method is called on, the elements of a container, the members given from outside) may grow while calls are
followed, so it is kept for one pass only: within a pass the first answer stands even if a cell grows
meanwhile, which bounds the work, and the next pass asks again. Whatever depends on no cell is kept for good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from drift.languages.facts import Expression
from drift.scan.link.program import Program
from drift.scan.link.tables import Given
from drift.scan.link.values import NOTHING, Value, Values

MOST_VALUES: Final = 24  # a set beyond that says nothing
MOST_RECEIVERS: Final = 8  # classes a method is seen to be called on; beyond, only its own counts
MOST_ARGUMENTS: Final = 64  # kept for each parameter
MOST_ENTRIES: Final = 200  # added to each container
_MOST_LEVELS: Final = (
    90  # of expressions in expressions; each is up to eight frames of the thousand there are
)
_SETTLED: Final = -1

Form = Callable[["Analysis", Any, int], Values]


@dataclass(slots=True)
class Container:
    """Something with elements, known by where it is made. Entries are (constant key or None, value, scope)."""

    kind: str
    scope: int
    entries: list[tuple[str | None, Expression, int]] = field(default_factory=list)


class Analysis:
    """What is known of the values in a program."""

    def __init__(self, program: Program, forms: Mapping[str, Form]) -> None:
        self.program = program
        self.pass_number = 0
        self.is_provisional = False  # whether what is being found out depends on a cell
        self.has_grown = False  # whether a cell did in this pass
        self.containers: list[Container] = []
        self.arguments: dict[tuple[int, int], list[Given]] = {}
        self.receivers: dict[int, dict[int, None]] = {}
        self.given_members: dict[tuple[int, str], list[Given]] = {}
        self.lines_of_descent: dict[int, tuple[int | str, ...]] = {}
        self._forms = forms
        self._memo: dict[Any, tuple[Values, int]] = {}
        self._open: set[Any] = set()
        self._container_numbers: dict[Any, int] = {}
        self._level = 0

    def evaluate(self, expression: Expression, scope: int) -> Values:
        """The values an expression may have where it stands."""
        if expression is None:
            return NOTHING
        form = self._forms.get(expression[0])
        if form is None:
            return NOTHING
        if self._level >= _MOST_LEVELS:
            self.is_provisional = True
            return NOTHING
        self._level += 1
        values = form(self, expression, scope)
        self._level -= 1
        return values

    def remember(self, key: Any, compute: Callable[..., Values], *arguments: Any) -> Values:
        """The values that `compute` gives, found once."""
        known = self._memo.get(key)
        if known is not None:
            if known[1] == _SETTLED:
                return known[0]
            if known[1] == self.pass_number:
                self.is_provisional = True
                return known[0]
        if key in self._open or self._level >= _MOST_LEVELS:
            self.is_provisional = True
            return known[0] if known is not None else NOTHING
        outer = self.is_provisional
        self.is_provisional = False
        self._open.add(key)
        self._level += 1
        values = compute(self, *arguments)
        self._level -= 1
        self._open.discard(key)
        if len(values) > MOST_VALUES:
            values = NOTHING
        self._memo[key] = (values, self.pass_number if self.is_provisional else _SETTLED)
        self.is_provisional = self.is_provisional or outer
        return values

    def add_argument(self, function: int, place: int, given: Given) -> None:
        """Let a value flow into a parameter."""
        links = self.arguments.setdefault((function, place), [])
        if len(links) < MOST_ARGUMENTS and given not in links:
            links.append(given)
            self.has_grown = True

    def add_receiver(self, method: int, receiver: int) -> None:
        """Note that a method is called on objects of a class."""
        classes = self.receivers.setdefault(method, {})
        if receiver not in classes and len(classes) <= MOST_RECEIVERS:
            classes[receiver] = None
            self.has_grown = True

    def receivers_of(self, method: int) -> tuple[int, ...]:
        """The classes a method is seen to be called on, none where they are too many."""
        self.is_provisional = True
        classes = self.receivers.get(method, {})
        return tuple(classes) if len(classes) <= MOST_RECEIVERS else ()

    def add_member(self, owner: int, name: str, given: Given) -> None:
        """Give a class or function a member from outside."""
        known = self.given_members.setdefault((owner, name), [])
        if len(known) < MOST_ARGUMENTS and given not in known:
            known.append(given)
            self.has_grown = True

    def container(self, key: Any, kind: str, scope: int) -> tuple[Value, Container | None]:
        """The container made at a place; itself too when it is new and to be filled."""
        number = self._container_numbers.get(key)
        if number is not None:
            return ("container", number), None
        number = self._container_numbers[key] = len(self.containers)
        made = Container(kind, scope)
        self.containers.append(made)
        return ("container", number), made

    def add_entry(self, number: int, key: str | None, given: Given) -> None:
        """Put a value into a container."""
        entries = self.containers[number].entries
        entry = (key, *given)
        if len(entries) < MOST_ENTRIES and entry not in entries:
            entries.append(entry)
            self.has_grown = True
