"""MCP over standard input and output: a transport of our own; `transport` is the door."""
