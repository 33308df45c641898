import asyncio

import mcp_types as types
import pytest

from drift.protocol.batches import Batch
from drift.protocol.stdio.ledger import Bell, Ledger


def request(request_id, method="ping"):
    return types.JSONRPCRequest(jsonrpc="2.0", id=request_id, method=method)


@pytest.fixture
def ledger():
    return Ledger(Bell())


def test_a_request_is_open_until_it_settles(ledger):
    ledger.open(request("a"), None)

    assert ledger.is_open("a")
    assert ledger.settle("a").method == "ping"
    assert not ledger.is_open("a")
    assert ledger.settle("a") is None


def test_an_error_without_id_settles_nothing(ledger):
    ledger.open(request("a"), None)

    assert ledger.settle(None) is None
    assert ledger.unfinished_calls == 1


def test_an_integer_and_its_text_are_one_id(ledger):
    ledger.open(request("7"), None)

    assert ledger.is_open(7)
    assert not ledger.is_open("7.0")


def test_a_subscription_is_open_but_not_waited_for(ledger):
    ledger.open(request(1, "subscriptions/listen"), None)

    assert ledger.is_open(1)
    assert ledger.unfinished_calls == 0
    ledger.settle(1)
    assert ledger.unfinished_calls == 0


def test_a_handshake_is_awaited_until_answered(ledger):
    ledger.open(request(0, "initialize"), None)
    assert ledger.awaits_handshake

    ledger.settle(0)

    assert not ledger.awaits_handshake


@pytest.mark.parametrize(("named", "noted"), [("2025-03-26", "2025-03-26"), (5, None), (None, None)])
def test_the_version_is_the_one_the_handshake_names(ledger, named, noted):
    ledger.note_version(types.JSONRPCResponse(jsonrpc="2.0", id=0, result={"protocolVersion": named}))

    assert ledger.protocol_version == noted


def test_a_batch_expects_the_requests_entered_with_it(ledger):
    batch = Batch(100)
    ledger.open(request("a"), batch)
    batch.finish_reading()

    ledger.settle("a").batch.settle("a", b"{}")

    assert batch.take_answer() == b"[{}]"


def test_only_questions_without_reply_are_left(ledger):
    for question_id in (1, 2, 3):
        ledger.ask(request(question_id, "elicitation/create"))
    ledger.close_question("1")
    ledger.close_question(3)
    ledger.close_question(None)

    assert ledger.take_question() == 2
    assert ledger.take_question() is None


async def test_a_bell_wakes_its_listener_once():
    bell = Bell()
    bell.ring()  # nobody listens, and nothing is remembered
    listener = asyncio.ensure_future(bell.wait())
    await asyncio.sleep(0)

    assert not listener.done()
    bell.ring()
    bell.ring()
    await listener


async def test_a_bell_gives_up_after_its_time():
    await Bell().wait(0.001)


pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"
