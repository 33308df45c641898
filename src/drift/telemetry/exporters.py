"""The OpenTelemetry SDK, put together as the standard variables say: OTLP over HTTP, or the log for a developer."""

import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from opentelemetry._logs import LoggerProvider
from opentelemetry.metrics import MeterProvider
from opentelemetry.trace import TracerProvider

from drift import __version__
from drift.telemetry.logs import FORMAT, SpanFormatter, TelemetryHandler
from drift.telemetry.wanted import Signal, Way

_SDK: Final = "opentelemetry.sdk"
_OTLP: Final = "opentelemetry.exporter.otlp.proto.http"
# Where each exporter is, by signal and way. An extra: by name, since types of it are not there for everybody.
_EXPORTERS: Final[Mapping[tuple[Signal, Way], tuple[str, str]]] = {
    ("traces", "otlp"): (f"{_OTLP}.trace_exporter", "OTLPSpanExporter"),
    ("traces", "console"): (f"{_SDK}.trace.export", "ConsoleSpanExporter"),
    ("metrics", "otlp"): (f"{_OTLP}.metric_exporter", "OTLPMetricExporter"),
    ("metrics", "console"): (f"{_SDK}.metrics.export", "ConsoleMetricExporter"),
    ("logs", "otlp"): (f"{_OTLP}._log_exporter", "OTLPLogExporter"),
    ("logs", "console"): (f"{_SDK}._logs.export", "ConsoleLogRecordExporter"),
}


@dataclass
class Providers:
    """What spans, metrics and logs are given to; those nobody wants lead nowhere."""

    tracers: TracerProvider
    meters: MeterProvider
    loggers: LoggerProvider
    handler: logging.Handler | None

    def close(self) -> None:
        """Send what is left, and let go of the threads that send."""
        if self.handler is not None:
            logging.getLogger().removeHandler(self.handler)
        providers: tuple[Any, ...] = (self.tracers, self.meters, self.loggers)
        for provider in providers:
            provider.shutdown()


def open_providers(wanted: Mapping[Signal, Way]) -> Providers:
    """Exporters for the signals that are wanted. Nothing is registered for the whole process: others may have theirs."""
    shared = {"resource": _resource(), "shutdown_on_exit": False}
    tracers = _load(f"{_SDK}.trace", "TracerProvider")(**shared)
    if way := wanted.get("traces"):
        batches = _load(f"{_SDK}.trace.export", "BatchSpanProcessor")
        tracers.add_span_processor(batches(_exporter("traces", way)))
    readers = []
    if way := wanted.get("metrics"):
        reader = _load(f"{_SDK}.metrics.export", "PeriodicExportingMetricReader")
        readers.append(reader(_exporter("metrics", way)))
    meters = _load(f"{_SDK}.metrics", "MeterProvider")(readers, **shared)
    loggers = _load(f"{_SDK}._logs", "LoggerProvider")(**shared)
    handler = None
    if way := wanted.get("logs"):
        batches = _load(f"{_SDK}._logs.export", "BatchLogRecordProcessor")
        loggers.add_log_record_processor(batches(_exporter("logs", way)))
        handler = TelemetryHandler(loggers.get_logger("drift", __version__))
    _mark_logs(handler)
    return Providers(tracers, meters, loggers, handler)


def _resource() -> Any:
    """Who sends. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go over what Drift calls itself."""
    resource = _load(f"{_SDK}.resources", "Resource")
    found = resource.create({"service.version": __version__})
    is_named = not str(found.attributes["service.name"]).startswith("unknown_service")
    return found if is_named else found.merge(resource({"service.name": "drift"}))


def _exporter(signal: Signal, way: Way) -> Any:
    make = _load(*_EXPORTERS[signal, way])
    # Standard output is the wire of a server over stdio.
    return make() if way == "otlp" else make(out=sys.stderr)


def _load(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _mark_logs(handler: logging.Handler | None) -> None:
    """Have every line of the log name its span."""
    root = logging.getLogger()
    for each in root.handlers:
        each.setFormatter(SpanFormatter(FORMAT))
    if handler is not None:
        root.addHandler(handler)
