"""What a token says, once it is known who says it: checked, and read into a caller."""

import hashlib
import math
from collections.abc import Mapping
from typing import Any, Final

from mcp.server.auth.provider import AccessToken

from drift.protocol.http.oauth.settings import OAuthSettings
from drift.protocol.http.refusals import Reason, TokenRefusedError
from drift.registry.scopes import Scope

_MOST_AUDIENCES: Final = 20
_LONGEST_NAME: Final = 255
_LAST_MOMENT: Final = 2**53
# The same in the tokens of servers that are older than the standard.
_CLIENT_CLAIMS: Final = ("client_id", "azp", "cid")
_SCOPES: Final = frozenset(str(scope) for scope in Scope)


def read_claims(claims: Mapping[str, Any], settings: OAuthSettings, *, token: str, now: float) -> AccessToken:
    """The caller of a token whose signature was checked (RFC 9068). Raises TokenRefusedError."""
    if claims.get("iss") != settings.issuer:
        raise TokenRefusedError(Reason.ISSUER)
    expires = _moment(claims, "exp", is_required=True)
    issued = _moment(claims, "iat", is_required=settings.is_strict)
    _check_times(expires, _moment(claims, "nbf"), issued, now=now, skew=settings.clock_skew_seconds)
    if settings.is_strict and not _is_name(claims.get("jti")):
        raise TokenRefusedError(Reason.CLAIMS)
    client = next((claims[name] for name in _CLIENT_CLAIMS if name in claims), None)
    subject = claims.get("sub")
    if not _is_name(subject) or not (_is_name(client) or (client is None and not settings.is_strict)):
        raise TokenRefusedError(Reason.CLAIMS)
    return _caller(
        claims, settings, token=token, subject=str(subject), client=str(client or subject), expires=expires
    )


def read_introspection(
    answer: Mapping[str, Any], settings: OAuthSettings, *, token: str, now: float
) -> AccessToken:
    """The caller of a token that its own server was asked about (RFC 7662)."""
    if answer.get("active") is not True:
        raise TokenRefusedError(Reason.INACTIVE)
    if str(answer.get("token_type", "bearer")).lower() not in {"bearer", "access_token"}:
        raise TokenRefusedError(Reason.TYPE)
    if answer.get("iss", settings.issuer) != settings.issuer:
        raise TokenRefusedError(Reason.ISSUER)
    expires = _moment(answer, "exp")
    _check_times(
        expires, _moment(answer, "nbf"), _moment(answer, "iat"), now=now, skew=settings.clock_skew_seconds
    )
    client = next((answer[name] for name in _CLIENT_CLAIMS if name in answer), None)
    # A client that calls for itself has no subject.
    subject = answer.get("sub", client)
    if not _is_name(subject) or not (client is None or _is_name(client)):
        raise TokenRefusedError(Reason.CLAIMS)
    return _caller(
        answer, settings, token=token, subject=str(subject), client=str(client or subject), expires=expires
    )


def _caller(
    claims: Mapping[str, Any],
    settings: OAuthSettings,
    *,
    token: str,
    subject: str,
    client: str,
    expires: float | None,
) -> AccessToken:
    if "cnf" in claims:
        # It belongs to whoever holds a key, and a bearer has shown none.
        raise TokenRefusedError(Reason.BOUND)
    return AccessToken(
        # The hash stands for the token, so that no log or traceback can hold the secret itself.
        token=hashlib.sha256(token.encode()).hexdigest(),
        client_id=client,
        subject=subject,
        scopes=_scopes(claims.get(settings.scope_claim, "")),
        # The skew is allowed already: whoever looks at it again must not be stricter.
        expires_at=None if expires is None else math.ceil(expires) + settings.clock_skew_seconds,
        claims={"iss": settings.issuer, "aud": _audiences(claims.get("aud"))},
    )


def _check_times(
    expires: float | None, begins: float | None, issued: float | None, *, now: float, skew: int
) -> None:
    if expires is not None and expires + skew <= now:
        raise TokenRefusedError(Reason.EXPIRED)
    if any(moment is not None and moment - skew > now for moment in (begins, issued)):
        raise TokenRefusedError(Reason.NOT_YET)


def _moment(claims: Mapping[str, Any], name: str, *, is_required: bool = False) -> float | None:
    value = claims.get(name)
    if value is None and not is_required:
        return None
    # True is a number to Python.
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < _LAST_MOMENT:
        raise TokenRefusedError(Reason.CLAIMS)
    return float(value)


def _audiences(given: object) -> list[str]:
    """Whom the token is for; a token for nobody in particular would be good everywhere."""
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list) or not 0 < len(listed) <= _MOST_AUDIENCES:
        raise TokenRefusedError(Reason.AUDIENCE)
    if not all(isinstance(each, str) and each for each in listed):
        raise TokenRefusedError(Reason.AUDIENCE)
    return [each.rstrip("/") for each in listed]


def _scopes(given: object) -> list[str]:
    """Those of Drift's own; one text with spaces as the standard has it, or a list as some servers write it."""
    listed = given.split(" ") if isinstance(given, str) else given
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise TokenRefusedError(Reason.CLAIMS)
    return sorted(_SCOPES.intersection(listed))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME and value.isprintable()
