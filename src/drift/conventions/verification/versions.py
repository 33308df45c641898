"""Whether a version that a memory says of a package is the one in use."""

import re
from typing import Final

from drift.conventions.verification.ground import CheckedClaim, ClaimVerdict, Ground
from drift.conventions.verification.tokens import Claim

_NUMBER: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})*")
_LOWER_BOUND: Final = ">="


def check_version(claim: Claim, ground: Ground) -> CheckedClaim | None:
    """The version a lock file settled on, else what manifests ask for, beside the one that is claimed."""
    name, number = claim.text.lower(), claim.number or ""
    locked = [
        one for one in ground.manifests.locked if one.package.name.lower() == name and one.package.version
    ]
    if locked:
        versions = [str(one.package.version) for one in locked]
        fits = next((at for at, own in enumerate(versions) if _agrees(number, own, claim.mark)), None)
        at = locked[fits or 0]
        verdict = ClaimVerdict.CHANGED if fits is None else ClaimVerdict.FOUND
        return _told(claim, verdict, f"{at.file} has {at.package.version}")
    declared = [one for one in ground.manifests.declared if one.dependency.name.lower() == name]
    asked = next((one for one in declared if one.dependency.version), None)
    if asked is None:
        return CheckedClaim(claim, ClaimVerdict.UNCLEAR, "no manifest says which version")
    own = str(asked.dependency.version)
    return _told(claim, _compare(number, own), f"{asked.file}:{asked.line} asks for {own}")


def _told(claim: Claim, verdict: ClaimVerdict, evidence: str) -> CheckedClaim:
    if verdict is ClaimVerdict.CHANGED and claim.excuse is not None:
        return CheckedClaim(claim, ClaimVerdict.UNCLEAR, f"{evidence}, but {claim.excuse}")
    return CheckedClaim(claim, verdict, evidence)


def _agrees(claimed: str, own: str, mark: str) -> bool:
    """Whether 4.2 speaks of 4.2.7; with >= whether it is no more than it."""
    theirs, ours = _parts(claimed), _parts(own)
    return ours >= theirs if mark == _LOWER_BOUND else ours[: len(theirs)] == theirs


def _compare(claimed: str, asked: str) -> ClaimVerdict:
    """What a requirement says of a version: a range leaves it open, a pin or another major contradicts."""
    numbers = [_parts(one) for one in _NUMBER.findall(asked)]
    theirs = _parts(claimed)
    if any(_is_beginning(theirs, one) for one in numbers):
        return ClaimVerdict.FOUND
    is_pinned = asked.startswith("==")
    is_range = "<" in asked or ">" in asked
    if not numbers or is_range or (not is_pinned and any(one[0] == theirs[0] for one in numbers)):
        return ClaimVerdict.UNCLEAR
    return ClaimVerdict.CHANGED


def _is_beginning(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _parts(number: str) -> tuple[int, ...]:
    found = _NUMBER.search(number)
    return tuple(int(one) for one in found[0].split(".")) if found else ()
