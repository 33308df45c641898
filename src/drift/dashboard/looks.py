"""What the page may ask beside tools: wholes that no call gives, since agents ask for what they need."""

from collections.abc import Mapping
from typing import Final

from drift.dashboard.code_pages import (
    find_places,
    show_colour,
    show_gate_runs,
    show_graph,
    show_invariants,
    show_lines,
    show_map,
    show_trends,
)
from drift.dashboard.memory_pages import list_memories
from drift.dashboard.questions import ROWS, Look, Number, Word
from drift.registry import ServerName

_MOST_LINE: Final = 10_000_000

LOOKS: Final[Mapping[str, Look]] = {
    "memory/list": Look(
        ServerName.MEMORY,
        list_memories,
        {"type": Word(), "file": Word(most_chars=4_096), "after": Word(), "limit": ROWS},
    ),
    "map": Look(ServerName.ANALYSIS, show_map),
    "map/colour": Look(ServerName.ANALYSIS, show_colour, {"by": Word(is_required=True)}),
    "graph": Look(ServerName.ANALYSIS, show_graph, {"level": Word(), "tests": Number(usual=0, most=1)}),
    "gates": Look(ServerName.ANALYSIS, show_gate_runs),
    "invariants": Look(ServerName.ANALYSIS, show_invariants),
    "trends": Look(ServerName.ANALYSIS, show_trends),
    "places": Look(ServerName.ANALYSIS, find_places, {"q": Word(is_required=True), "limit": ROWS}),
    "lines": Look(
        ServerName.ANALYSIS,
        show_lines,
        {
            "file": Word(is_required=True, most_chars=4_096),
            "from": Number(usual=1, most=_MOST_LINE, least=1),
            "to": Number(usual=_MOST_LINE, most=_MOST_LINE, least=1),
        },
    ),
}
"""Every look by its address under `/api/`."""
