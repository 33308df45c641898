"""drift-memory as a client meets it: its surfaces, and many saves at once over a real connection."""

import json
import os
import subprocess
from contextlib import closing, contextmanager

import pytest

from drift.kernel.tokens import count_tokens
from drift.memory import MemoryStore
from forked import start_drift
from store_places import memory_db

PATIENCE_SECONDS = 300
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "tests", "version": "1"},
}


@contextmanager
def serving(root, home, surface="simple", **environ):
    """A `drift mcp memory` of its own process; ends when the block does."""
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "DRIFT_HOME": str(home / "drift"),
        **environ,
    }
    with start_drift(
        "mcp", "memory", "--surface", surface,
        cwd=root, environ=surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            exchange(process, [("initialize", HELLO)])
            send(process, [{"jsonrpc": "2.0", "method": "notifications/initialized"}])
            yield process
        finally:
            process.stdin.close()
            process.wait(PATIENCE_SECONDS)


def send(process, messages):
    process.stdin.write(b"".join(json.dumps(one).encode() + b"\n" for one in messages))
    process.stdin.flush()


def exchange(process, requests):
    """The results of requests that are all sent before the first answer is read, by their place."""
    send(process, [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(requests)
    ])  # fmt: skip
    answers = {}
    while len(answers) < len(requests):
        line = process.stdout.readline()
        assert line, "the server ended"
        message = json.loads(line)
        if "id" in message and "method" not in message:
            answers[message["id"]] = message["result"]
    return [answers[number] for number in range(len(requests))]


def calls(name, arguments):
    return [("tools/call", {"name": name, "arguments": one}) for one in arguments]


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "a.py").write_text("x = 1\n")
    return folder


def test_fifty_saves_sent_at_once_are_all_kept(root, tmp_path):
    texts = [
        f"Fact number {number}: shelf {number * 7} holds the parts of model {number}." for number in range(50)
    ]

    with serving(root, tmp_path / "home") as process:
        answers = exchange(process, calls("save_memory", [{"text": text} for text in texts]))

    ids = [answer["structuredContent"]["data"]["id"] for answer in answers if not answer.get("isError")]
    assert len(set(ids)) == 50
    with closing(MemoryStore(memory_db(root, {"DRIFT_HOME": str(tmp_path / "home/drift")}))) as store:
        assert {memory.text for memory in store.get_many(ids).values()} == set(texts)


def test_the_simple_surface_lists_two_tools_and_the_others_answer_by_name(root, tmp_path):
    with serving(root, tmp_path / "home") as process:
        (listed,) = exchange(process, [("tools/list", {})])
        saved, found, status = exchange(
            process,
            [
                *calls("save_memory", [{"text": "The bank refuses cents."}]),
                *calls("recall", [{"query": "zebra"}]),
                *calls("drift_memory_status", [{}]),
            ],
        )

    assert [tool["name"] for tool in listed["tools"]] == ["save_memory", "recall"]
    assert not saved.get("isError"), saved
    assert saved["structuredContent"]["data"]["created"] is True
    assert found["structuredContent"]["data"]["results"] == []
    assert status["structuredContent"]["data"]["embeddings"] == "none"


def test_the_server_lives_on_when_the_store_is_broken(root, tmp_path):
    store = memory_db(root, {"DRIFT_HOME": str(tmp_path / "home/drift")})
    store.parent.mkdir(parents=True)
    store.write_bytes(b"no database" * 500)

    with serving(root, tmp_path / "home") as process:
        saved, recalled = exchange(
            process, [*calls("save_memory", [{"text": "a"}]), *calls("recall", [{"query": "a"}])]
        )
        (listed,) = exchange(process, [("tools/list", {})])

    for answer in (saved, recalled):
        assert answer["isError"]
        assert answer["structuredContent"]["code"] == "CORTEX_UNAVAILABLE"
        assert answer["structuredContent"]["command"] == "drift memory salvage"
    assert len(listed["tools"]) == 2
    assert store.read_bytes() == b"no database" * 500


@pytest.mark.parametrize("surface", ["entry", "simple"])
def test_what_a_client_pays_at_start_is_at_most_500_tokens(root, tmp_path, surface):
    with serving(root, tmp_path / "home", surface) as process:
        (listed,) = exchange(process, [("tools/list", {})])

    assert listed["tools"]
    assert count_tokens(json.dumps(listed, separators=(",", ":"))) <= 500


def test_first_calls_of_many_kinds_at_once_all_answer(root, tmp_path):
    with serving(root, tmp_path / "home") as process:
        answers = exchange(
            process,
            [
                *calls("save_memory", [{"text": "The bank refuses cents."}]),
                *calls("recall", [{"query": "zebra"}]),
                *calls("drift_memory_status", [{}]),
                *calls("drift_memory_context", [{"focus": "bank"}]),
                *calls("drift_memory_add", [{"type": "insight", "text": "Deploys are on Tuesdays."}]),
                *calls("drift_memory_search", [{"query": "deploys"}]),
            ],
        )

    assert [answer["structuredContent"].get("code") for answer in answers] == [None] * 6
