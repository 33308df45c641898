"""What is told about imports. Apart from the advice itself, which brings the writers of all languages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImportAdvice:
    """How to get at one symbol. Without a statement the reason says why none is needed."""

    symbol: str
    statement: str | None
    source: str
    reason: str
    confidence: float
    use_as: str | None = None
    alternatives: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class UnresolvedImport:
    """A name that cannot be imported, why, and names like it."""

    symbol: str
    reason: str
    similar: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportAdvices:
    """The statements to add, ready to paste, and what stands behind each."""

    statements: tuple[str, ...]
    advice: tuple[ImportAdvice, ...]
    unresolved: tuple[UnresolvedImport, ...]
