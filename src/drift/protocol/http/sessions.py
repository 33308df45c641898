"""Sessions of clients before 2026-07-28: so many in all, so many for each caller."""

import math
from collections.abc import Iterable

from mcp.server.auth.middleware.bearer_auth import AuthorizationContext
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


class SessionManager(StreamableHTTPSessionManager):
    """The SDK's manager, with a quota for each caller.

    One too many takes the place of the longest idle: of the caller's own where they have used up their quota, else of
    all. Its client is told 404 and opens another, as the protocol has it. Where none is idle the new one is refused.
    """

    max_sessions_per_caller: int | None = None

    def _admit_session(self, requestor: AuthorizationContext | None) -> StreamableHTTPServerTransport | None:
        # Whichever client they use: anyone may register any number of clients.
        own = [
            session
            for session, owner in self._session_owners.items()
            if requestor is not None and _principal(owner) == _principal(requestor)
        ]
        quota = self.max_sessions_per_caller
        if requestor is not None and quota is not None and len(own) >= quota:
            if not self._end_idle(own):
                return None
        elif self.max_sessions is not None and len(self._server_instances) >= self.max_sessions:
            self._end_idle(self._server_instances)
        return super()._admit_session(requestor)

    def _end_idle(self, sessions: Iterable[str]) -> bool:
        """Whether a session was idle; the one that was so for longest is ended."""
        idle = [
            (scope.deadline, session)
            for session in sessions
            # While a request is in flight the time does not run.
            if (scope := self._server_instances[session].idle_scope) and math.isfinite(scope.deadline)
        ]
        if not idle:
            return False
        _deadline, longest = min(idle)
        ended = self._server_instances.pop(longest)
        self._session_owners.pop(longest, None)
        assert ended.idle_scope is not None  # it was among the idle ones
        ended.idle_scope.cancel()
        return True


def _principal(owner: AuthorizationContext) -> tuple[str | None, str]:
    return owner["issuer"], owner["subject"] or owner["client_id"]
