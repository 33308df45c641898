"""Audit: a line for every call that changed something, and for every one refused for lack of rights."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from drift.pipeline.request import Next, Request
from drift.registry import Effect, Outcome

logger = logging.getLogger("drift.audit")

_REFUSALS = frozenset({"FORBIDDEN", "UNAUTHORIZED", "PATH_OUTSIDE_PROJECT"})


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """Who did what, where, and how it ended. Arguments stay out: they may hold secrets."""

    caller: str
    tool: str
    project: str | None
    request_id: str
    code: str | None


def log_audit(record: AuditRecord) -> None:
    """The default sink: the log on stderr."""
    logger.info(
        "caller=%s tool=%s project=%s call=%s result=%s",
        record.caller,
        record.tool,
        record.project,
        record.request_id,
        record.code or "ok",
    )


class Audit:
    """Hands records to a sink; a team's server can give it a durable one."""

    def __init__(self, sink: Callable[[AuditRecord], None] = log_audit) -> None:
        self._sink = sink

    async def __call__(self, request: Request, step: Next) -> Outcome:
        outcome = await step(request)
        if request.tool.effect is not Effect.READS or outcome.code in _REFUSALS:
            project = request.project.name if request.project else None
            self._sink(AuditRecord(request.caller.id, request.tool.name, project, request.id, outcome.code))
        return outcome
