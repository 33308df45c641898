"""The baseline: old debts that a check does not count. A file that people review and commit, sorted, one finding a line.

A finding's id survives moved lines; rule, file and message stand beside it for whoever reads the difference.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import write_atomically
from drift.project import StateDir

BASELINE: Final = "baseline.json"
_MOST_BYTES: Final = 50_000_000
_VERSION: Final = 1


def read_baseline(state: StateDir) -> frozenset[str]:
    """The ids of the findings that are known; none where there is no file. CONFIG_INVALID for one that is broken."""
    try:
        content = json.loads(state.read(state.rules / BASELINE, _MOST_BYTES))
        listed = content["findings"]
        return frozenset(str(each["id"]) for each in listed)
    except FileNotFoundError:
        return frozenset()
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            f".drift/rules/{BASELINE} cannot be read: {type(error).__name__}: {error}",
            Recovery(hint="Restore it from git, or write it anew.", command="drift check --update-baseline"),
        ) from error


def write_baseline(state: StateDir, findings: Iterable[Mapping[str, Any]]) -> int:
    """Write the findings as the baseline, in an order that does not depend on the run; how many there are."""
    state.ensure()
    path = state.check(state.rules / BASELINE)
    path.parent.mkdir(exist_ok=True)
    kept = {
        str(each["id"]): {key: str(each[key]) for key in ("id", "rule", "file", "message")}
        for each in findings
    }
    rows = sorted(kept.values(), key=lambda row: (row["file"], row["rule"], row["id"]))
    lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
    body = f"\n{lines}\n  " if rows else ""
    write_atomically(path, f'{{\n  "version": {_VERSION},\n  "findings": [{body}]\n}}\n')
    return len(rows)
