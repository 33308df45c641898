"""An import of many records in one call over stdio: as long as it takes, heard of meanwhile, ended when cancelled."""

import json

import pytest
from memory_stdio import serving

from drift.memory.transfer.import_writing import PART

LONG = 16 * PART  # longer than a second to write
COUNT = 4 * PART
TEXT = "The worker that resizes images keeps a queue of its own and reports through the ledger. " * 8


@pytest.fixture
def root(tmp_path, request):
    made = tmp_path / "shop"
    made.mkdir()
    with (made / "many.jsonl").open("w") as file:
        for number in range(getattr(request, "param", COUNT)):
            file.write(
                json.dumps({"id": f"r{number}", "type": "tribal", "text": f"Note {number}. {TEXT}"}) + "\n"
            )
    return made


@pytest.fixture
def home(tmp_path):
    made = tmp_path / "home"
    made.mkdir()
    return made


def begin(server, tool, arguments):
    """Send a call that wants progress, without waiting for its answer."""
    params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}}
    server.send({"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": params})


def hear(server):
    return json.loads(server.process.stdout.readline())


@pytest.mark.parametrize("root", [LONG], indirect=True)
def test_an_import_outlasts_the_limit_of_other_calls_and_tells_how_far_it_is(root, home):
    with serving(root, home, DRIFT_MCP_CALL_TIMEOUT_SECONDS="1") as server:
        begin(server, "drift_memory_manage", {"name": "drift_memory_import", "args": {"path": "many.jsonl"}})
        heard = [hear(server)]
        while heard[-1].get("id") != "long":
            heard.append(hear(server))

    answer = heard.pop()["result"]["structuredContent"]
    assert answer["data"]["imported"] == LONG
    assert answer["meta"]["durationMs"] > 1_000, "too quick to show anything: give it more records"
    told = [one["params"] for one in heard if one.get("method") == "notifications/progress"]
    done = [one["progress"] for one in told]
    assert done == sorted(set(done))
    assert {one["total"] for one in told if "written" in one["message"]} == {2 * LONG}


def test_a_cancelled_import_stops_between_two_parts_and_can_be_made_again(root, home):
    with serving(root, home) as server:
        begin(server, "drift_memory_import", {"path": "many.jsonl"})
        while "written" not in hear(server).get("params", {}).get("message", ""):
            pass
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}})
        again = server.call("drift_memory_import", {"path": "many.jsonl"})["data"]
        last = server.call("drift_memory_get", {"id": f"r{COUNT - 1}"})

    assert 0 < again["skipped"] < COUNT
    assert again["skipped"] % PART == 0
    assert again["imported"] + again["skipped"] == COUNT
    assert not last["isError"]
