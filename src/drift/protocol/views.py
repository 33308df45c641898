"""Views: a page that clients which show pages put beside an answer. For all others nothing changes."""

from collections.abc import Sequence
from typing import Any, Final

import mcp_types as types

from drift.protocol.sources import Context

ANSWER_VIEW: Final = "ui://drift/answer"
VIEW_TYPE: Final = "text/html;profile=mcp-app"
VIEWED_TOOLS: Final = frozenset({"analyze_health", "drift_context", "drift_graph", "drift_impact_analysis"})
_EXTENSION: Final = "io.modelcontextprotocol/ui"


def shows_views(context: Context) -> bool:
    """Whether the client says that it shows pages of the kind we have."""
    capabilities = context.session.client_capabilities
    extensions: dict[str, Any] = (capabilities.extensions if capabilities else None) or {}
    asked = extensions.get(_EXTENSION)
    if asked is None:
        return False
    kinds = asked.get("mimeTypes")
    return kinds is None or (isinstance(kinds, list) and VIEW_TYPE in kinds)


def with_views(tools: Sequence[types.Tool]) -> list[types.Tool]:
    """The tools, those that have one naming their view."""
    meta = {"ui": {"resourceUri": ANSWER_VIEW}}
    return [
        tool.model_copy(update={"meta": {**(tool.meta or {}), **meta}}) if tool.name in VIEWED_TOOLS else tool
        for tool in tools
    ]
