"""MCP clients on this machine: where each keeps its servers, and how to add ours without harm."""

from drift.cli.clients.change import (
    Change,
    Status,
    apply_change,
    plan_install,
    plan_removal,
    read_installed,
    write_entries,
)
from drift.cli.clients.launch import launch_command, server_entries
from drift.cli.clients.places import Places, config_path, is_present
from drift.cli.clients.table import CLIENTS, McpClient, Scope, find_client

__all__ = [
    "CLIENTS",
    "Change",
    "McpClient",
    "Places",
    "Scope",
    "Status",
    "apply_change",
    "config_path",
    "find_client",
    "is_present",
    "launch_command",
    "plan_install",
    "plan_removal",
    "read_installed",
    "server_entries",
    "write_entries",
]
