"""MCP over Streamable HTTP: gates of ours before the SDK's transport; `app` and `serve` are the doors."""
