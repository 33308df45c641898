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
from drift.cli.clients.launch import launch_command, server_entries
from drift.cli.clients.places import Places, check_scope, config_path, is_present, section_of
from drift.cli.clients.table import CLIENTS, SCOPES, McpClient, Scope, find_client

__all__ = [
    "CLIENTS",
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
    "is_pasted",
    "is_present",
    "launch_command",
    "plan_install",
    "plan_removal",
    "read_connections",
    "read_installed",
    "section_of",
    "server_entries",
    "write_entries",
]
