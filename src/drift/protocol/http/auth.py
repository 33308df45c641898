"""Who calls, and whether they may: bearer tokens and the scopes each call needs."""

import time
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any

from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp_types.methods import SPEC_CLIENT_METHODS, SPEC_CLIENT_NOTIFICATION_METHODS
from starlette.types import Scope

from drift.protocol.http.origin import origin_of
from drift.protocol.http.reply import JsonReply, reply_json
from drift.protocol.http.settings import HttpSettings, Mount

WELL_KNOWN = "/.well-known/oauth-protected-resource"

_SPEC_METHODS = SPEC_CLIENT_METHODS | SPEC_CLIENT_NOTIFICATION_METHODS
_SCHEME = b"bearer "
_MAX_TOKEN_BYTES = 8192  # a signed token with many claims has 2 to 4 KB


class TokenGate:
    """Finds the caller by the bearer token of a request."""

    def __init__(
        self, verifier: TokenVerifier, settings: HttpSettings, clock: Callable[[], float] = time.time
    ) -> None:
        self._verifier = verifier
        self._settings = settings
        self._clock = clock

    async def find_caller(self, scope: Scope, path: str) -> AccessToken | None:
        """The token's owner, or None when there is no valid token for this resource."""
        token = _read_token(scope["headers"])
        if token is None:
            return None
        access = await self._verifier.verify_token(token)
        if access is None or (access.expires_at is not None and access.expires_at <= self._clock()):
            return None
        # A verifier that names no audience has checked it itself, or its tokens are for this server only.
        if access.resource is not None and access.resource.rstrip("/") not in self._own_urls(scope, path):
            return None
        return access

    def _own_urls(self, scope: Scope, path: str) -> tuple[str, str]:
        address = public_url(scope, self._settings)
        return address, address + path


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
    return mount.base_scopes


def refuse_caller(
    access: AccessToken | None, needed: frozenset[str], *, metadata_url: str | None
) -> JsonReply | None:
    """The 401 or 403 with its challenge, or None when the caller has every scope needed."""
    if access is None:
        return _challenge(401, "invalid_token", needed, metadata_url=metadata_url)
    if not needed.issubset(access.scopes):
        return _challenge(403, "insufficient_scope", needed, metadata_url=metadata_url)
    return None


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


def _read_token(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    sent = [value for name, value in headers if name == b"authorization"]
    # Two headers could be read differently by a proxy in front, so they count as none.
    if len(sent) != 1 or sent[0][: len(_SCHEME)].lower() != _SCHEME or len(sent[0]) > _MAX_TOKEN_BYTES:
        return None
    return sent[0][len(_SCHEME) :].strip().decode("latin-1") or None


def _challenge(status: int, error: str, needed: frozenset[str], *, metadata_url: str | None) -> JsonReply:
    scope = " ".join(sorted(needed))
    parts = [f'error="{error}"', f'scope="{scope}"']
    if metadata_url is not None:
        parts.append(f'resource_metadata="{metadata_url}"')
    description = (
        "Send a valid bearer token."
        if status == HTTPStatus.UNAUTHORIZED
        else f"This needs a token with: {scope}."
    )
    body = {"error": error, "error_description": description}
    return reply_json(status, body, headers=((b"www-authenticate", f"Bearer {', '.join(parts)}".encode()),))
