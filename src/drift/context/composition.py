"""Steps of a workflow as data: which tool, with what, after which others, and whether it may fail."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from drift.context.composition_paths import Scope, find_references, look_up, parse_reference

INPUT: Final = "input"
"""The workflow's own arguments."""
SETTINGS: Final = "pack"
"""How much of everything the pack wants."""
# The workflow is about one project and cuts its answer itself.
_KEPT_ARGUMENTS: Final = frozenset({"project", "maxTokens"})


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a workflow. `share` is its part of the tokens, compared with the other steps'."""

    id: str
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    when: str | None = None
    required: bool = False
    share: float = 1.0

    @property
    def sources(self) -> tuple[str, ...]:
        """What the step reads from, in the order it is named."""
        wanted = [
            *find_references(self.args),
            *([parse_reference(_unnegated(self.when))] if self.when else ()),
        ]
        return tuple(dict.fromkeys(path.source for each in wanted for path in each.paths))

    @property
    def earlier(self) -> tuple[str, ...]:
        """The ids of the steps this one waits for."""
        return tuple(source for source in self.sources if source not in (INPUT, SETTINGS))

    def is_wanted(self, scope: Scope) -> bool:
        """Whether the condition holds: the value is there and says something, or with `!` that it does not."""
        if self.when is None:
            return True
        is_there = bool(look_up(parse_reference(_unnegated(self.when)), scope))
        return is_there is not self.when.startswith("!")


def check_steps(steps: Sequence[Step]) -> None:
    """Raise ValueError, naming the place, unless the steps can be run in some order."""
    known = {step.id for step in steps}
    for position, step in enumerate(steps):
        place = f"steps.{position}"
        if step.id in (INPUT, SETTINGS):
            raise ValueError(f"{place}.id: {step.id!r} is what references call the workflow's own values")
        if [each.id for each in steps[:position]].count(step.id):
            raise ValueError(f"{place}.id: a step above is called {step.id!r}, too")
        kept = sorted(_KEPT_ARGUMENTS & step.args.keys())
        if kept:
            raise ValueError(f"{place}.args.{kept[0]}: is set for the whole pack, not for a step")
        _check_references(place, step, known)
    order_calls({step.id: step.earlier for step in steps})


def order_calls(earlier: Mapping[str, Iterable[str]]) -> list[str]:
    """The ids so that each stands behind those it waits for; ValueError when some wait for each other."""
    ordered: list[str] = []
    waiting = {identity: set(others) for identity, others in earlier.items()}
    while waiting:
        ready = [identity for identity, others in waiting.items() if others <= set(ordered)]
        if not ready:
            raise ValueError(f"{', '.join(waiting)} wait for each other")
        ordered += ready
        for identity in ready:
            del waiting[identity]
    return ordered


def _check_references(place: str, step: Step, known: set[str]) -> None:
    for argument, value in step.args.items():
        _check_value(f"{place}.args.{argument}", value, known)
    if step.when is not None:
        if not _unnegated(step.when).startswith("$"):
            raise ValueError(f"{place}.when: expected a reference such as $input.target, or !$input.target")
        _check_value(f"{place}.when", _unnegated(step.when), known)


def _check_value(place: str, value: Any, known: set[str]) -> None:
    try:
        sources = [path.source for each in find_references(value) for path in each.paths]
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error
    for source in sources:
        if source not in known | {INPUT, SETTINGS}:
            raise ValueError(f"{place}: there is no step {source!r}; there are {', '.join(sorted(known))}")


def _unnegated(condition: str) -> str:
    return condition.removeprefix("!")
