import pytest
from stdio_client import initialize, serving

VERSION = "2025-03-26"


@pytest.fixture(scope="module")
def session():
    with serving(VERSION, max_response_bytes=20_000) as session:
        yield session


def ids_of(batch_answer):
    return [entry["id"] for entry in batch_answer]


def test_a_batch_is_answered_in_one_line_when_its_last_request_is(session):
    session.send(
        [session.call("slow", request_id="b1", seconds=0.2), session.call("echo", request_id="b2", text="x")]
    )

    answer = session.receive()

    assert sorted(ids_of(answer)) == ["b1", "b2"]
    assert all("result" in entry for entry in answer)


def test_notifications_and_responses_in_a_batch_get_no_entry(session):
    session.send(
        [
            {"jsonrpc": "2.0", "method": "notifications/unheard"},
            {"jsonrpc": "2.0", "id": "nobody asked", "result": {}},
            session.call("echo", request_id="only", text="x"),
        ]
    )

    assert ids_of(session.receive()) == ["only"]


def test_a_batch_without_requests_gets_no_answer(session):
    session.send([{"jsonrpc": "2.0", "method": "notifications/unheard"}] * 3)

    assert session.echo("next") == "next"
    assert session.held == []


def test_an_empty_batch_is_refused(session):
    session.send([])

    answer = session.receive()

    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


def test_each_invalid_element_gets_an_entry_of_its_own(session):
    session.send(
        [1, [], {"jsonrpc": "1.0", "id": "bad", "method": "ping"}, session.request("ping", request_id="good")]
    )

    answer = session.receive()

    assert [(entry["id"], entry.get("error", {}).get("code")) for entry in answer] == [
        (None, -32600),
        (None, -32600),
        ("bad", -32600),
        ("good", None),
    ]


def test_initialize_in_a_batch_is_refused_and_the_rest_served(session):
    session.send([initialize("2025-11-25", "again"), session.request("ping", request_id="rest")])

    answer = {entry["id"]: entry for entry in session.receive()}

    assert answer["again"]["error"]["code"] == -32600
    assert answer["rest"]["result"] == {}


def test_a_repeated_id_in_a_batch_is_refused_without_that_id(session):
    session.send([session.request("ping", request_id="twin"), session.request("ping", request_id="twin")])

    answer = session.receive()

    assert ids_of(answer) == [None, "twin"]
    assert answer[0]["error"]["data"]["requestId"] == "twin"


def test_a_batch_above_the_cap_is_refused_whole(session):
    session.send([session.request("ping") for _ in range(129)])

    answer = session.receive()

    assert (answer["id"], answer["error"]["code"], answer["error"]["data"]) == (None, -32600, {"limit": 128})


def test_a_batch_at_the_cap_is_served(session):
    session.send([session.request("ping", request_id=f"cap {n}") for n in range(128)])

    assert len(session.receive()) == 128


def test_a_cancelled_request_gets_no_entry_and_holds_nothing_up(session):
    session.send([session.call("slow", request_id="gone"), session.call("echo", request_id="kept", text="x")])
    session.send(session.cancel("gone"))

    assert ids_of(session.receive()) == ["kept"]


def test_a_cancelled_request_that_takes_its_time_to_end_gets_no_entry(session):
    session.send([session.call("stubborn", request_id="gone", seconds=0.2), session.request("ping", "kept")])
    session.send(session.cancel("gone"))

    assert ids_of(session.receive()) == ["kept"]
    assert session.echo("next") == "next"
    assert session.held == []


def test_a_batch_whose_every_request_was_cancelled_gets_no_answer(session):
    session.send([session.call("slow", request_id="g1"), session.call("slow", request_id="g2")])
    session.send(session.cancel("g1"), session.cancel("g2"))

    assert session.echo("next") == "next"
    assert session.held == []


def test_a_request_cancelled_within_its_own_batch_gets_no_entry(session):
    session.send(
        [session.call("slow", request_id="own"), session.cancel("own"), session.request("ping", "other")]
    )

    assert ids_of(session.receive()) == ["other"]


def test_the_answers_of_a_batch_share_the_response_limit(session):
    session.send([session.call("big", request_id=f"big {n}", size=8000) for n in range(4)])

    answer = session.receive()

    assert [entry.get("error", {}).get("code") for entry in answer] == [None, None, -32004, -32004]


def test_each_request_of_a_batch_counts_against_the_rate():
    with serving(VERSION, burst=3, sustained_per_second=0.001) as session:
        session.send([session.request("ping", request_id=n) for n in range(4)])

        answer = session.receive()

    assert sorted(entry.get("error", {}).get("code", 0) for entry in answer) == [-32003, -32003, 0, 0]


def test_a_batch_still_open_when_the_client_leaves_is_answered():
    with serving(VERSION) as session:
        session.send([session.call("slow", request_id=n, seconds=0.3) for n in range(3)])

        assert session.leave() == 0
        assert sorted(ids_of(session.rest()[0])) == [0, 1, 2]
