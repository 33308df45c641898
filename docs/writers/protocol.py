"""The numbers and samples of docs/protocol.md, read from the code that enforces them."""

import json

from mcp_types.version import LATEST_HANDSHAKE_VERSION

from drift.kernel.arguments import MAX_ITEMS, MAX_PAGE_SIZE, MAX_STRING_CHARS
from drift.kernel.cursors import LIFETIME_SECONDS
from drift.kernel.errors import ERRORS, DriftError, ErrorCode
from drift.kernel.render import render_answer
from drift.pipeline.limits import MAX_ARGUMENT_BYTES, MAX_DEPTH, MAX_NESTED_CALLS
from drift.project import Config
from drift.protocol.batches import BATCH_VERSION, MAX_BATCH_ELEMENTS
from drift.protocol.faults import INVALID_TEMPLATE_URI, PARAMETER_VALIDATION_FAILED, protocol_error
from drift.protocol.http.settings import HttpSettings
from drift.protocol.limits import RATE_LIMITED, RESPONSE_TOO_LARGE, SERVER_BUSY, WireLimits
from drift.protocol.server import LIST_PAGE_SIZE
from drift.registry import Effect, Scope
from drift.tools import declared_tools
from drift.tools.overview import PROTOCOL_VERSIONS
from writers.blocks import Block
from writers.markdown import code, codes, fence, table

_ANSWER = {
    "summary": "2 callers of load_config",
    "data": {
        "callers": [
            {"name": "main", "file": "src/app.py", "line": 12, "confidence": 0.95},
            {"name": "run", "file": "src/jobs.py", "line": 7, "confidence": None},
        ]
    },
    "pagination": {"total": 12, "hasMore": True, "nextCursor": "AVx0", "pageSize": 2},
    "nextActions": [
        {
            "tool": "drift_impact_analysis",
            "args": {"target": "load_config"},
            "reason": "see what a change breaks",
            "priority": "medium",
        }
    ],
    "warnings": ["2 files could not be parsed"],
}

_SCOPES = {
    Scope.READ: "ask about a project",
    Scope.WRITE: "change what Drift keeps: review what was found",
    Scope.ADMIN: "set up projects, the list of projects, caches; read `/metrics`",
    Scope.SECURITY: "ask about secrets, boundaries and weaknesses",
    Scope.MEMORY: "read and write memories",
}

# JSON-RPC's own numbers, which no constant of ours defines.
_STANDARD = {
    -32700: "not JSON, or not UTF-8",
    -32600: "no JSON-RPC 2.0 message; too long; nested too deeply; an id still in use; a batch where there are none",
    -32601: "unknown method (over HTTP of 2026-07-28 with status 404)",
    -32602: "wrong parameters; unknown tool, resource or prompt; a cursor or state that was altered",
    -32603: "Drift failed; the cause is in its log, never in the message",
}
_OURS = {
    SERVER_BUSY: "too many requests run and wait; `retryAfterMs` when it can be told. Of a method: no such template",
    INVALID_TEMPLATE_URI: "of a method: the address of a template has another form",
    PARAMETER_VALIDATION_FAILED: "of a method: parameters that a template does not take; before 2026-07-28 also a resource"
    " that is not there",
    RATE_LIMITED: "more requests than the connection may send; with `retryAfterMs`, `limit`, `remaining`, `resetAt`",
    RESPONSE_TOO_LARGE: "the answer is over the size limit; ask for less at a time",
}


def protocol_blocks() -> Block:
    return {
        "revisions": f"{codes(PROTOCOL_VERSIONS)}. A client that asks for another one in `initialize` is offered"
        f" {code(LATEST_HANDSHAKE_VERSION)}.",
        "sample-text": fence(render_answer(_ANSWER)),
        "sample-json": fence(json.dumps(_ANSWER), "json"),
        "wire-limits": _write_wire_limits(WireLimits()),
        "call-limits": _write_call_limits(),
        "http-defaults": _write_http(HttpSettings()),
        "error-numbers": _write_numbers(),
        "scopes": table(
            ("Scope", "Lets a caller"), ((code(scope), about) for scope, about in _SCOPES.items())
        ),
        "writing": _write_writing(),
    }


def _write_writing() -> str:
    """Every tool that changes something, and whom it takes to let it."""
    writing = (tool for tool in declared_tools() if tool.effect is not Effect.READS)
    rows = (
        (
            code(tool.name),
            str(tool.effect),
            codes(sorted(tool.scopes)) if tool.scopes else "that of the server, or of what it calls",
            "; ".join(
                [
                    *(
                        f"{code(action)} {codes(sorted(scopes))}"
                        for action, scopes in tool.action_scopes.items()
                    ),
                    *(
                        f"{code(action)} a person: {code(typed)}"
                        for action, typed in tool.person_actions.items()
                    ),
                ]
            ),
        )
        for tool in sorted(writing, key=lambda tool: (tool.category.name, tool.name))
    )
    return table(("Tool", "Effect", "Scope over HTTP", "Besides, by action"), rows)


def _write_wire_limits(limits: WireLimits) -> str:
    rows = (
        ("One message from the client", f"{limits.max_request_bytes:,} bytes"),
        ("One answer", f"{limits.max_response_bytes:,} bytes"),
        ("Nesting of one message", f"{limits.max_depth} levels"),
        ("Requests that run at once", f"{limits.max_in_flight}; {limits.max_waiting:,} more wait in line"),
        (
            "Requests on one stdio connection",
            f"{limits.burst:,} at once, then {limits.sustained_per_second:g} a second",
        ),
        ("A batch", f"{MAX_BATCH_ELEMENTS} messages, in revision {BATCH_VERSION} only"),
        ("A page of a list of tools, resources or prompts", f"{LIST_PAGE_SIZE} entries"),
        ("Calls in flight at shutdown", f"{limits.drain_seconds:g} s to finish"),
    )
    return table(("What", "Limit"), rows)


def _write_call_limits() -> str:
    mcp = Config().mcp
    rows = (
        ("Arguments of one call", f"{MAX_ARGUMENT_BYTES:,} bytes, {MAX_DEPTH} levels"),
        ("A text argument, unless its tool says otherwise", f"{MAX_STRING_CHARS:,} characters"),
        ("A list argument, unless its tool says otherwise", f"{MAX_ITEMS:,} items"),
        ("A page of an answer", f"{MAX_PAGE_SIZE} entries; its cursor is good for {LIFETIME_SECONDS:,} s"),
        ("Calls within calls", f"{MAX_NESTED_CALLS} levels"),
        ("An answer's text, unless the call or the tool says otherwise", f"{mcp.max_tokens:,} tokens"),
        ("Time of one call", f"{mcp.call_timeout_seconds} s"),
        ("Calls per minute to drift-analysis", f"{mcp.analysis_rate_limit}"),
        ("Calls per minute to drift-memory", f"{mcp.memory_rate_limit}"),
        ("Calls per minute to drift-catalog", f"{mcp.catalog_rate_limit}"),
        ("Calls per minute to costly tools", f"{mcp.expensive_rate_limit}"),
    )
    return table(("What", "Limit"), rows)


def _write_http(settings: HttpSettings) -> str:
    rows = (
        ("Address", code(f"{settings.host}:{settings.port}")),
        ("Sessions of clients before 2026-07-28", f"{settings.max_sessions:,}"),
        (
            "Of these for one token",
            f"{settings.max_sessions_per_caller:,}; one more takes the place of the longest idle",
        ),
        ("An idle session is forgotten after", f"{settings.session_idle_seconds:,.0f} s"),
        (
            "Connections at a time",
            f"{settings.max_connections:,}; one more takes the place of the oldest without a whole request",
        ),
        ("Of these from one address", f"{settings.max_connections_per_address:,}"),
        ("The head of a request must arrive within", f"{settings.head_timeout_seconds:g} s"),
        ("A request body must arrive within", f"{settings.body_timeout_seconds:g} s"),
        ("Web pages that may call", ", ".join(settings.cors_origins) or "those of this machine"),
    )
    return table(("What", "Default"), rows)


def _write_numbers() -> str:
    by_number: dict[int, list[ErrorCode]] = {}
    for error in ErrorCode:
        by_number.setdefault(protocol_error(DriftError(error, "")).error.code, []).append(error)
    other = {number: ERRORS[errors[0]].meaning for number, errors in by_number.items()}
    meanings = other | _STANDARD | _OURS
    rows = (
        (number, meaning, codes(by_number.get(number, []))) for number, meaning in sorted(meanings.items())
    )
    return table(("Number", "When", "Codes in `data.code`"), rows)
