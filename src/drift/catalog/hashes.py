"""The three hashes of a catalog: of a body, of all bodies, and of who answers for what.

Clients keep them and compare: other programs compute the same ones, so the bytes that are hashed are a contract.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.catalog.entry import Change, PriorityTier

ALGORITHM: Final = "sha256"
UNOWNED: Final = "unowned"
PAIR_SEPARATOR: Final = "|"
LINE_SEPARATOR: Final = "\n"
_COMPACT: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Projection(NamedTuple):
    """What of an instruction is governed, in the order in which it is hashed."""

    id: str
    title: str
    version: str
    owner: str
    priority_tier: PriorityTier
    next_review_due: str | None
    semantic_summary: str | None
    change_log: tuple[Change, ...]

    def as_wire(self) -> dict[str, str | int]:
        """The fields as other programs know them."""
        return {
            "id": self.id,
            "title": self.title,
            "version": self.version,
            "owner": self.owner or UNOWNED,
            "priorityTier": self.priority_tier,
            "nextReviewDue": self.next_review_due or "",
            "semanticSummarySha256": hash_text(self.semantic_summary or ""),
            "changeLogLength": len(self.change_log),
        }

    def as_line(self) -> str:
        """The bytes that JSON.stringify would give: keys as listed, no spaces, only controls escaped."""
        return _COMPACT.encode(self.as_wire())


def hash_text(text: str) -> str:
    """The SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def hash_catalog(pairs: Iterable[tuple[str, str]]) -> str:
    """The hash of a whole catalog from (id, hash of the body), given in the order of the ids.

    Clients only compare it with one they had before, so what exactly is hashed is our choice.
    """
    return hash_text(PAIR_SEPARATOR.join(pair_line(*pair) for pair in pairs))


def pair_line(instruction_id: str, source_hash: str) -> str:
    """What of one instruction goes into the hash of the whole catalog."""
    return f"{instruction_id}:{source_hash}"


def hash_governance(lines: Iterable[str], *, has_trailing_newline: bool = False) -> str:
    """The hash over the lines of all projections, given in the order of their ids."""
    ending = ("",) if has_trailing_newline else ()
    return hash_text(LINE_SEPARATOR.join((*lines, *ending)))
