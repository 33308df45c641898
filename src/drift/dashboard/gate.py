"""What every answer of the dashboard says to the browser, and which requests of web pages it refuses."""

from collections.abc import Iterable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from drift.protocol.http.reply import reply_json

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_HEADERS: Final = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    # What is shown may be private, and is old with the next change.
    (b"cache-control", b"no-store"),
)
# Browsers say which page asks; other programs on this machine send nothing.
_OWN_SITES: Final = frozenset({b"same-origin", b"none"})
_FOREIGN_PAGE = reply_json(
    403,
    {
        "error": "Only the dashboard's own page may ask.",
        "hint": "Open the dashboard's address itself.",
    },
)


class PageGate:
    """Middleware: strict headers on every answer, and no work for other web pages."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the headers added, or refuse."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *_HEADERS]}
            await send(message)

        # Following a link to the page is fine; the rest is for the page alone.
        if scope["path"] != "/" and _is_foreign(scope["headers"]):
            await _FOREIGN_PAGE.send_to(send_guarded)
            return
        await self.app(scope, receive, send_guarded)


def _is_foreign(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(name == b"sec-fetch-site" and value not in _OWN_SITES for name, value in headers)
