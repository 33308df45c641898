"""What a person types: `drift` and `drift-mcp`."""

from drift.cli.entry import main, main_mcp

__all__ = ["main", "main_mcp"]
