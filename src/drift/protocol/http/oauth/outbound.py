"""Questions to the authorization server: short, bounded, and to where the settings say alone."""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from drift.protocol.http.oauth.token_form import unique_members
from drift.protocol.http.origin import is_loopback, parse_authority
from drift.protocol.http.refusals import UnverifiableError

if TYPE_CHECKING:
    # A tenth of a second to import; only who asks a server needs it.
    import httpx2

_MOST_BYTES: Final = 262_144
_TIMEOUT_SECONDS: Final = 5.0
_ADDRESS = re.compile(r"(?P<scheme>https?)://(?P<authority>[^\s/?#@\\]{1,260})(?:/[^\s#\\]{0,2000})?")
_FORM: Final = "application/x-www-form-urlencoded"


class Outbound:
    """Gets JSON objects from the authorization server. One client for all questions, made at the first."""

    def __init__(self, timeout_seconds: float = _TIMEOUT_SECONDS) -> None:
        self._timeout = timeout_seconds
        self._client: httpx2.AsyncClient | None = None

    async def get(self, url: str) -> dict[str, Any]:
        """The object at an address. Raises UnverifiableError for any other answer, and for none."""
        return await self._ask("GET", url, headers={}, content=None)

    async def post_form(self, url: str, form: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        """The answer to a form."""
        return await self._ask("POST", url, headers={**headers, "content-type": _FORM}, content=form)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _ask(
        self, verb: str, url: str, *, headers: Mapping[str, str], content: bytes | None
    ) -> dict[str, Any]:
        import httpx2  # see above

        if not is_safe_address(url):
            raise UnverifiableError("an address of the authorization server is not https")
        client = self._client = self._client or self._connect()
        asked = {"accept": "application/json", "accept-encoding": "identity", **headers}
        try:
            async with client.stream(verb, url, headers=asked, content=content) as answer:
                if answer.status_code != httpx2.codes.OK or "content-encoding" in answer.headers:
                    raise UnverifiableError(
                        f"the authorization server answered {answer.status_code} at {_shown(url)}"
                    )
                body = await _read_bounded(answer)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            kind = type(error).__name__
            raise UnverifiableError(
                f"the authorization server does not answer at {_shown(url)} ({kind})"
            ) from error
        return _read_object(body, url)

    def _connect(self) -> "httpx2.AsyncClient":
        import httpx2  # see above

        return httpx2.AsyncClient(
            # A proxy of the environment would see tokens, and a redirect could lead to another's server.
            trust_env=False,
            follow_redirects=False,
            timeout=self._timeout,
            limits=httpx2.Limits(max_connections=16, max_keepalive_connections=4),
        )


def is_safe_address(url: str) -> bool:
    """Whether what is said there cannot be read or altered on the way: https, or a loopback address."""
    found = _ADDRESS.fullmatch(url)
    authority = parse_authority(found["authority"]) if found else None
    if found is None or authority is None:
        return False
    return found["scheme"] == "https" or is_loopback(authority.name)


async def _read_bounded(answer: "httpx2.Response") -> bytes:
    body = bytearray()
    async for piece in answer.aiter_bytes():
        body += piece
        if len(body) > _MOST_BYTES:
            raise UnverifiableError("the authorization server's answer is too long")
    return bytes(body)


def _read_object(body: bytes, url: str) -> dict[str, Any]:
    try:
        found = json.loads(body, object_pairs_hook=unique_members)
    except (ValueError, RecursionError) as error:
        raise UnverifiableError(f"the answer at {_shown(url)} is not JSON") from error
    if not isinstance(found, dict):
        raise UnverifiableError(f"the answer at {_shown(url)} is not an object")
    return found


def _shown(url: str) -> str:
    return url.partition("?")[0][:200]
