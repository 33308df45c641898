"""What the context of a task consists of, as it is answered. Plain data: listing the tools loads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Depth = Literal["brief", "overview", "standard", "deep"]


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to know. `about` is the symbol or file; `confidence` is null where nothing is guessed."""

    about: str
    says: str
    at: str
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class FileSymbol:
    """A symbol of a file that matters."""

    name: str
    line: int
    signature: str


@dataclass(frozen=True, slots=True)
class ContextFile:
    """A place to look at. `score` compares with the best file, which has 1."""

    file: str
    score: float
    why: str
    symbols: tuple[FileSymbol, ...]


@dataclass(frozen=True, slots=True)
class ContextSymbol:
    """A symbol that matters. `score` compares with the best one; `lines` are those with the focus's words."""

    symbol: str
    kind: str
    at: str
    score: float
    lines: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """Files and symbols to act on, best first, and by section what to know: callers, tests, risks."""

    files: tuple[ContextFile, ...]
    symbols: tuple[ContextSymbol, ...]
    sections: Mapping[str, tuple[Remark, ...]]
