"""Deprecation: tools on their way out warn; retired ones say where to go."""

from collections.abc import Callable
from datetime import date

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline.request import Next, Request
from drift.registry import Outcome, Phase, phase_of


class Deprecations:
    """Knows the day, so that a long-running server retires tools on time."""

    def __init__(self, today: Callable[[], date]) -> None:
        self._today = today

    async def __call__(self, request: Request, step: Next) -> Outcome:
        deprecation = request.tool.deprecation
        if deprecation is None:
            return await step(request)
        phase = phase_of(request.tool, self._today())
        notice = deprecation.notice(request.tool.name)
        if phase is Phase.REMOVED:
            raise DriftError(
                ErrorCode.TOOL_REMOVED,
                f"{request.tool.name} was removed; use {deprecation.replaced_by}",
                Recovery(hint=notice, alternative_tools=(deprecation.replaced_by,)),
            )
        if phase is not Phase.ACTIVE:
            request.warnings.append(notice)
        return await step(request)
