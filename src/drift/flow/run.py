"""The running of one function on values that are only partly known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from drift.flow.findings import LEVELS, Finding, Hit
from drift.flow.ir import Call, Expression, Function
from drift.flow.lowering import Form
from drift.flow.models import Models
from drift.flow.program import FileContext
from drift.flow.values import EMPTY, Value, join
from drift.index import SymbolId

# One function may take so many steps; what comes behind is not followed, and that is said.
MOST_STEPS: Final = 60_000
Environment = dict[str, Value]
# The name under which is kept what conditions left of expressions that are no variables.
ASKED: Final = "<asked>"


@dataclass(slots=True)
class Summary:
    """What a function does with what it is given, in terms of its parameters."""

    returns: Value = EMPTY
    hits: list[Hit] = field(default_factory=list)  # sinks that parameters get to
    effects: dict[int, Value] = field(default_factory=dict)  # what parameters are afterwards; -1: its object
    parameters: tuple[str, ...] = ()
    has_receiver: bool = False  # the first parameter is the object
    is_known: bool = False
    first_rest: int = -1  # the parameter that takes all further arguments


@dataclass(slots=True)
class Results:
    """What came out of running: findings, what functions do, and what was not followed."""

    by_unit: dict[int, list[Finding]] = field(default_factory=dict)
    unit: int = 0  # the function that is being run
    stored: dict[tuple[int, str], Value] = field(default_factory=dict)  # fields of objects, by type
    changed: set[int] = field(default_factory=set)  # types whose fields got other data
    cut: set[int] = field(default_factory=set)  # functions of which not all was followed

    def add(self, finding: Finding) -> None:
        self.by_unit.setdefault(self.unit, []).append(finding)

    def findings(self, grade: Callable[[Finding], Finding]) -> list[Finding]:
        """What was found, as sure as what is known of where its data comes in allows; of several at one place, the surest."""
        best: dict[tuple[object, ...], Finding] = {}
        for finding in (grade(each) for found in self.by_unit.values() for each in found):
            key = (finding.kind.name, finding.file, finding.line, finding.name)
            known = best.get(key)
            if known is None or LEVELS.index(finding.confidence) < LEVELS.index(known.confidence):
                best[key] = finding
        return list(best.values())


class Machine(NamedTuple):
    """What runs the parts of a function; the parts need each other."""

    evaluate: Callable[[Run, Expression], Value]
    call: Callable[[Run, Call], Value]
    run_closure: Callable[[Run, Function, tuple[Value, ...]], Value]


@dataclass(slots=True)
class Run:
    """One function that is run, and the file it is in."""

    file: int
    unit: int  # the function whose parameters data may come from
    context: FileContext
    models: Models
    form: Form
    machine: Machine
    results: Results
    summaries: Callable[[SymbolId], Summary | None]
    keep: Callable[[int, Summary], None]
    outer: Mapping[str, Value]  # names of the file
    handlers: Mapping[int, str] = field(
        default_factory=dict
    )  # functions that answer requests, and their paths
    owner: int = 0  # the type whose method it is
    env: Environment = field(default_factory=dict)
    alive: bool = True  # whether the place is reached
    returned: Value = EMPTY
    has_returned: bool = False
    hits: list[Hit] = field(default_factory=list)
    steps: int = 0
    depth: int = 0
    tests: tuple[Expression, ...] = ()  # the conditions a place stands under
    words: tuple[str, ...] = ()  # names around the place: of the function, of what is assigned to
    is_handler: bool = False
    is_test: bool = False
    name: str = ""
    exits: list[Environment] = field(default_factory=list)  # where loops and switches were left

    def evaluate(self, form: Expression) -> Value:
        return self.machine.evaluate(self, form)

    def spend(self) -> bool:
        """Whether another step may be taken."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            self.results.cut.add(self.unit)
            return False
        return True

    def give_back(self, value: Value) -> None:
        self.returned = value if not self.has_returned else join(self.returned, value)
        self.has_returned = True


def joined_environments(left: Environment, right: Environment) -> Environment:
    """What names may mean behind two ways."""
    if left is right:
        return left
    found = dict(left)
    for name, value in right.items():
        known = found.get(name)
        if known is None:
            found[name] = value
        elif known is not value:
            found[name] = join(known, value)
    if ASKED in found:
        _join_asked(found, left, right)
    return found


def _join_asked(found: Environment, left: Environment, right: Environment) -> None:
    """What was asked about an expression holds only where it was asked on both ways."""
    mine, others = (each[ASKED].fields or {} if ASKED in each else {} for each in (left, right))
    found[ASKED] = Value(fields={text: join(mine[text], others[text]) for text in mine if text in others})
