"""Whole HTTP answers with a JSON body, for what is answered without an MCP server."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.types import Send

HeaderPairs = tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class JsonReply:
    """A complete answer, ready to be sent. An empty body goes without a content type."""

    status: int
    body: bytes
    headers: HeaderPairs = ()

    async def send_to(self, send: Send) -> None:
        """Send the answer as a whole."""
        length = (b"content-length", str(len(self.body)).encode())
        typed = ((b"content-type", b"application/json"), length) if self.body else (length,)
        await send({"type": "http.response.start", "status": self.status, "headers": [*typed, *self.headers]})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def reply_json(status: int, value: Mapping[str, Any], *, headers: HeaderPairs = ()) -> JsonReply:
    return JsonReply(status, orjson.dumps(value), headers)
