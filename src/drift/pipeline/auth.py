"""Auth: a caller with a token may call what its scopes cover; the local terminal may call all."""

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline.request import Next, Request
from drift.registry import Outcome


async def authorize(request: Request, step: Next) -> Outcome:
    granted = request.caller.scopes
    if granted is not None and not request.tool.scopes <= granted:
        missing = sorted(request.tool.scopes - granted)
        raise DriftError(
            ErrorCode.FORBIDDEN,
            f"{request.tool.name} needs the scope {' '.join(missing)}",
            Recovery(details={"requiredScopes": missing}),
        )
    return await step(request)
