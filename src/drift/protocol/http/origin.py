"""Which Host and Origin a request may name: the guard against DNS rebinding and foreign web pages."""

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.protocol.http.reply import JsonReply, reply_json
from drift.protocol.http.settings import HttpSettings

_AUTHORITY = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(?P<port>[0-9]{1,5}|\*))?")
_ORIGIN = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<authority>[^/?#@]+)")
_ANY_ADDRESS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104  (names to leave out, not to bind)
_REMEMBERED = 256  # verdicts kept per policy: few names are ever honest, hostile ones must not pile up


class Authority(NamedTuple):
    """A host name with its port; None and `*` stand for any."""

    name: str
    port: str | None

    def covers(self, other: "Authority") -> bool:
        """Whether a rule for this authority allows the other."""
        return self.name == other.name and self.port in (None, "*", other.port)


def parse_authority(text: str) -> Authority | None:
    """`host`, `host:port` or `[v6]:port`, lower-cased; None for anything else."""
    found = _AUTHORITY.fullmatch(text.lower())
    return Authority(found["name"], found["port"]) if found else None


def is_loopback(host: str) -> bool:
    """Whether the name or address can only mean this machine."""
    name = host.lower().removeprefix("[").removesuffix("]")
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def refuse_unsafe_bind(host: str, *, has_auth: bool, insecure: bool) -> None:
    """Raise unless the address is loopback, callers must show a token, or the user insists."""
    if is_loopback(host) or has_auth or insecure:
        return
    raise DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"host: {host!r} is open to the network, and nothing asks callers for a token",
        Recovery(
            hint="Bind to 127.0.0.1, give `drift serve` a file of --tokens, or trust the network with --insecure.",
            details={"argument": "host"},
        ),
    )


class OriginPolicy:
    """The verdict on Host and Origin headers, by the settings."""

    def __init__(self, settings: HttpSettings) -> None:
        self._hosts = _allowed_authorities(settings)
        self._origins = frozenset(_checked_origin(origin) for origin in settings.cors_origins)
        self._is_local = is_loopback(settings.host)
        self.allows_host = lru_cache(_REMEMBERED)(self._judge_host)
        self.allows_origin = lru_cache(_REMEMBERED)(self._judge_origin)

    def refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> JsonReply | None:
        """The answer to a request from a wrong place, or None when it may pass."""
        hosts, origins = [], []
        for name, value in headers:
            if name == b"host":
                hosts.append(value)
            elif name == b"origin":
                origins.append(value)
        if len(hosts) != 1 or not self.allows_host(hosts[0]):
            return _WRONG_HOST
        if origins and (len(origins) > 1 or not self.allows_origin(origins[0], hosts[0])):
            return _WRONG_ORIGIN
        return None

    def _judge_host(self, host: bytes) -> bool:
        asked = parse_authority(host.decode("latin-1"))
        if asked is None or asked.port == "*":
            return False
        return is_loopback(asked.name) or any(allowed.covers(asked) for allowed in self._hosts)

    def _judge_origin(self, origin: bytes, host: bytes) -> bool:
        text = origin.decode("latin-1").lower()
        if text in self._origins or "*" in self._origins:
            return True
        found = _ORIGIN.fullmatch(text)
        authority = parse_authority(found["authority"]) if found else None
        if found is None or authority is None or found["scheme"] not in ("http", "https"):
            return False
        # A page this server delivered itself, or one of a program on this same machine.
        is_same = found["authority"] == host.decode("latin-1").lower()
        return is_same or (self._is_local and authority.port != "*" and is_loopback(authority.name))


class OriginGate:
    """Middleware that answers 421 or 403 to a request from a wrong place, on every route."""

    def __init__(self, app: ASGIApp, policy: OriginPolicy) -> None:
        self.app = app
        self._policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or let it through."""
        refusal = self._policy.refusal(scope["headers"]) if scope["type"] == "http" else None
        if refusal is not None:
            await refusal.send_to(send)
            return
        await self.app(scope, receive, send)


_WRONG_HOST = reply_json(
    421,
    {
        "error": "This server does not answer to that Host.",
        "hint": "Use localhost, or add the name to the allowed hosts of the server.",
    },
)
_WRONG_ORIGIN = reply_json(
    403,
    {
        "error": "Web pages of that Origin may not call this server.",
        "hint": "Add the origin to the CORS origins of the server.",
    },
)


def _allowed_authorities(settings: HttpSettings) -> tuple[Authority, ...]:
    named = [*settings.allowed_hosts]
    if settings.host not in _ANY_ADDRESS:
        named.append(f"[{settings.host}]" if ":" in settings.host else settings.host)
    if settings.resource_url is not None:
        named.append(origin_of(settings.resource_url).partition("://")[2])
    allowed = []
    for name in named:
        authority = parse_authority(name)
        if authority is None:
            raise invalid(
                "allowed_hosts", f"{name!r} is no host name", hint="Write host, host:port or host:*."
            )
        allowed.append(authority)
    return tuple(allowed)


def origin_of(url: str) -> str:
    """`https://host:port` of a URL. Raises DriftError when it is no http(s) URL."""
    found = _ORIGIN.match(url.lower())
    if found is None or found["scheme"] not in ("http", "https") or not parse_authority(found["authority"]):
        raise invalid("resource_url", f"{url!r} is no http or https URL")
    return found[0]


def _checked_origin(origin: str) -> str:
    text = origin.lower()
    found = _ORIGIN.fullmatch(text)
    if text != "*" and (found is None or parse_authority(found["authority"]) is None):
        raise invalid(
            "cors_origins", f"{origin!r} is no origin", hint="Write https://host or https://host:port."
        )
    return text
