"""The stdio server, tried as a client would: start it, list its tools, call one, in both eras of the protocol."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from drift import __version__
from drift.cli.checks.conversation import Conversation, ConversationError, converse
from drift.cli.checks.finding import Finding, fail, ok
from drift.kernel.text import plural
from drift.project import StateDir
from drift.project.home import with_settled_home

_LEGACY: Final = "2025-06-18"
_MODERN: Final = "2026-07-28"
_TIMEOUT_SECONDS: Final = 30.0
_CLIENT: Final = {"name": "drift-doctor", "version": __version__}
_META: Final = "io.modelcontextprotocol/"


def check_server(
    launch: Sequence[str],
    root: Path,
    environ: Mapping[str, str],
    *,
    timeout_seconds: float = _TIMEOUT_SECONDS,
) -> Iterator[Finding]:
    """One line per era: the server answered, or why not."""
    # A server keeps a key in the project's state; a look at a project must not set it up.
    with TemporaryDirectory(prefix="drift-doctor-") as scratch:
        place = root if StateDir(root).path.is_dir() else Path(scratch)
        command = [*launch, "mcp", "analysis", str(place)]
        environ = with_settled_home(environ)
        for version in (_LEGACY, _MODERN):
            try:
                with converse(command, environ=environ, timeout_seconds=timeout_seconds) as server:
                    yield ok(f"server {version}", _try_out(server, version))
            except ConversationError as error:
                yield fail(f"server {version}", str(error), f"Try it by hand: {shlex.join(command)}")


def _try_out(conversation: Conversation, version: str) -> str:
    meta = {} if version == _LEGACY else {"_meta": _modern_meta()}
    if version == _LEGACY:
        _shake_hands(conversation)
    else:
        conversation.ask("server/discover", meta)
    tools = conversation.ask("tools/list", meta).get("tools") or []
    if not tools:
        raise ConversationError("the server lists no tools")
    answer = conversation.ask("tools/call", {"name": "drift_status", "arguments": {}, **meta})
    if answer.get("isError"):
        raise ConversationError(f"drift_status failed: {_summary(answer)}")
    return f"{plural(len(tools), 'tool')} listed; drift_status: {_summary(answer)}"


def _shake_hands(conversation: Conversation) -> None:
    conversation.ask("initialize", {"protocolVersion": _LEGACY, "capabilities": {}, "clientInfo": _CLIENT})
    conversation.notify("notifications/initialized")


def _modern_meta() -> dict[str, Any]:
    return {
        f"{_META}protocolVersion": _MODERN,
        f"{_META}clientCapabilities": {},
        f"{_META}clientInfo": _CLIENT,
    }


def _summary(answer: Mapping[str, Any]) -> str:
    structured = answer.get("structuredContent") or {}
    return str(structured.get("summary") or structured.get("message") or "no summary")
