"""Who calls, and whether they may: bearer tokens and the scopes each call needs."""

import time
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any

from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp_types.methods import SPEC_CLIENT_METHODS, SPEC_CLIENT_NOTIFICATION_METHODS
from starlette.types import Scope

from drift.protocol.http.origin import origin_of
from drift.protocol.http.refusals import Reason, Refusals, TokenRefusedError
from drift.protocol.http.reply import JsonReply, reply_json
from drift.protocol.http.settings import HttpSettings, Mount

WELL_KNOWN = "/.well-known/oauth-protected-resource"

_SPEC_METHODS = SPEC_CLIENT_METHODS | SPEC_CLIENT_NOTIFICATION_METHODS
_SCHEME = b"bearer "
_MAX_TOKEN_BYTES = 8192  # a signed token with many claims has 2 to 4 KB


class TokenGate:
    """Finds the caller by the bearer token of a request."""

    def __init__(
        self,
        verifier: TokenVerifier,
        settings: HttpSettings,
        clock: Callable[[], float] = time.time,
        *,
        refusals: Refusals | None = None,
    ) -> None:
        self._verifier = verifier
        self._settings = settings
        self._clock = clock
        self.refusals = refusals or Refusals()

    async def find_caller(self, scope: Scope, path: str) -> AccessToken | None:
        """The token's owner, or None when there is no valid token for this resource.

        Raises UnverifiableError where the authorization server cannot be asked.
        """
        try:
            access = await self._judge(scope, path)
        except TokenRefusedError as refused:
            self.refusals.unknown_caller(path, refused.reason)
            return None
        self.refusals.welcome()
        return access

    async def _judge(self, scope: Scope, path: str) -> AccessToken:
        access = await self._verifier.verify_token(_read_token(scope["headers"]))
        if access is None:
            raise TokenRefusedError(Reason.UNKNOWN)
        if access.expires_at is not None and access.expires_at <= self._clock():
            raise TokenRefusedError(Reason.EXPIRED)
        audiences = _audiences(access)
        # A verifier that names no audience has checked it itself, or its tokens are for this server only.
        if audiences and not self._own_names(scope, path).intersection(audiences):
            raise TokenRefusedError(Reason.AUDIENCE)
        return access

    def _own_names(self, scope: Scope, path: str) -> frozenset[str]:
        """Whom a token must be for: this resource, all of this server, or what the settings say."""
        address = public_url(scope, self._settings)
        return frozenset((address, address + path, *(each.rstrip("/") for each in self._settings.audiences)))


def needed_scopes(mount: Mount, message: Mapping[str, Any]) -> frozenset[str]:
    """The scopes a JSON-RPC message needs: those of the mount and those of the tool it calls."""
    method = message.get("method")
    params = message.get("params")
    if not isinstance(method, str) or not isinstance(params, dict):
        params = {}
    if method == "tools/call":
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str):
            return mount.base_scopes  # the server answers that the name is missing
        return mount.base_scopes | mount.required_scopes(
            name, arguments if isinstance(arguments, dict) else {}
        )
    if isinstance(method, str) and method not in _SPEC_METHODS:
        return mount.base_scopes | mount.required_scopes(method, params)
    return mount.base_scopes.union(*map(mount.resource_scopes, _named_resources(method, params)))


def _named_resources(method: object, params: Mapping[str, Any]) -> Iterable[str]:
    """The resources that a message wants to read, or to hear of."""
    if method in {"resources/read", "resources/subscribe"}:
        named: object = [params.get("uri")]
    elif method == "subscriptions/listen":
        wanted = params.get("notifications")
        # The library takes both spellings.
        spellings = ("resourceSubscriptions", "resource_subscriptions")
        lists = [wanted.get(each) for each in spellings] if isinstance(wanted, dict) else []
        named = [uri for each in lists if isinstance(each, list) for uri in each]
    else:
        named = None
    return [uri for uri in named if isinstance(uri, str)] if isinstance(named, list) else []


def refuse_caller(
    scope: Scope, access: AccessToken | None, needed: frozenset[str], *, metadata_url: str | None
) -> JsonReply | None:
    """The 401 or 403 with its challenge, or None when the caller has every scope needed."""
    if access is None:
        # Who has shown no token is told of no error (RFC 6750, 3.1): they may not have known that one is needed.
        error = "invalid_token" if _shows_token(scope["headers"]) else None
        return _challenge(401, error, needed, metadata_url=metadata_url)
    if not needed.issubset(access.scopes):
        return _challenge(403, "insufficient_scope", needed, metadata_url=metadata_url)
    return None


def refuse_unverified() -> JsonReply:
    """The 503 for when no token can be judged: a 401 would make a client throw a good one away."""
    description = "Tokens cannot be checked at the moment; try again."
    return reply_json(
        503,
        {"error": "temporarily_unavailable", "error_description": description},
        headers=((b"retry-after", b"5"),),
    )


def refuse_person() -> JsonReply:
    """The 403 for what no token is enough for."""
    description = "Only a person may do this, at the command line of the server's machine: see drift --help."
    return reply_json(403, {"error": "insufficient_scope", "error_description": description})


def public_url(scope: Scope, settings: HttpSettings) -> str:
    """The address callers reach this server by, without a trailing slash."""
    if settings.resource_url is not None:
        return settings.resource_url.rstrip("/")
    # The Host header has passed the origin gate, so it is one of this server's own names.
    host = next(value for name, value in scope["headers"] if name == b"host")
    return f"{scope['scheme']}://{host.decode('latin-1')}"


def metadata_path(settings: HttpSettings, path: str) -> str:
    """Where RFC 9728 wants the metadata of the resource at `path`: before its path, not under it."""
    return WELL_KNOWN + _path_prefix(settings) + path


def metadata_url(scope: Scope, settings: HttpSettings, path: str) -> str:
    address = public_url(scope, settings)
    prefix = _path_prefix(settings)
    return f"{address.removesuffix(prefix)}{WELL_KNOWN}{prefix}{path}"


def describe_resource(
    scope: Scope, settings: HttpSettings, mount: Mount, *, scopes: Iterable[str]
) -> dict[str, Any]:
    """The protected resource metadata of a mount (RFC 9728)."""
    issuer = {} if settings.issuer_url is None else {"authorization_servers": [settings.issuer_url]}
    return {
        "resource": public_url(scope, settings) + mount.path,
        **issuer,
        "scopes_supported": sorted(scopes),
        "bearer_methods_supported": ["header"],
        "resource_name": mount.server.name,
    }


def _path_prefix(settings: HttpSettings) -> str:
    if settings.resource_url is None:
        return ""
    return settings.resource_url.rstrip("/")[len(origin_of(settings.resource_url)) :]


def _read_token(headers: Iterable[tuple[bytes, bytes]]) -> str:
    sent = [value for name, value in headers if name == b"authorization"]
    if not sent:
        raise TokenRefusedError(Reason.MISSING)
    # Two headers could be read differently by a proxy in front, so they count as none.
    if len(sent) != 1 or sent[0][: len(_SCHEME)].lower() != _SCHEME or len(sent[0]) > _MAX_TOKEN_BYTES:
        raise TokenRefusedError(Reason.MALFORMED)
    token = sent[0][len(_SCHEME) :].strip().decode("latin-1")
    if not token:
        raise TokenRefusedError(Reason.MALFORMED)
    return token


def _shows_token(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(
        name == b"authorization" and value[: len(_SCHEME)].lower() == _SCHEME for name, value in headers
    )


def _audiences(access: AccessToken) -> frozenset[str]:
    """Whom the token is for, as far as its verifier left that to us."""
    named = (access.claims or {}).get("aud") or ()
    given = (access.resource, *named) if access.resource is not None else named
    return frozenset(each.rstrip("/") for each in given)


def _challenge(
    status: int, error: str | None, needed: frozenset[str], *, metadata_url: str | None
) -> JsonReply:
    scope = " ".join(sorted(needed))
    parts = [f'error="{error}"'] if error else []
    parts.append(f'scope="{scope}"')
    if metadata_url is not None:
        parts.append(f'resource_metadata="{metadata_url}"')
    description = (
        "Send a valid bearer token."
        if status == HTTPStatus.UNAUTHORIZED
        else f"This needs a token with: {scope}."
    )
    body = {"error": error or "unauthorized", "error_description": description}
    return reply_json(status, body, headers=((b"www-authenticate", f"Bearer {', '.join(parts)}".encode()),))
