"""MCP clients on this machine: where each keeps its servers, and how to add ours without harm."""

from drift.cli.clients.change import (
    Change,
    Status,
    apply_change,
    is_pasted,
    plan_install,
    plan_removal,
    read_installed,
    write_entries,
)
from drift.cli.clients.connections import Connections, read_connections
from drift.cli.clients.hooks import SECTION as HOOKS_SECTION
from drift.cli.clients.hooks import hook_entries, hooks_of, hooks_path, plan_hooks
from drift.cli.clients.launch import launch_command, server_entries
from drift.cli.clients.places import Places, check_scope, config_path, is_present, section_of
from drift.cli.clients.table import CLIENTS, SCOPES, McpClient, Scope, find_client

__all__ = [
    "CLIENTS",
    "HOOKS_SECTION",
    "SCOPES",
    "Change",
    "Connections",
    "McpClient",
    "Places",
    "Scope",
    "Status",
    "apply_change",
    "check_scope",
    "config_path",
    "find_client",
    "hook_entries",
    "hooks_of",
    "hooks_path",
    "is_pasted",
    "is_present",
    "launch_command",
    "plan_hooks",
    "plan_install",
    "plan_removal",
    "read_connections",
    "read_installed",
    "section_of",
    "server_entries",
    "write_entries",
]
