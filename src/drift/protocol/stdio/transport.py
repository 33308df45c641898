"""MCP over standard input and output."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from mcp.server.lowlevel import Server

from drift.protocol.limits import InFlight, WireLimits
from drift.protocol.stdio.descriptors import claim_standard_streams
from drift.protocol.stdio.inbound import Inbound, Wire
from drift.protocol.stdio.ledger import Bell, Ledger
from drift.protocol.stdio.line_input import LineInput
from drift.protocol.stdio.line_output import LineOutput
from drift.protocol.stdio.outbound import Outbound

# The errors for calls the drain cut short are written after it; a client that reads gets them.
_FAREWELL_SECONDS: Final = 1.0


async def serve_stdio(server: Server[Any], *, limits: WireLimits, in_flight: InFlight | None = None) -> None:
    """Serve one client over this process's standard streams until it leaves or a signal says stop.

    Calls in flight then have `limits.drain_seconds` to finish; a second signal leaves them.
    An `in_flight` that is given is already among the server's middleware; without it the limits make one.
    """
    input_fd, output_fd = claim_standard_streams()
    await serve_descriptors(server, (input_fd, output_fd), limits=limits, in_flight=in_flight)


async def serve_descriptors(
    server: Server[Any],
    descriptors: tuple[int, int],
    *,
    limits: WireLimits,
    in_flight: InFlight | None = None,
) -> None:
    """Serve one client over any pair of descriptors, the first to read and the second to write."""
    bell = Bell()
    reading = LineInput(descriptors[0], max_line_bytes=limits.max_request_bytes, on_change=bell.ring)
    writing = LineOutput(descriptors[1], on_change=bell.ring)
    wire = Wire(limits=limits, bell=bell, ledger=Ledger(bell), input=reading, output=writing)
    inbound, outbound = Inbound(wire), Outbound(wire)
    try:
        with _stop_on_signal(inbound.stop), _limit_in_flight(server, limits, in_flight):
            await server.run(inbound, outbound, server.create_initialization_options())
            with suppress(TimeoutError):
                await asyncio.wait_for(writing.finish(), max(_FAREWELL_SECONDS, inbound.drain_seconds_left()))
    finally:
        reading.close()
        writing.close()


@contextmanager
def _limit_in_flight(server: Server[Any], limits: WireLimits, given: InFlight | None) -> Iterator[None]:
    if given is not None:
        yield
        return
    own = InFlight(limits)
    # Outermost, so that a refused request costs as little as can be.
    server.middleware.insert(0, own)
    try:
        yield
    finally:
        server.middleware.remove(own)


@contextmanager
def _stop_on_signal(stop: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    watched = [signum for signum in (signal.SIGINT, signal.SIGTERM) if _watch_signal(loop, signum, stop)]
    try:
        yield
    finally:
        for signum in watched:
            loop.remove_signal_handler(signum)


def _watch_signal(loop: asyncio.AbstractEventLoop, signum: signal.Signals, stop: Callable[[], None]) -> bool:
    try:
        loop.add_signal_handler(signum, stop)
    except (NotImplementedError, RuntimeError, ValueError):
        return False  # Windows, or a loop outside the main thread: whoever runs it stops it
    return True
