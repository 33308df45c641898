"""What took the place of what, across an import and the store: every chain ends at a memory that there is."""

from typing import Final

from drift.kernel.connections import Connection
from drift.memory.transfer.import_spool import Spool

_SUCCESSOR: Final = "SELECT superseded_by FROM memories WHERE id = ?"


def find_endless(spool: Spool, connection: Connection | None, *, may_overwrite: bool) -> dict[str, str]:
    """The waiting ids whose chain ends nowhere or in itself, with what is wrong; no connection: no store yet."""
    problems: dict[str, str | None] = {}
    for first in spool.superseded:
        chain: dict[str, None] = {}
        step: str | None = first
        problem: str | None = None
        while step is not None:
            if step in problems:
                problem = problems[step]
                break
            if step in chain:
                problem = f"supersededBy: {step} would in the end take its own place"
                break
            is_there, after = _look_up(spool, connection, step, may_overwrite=may_overwrite)
            if not is_there:
                problem = f"supersededBy: {step} is neither imported nor there"
                break
            chain[step] = None
            step = after
        problems |= dict.fromkeys(chain, problem)
    return {one: problem for one in spool.superseded if (problem := problems[one]) is not None}


def _look_up(
    spool: Spool, connection: Connection | None, memory_id: str, *, may_overwrite: bool
) -> tuple[bool, str | None]:
    """Whether the id will be there after the import, and what will have taken its place."""
    stored = connection.execute(_SUCCESSOR, (memory_id,)).fetchone() if connection is not None else None
    if memory_id in spool.ids and (stored is None or may_overwrite):
        waiting = spool.superseded.get(memory_id)
        return True, waiting.successor if waiting else None
    return stored is not None, stored[0] if stored else None
