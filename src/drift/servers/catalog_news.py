"""Tells clients which instructions have changed, from the lines of the audit."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from drift.kernel.errors import DriftError
from drift.pipeline import ServerRuntime
from drift.protocol.notices import Notices
from drift.tools.catalogs.access import open_catalog

if TYPE_CHECKING:
    from drift.catalog import AuditLine

logger = logging.getLogger(__name__)

# A larger change is told of as far as this; its clients hear of the listing, too.
_MOST_LINES: Final = 1_000


def tell_of_changes(runtime: ServerRuntime, notices: Notices, template: str) -> None:
    """Have clients told, after every call that writes, of each instruction it changed."""
    from drift.catalog.times import format_time  # brings SQLite, which the other servers do without

    before, _, after = template.partition("{id}")
    started_at = format_time(datetime.now(UTC))
    latest: AuditLine | None = None

    async def hear() -> None:
        nonlocal latest
        lines = [line for line in await asyncio.to_thread(_read_lines, runtime) if line.at >= started_at]
        changed, latest = _since(lines, latest), lines[0] if lines else latest
        for instruction_id in changed:
            await notices.resource_updated(f"{before}{instruction_id}{after}")

    runtime.on_write(hear)


def _read_lines(runtime: ServerRuntime) -> "Sequence[AuditLine]":
    try:
        catalog = open_catalog(runtime.project, runtime.environ)
        return catalog.audit.lines(limit=_MOST_LINES) if catalog.places.journal_db.exists() else ()
    except DriftError as error:
        logger.debug("clients are not told of changes: %s", error.message)
        return ()


def _since(lines: "Sequence[AuditLine]", latest: "AuditLine | None") -> list[str]:
    """The instructions of the lines that are newer than the latest one known, each once."""
    new = lines[: lines.index(latest)] if latest in lines else lines
    return list(dict.fromkeys(line.instruction for line in reversed(new)))
