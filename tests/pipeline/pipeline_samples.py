"""Sample tools and outcomes for testing pipeline steps alone."""

from dataclasses import dataclass
from typing import Any

from drift.kernel.answer import Answer
from drift.registry import Call, Outcome, definition_of, tool


@dataclass(frozen=True, slots=True)
class Rows:
    rows: tuple[str, ...]


def make_tool(function=None, **metadata):
    """A definition around a function; by default one that answers with a single row."""

    def drift_sample(call: Call, word: str = "x") -> Answer[Rows]:
        """A sample."""
        return Answer(f"got {word}", Rows((word,)))

    settings: dict[str, Any] = {"category": "surgical", "title": "Sample", "tokens": (1, 1)} | metadata
    return definition_of(tool(**settings)(function or drift_sample))


OK = Outcome(body={"summary": "ok", "data": {}}, text="ok", tokens=1)


async def answer_ok(request):
    return OK
