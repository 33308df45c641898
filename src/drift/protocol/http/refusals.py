"""Callers that were turned away: why, as only this machine may know, in the audit and in counts."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import shorten
from drift.protocol.limits import TokenBucket

audit = logging.getLogger("drift.audit")

STRANGER: Final = "-"
_LONGEST_NAME: Final = 120
# Anyone can be turned away as often as they like: lines are held to a pace, counts are not.
_BURST: Final = 200
_LINES_PER_SECOND: Final = 5.0


class Reason(StrEnum):
    """Why a token is not taken. Callers hear `invalid_token` for all of them."""

    MISSING = "missing"
    MALFORMED = "malformed"
    UNKNOWN = "unknown"
    EXPIRED = "expired"
    NOT_YET = "not-yet"
    AUDIENCE = "audience"
    ISSUER = "issuer"
    TYPE = "type"
    ALGORITHM = "algorithm"
    KEY = "key"
    SIGNATURE = "signature"
    CLAIMS = "claims"
    BOUND = "bound"
    INACTIVE = "inactive"


class TokenRefusedError(DriftError):
    """A token that is not taken; the reason stays on this machine."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(ErrorCode.UNAUTHORIZED, f"the token is refused: {reason}")
        self.reason = reason


class UnverifiableError(DriftError):
    """No token can be judged now: the authorization server does not answer as it should."""

    def __init__(self, problem: str) -> None:
        super().__init__(ErrorCode.SERVER_BUSY, problem)


class Refusals:
    """Writes every refusal to the audit, as far as its pace allows, and counts all of them."""

    def __init__(self, bucket: TokenBucket | None = None) -> None:
        self._bucket = bucket or TokenBucket(_BURST, _LINES_PER_SECOND)
        self._unwritten = 0
        self._counts: Counter[str] = Counter()
        self.hearers: list[Callable[[str], None]] = []
        """Told of each event: success, expired or failure."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How often callers were let in, or turned away for which reason."""
        return dict(sorted(self._counts.items()))

    def welcome(self) -> None:
        """A token was taken."""
        self._counts["success"] += 1
        self._tell("success")

    def unknown_caller(self, path: str, reason: Reason) -> None:
        """No token, or none that is taken."""
        self._counts[reason] += 1
        self._tell("expired" if reason is Reason.EXPIRED else "failure")
        self._write(STRANGER, path, f"why={reason} result={ErrorCode.UNAUTHORIZED}")

    def forbidden(self, caller: str, path: str, needs: str) -> None:
        """A known caller wanted more than it may."""
        self._counts["forbidden"] += 1
        self._tell("failure")
        self._write(caller, path, f"needs={needs} result={ErrorCode.FORBIDDEN}")

    def over_quota(self, caller: str, path: str) -> None:
        """A known caller has too much under way."""
        self._counts["quota"] += 1
        self._write(caller, path, f"result={ErrorCode.SERVER_BUSY}")

    def _write(self, caller: str, path: str, rest: str) -> None:
        if self._bucket.take():
            self._unwritten += 1
            return
        if self._unwritten:
            audit.info("refusals=%d not written one by one", self._unwritten)
            self._unwritten = 0
        audit.info("caller=%s path=%s %s", _shown(caller), path, rest)

    def _tell(self, event: str) -> None:
        for hear in self.hearers:
            hear(event)


def _shown(caller: str) -> str:
    """A caller's name that cannot pass for more than one word of a line."""
    is_plain = caller.isprintable() and " " not in caller and "=" not in caller
    return shorten(caller if is_plain else ascii(caller), _LONGEST_NAME)
