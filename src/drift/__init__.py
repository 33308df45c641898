"""Codebase intelligence for AI coding agents, served over MCP and on the command line."""

__version__ = "0.1.0"
