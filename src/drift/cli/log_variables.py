"""Variables of other servers of instructions that ask for a log, as those of Drift's own log.

Whoever moves such a server's configuration over gets the same lines; `DRIFT_LOG` and `DRIFT_LOG_FILE` win.
"""

from collections.abc import Mapping
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery

_ON: Final = frozenset({"1", "true", "yes", "on"})
_OFF: Final = frozenset({"", "0", "false", "no", "off"})

LOG_FILE: Final = "MCP_LOG_FILE"
LOG_SWITCHES: Final[Mapping[str, str]] = {
    "MCP_LOG_VERBOSE": "debug",
    "MCP_LOG_DIAG": "protocol=debug",
    "MCP_HANDSHAKE_TRACE": "protocol=debug",
    "MCP_INIT_FRAME_DIAG": "protocol=debug",
    "MCP_CATALOG_DIAG": "catalog=debug",
    "MCP_CATALOG_FILE_TRACE": "catalog.freshness=debug",
    "MCP_LOG_MUTATION": "catalog.audit=debug",
}
"""What each switch adds to the levels of `DRIFT_LOG`."""


def translate_log_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """What these variables mean in Drift's own; empty without any. Raises CONFIG_INVALID for one that is no switch."""
    translated: dict[str, str] = {}
    wanted = [level for name, level in LOG_SWITCHES.items() if _is_on(environ, name)]
    if wanted and not _has_levels(environ):
        translated["DRIFT_LOG"] = ",".join(dict.fromkeys(wanted))
    if environ.get(LOG_FILE) and not environ.get("DRIFT_LOG_FILE"):
        translated["DRIFT_LOG_FILE"] = environ[LOG_FILE]
    return translated


def _has_levels(environ: Mapping[str, str]) -> bool:
    return bool(environ.get("DRIFT_LOG") or environ.get("DRIFT_LOG_LEVEL"))


def _is_on(environ: Mapping[str, str], name: str) -> bool:
    given = environ.get(name, "").strip().lower()
    if given not in _ON | _OFF:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            f"{name} is neither 1 nor 0",
            Recovery(hint=f"Correct or unset {name}; docs/catalog.md lists the variables."),
        )
    return given in _ON
