"""What the steps of a workflow found, merged into one answer within one budget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from drift.context.composition import Step
from drift.context.composition_budget import Portion, cut_to, measure, share_tokens
from drift.kernel.answer import NextAction
from drift.kernel.text import shorten
from drift.kernel.wire import to_wire
from drift.registry import Outcome

_LONGEST_REASON: Final = 200
_MOST_NEXT: Final = 5
_MOST_SIMILAR: Final = 5
_SECTION_FRAME_TOKENS: Final = 30  # the lines around a section's data
_ANSWER_FRAME_TOKENS: Final = 80  # the summary, and how the whole came about


@dataclass(frozen=True, slots=True)
class Section:
    """What one step found. `cut` says what was left out for the budget; `data` is null when all of it was."""

    step: str
    tool: str
    summary: str
    data: Mapping[str, Any] | None
    cut: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A step without a section, and why. `code` is there when it ran and failed, `similar` what it may have meant."""

    step: str
    tool: str
    reason: str
    code: str | None = None
    similar: tuple[str, ...] | None = None


class StepEnd(NamedTuple):
    """What a step came to: the outcome of its call, or why there was none."""

    step: Step
    arguments: Mapping[str, Any] | None = None
    outcome: Outcome | None = None
    skipped: str = ""
    lacking: str | None = None
    """The argument of the workflow that would have let it run."""

    @property
    def answer(self) -> Outcome | None:
        return None if self.outcome is None or self.outcome.is_error else self.outcome

    @property
    def failure(self) -> Outcome | None:
        return self.outcome if self.outcome is not None and self.outcome.is_error else None


class Merged(NamedTuple):
    """The answer of a workflow: sections and gaps in the order of the steps."""

    sections: tuple[Section, ...]
    unanswered: tuple[Unanswered, ...]
    next: tuple[NextAction, ...]
    warnings: tuple[str, ...]


def merge(ends: Sequence[StepEnd], budget_tokens: int) -> Merged:
    """One answer no longer than the budget, as far as what must be said leaves room."""
    answered = [(end.step, end.answer) for end in ends if end.answer is not None]
    unanswered = tuple(_gap(end) for end in ends if end.answer is None)
    actions = _next_actions(ends)
    warnings = _warnings(answered)
    said = to_wire([unanswered, actions, warnings, [outcome.body["summary"] for _step, outcome in answered]])
    frame = _ANSWER_FRAME_TOKENS + _SECTION_FRAME_TOKENS * len(answered) + sum(map(measure, said))
    portions = [Portion(measure(outcome.body.get("data")), step.share) for step, outcome in answered]
    allotted = share_tokens(portions, budget_tokens - frame)
    sections = tuple(
        _section(step, outcome, tokens) for (step, outcome), tokens in zip(answered, allotted, strict=True)
    )
    return Merged(sections, unanswered, actions, warnings)


def _section(step: Step, outcome: Outcome, max_tokens: int) -> Section:
    cut = cut_to(outcome.body.get("data"), max_tokens)
    own = ("more than the whole budget before",) if outcome.truncated else ()
    return Section(step.id, step.tool, str(outcome.body["summary"]), cut.data, (*own, *cut.taken) or None)


def _gap(end: StepEnd) -> Unanswered:
    if end.failure is None:
        return Unanswered(end.step.id, end.step.tool, end.skipped)
    message = shorten(str(end.failure.body["message"]), _LONGEST_REASON)
    similar = tuple(end.failure.body.get("similar", ()))[:_MOST_SIMILAR]
    return Unanswered(end.step.id, end.step.tool, message, end.failure.code, similar or None)


def _warnings(answered: Sequence[tuple[Step, Outcome]]) -> tuple[str, ...]:
    """Each warning once, with the first step that has it."""
    found: dict[str, str] = {}
    for step, outcome in answered:
        for warning in outcome.body.get("warnings", ()):
            found.setdefault(warning, step.id)
    return tuple(f"{step}: {warning}" for warning, step in found.items())


def _next_actions(ends: Sequence[StepEnd]) -> tuple[NextAction, ...]:
    """The calls the steps suggest, each once, less those that were just made; tools not asked yet come first."""
    made = {_key(end.step.tool, end.arguments) for end in ends if end.arguments is not None}
    asked = {end.step.tool for end in ends if end.answer is not None}
    found: dict[str, NextAction] = {}
    for end in ends:
        for action in end.answer.body.get("nextActions", ()) if end.answer else ():
            key = _key(action["tool"], action["args"])
            if key not in made:
                found.setdefault(key, NextAction(**action))
    return tuple(sorted(found.values(), key=lambda action: action.tool in asked))[:_MOST_NEXT]


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    return f"{tool} {sorted(arguments.items())!r}"
