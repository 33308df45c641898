"""Settle: whatever happens inside, one well-formed outcome with its meta comes out."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from drift.kernel.answer import Freshness, Meta
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.tokens import count_tokens
from drift.pipeline.cutting import fit_error
from drift.pipeline.request import Next, Request
from drift.registry import InputRequired, Outcome, failed

logger = logging.getLogger(__name__)

_WORST_FIRST: Final[tuple[Freshness, ...]] = ("stale", "unknown", "fresh")


class Settle:
    """Turns failures into answers. Only a question to the caller and cancellation pass through."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock

    async def __call__(self, request: Request, step: Next) -> Outcome:
        try:
            outcome = await step(request)
        except InputRequired:
            raise
        except DriftError as error:
            outcome = failed(fit_error(error.as_wire(), request.token_limit))
        except Exception:
            # The text of an unforeseen exception may hold paths or secrets: it goes to the log alone.
            logger.exception("call %s of %s failed", request.id, request.tool.name)
            outcome = failed(_internal_error(request).as_wire())
        return outcome.with_meta(self._meta(request, outcome))

    def meta_of_refusal(self, request_id: str, outcome: Outcome) -> Meta:
        """The meta of a call that was turned away before it became a request."""
        return Meta(request_id, 0.0, count_tokens(outcome.text), cached=False)

    def _meta(self, request: Request, outcome: Outcome) -> Meta:
        own = Meta(
            request_id=request.id,
            duration_ms=round((self._clock() - request.started) * 1000, 2),
            token_estimate=outcome.tokens or count_tokens(outcome.text),
            cached=request.is_cached,
            freshness=request.freshness,
            data_age=request.data_age,
            truncated=outcome.truncated,
            total_available=outcome.total_available,
        )
        if outcome.meta is not None:  # of the call that was relayed, under whose id the log has it
            return replace(outcome.meta, duration_ms=own.duration_ms)
        # An answer made of others is as old as the oldest of them.
        return _joined(own, request.relayed if request.tool.needs is None else [own, *request.relayed])


def _joined(own: Meta, parts: Sequence[Meta]) -> Meta:
    """The meta of an answer that was made of these."""
    if not parts:
        return own
    found = {part.freshness for part in parts}
    return replace(
        own,
        cached=all(part.cached for part in parts),
        freshness=next((each for each in _WORST_FIRST if each in found), None),
        data_age=min((part.data_age for part in parts if part.data_age is not None), default=None),
    )


def _internal_error(request: Request) -> DriftError:
    return DriftError(
        ErrorCode.INTERNAL_ERROR,
        f"{request.tool.name} failed inside Drift; the log on stderr has the cause under call {request.id}",
        Recovery(command="drift doctor"),
    )
