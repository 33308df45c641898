"""What is known of where a client calls from, while its call runs and no longer."""

from types import SimpleNamespace

import pytest

from drift.kernel.trace_parent import TRACE_PARENT
from drift.protocol.carried_trace import carrying

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
OTHER = PARENT.replace("0af7", "ffff")


@pytest.mark.parametrize(
    ("meta", "headers", "carried"),
    [
        (None, None, {}),
        ({"traceparent": PARENT}, None, {"traceparent": PARENT}),
        ({}, {"traceparent": PARENT, "tracestate": "a=1"}, {"traceparent": PARENT, "tracestate": "a=1"}),
        ({"traceparent": PARENT}, {"traceparent": OTHER}, {"traceparent": PARENT}),
        ({"traceparent": 5, "tracestate": "x" * 513}, None, {}),
    ],
)
def test_a_client_says_it_in_its_request_or_in_a_header(meta, headers, carried):
    request = None if headers is None else SimpleNamespace(headers=headers)

    with carrying(SimpleNamespace(meta=meta, request=request)):
        assert dict(TRACE_PARENT.get()) == carried
    assert dict(TRACE_PARENT.get()) == {}


def test_a_session_is_told_apart_and_cannot_be_entered_by_what_is_told():
    request = SimpleNamespace(headers={"mcp-session-id": "secret"})

    with carrying(SimpleNamespace(meta=None, request=request)):
        told = TRACE_PARENT.get()["session"]

    assert len(told) == 16
    assert "secret" not in told
