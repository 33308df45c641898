"""A span for every call, with its parts below it, and the metrics of calls."""

import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.metrics import CallbackOptions, Observation
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from drift import __version__
from drift.kernel.errors import ERRORS, ErrorCode
from drift.kernel.redaction import redact
from drift.kernel.text import shorten
from drift.kernel.tokens import count_tokens
from drift.kernel.trace_parent import TRACE_PARENT
from drift.pipeline import Next, Request, ServerRuntime
from drift.registry import Client, InputRequired, Outcome, Question, Reply
from drift.scan.report import PHASE_WORDS
from drift.telemetry.exporters import Providers

_LONGEST_ARGUMENTS: Final = 4_000
_PHASES: Final = {
    **{phase: phase for phase in PHASE_WORDS},
    **{words: phase for phase, words in PHASE_WORDS.items()},
}
_PROPAGATOR: Final = TraceContextTextMapPropagator()


class CallTelemetry:
    """The outermost step of every call."""

    def __init__(self, providers: Providers, *, shows_arguments: bool) -> None:
        self._providers = providers
        self._shows_arguments = shows_arguments
        self._tracer = providers.tracers.get_tracer("drift", __version__)
        meter = providers.meters.get_meter("drift", __version__)
        self._calls = meter.create_counter("drift.mcp.tool.calls", "{call}", "Calls of tools")
        self._duration = meter.create_histogram("drift.mcp.tool.duration", "s", "Time of calls")
        self._tokens = meter.create_histogram("drift.mcp.tool.tokens", "{token}", "Size of calls and answers")
        self._rejections = meter.create_counter(
            "drift.mcp.rate_limit.rejections", "{call}", "Calls over a rate limit"
        )
        self._auth = meter.create_counter(
            "drift.mcp.auth.events", "{event}", "Callers let in and turned away"
        )
        self._operations = meter.create_histogram(
            "mcp.server.operation.duration", "s", "Time of requests, by the conventions of MCP"
        )
        self._runtimes: list[ServerRuntime] = []
        meter.create_observable_counter(
            "drift.mcp.cache.operations",
            [self._read_caches],
            "{operation}",
            "Look-ups in the caches of answers",
        )

    def watch(self, runtime: ServerRuntime) -> None:
        """Tell of the cache of a server."""
        self._runtimes.append(runtime)

    def hear_of_caller(self, event: str) -> None:
        """A caller was let in, or turned away."""
        self._auth.add(1, {"event": event})

    def close(self) -> None:
        """Send what is left."""
        self._providers.close()

    async def __call__(self, request: Request, step: Next) -> Outcome:
        is_outermost = request.depth == 0
        name = f"tools/call {request.tool.name}" if is_outermost else f"execute_tool {request.tool.name}"
        with self._tracer.start_as_current_span(
            name,
            context=_parent_of(request),
            kind=trace.SpanKind.SERVER if is_outermost else trace.SpanKind.INTERNAL,
            attributes=self._opening_attributes(request),
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            began, client = time.perf_counter(), request.client
            # Phases belong to the call that has them: one around it must not count them again.
            behind = client.client if isinstance(client, PhaseListener) else client
            request.client = phases = PhaseListener(behind, self._tracer)
            try:
                outcome = await step(request)
            except InputRequired:
                span.set_attributes({"drift.input_required": True})
                raise
            finally:
                phases.end()
                request.client = client
            self._measure(request, outcome, seconds=time.perf_counter() - began)
            _close_attributes(span, request, outcome)
            return outcome

    def _opening_attributes(self, request: Request) -> dict[str, Any]:
        found = {
            "mcp.method.name": "tools/call",
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": request.tool.name,
            "drift.call.id": request.id,
            "drift.category": request.tool.category.name,
        }
        if session := TRACE_PARENT.get().get("session"):
            found["mcp.session.id"] = session
        if self._shows_arguments:
            found["gen_ai.tool.call.arguments"] = _shown(request.arguments)
        return found

    def _measure(self, request: Request, outcome: Outcome, *, seconds: float) -> None:
        tool = {"tool": request.tool.name}
        status = "error" if outcome.is_error else "ok"
        self._calls.add(1, {**tool, "status": status, "cached": request.is_cached})
        self._duration.record(seconds, tool)
        self._tokens.record(count_tokens(_written(request.arguments)), {**tool, "direction": "request"})
        self._tokens.record(outcome.tokens, {**tool, "direction": "response"})
        if outcome.code == ErrorCode.RATE_LIMITED:
            self._rejections.add(1, {"tier": str(request.tool.tier)})
        if request.depth == 0:
            failure = {"error.type": outcome.code} if outcome.code else {}
            named = {"mcp.method.name": "tools/call", "gen_ai.tool.name": request.tool.name}
            self._operations.record(seconds, {**named, **failure})

    def _read_caches(self, _options: CallbackOptions) -> Iterable[Observation]:
        for runtime in self._runtimes:
            for operation, count in runtime.cache_operations().items():
                yield Observation(count, {"server": str(runtime.server), "operation": operation})


class PhaseListener:
    """A call's client, from whose reports the phases of a scan are known: each becomes a span."""

    def __init__(self, client: Client, tracer: trace.Tracer) -> None:
        self.client = client
        self._tracer = tracer
        # Reports come from other threads, which know nothing of the call's span.
        self._context = trace.set_span_in_context(trace.get_current_span())
        self._lock = threading.Lock()
        self._phase: str | None = None
        self._span: trace.Span | None = None
        self._is_over = False

    @property
    def name(self) -> str | None:
        return self.client.name

    @property
    def can_answer(self) -> bool:
        return self.client.can_answer

    async def ask(self, question: Question) -> Reply | None:
        return await self.client.ask(question)

    def report(self, done: float, total: float | None, message: str | None) -> None:
        phase = _PHASES.get(message or "")
        if phase is not None and phase != self._phase:
            self._begin(phase)
        self.client.report(done, total, message)

    def end(self) -> None:
        """The call is over; what still reports belongs to no call."""
        with self._lock:
            self._is_over = True
            if self._span is not None:
                self._span.end()

    def _begin(self, phase: str) -> None:
        with self._lock:
            if self._is_over:
                return
            if self._span is not None:
                self._span.end()
            self._phase = phase
            self._span = self._tracer.start_span(f"scan {phase}", self._context)


def _parent_of(request: Request) -> Context | None:
    """The span that the client says it calls from; for a call within a call the one around it."""
    carried = TRACE_PARENT.get()
    if request.depth or "traceparent" not in carried:
        return None
    return _PROPAGATOR.extract(carried)


def _close_attributes(span: trace.Span, request: Request, outcome: Outcome) -> None:
    span.set_attribute("drift.cached", request.is_cached)
    span.set_attribute("drift.tokens", outcome.tokens)
    span.set_attribute("drift.truncated", outcome.truncated)
    if request.freshness is not None:
        span.set_attribute("drift.freshness", request.freshness)
    if outcome.code is not None:
        # Not the message, which may quote what the caller wrote.
        span.set_attribute("error.type", outcome.code)
        span.set_attribute("drift.error.hint", ERRORS[ErrorCode(outcome.code)].hint)
        span.set_status(trace.StatusCode.ERROR)


def _shown(arguments: Mapping[str, Any]) -> str:
    return shorten(redact(_written(arguments)).text, _LONGEST_ARGUMENTS)


def _written(arguments: Mapping[str, Any]) -> str:
    return orjson.dumps(arguments, default=str).decode("utf-8", "replace")
