"""Limits: arguments too large or too deep are turned away before anything looks at them."""

import orjson

from drift.kernel.depth import json_depth_exceeds
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline.request import Next, Request
from drift.registry import Outcome

MAX_ARGUMENT_BYTES = 1_048_576
MAX_DEPTH = 64
MAX_NESTED_CALLS = 2  # a relay to a batch to a tool; more would be a loop


async def limit(request: Request, step: Next) -> Outcome:
    if request.depth > MAX_NESTED_CALLS:
        raise DriftError(ErrorCode.INVALID_ARGUMENT, "Calls are nested too deeply; call the tool itself")
    if json_depth_exceeds(request.arguments, MAX_DEPTH):
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"Arguments are nested deeper than {MAX_DEPTH} levels",
            Recovery(hint="Flatten them."),
        )
    try:
        size = len(orjson.dumps(request.arguments))
    except (TypeError, orjson.JSONEncodeError) as error:
        raise DriftError(ErrorCode.INVALID_ARGUMENT, "Arguments are not valid JSON text") from error
    if size > MAX_ARGUMENT_BYTES:
        raise DriftError(
            ErrorCode.TOO_LARGE, f"Arguments have {size:,} bytes; the limit is {MAX_ARGUMENT_BYTES:,}"
        )
    return await step(request)
