"""Prompts: named beginnings of a conversation, filled in from the project."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import mcp_types as types
from mcp.shared.exceptions import MCPError

from drift.kernel.similar import similar_names
from drift.protocol.sources import Context

_MAX_ARGUMENT_CHARS = 10_240


@dataclass(frozen=True, slots=True)
class Argument:
    """One blank of a prompt."""

    name: str
    description: str
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt and the function that writes its messages."""

    name: str
    title: str
    description: str
    write: Callable[[Mapping[str, str]], Awaitable[Sequence[types.PromptMessage]]]
    arguments: tuple[Argument, ...] = ()


class Prompts:
    """The prompt source of Drift's own servers."""

    def __init__(self, prompts: Sequence[Prompt] = ()) -> None:
        self._prompts = {prompt.name: prompt for prompt in prompts}

    def list_prompts(self) -> Sequence[types.Prompt]:
        return [
            types.Prompt(
                name=each.name,
                title=each.title,
                description=each.description,
                arguments=[
                    types.PromptArgument(
                        name=blank.name, description=blank.description, required=blank.is_required
                    )
                    for blank in each.arguments
                ],
            )
            for each in self._prompts.values()
        ]

    async def get_prompt(
        self,
        _context: Context,
        params: types.GetPromptRequestParams,
    ) -> types.GetPromptResult:
        prompt = self._prompts.get(params.name)
        if prompt is None:
            near = similar_names(params.name, self._prompts)
            raise MCPError(
                types.INVALID_PARAMS, f"There is no prompt named {params.name[:80]!r}", {"similar": near}
            )
        given = params.arguments or {}
        _check(prompt, given)
        messages = await prompt.write(given)
        return types.GetPromptResult(description=prompt.description, messages=list(messages))


def _check(prompt: Prompt, given: Mapping[str, str]) -> None:
    known = {blank.name for blank in prompt.arguments}
    missing = [blank.name for blank in prompt.arguments if blank.is_required and blank.name not in given]
    unknown = [name for name in given if name not in known]
    if missing:
        raise MCPError(types.INVALID_PARAMS, f"{prompt.name} needs the argument {missing[0]}")
    if unknown:
        raise MCPError(types.INVALID_PARAMS, f"{prompt.name} takes no argument {unknown[0][:80]!r}")
    if any(len(value) > _MAX_ARGUMENT_CHARS for value in given.values()):
        raise MCPError(types.INVALID_PARAMS, f"An argument is longer than {_MAX_ARGUMENT_CHARS} characters")


def user_text(text: str) -> types.PromptMessage:
    """A message from the person."""
    return types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
