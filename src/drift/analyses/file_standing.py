"""How a file stands to the conventions of its project, as answers show it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileStanding:
    """What a file follows, and where it does otherwise, as `path:line rule`; null where that was not counted, for the reason given."""

    follows: tuple[str, ...] | None = None
    deviates: tuple[str, ...] | None = None
    reason: str | None = None
