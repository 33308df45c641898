"""Spans, metrics and logs of calls for OpenTelemetry; nothing of it is loaded unless its variables ask for it."""

from drift.telemetry.switch import Telemetry, open_telemetry
from drift.telemetry.wanted import wanted_signals

__all__ = ["Telemetry", "open_telemetry", "wanted_signals"]
