"""Completions: what a person may mean while still typing an argument."""

from collections.abc import Callable, Mapping, Sequence

import mcp_types as types

Suggest = Callable[[], Sequence[str]]


class Completions:
    """Suggestions by where the argument stands: `prompt argument` or `uri-template variable`."""

    def __init__(self, suggest: Mapping[tuple[str, str], Suggest]) -> None:
        self._suggest = suggest

    def __call__(self, params: types.CompleteRequestParams) -> Sequence[str]:
        reference = params.ref
        place = reference.name if isinstance(reference, types.PromptReference) else str(reference.uri)
        suggest = self._suggest.get((place, params.argument.name))
        typed = params.argument.value.casefold()
        known = sorted(suggest()) if suggest else []
        fitting = [value for value in known if typed in value.casefold()]
        # The sort is stable: each half stays in the order of the alphabet.
        return sorted(fitting, key=lambda value: not value.casefold().startswith(typed))
