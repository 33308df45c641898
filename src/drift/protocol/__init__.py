"""MCP: one server factory, two transports, limits, and clean failures."""
