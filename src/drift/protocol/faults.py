"""Failures at the protocol border: clean JSON-RPC errors out, causes into the log."""

import logging
from typing import Any

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from drift.kernel.errors import DriftError, ErrorCode
from drift.protocol.limits import RATE_LIMITED, RESPONSE_TOO_LARGE, SERVER_BUSY
from drift.protocol.sources import Context

logger = logging.getLogger(__name__)

# Before 2026-07-28; since then a resource that is not there is an invalid parameter.
RESOURCE_NOT_FOUND = -32002

# Numbers that clients of the template tools know. Two of them mean something else elsewhere; `data.code` tells which.
TEMPLATE_NOT_FOUND = -32000
INVALID_TEMPLATE_URI = -32001
PARAMETER_VALIDATION_FAILED = -32002

# A resource whose reader says one of these is not there.
ABSENT = frozenset(
    {
        ErrorCode.RESOURCE_NOT_FOUND,
        ErrorCode.FILE_NOT_FOUND,
        ErrorCode.SYMBOL_NOT_FOUND,
        ErrorCode.TOOL_NOT_FOUND,
        ErrorCode.PACK_NOT_FOUND,
        ErrorCode.TEMPLATE_NOT_FOUND,
        ErrorCode.INVALID_TEMPLATE_URI,
    }
)

# JSON-RPC numbers for the codes that have one of their own; what the caller can mend is INVALID_PARAMS.
_NUMBERS = {
    ErrorCode.TEMPLATE_NOT_FOUND: TEMPLATE_NOT_FOUND,
    ErrorCode.INVALID_TEMPLATE_URI: INVALID_TEMPLATE_URI,
    ErrorCode.PARAMETER_VALIDATION_FAILED: PARAMETER_VALIDATION_FAILED,
    ErrorCode.RATE_LIMITED: RATE_LIMITED,
    ErrorCode.SERVER_BUSY: SERVER_BUSY,
    ErrorCode.TOO_LARGE: RESPONSE_TOO_LARGE,
    ErrorCode.INTERNAL_ERROR: types.INTERNAL_ERROR,
    ErrorCode.ANALYSIS_FAILED: types.INTERNAL_ERROR,
}


_TOO_EARLY = (
    "The session has not begun: send initialize and notifications/initialized first, or the protocol version 2026-07-28 "
    "in the _meta of each request"
)


def protocol_error(error: DriftError) -> MCPError:
    """A Drift error as a JSON-RPC error, with its code and way out as data."""
    return MCPError(_NUMBERS.get(error.code, types.INVALID_PARAMS), error.message, error.as_wire())


async def clean_faults(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Server middleware: the SDK would put an exception's text on the wire in older protocol revisions."""
    try:
        return await call_next(ctx)
    except MCPError as error:
        if _is_too_early(error):
            raise MCPError(types.INVALID_PARAMS, _TOO_EARLY, {"method": ctx.method[:100]}) from None
        raise
    except DriftError as error:
        raise protocol_error(error) from error
    except ValidationError as error:
        raise MCPError(types.INVALID_PARAMS, _explain(error)) from None
    except Exception:
        logger.exception("%s failed", ctx.method)
        raise MCPError(types.INTERNAL_ERROR, "Internal error; the cause is in the server's log") from None


def _is_too_early(error: MCPError) -> bool:
    """Whether it is the SDK's answer to a method before the handshake; what else it refuses so, it says more of."""
    return (error.error.code, error.error.data) == (types.INVALID_PARAMS, "")


def _explain(error: ValidationError) -> str:
    """Which parameters are wrong, without the values: they are the caller's own or hostile."""
    places = {
        _place(item) for item in error.errors(include_url=False, include_context=False, include_input=False)
    }
    return "Invalid parameters: " + "; ".join(sorted(places)[:5])


def _place(item: Any) -> str:
    location = ".".join(str(part) for part in item["loc"] if isinstance(part, (str, int)))[:100]
    return f"{location or 'params'}: {item['msg']}"
