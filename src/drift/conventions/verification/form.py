"""A claim as a client makes it, and what came of looking it up."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

Kind = Literal["pattern", "symbol", "relationship", "convention", "security"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Hallucination = Literal["mapping", "naming", "resource", "logic"]
"""What a false claim is: a wrong type, value or place; an invented name; a file or package that is not there; a wrong way or order."""


@dataclass(frozen=True, slots=True)
class ClaimObject:
    """Something said of the code. Of a pattern: patternId with files and snippets. Of a symbol: name, file, signature.

    Of a relationship one of: caller and callee; name and extends; file and imports; name (of a test) and covers.
    Of a convention: dimension, variant, minShare. Of security: entryPoint with reaches or guardedBy.
    """

    kind: Kind
    pattern_id: str | None = None
    files: tuple[str, ...] = ()
    snippets: tuple[str, ...] = ()
    name: str | None = None
    file: str | None = None
    signature: str | None = None
    caller: str | None = None
    callee: str | None = None
    extends: str | None = None
    imports: str | None = None
    covers: str | None = None
    dimension: str | None = None
    variant: str | None = None
    min_share: float | None = None
    entry_point: str | None = None
    reaches: str | None = None
    guarded_by: str | None = None


@dataclass(frozen=True, slots=True)
class VerifiedClaim:
    """Whether a claim is so. `verified` is null where it cannot be told, for the reason that is given."""

    kind: Kind
    claim: str
    verified: bool | None
    evidence: tuple[str, ...] | None = None
    hallucination: Hallucination | None = None
    reason: str | None = None
    similar: tuple[str, ...] | None = None


class Told:
    """Verdicts on one claim: what is told of it, in the words of the claim."""

    def __init__(self, kind: Kind, claim: str) -> None:
        self._kind: Kind = kind
        self._claim = claim

    def is_so(self, *evidence: str) -> VerifiedClaim:
        return VerifiedClaim(self._kind, self._claim, verified=True, evidence=evidence or None)

    def is_not(self, what: Hallucination, *evidence: str, similar: tuple[str, ...] = ()) -> VerifiedClaim:
        return VerifiedClaim(
            self._kind,
            self._claim,
            verified=False,
            evidence=evidence or None,
            hallucination=what,
            similar=similar or None,
        )

    def is_open(self, reason: str, *evidence: str) -> VerifiedClaim:
        return VerifiedClaim(self._kind, self._claim, verified=None, evidence=evidence or None, reason=reason)
