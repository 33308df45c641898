"""Who looks at the page, what they may read, and whether they may decide."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from drift.kernel.errors import DriftError, ErrorCode
from drift.protocol.http.auth import TokenGate, refuse_caller, refuse_unverified
from drift.protocol.http.refusals import UnverifiableError
from drift.protocol.http.reply import JsonReply
from drift.protocol.registry_tools import caller_of
from drift.registry import Caller, Scope, ServerName

_NEEDED: Final = {
    ServerName.ANALYSIS: Scope.READ,
    ServerName.CATALOG: Scope.READ,
    ServerName.MEMORY: Scope.MEMORY,
}


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks, and whether they may decide on conventions."""

    caller: Caller
    may_write: bool = False

    def require(self, server: ServerName) -> None:
        """FORBIDDEN unless the visitor may read what this server keeps."""
        granted, needed = self.caller.scopes, _NEEDED[server]
        if granted is not None and needed not in granted:
            raise DriftError(ErrorCode.FORBIDDEN, f"This needs the scope {needed}")


Door = Callable[[Request], Awaitable[Visitor | Response]]
"""Lets a request in as a visitor, or gives the answer that turns it away."""


def own_door(*, may_write: bool) -> Door:
    """The door of a page that only this machine reaches."""
    visitor = Visitor(Caller(id="dashboard"), may_write)

    async def let_in(_request: Request) -> Visitor:
        return visitor

    return let_in


def token_door(gate: TokenGate) -> Door:
    """The door of a page for those who show a token; who may write elsewhere may decide here."""

    async def let_in(request: Request) -> Visitor | Response:
        try:
            access = await gate.find_caller(request.scope, "/")
        except UnverifiableError:
            return _as_response(refuse_unverified())
        refusal = refuse_caller(request.scope, access, frozenset({str(Scope.READ)}), metadata_url=None)
        if refusal is not None or access is None:
            return _as_response(refusal or refuse_unverified())
        caller = caller_of(access)
        return Visitor(caller, Scope.WRITE in (caller.scopes or ()))

    return let_in


def _as_response(reply: JsonReply) -> Response:
    headers = {name.decode(): value.decode() for name, value in reply.headers}
    return Response(reply.body, reply.status, headers, "application/json")
