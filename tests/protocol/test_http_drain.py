import asyncio

import anyio
import anyio.lowlevel

from drift.protocol.http.drain import Drain


async def endless(_scope, receive, send):
    """An application that streams until the client is gone and does not end its answer."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while (await receive())["type"] != "http.disconnect":
        await send({"type": "http.response.body", "body": b"x", "more_body": True})


async def silent(_scope, receive, _send):
    while (await receive())["type"] != "http.disconnect":
        pass


async def never():
    return await asyncio.get_running_loop().create_future()


def serve(app, drain, *, receive=never, begin=True):
    sent = []

    async def send(message):
        sent.append(message)

    async def run():
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(drain.serve_stream, app, {}, receive, send)
            await anyio.lowlevel.checkpoint()
            if begin:
                drain.begin()

    asyncio.run(run())
    return sent


def test_a_drain_ends_an_endless_answer_properly():
    sent = serve(endless, Drain())

    assert sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


def test_a_stream_that_has_not_begun_is_told_to_come_back():
    sent = serve(silent, Drain())

    assert sent[0]["status"] == 503


def test_a_client_that_leaves_ends_its_stream_without_a_drain():
    async def leave():
        return {"type": "http.disconnect"}

    sent = serve(endless, Drain(), receive=leave, begin=False)

    assert sent[-1]["more_body"] is False


def test_listeners_are_asked_to_close_when_the_drain_begins():
    closed = []

    Drain([lambda: closed.append("a"), lambda: closed.append("b")]).begin()

    assert closed == ["a", "b"]
