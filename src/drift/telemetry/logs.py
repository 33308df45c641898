"""Log lines that name the span they belong to, and the same lines sent as log records."""

import logging
from typing import Final

from opentelemetry._logs import Logger, LogRecord, SeverityNumber
from opentelemetry.context import get_current
from opentelemetry.trace import format_span_id, format_trace_id, get_current_span

from drift.kernel.redaction import redact
from drift.kernel.text import shorten

FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_LONGEST: Final = 4_000
# What sending itself has to say would be sent again, without end.
_OWN_LOGGERS: Final = ("opentelemetry", "urllib3", "requests", "httpx2", "httpcore")
_SEVERITY: Final = (
    (logging.ERROR, SeverityNumber.ERROR),
    (logging.WARNING, SeverityNumber.WARN),
    (logging.INFO, SeverityNumber.INFO),
)


class SpanFormatter(logging.Formatter):
    """Adds the ids of the span in whose work a line was written."""

    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        span = get_current_span().get_span_context()
        if not span.is_valid:
            return line
        return f"{line} trace_id={format_trace_id(span.trace_id)} span_id={format_span_id(span.span_id)}"


class TelemetryHandler(logging.Handler):
    """Sends log lines with the span they belong to; secrets and the text of exceptions stay here."""

    def __init__(self, logger: Logger) -> None:
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.partition(".")[0] in _OWN_LOGGERS:
            return
        try:
            self._logger.emit(_read_record(record))
        except Exception:  # noqa: BLE001 - a log line must never break what it tells of
            self.handleError(record)


def _read_record(record: logging.LogRecord) -> LogRecord:
    attributes = {"logger.name": record.name}
    if record.exc_info is not None and record.exc_info[0] is not None:
        attributes["exception.type"] = record.exc_info[0].__qualname__
    least = next((number for level, number in _SEVERITY if record.levelno >= level), SeverityNumber.DEBUG)
    return LogRecord(
        timestamp=int(record.created * 1e9),
        context=get_current(),
        severity_number=least,
        severity_text=record.levelname,
        body=shorten(redact(record.getMessage()).text, _LONGEST),
        attributes=attributes,
    )
