"""What a client is given to bring back with its answer to a question: sealed on the way out, checked on the way in."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from mcp_types.methods import is_input_required

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.request_state import RequestStateBoundary


class LateBoundary:
    """The SDK's own boundary, loaded with the first question: its cryptography takes 7 MB, and most servers ask nothing."""

    def __init__(self, key: bytes, audience: str) -> None:
        self._key = key
        self._audience = audience

    async def __call__(self, ctx: "ServerRequestContext[Any, Any]", call_next: "CallNext") -> "HandlerResult":
        if ctx.params is not None and ctx.params.get("requestState") is not None:
            return await self._boundary(ctx, call_next)
        result = await call_next(ctx)
        if not is_input_required(result):
            return result

        async def answered(_context: "ServerRequestContext[Any, Any]") -> "HandlerResult":
            return result

        return await self._boundary(ctx, answered)

    @cached_property
    def _boundary(self) -> "RequestStateBoundary":
        from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity  # as said above

        return RequestStateBoundary(RequestStateSecurity(keys=[self._key]), default_audience=self._audience)
