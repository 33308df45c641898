"""Whether the endpoints of an environment answer.

Only those on this machine are asked: a memory is no reason to send anything into a network, and whoever can
write one must not choose whom we talk to.
"""

import http.client
import ipaddress
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

_PATIENCE_SECONDS: Final = 2.0
_MOST_ASKED: Final = 10
_BROKEN: Final = 500
ELSEWHERE: Final = "not on this machine; only loopback endpoints are asked"


class EndpointHealth(NamedTuple):
    """One endpoint: whether it answers; None, with a reason, where it was not asked."""

    name: str
    is_up: bool | None
    reason: str


class Health(NamedTuple):
    """The state of an environment: None where nothing could be asked."""

    status: str | None
    endpoints: tuple[EndpointHealth, ...]


def check_endpoints(endpoints: list[dict[str, Any]]) -> Health:
    """Ask each endpoint for the head of its page and say how they stand together."""
    results = tuple(_ask(one) for one in endpoints[:_MOST_ASKED])
    asked = [one.is_up for one in results if one.is_up is not None]
    if not asked:
        return Health(None, results)
    if all(asked):
        return Health("healthy", results)
    return Health("degraded" if any(asked) else "down", results)


def _ask(endpoint: dict[str, Any]) -> EndpointHealth:
    url = str(endpoint.get("url", ""))
    name = str(endpoint.get("name") or url)[:100]
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return EndpointHealth(name, None, "its url cannot be read")
    if parts.scheme not in ("http", "https"):
        return EndpointHealth(name, None, "its url is not http or https")
    if not is_loopback(host):
        return EndpointHealth(name, None, ELSEWHERE)
    return _ask_loopback(name, parts.scheme, host, port, path=parts.path or "/")


def _ask_loopback(name: str, scheme: str, host: str, port: int | None, *, path: str) -> EndpointHealth:
    # The name of this machine could be mapped elsewhere, so its address is asked.
    address = "127.0.0.1" if host == "localhost" else host
    kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    connection = kind(address, port, timeout=_PATIENCE_SECONDS)
    try:
        # HEAD changes nothing on a server that keeps to the protocol; redirections are not followed.
        connection.request("HEAD", path)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        return EndpointHealth(name, is_up=False, reason=str(error)[:200] or type(error).__name__)
    finally:
        connection.close()
    return EndpointHealth(name, status < _BROKEN, f"it answers {status}")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its address or as localhost; other names are not looked up."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
