"""A finished answer on its way out: the wire body, its text for a model, and how it came about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from drift.kernel.answer import Link, Meta
from drift.kernel.render import render_error
from drift.kernel.wire import to_wire


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call came to. `body` and `text` say the same; `meta` is the call's own."""

    body: Mapping[str, Any]
    text: str
    links: tuple[Link, ...] = ()
    is_error: bool = False
    tokens: int = 0
    truncated: bool = False
    total_available: int | None = None
    meta: Meta | None = None

    def with_meta(self, meta: Meta) -> "Outcome":
        # Every call passes here, and `replace` takes three times as long.
        return Outcome(
            body=self.body,
            text=self.text,
            links=self.links,
            is_error=self.is_error,
            tokens=self.tokens,
            truncated=self.truncated,
            total_available=self.total_available,
            meta=meta,
        )

    @property
    def code(self) -> str | None:
        """The error code, if the call failed."""
        return str(self.body["code"]) if self.is_error else None

    @property
    def full_text(self) -> str:
        """The text with what a model must know of how it came about; nothing is added when all is well."""
        notes = []
        if self.meta is not None and self.meta.freshness == "stale":
            notes.append(stale_note(self.meta.data_age))
        if self.truncated:
            notes.append(cut_note(self.total_available))
        return "\n".join([self.text, *notes])

    def structured(self) -> dict[str, Any]:
        """The answer as one JSON object, `meta` last."""
        return {**self.body, "meta": to_wire(self.meta) if self.meta else {}}


def cut_note(total: int | None) -> str:
    """The last line of an answer that was cut."""
    of = f" of {total}" if total else ""
    return f"[cut to fit{of}; raise maxTokens or narrow the question]"


def stale_note(data_age: str | None) -> str:
    """A line below an answer that the files have left behind."""
    return f"[older than the files (scanned {data_age})]"


def failed(error: Mapping[str, Any]) -> Outcome:
    """The outcome of a call that could not be answered."""
    return Outcome(body=error, text=render_error(error), is_error=True)
