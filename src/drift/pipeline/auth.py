"""Auth: a caller with a token may call what its scopes cover; what needs a person comes from the command line."""

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline.request import Next, Request
from drift.registry import PERSON, Outcome


async def authorize(request: Request, step: Next) -> Outcome:
    _require(request, request.tool.scopes)
    return await step(request)


async def authorize_action(request: Request, step: Next) -> Outcome:
    """The same for what the action needs besides; after the arguments are checked and have their own names."""
    needed = request.tool.rights_for(request.arguments)
    if PERSON in needed and not request.caller.is_person:
        action = request.arguments["action"]
        raise DriftError(
            ErrorCode.FORBIDDEN,
            f"{request.tool.name} leaves action={action} to a person at the command line",
            Recovery(
                hint=f"Ask the person to run: {request.tool.person_actions[action]}",
                command=request.tool.person_actions[action],
            ),
        )
    _require(request, needed - {PERSON})
    return await step(request)


def _require(request: Request, needed: frozenset[str]) -> None:
    granted = request.caller.scopes
    if granted is not None and not needed <= granted:
        missing = sorted(needed - granted)
        raise DriftError(
            ErrorCode.FORBIDDEN,
            f"{request.tool.name} needs the scope {' '.join(missing)}",
            Recovery(details={"requiredScopes": missing}),
        )
