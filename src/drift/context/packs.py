"""How a pack's tools are called: by its steps, and where it has none for a tool, with what is at hand."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from drift.context.composition import Step

_CONTEXT_TOOL: Final = "drift_context"
_FOUND_SYMBOL: Final = "symbols[0].at"
_FOUND_FILE: Final = "files[0].file"
# What the arguments of tools mean, by their names on the wire: the same name means the same in every tool.
_GIVEN: Final[Mapping[str, Any]] = {
    "focus": "$input.focus | $input.target | $input.file",
    "intent": "$input.intent | $pack.intent",
    "description": "$input.focus",
    "activeFile": "$input.file",
}
PACK_INPUTS: Final = frozenset({"focus", "target", "file", "intent"})
_SYMBOL_ARGUMENTS: Final = frozenset({"target", "symbol", "function", "location"})
_FILE_ARGUMENTS: Final = frozenset({"targetFile", "area"})


class Taken(NamedTuple):
    """An argument a tool takes."""

    name: str
    is_required: bool


def complete_steps(
    steps: Sequence[Step], tools: Iterable[str], taken: Mapping[str, Sequence[Taken]]
) -> tuple[Step, ...]:
    """The steps, and one for every other tool of the pack. `taken` has the arguments of tools that are there."""
    called = {step.tool for step in steps}
    places = next((step.id for step in steps if step.tool == _CONTEXT_TOOL), None)
    all_steps = list(steps)
    for name in dict.fromkeys(tools):
        if name not in called:
            identity = _free_id(name, {step.id for step in all_steps})
            all_steps.append(Step(identity, name, usual_arguments(taken.get(name, ()), places)))
    return tuple(all_steps)


def usual_arguments(taken: Sequence[Taken], places: str | None) -> dict[str, Any]:
    """References for the arguments a pack can fill; `places` is the step that looks for the place of the task."""
    meant = {each.name: _meaning(each.name, places) for each in taken}
    filled = {
        each.name: meaning if each.is_required else f"{meaning}?"
        for each in taken
        if (meaning := meant[each.name]) is not None
    }
    # What only a caller can say is told last, where all else is known.
    unknown = {
        each.name: f"$input.{each.name}" for each in taken if each.is_required and each.name not in filled
    }
    return {**filled, **unknown}


def _meaning(argument: str, places: str | None) -> str | None:
    if argument in _SYMBOL_ARGUMENTS:
        return f"$input.target | ${places}.{_FOUND_SYMBOL}" if places else "$input.target"
    if argument in _FILE_ARGUMENTS:
        return f"$input.file | ${places}.{_FOUND_FILE}" if places else "$input.file"
    return _GIVEN.get(argument)


def _free_id(tool: str, ids: set[str]) -> str:
    """The tool's name without its family's; a pack may name any, so it is numbered where a step has it."""
    short = tool.removeprefix("drift_")
    numbered = (f"{short}-{number}" for number in count(2))
    return short if short not in ids else next(each for each in numbered if each not in ids)
