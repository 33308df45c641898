"""The clients Drift can be installed into, as data. A new client is a row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from drift.cli.clients.shapes import Entry, extension, joined, named, split
from drift.cli.parser import UsageError
from drift.kernel.errors import Recovery
from drift.kernel.similar import similar_names

Scope = Literal["project", "local", "user"]

SCOPES: Final[Mapping[Scope, str]] = {
    "project": "this project",
    "local": "this project, in your own settings",
    "user": "everything you do",
}


@dataclass(frozen=True, slots=True)
class McpClient:
    """One client.

    `files` are templates by scope, the first being the default; what a file's name ends in is its syntax, and YAML
    is printed to be pasted. `traces` are commands and files that show the client is on this machine. Templates know
    {project}, {home}, {config}, {xdg}, {apps}, {codex} and {goose}. `sections` are ways to the servers in files that
    have another than `section`. `follows_project` says that the client starts a server in the folder it has open or
    tells which that is; an entry for everything then names no project.
    """

    name: str
    title: str
    files: Mapping[Scope, str]
    traces: tuple[str, ...]
    after: str
    section: tuple[str, ...] = ("mcpServers",)
    sections: Mapping[Scope, tuple[str, ...]] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    shape: Callable[[str, str, list[str]], Entry] = split
    follows_project: bool = False

    @property
    def default_scope(self) -> Scope:
        return next(iter(self.files))


CLIENTS: Final = (
    McpClient(
        "claude-code",
        "Claude Code",
        {"project": "{project}/.mcp.json", "local": "{home}/.claude.json", "user": "{home}/.claude.json"},
        sections={"local": ("projects", "{project}", "mcpServers")},
        traces=("claude", "{home}/.claude.json", "{home}/.claude"),
        after="Start claude in the project and approve the server; /mcp shows it.",
        follows_project=True,
    ),
    McpClient(
        "cursor",
        "Cursor",
        {"project": "{project}/.cursor/mcp.json", "user": "{home}/.cursor/mcp.json"},
        traces=("cursor", "{home}/.cursor"),
        after="Enable the server in Cursor's settings under MCP.",
        follows_project=True,
    ),
    McpClient(
        "vscode",
        "VS Code",
        {"project": "{project}/.vscode/mcp.json", "user": "{apps}/Code/User/mcp.json"},
        section=("servers",),
        extra={"type": "stdio"},
        traces=("code", "{apps}/Code"),
        after="Run `MCP: List Servers` in VS Code and start it.",
        follows_project=True,
    ),
    McpClient(
        "claude-desktop",
        "Claude Desktop",
        {"user": "{apps}/Claude/claude_desktop_config.json"},
        traces=("{apps}/Claude",),
        after="Restart Claude Desktop.",
    ),
    McpClient(
        "codex",
        "Codex",
        {"user": "{codex}/config.toml", "project": "{project}/.codex/config.toml"},
        section=("mcp_servers",),
        traces=("codex", "{codex}"),
        after="Start codex; /mcp shows the server. In a project it must be trusted.",
        follows_project=True,
    ),
    McpClient(
        "gemini-cli",
        "Gemini CLI",
        {"project": "{project}/.gemini/settings.json", "user": "{home}/.gemini/settings.json"},
        traces=("gemini", "{home}/.gemini/settings.json"),
        after="Start gemini in the project; /mcp shows the server.",
        follows_project=True,
    ),
    McpClient(
        "copilot-cli",
        "GitHub Copilot CLI",
        {"user": "{home}/.copilot/mcp-config.json"},
        extra={"type": "local", "tools": ["*"]},
        traces=("copilot", "{home}/.copilot"),
        after="Start copilot in the project; /mcp show names the server.",
        follows_project=True,
    ),
    McpClient(
        "opencode",
        "OpenCode",
        {"project": "{project}/opencode.json", "user": "{xdg}/opencode/opencode.json"},
        section=("mcp",),
        extra={"type": "local", "enabled": True},
        shape=joined,
        traces=("opencode", "{xdg}/opencode"),
        after="Start opencode in the project; it connects by itself.",
        follows_project=True,
    ),
    McpClient(
        "windsurf",
        "Windsurf",
        {"user": "{home}/.codeium/windsurf/mcp_config.json"},
        traces=("windsurf", "{home}/.codeium/windsurf"),
        after="Refresh the MCP servers in Windsurf's settings.",
    ),
    McpClient(
        "zed",
        "Zed",
        {"user": "{config}/zed/settings.json"},
        section=("context_servers",),
        extra={"source": "custom"},
        traces=("zed", "zeditor", "{config}/zed"),
        after="The Agent panel's settings show the server.",
    ),
    McpClient(
        "cline",
        "Cline",
        {"user": "{apps}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
        traces=("{apps}/Code/User/globalStorage/saoudrizwan.claude-dev",),
        after="Cline's MCP Servers view shows it under Installed.",
    ),
    McpClient(
        "roo-code",
        "Roo Code",
        {
            "project": "{project}/.roo/mcp.json",
            "user": "{apps}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        },
        traces=("{apps}/Code/User/globalStorage/rooveterinaryinc.roo-cline",),
        after="Roo Code's MCP settings show the server.",
    ),
    McpClient(
        "kiro",
        "Kiro",
        {"project": "{project}/.kiro/settings/mcp.json", "user": "{home}/.kiro/settings/mcp.json"},
        traces=("kiro", "kiro-cli", "{home}/.kiro"),
        after="Kiro's panel lists it under MCP servers; in Kiro CLI, /mcp does.",
    ),
    McpClient(
        "amp",
        "Amp",
        {"project": "{project}/.amp/settings.json", "user": "{home}/.config/amp/settings.json"},
        section=("amp.mcpServers",),
        traces=("amp", "{home}/.config/amp"),
        after="Start amp in the project and approve the server.",
    ),
    McpClient(
        "junie",
        "JetBrains Junie",
        {"project": "{project}/.junie/mcp/mcp.json", "user": "{home}/.junie/mcp/mcp.json"},
        traces=("junie", "{home}/.junie"),
        after=(
            "Junie reads it when the project is opened. For AI Assistant paste what --print shows under "
            "Settings | Tools | AI Assistant | Model Context Protocol."
        ),
    ),
    McpClient(
        "continue",
        "Continue",
        {"project": "{project}/.continue/mcpServers/drift.json", "user": "{home}/.continue/config.yaml"},
        sections={"user": ("mcpServers", "-")},
        shape=named,
        traces=("cn", "{home}/.continue"),
        after="Continue's tools list it in agent mode.",
    ),
    McpClient(
        "goose",
        "Goose",
        {"user": "{goose}/config.yaml"},
        section=("extensions",),
        extra={"type": "stdio", "enabled": True, "timeout": 300},
        shape=extension,
        traces=("goose", "{goose}"),
        after="Start goose in the project.",
        follows_project=True,
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
