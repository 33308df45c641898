"""Next forms: the calls an answer suggests, in a form that can be made on the server's surface."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import Any

from drift.kernel.answer import Answer
from drift.pipeline.request import Request
from drift.registry import Outcome, Runtime, Surface, callable_on, short_list

Handler = Callable[[Request], Awaitable[Answer[Any] | Outcome]]


class NextForms:
    """A handler around a handler. An outcome that another call came to has its forms already."""

    def __init__(self, handler: Handler, runtime: Runtime) -> None:
        self._handler = handler
        self._runtime = runtime

    async def __call__(self, request: Request) -> Answer[Any] | Outcome:
        answer = await self._handler(request)
        if isinstance(answer, Outcome) or not answer.next or request.surface is None:
            return answer
        surface, toolbox = request.surface, self._runtime.toolbox
        listed = self._listed(surface, request)
        forms = (callable_on(action, surface, toolbox, listed) for action in answer.next)
        return replace(answer, next=tuple(form for form in forms if form is not None))

    def _listed(self, surface: Surface, request: Request) -> Collection[str]:
        """The tools that can be called by their own names."""
        if surface.kind == "pack":
            pack = self._runtime.packs(request.settled_project).by_name.get(str(surface.pack))
            return pack.tools if pack is not None else ()
        kind = "entry" if surface.kind == "consolidated" else surface.kind
        return short_list(kind, self._runtime.server)
