"""What became of a thing that is named: a path, symbol, route, variable or version."""

from collections.abc import Callable, Mapping
from typing import Final

from drift.conventions.verification.ground import CheckedClaim, Ground
from drift.conventions.verification.names import check_environment, check_route, check_symbol
from drift.conventions.verification.paths import check_path
from drift.conventions.verification.tokens import Claim, ClaimKind
from drift.conventions.verification.versions import check_version

_CHECKS: Final[Mapping[ClaimKind, Callable[[Claim, Ground], CheckedClaim | None]]] = {
    ClaimKind.PATH: check_path,
    ClaimKind.SYMBOL: check_symbol,
    ClaimKind.ROUTE: check_route,
    ClaimKind.ENVIRONMENT: check_environment,
    ClaimKind.VERSION: check_version,
}


def check_claim(claim: Claim, ground: Ground) -> CheckedClaim | None:
    """The verdict on what a claim names; None where it may have named nothing."""
    return _CHECKS[claim.kind](claim, ground)
