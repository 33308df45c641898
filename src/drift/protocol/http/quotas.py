"""What one caller may have under way at once, so that there is room for the others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from mcp.server.auth.provider import AccessToken, principal_components

from drift.protocol.http.reply import JsonReply, reply_json

Principal = tuple[str | None, str]


def principal_of(access: AccessToken) -> Principal:
    """Who it is, whichever client they use: anyone may register any number of clients."""
    client, issuer, subject = principal_components(access)
    return issuer, subject or client


class CallerQuota:
    """Counts the requests that run for each caller."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running: Counter[Principal] = Counter()

    @contextmanager
    def hold(self, access: AccessToken | None, count: int) -> Iterator[bool]:
        """Whether there is room for so many more; it is theirs until the end. Nobody in particular has no quota."""
        if access is None:
            yield True
            return
        caller, wanted = principal_of(access), min(count, self._most)
        if self._running[caller] + wanted > self._most:
            yield False
            return
        self._running[caller] += wanted
        try:
            yield True
        finally:
            self._running[caller] -= wanted
            if not self._running[caller]:
                del self._running[caller]


def refuse_more() -> JsonReply:
    """The 429 for a caller who has too much under way."""
    body = {
        "error": "Too many of your requests are under way.",
        "hint": "Wait for some of them, or end a stream.",
    }
    return reply_json(429, body, headers=((b"retry-after", b"1"),))
