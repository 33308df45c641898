"""Which telemetry is wanted, by the standard variables."""

from collections.abc import Mapping
from typing import Final, Literal

Signal = Literal["traces", "metrics", "logs"]
Way = Literal["otlp", "console"]

SIGNALS: Final[tuple[Signal, ...]] = ("traces", "metrics", "logs")
_PREFIX: Final = "OTEL_EXPORTER_OTLP"


def wanted_signals(environ: Mapping[str, str]) -> dict[Signal, Way]:
    """Which signals go where. None without an address, or an exporter that is named."""
    if environ.get("OTEL_SDK_DISABLED", "").strip().casefold() == "true":
        return {}
    found: dict[Signal, Way] = {}
    for signal in SIGNALS:
        named = environ.get(f"OTEL_{signal.upper()}_EXPORTER", "").strip().casefold()
        addresses = (f"{_PREFIX}_ENDPOINT", f"{_PREFIX}_{signal.upper()}_ENDPOINT")
        has_address = any(environ.get(name, "").strip() for name in addresses)
        if named == "console":
            found[signal] = "console"
        elif named == "otlp" or (not named and has_address):
            found[signal] = "otlp"
    return found
