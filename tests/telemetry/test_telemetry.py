"""What is told of calls, as a collector on this machine receives it."""

import asyncio
import logging
import os
import subprocess
import sys
import threading
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.trace_parent import TRACE_PARENT
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import Call, ServerName, Surface, Toolbox, definition_of, tool
from drift.telemetry import open_telemetry, wanted_signals

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
logger = logging.getLogger("drift.tests.telemetry")


@tool(category="surgical", title="One", tokens=(1, 1))
def drift_one(call: Call, word: str = "x") -> Answer[dict[str, str]]:
    """One."""
    logger.warning("at work with %s", SECRET)
    call.progress(1, 2, "extract")
    return Answer(f"got {word}", {"word": word})


@tool(category="orchestration", title="Two", tokens=(1, 1), ttl=0)
async def drift_two(call: Call) -> Answer[dict[str, str]]:
    """Two."""
    call.progress(1, 2, "discover")
    call.progress(1, 2, "link")
    call.progress(1, 2, "no phase of a scan")
    await call.dispatch("drift_one", {"word": "within"})
    return Answer("two", {})


@tool(category="surgical", title="Three", tokens=(1, 1))
def drift_three(call: Call, word: str) -> Answer[dict[str, str]]:
    """Three."""
    raise DriftError(ErrorCode.SYMBOL_NOT_FOUND, f"no {word}")


class Collector(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.received.append((self.path, self.headers["authorization"], body))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_arguments):
        pass


@pytest.fixture(scope="module")
def received():
    """What comes of a few calls: by path the messages that were sent, decoded."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    server.received = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def told(received, tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{received.server_port}")
        patch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20x")
        patch.setenv("OTEL_SERVICE_NAME", "drift-of-the-team")
        telemetry = open_telemetry(os.environ, shows_arguments=True)
        home = ProjectRegistry(root.parent / "projects.json", lambda: datetime.now(UTC))
        at = Environment(root, home, {}, today=lambda: date(2026, 6, 1), around=telemetry)
        tools = Toolbox(definition_of(each) for each in (drift_one, drift_two, drift_three))
        runtime = ServerRuntime(ServerName.ANALYSIS, tools, Surface("full"), at=at)
        telemetry.watch(runtime)
        telemetry.hear_of_caller("success")
        asyncio.run(call_all(runtime))
        telemetry.close()
        runtime.close()
    return received.received


async def call_all(runtime):
    kept = TRACE_PARENT.set({"traceparent": f"00-{TRACE}-{SPAN}-01", "session": "abc"})
    await runtime.call("drift_two", {})
    TRACE_PARENT.reset(kept)
    for _ in range(2):
        await runtime.call("drift_one", {"word": SECRET})
    await runtime.call("drift_three", {"word": "private"})


def messages(told, path, kind):
    return [kind.FromString(body) for where, _, body in told if where == path]


@pytest.fixture(scope="module")
def spans(told):
    found = messages(told, "/v1/traces", ExportTraceServiceRequest)
    every = [
        one
        for each in found
        for resource in each.resource_spans
        for scope in resource.scope_spans
        for one in scope.spans
    ]
    return {(one.name, one.parent_span_id.hex()): one for one in every}


def named(spans, name):
    return [one for (found, _), one in spans.items() if found == name]


def attributes(one):
    return {each.key: each.value for each in one.attributes}


def test_a_call_stands_below_the_span_of_its_client_and_its_parts_below_it(spans):
    (two,) = named(spans, "tools/call drift_two")
    (inner,) = named(spans, "execute_tool drift_one")
    phases = [*named(spans, "scan discover"), *named(spans, "scan link")]

    assert (two.trace_id.hex(), two.parent_span_id.hex()) == (TRACE, SPAN)
    assert {each.trace_id.hex() for each in (inner, *phases)} == {TRACE}
    assert {each.parent_span_id for each in (inner, *phases)} == {two.span_id}
    assert len(phases) == 2
    within = [each for each in named(spans, "scan extract") if each.trace_id == two.trace_id]
    assert [each.parent_span_id for each in within] == [inner.span_id]
    assert attributes(two)["mcp.session.id"].string_value == "abc"
    assert attributes(two)["mcp.method.name"].string_value == "tools/call"


def test_a_failed_call_tells_its_code_and_a_way_out_and_not_its_message(spans):
    (three,) = named(spans, "tools/call drift_three")
    said = attributes(three)

    assert said["error.type"].string_value == "SYMBOL_NOT_FOUND"
    assert "spelling" in said["drift.error.hint"].string_value
    assert three.status.message == ""


def test_no_secret_leaves_even_where_arguments_are_wanted(told, spans):
    (three,) = named(spans, "tools/call drift_three")

    assert attributes(three)["gen_ai.tool.call.arguments"].string_value == '{"word":"private"}'
    assert told
    assert not [path for path, _, body in told if SECRET.encode() in body]


def test_the_metrics_have_the_names_and_counts_that_are_promised(told):
    found = {}
    for each in messages(told, "/v1/metrics", ExportMetricsServiceRequest):
        for scope in (scope for resource in each.resource_metrics for scope in resource.scope_metrics):
            for metric in scope.metrics:
                points = metric.sum.data_points or metric.histogram.data_points
                found[metric.name] = {
                    tuple(
                        sorted(
                            (pair.key, pair.value.string_value or pair.value.bool_value)
                            for pair in point.attributes
                        )
                    ): point
                    for point in points
                }

    assert set(found) == {
        "drift.mcp.tool.calls", "drift.mcp.tool.duration", "drift.mcp.tool.tokens", "drift.mcp.cache.operations",
        "drift.mcp.auth.events", "mcp.server.operation.duration",
    }  # fmt: skip
    calls = {key: point.as_int for key, point in found["drift.mcp.tool.calls"].items()}
    assert calls[("cached", True), ("status", "ok"), ("tool", "drift_one")] == 1
    assert calls[("cached", False), ("status", "error"), ("tool", "drift_three")] == 1
    cache = {
        dict(key)["operation"]: point.as_int for key, point in found["drift.mcp.cache.operations"].items()
    }
    assert cache == {"hit": 1, "miss": 3, "invalidate": 0}


def test_log_records_carry_the_span_they_were_written_in(told, spans):
    records = [
        record
        for each in messages(told, "/v1/logs", ExportLogsServiceRequest)
        for resource in each.resource_logs
        for scope in resource.scope_logs
        for record in scope.log_records
        if record.body.string_value.startswith("at work")
    ]
    (inner,) = named(spans, "execute_tool drift_one")

    assert (records[0].trace_id, records[0].span_id) == (inner.trace_id, inner.span_id)
    assert records[0].severity_text == "WARNING"


def test_the_standard_variables_choose_the_service_and_the_headers(told):
    resource = messages(told, "/v1/traces", ExportTraceServiceRequest)[0].resource_spans[0].resource

    assert attributes(resource)["service.name"].string_value == "drift-of-the-team"
    assert {header for _, header, _ in told} == {"Basic x"}


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, {}),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, {}),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, {"traces": "otlp", "metrics": "otlp", "logs": "otlp"}),
        ({"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://x"}, {"logs": "otlp"}),
        (
            {
                "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x",
                "OTEL_LOGS_EXPORTER": "none",
                "OTEL_METRICS_EXPORTER": "none",
            },
            {"traces": "otlp"},
        ),
        ({"OTEL_TRACES_EXPORTER": "console"}, {"traces": "console"}),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "TRUE"}, {}),
    ],
)
def test_telemetry_is_on_where_the_standard_variables_say_so(environ, wanted):
    assert wanted_signals(environ) == wanted


def test_nothing_is_loaded_where_it_is_off():
    program = (
        "import sys; import drift.cli.serving; from drift.telemetry import open_telemetry;"
        "assert open_telemetry({}, shows_arguments=False) is None;"
        "print(sorted(name for name in sys.modules if name.startswith(('opentelemetry', 'drift.telemetry.'))))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert done.stdout.strip() == "['drift.telemetry.switch', 'drift.telemetry.wanted']"
