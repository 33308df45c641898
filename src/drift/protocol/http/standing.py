"""Streams that last longer than a token's good time: looked at again now and then, and ended with it."""

from collections.abc import Awaitable, Callable
from typing import Final

import anyio
from starlette.types import Message, Receive

RECHECK_SECONDS: Final = 30.0


def receive_while(
    receive: Receive, is_still_good: Callable[[], Awaitable[bool]], *, seconds: float = RECHECK_SECONDS
) -> Receive:
    """The client's messages for as long as its token is good; then it counts as gone."""

    async def receive_or_end() -> Message:
        while True:
            with anyio.move_on_after(seconds):
                return await receive()
            if not await is_still_good():
                return {"type": "http.disconnect"}

    return receive_or_end
