"""The clients Drift can be installed into, as data. A new client is a row."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from drift.cli.parser import UsageError
from drift.kernel.errors import Recovery
from drift.kernel.similar import similar_names

Scope = Literal["project", "user"]


@dataclass(frozen=True, slots=True)
class McpClient:
    """One client.

    `files` are templates by scope, the first being the default; `traces` are commands and files that show
    the client is on this machine. Templates know {project}, {home}, {config}, {apps} and {codex}.
    """

    name: str
    title: str
    files: Mapping[Scope, str]
    section: str
    traces: tuple[str, ...]
    after: str
    extra: Mapping[str, str] = field(default_factory=dict)
    syntax: Literal["json", "toml"] = "json"

    @property
    def default_scope(self) -> Scope:
        return next(iter(self.files))


CLIENTS: Final = (
    McpClient(
        "claude-code",
        "Claude Code",
        {"project": "{project}/.mcp.json", "user": "{home}/.claude.json"},
        section="mcpServers",
        traces=("claude", "{home}/.claude.json", "{home}/.claude"),
        after="Start claude in the project and approve the server; /mcp shows it.",
    ),
    McpClient(
        "cursor",
        "Cursor",
        {"project": "{project}/.cursor/mcp.json", "user": "{home}/.cursor/mcp.json"},
        section="mcpServers",
        traces=("cursor", "{home}/.cursor"),
        after="Enable the server in Cursor's settings under MCP.",
    ),
    McpClient(
        "vscode",
        "VS Code",
        {"project": "{project}/.vscode/mcp.json", "user": "{apps}/Code/User/mcp.json"},
        section="servers",
        extra={"type": "stdio"},
        traces=("code", "{apps}/Code"),
        after="Run `MCP: List Servers` in VS Code and start it.",
    ),
    McpClient(
        "claude-desktop",
        "Claude Desktop",
        {"user": "{apps}/Claude/claude_desktop_config.json"},
        section="mcpServers",
        traces=("{apps}/Claude",),
        after="Restart Claude Desktop.",
    ),
    McpClient(
        "codex",
        "Codex",
        {"user": "{codex}/config.toml", "project": "{project}/.codex/config.toml"},
        section="mcp_servers",
        syntax="toml",
        traces=("codex", "{codex}"),
        after="Start codex; /mcp shows the server. In a project it must be trusted.",
    ),
    McpClient(
        "windsurf",
        "Windsurf",
        {"user": "{home}/.codeium/windsurf/mcp_config.json"},
        section="mcpServers",
        traces=("windsurf", "{home}/.codeium/windsurf"),
        after="Refresh the MCP servers in Windsurf's settings.",
    ),
    McpClient(
        "zed",
        "Zed",
        {"user": "{config}/zed/settings.json"},
        section="context_servers",
        extra={"source": "custom"},
        traces=("zed", "zeditor", "{config}/zed"),
        after="The Agent panel's settings show the server.",
    ),
)


def find_client(name: str) -> McpClient:
    """The client of that name, or an error with the names nearest to it."""
    found = next((client for client in CLIENTS if client.name == name), None)
    if found is None:
        known = [client.name for client in CLIENTS]
        raise UsageError(
            f"client: got {name[:60]!r}; allowed: {', '.join(known)}",
            Recovery(hint="See: drift install --list", similar=similar_names(name, known)),
        )
    return found
