"""A hook's message about one use of a tool, read into what matters: which file, which command, which error."""

import os
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from drift.memory.ids import check_id

# As Claude Code and Codex call them, then as Gemini CLI does.
_EDITS: Final = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "write_file", "replace"})
_READINGS: Final = frozenset(
    {"Read", "Glob", "Grep", "NotebookRead", "read_file", "glob", "search_file_content"}
)
_OWN: Final = "mcp__drift"
_MOST_CHARS: Final = 20_000
_PATH_KEYS: Final = ("file_path", "notebook_path", "absolute_path", "path")
_ERROR_KEYS: Final = ("error", "stderr")
_SESSION: Final = "unknown"


@dataclass(frozen=True, slots=True)
class ToolEvent:
    """One use of a tool. `error` is empty where it went well or that is not known."""

    session: str
    tool: str
    file: str | None = None
    """Relative to the project; None if it has none or lies outside."""
    command: str = ""
    change: str = ""
    error: str = ""

    @property
    def is_edit(self) -> bool:
        return self.tool in _EDITS

    @property
    def is_reading(self) -> bool:
        return self.tool in _READINGS

    @property
    def is_own(self) -> bool:
        """Whether the tool is one of Drift's, which keeps what it does by itself."""
        return self.tool.startswith(_OWN)

    @property
    def command_key(self) -> str:
        """What the command is known by when it comes again. A hash: the command itself may hold a secret."""
        return blake2b(" ".join(self.command.split()).encode("utf-8", "replace"), digest_size=12).hexdigest()


def read_event(message: dict[str, Any], root: Path) -> ToolEvent:
    """The event of a message; whatever is missing or of another shape is empty."""
    given = message.get("tool_input")
    arguments: dict[str, Any] = given if isinstance(given, dict) else {}
    return ToolEvent(
        session_of(message),
        _text(message.get("tool_name"))[:200],
        _file(arguments, root, cwd=_text(message.get("cwd"))),
        _text(arguments.get("command")),
        _change(arguments),
        _error(message),
    )


def session_of(message: dict[str, Any]) -> str:
    """The id of the client's session, if it can be one."""
    given = _text(message.get("session_id")) or _SESSION
    try:
        return check_id(given)
    except Exception:  # noqa: BLE001 - any other text still names one session
        return _SESSION


def _text(value: Any) -> str:
    return value[:_MOST_CHARS] if isinstance(value, str) else ""


def _file(arguments: dict[str, Any], root: Path, *, cwd: str) -> str | None:
    given = next((path for key in _PATH_KEYS if (path := _text(arguments.get(key)))), "")
    if not given or "\0" in given:
        return None
    place = os.path.realpath(Path(cwd or root, given))
    real_root = os.path.realpath(root)
    if os.path.commonpath([place, real_root]) != real_root or place == real_root:
        return None
    return Path(place).relative_to(real_root).as_posix()


def _change(arguments: dict[str, Any]) -> str:
    edits = arguments.get("edits")
    parts = edits if isinstance(edits, list) else [arguments]
    said = [
        _text(part.get("new_string") or part.get("content") or part.get("new_source"))
        for part in parts
        if isinstance(part, dict)
    ]
    return "\n…\n".join(one for one in said if one)[:_MOST_CHARS]


def _error(message: dict[str, Any]) -> str:
    """The error of a use that failed: said by the event itself, or by the answer of the tool."""
    if message.get("hook_event_name") == "PostToolUseFailure":
        return _text(message.get("error")) or _text(message.get("tool_response"))
    answer = message.get("tool_response")
    if not isinstance(answer, dict):
        return ""
    has_failed = (
        answer.get("is_error") is True
        or answer.get("success") is False
        or answer.get("exit_code") not in (None, 0)
        or answer.get("exitCode") not in (None, 0)
    )
    if not has_failed:
        return ""
    said = [_text(answer.get(key)) for key in (*_ERROR_KEYS, "stdout", "content")]
    return "\n".join(one for one in said if one)
