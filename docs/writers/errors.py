"""docs/errors.md: every code a caller may meet."""

import json

from drift.kernel.errors import ERRORS, DriftError, ErrorCode, Recovery
from drift.kernel.render import render_error
from writers.markdown import WARNING, code, fence, page, table

_INTRO = """\
# Errors

A tool that cannot answer says why and what to do next. The result has `isError: true`; its text is for a
model, its `structuredContent` is the same as an object, with `meta` added. JSON-RPC errors are for faults of
the protocol only; [protocol.md](protocol.md#errors) lists their numbers."""

_FIELDS = """\
`code`, `message` and `hint` are always there. The others come when they are known: `similar` (names like the
one given), `alternativeTools`, `command` (to run in a terminal), `retryAfterMs`, and details of the case, such
as the `argument` that is wrong."""

_COMMAND_LINE = """\
On the command line the same text goes to standard error; with `--json` the object goes to standard output."""


def write_errors() -> str:
    """The whole page."""
    example = DriftError(
        ErrorCode.TOOL_NOT_FOUND, "There is no tool named 'drift_statsu'", Recovery(similar=("drift_status",))
    ).as_wire()
    return page(
        WARNING,
        _INTRO,
        "## What an error looks like",
        fence(render_error(example)),
        fence(json.dumps(example, indent=2), "json"),
        _FIELDS,
        _COMMAND_LINE,
        "## Codes",
        table(
            ("Code", "What it means", "The way out, when the error knows no better one"),
            ((code(error), kind.meaning, kind.hint) for error, kind in ERRORS.items()),
        ),
    )
