"""The factory's servers over stdio: what memory streams cannot show."""

import sys
from pathlib import Path

import pytest
import stdio_client

PROGRAM = Path(__file__).with_name("server_stdio_program.py")


@pytest.mark.parametrize(("version", "probe"), [("2025-11-25", "ping"), ("2026-07-28", "tools/list")])
def test_more_blocked_tools_than_the_sdk_has_threads_do_not_stall_it(version, probe, tmp_path):
    command = [sys.executable, str(PROGRAM), str(tmp_path)]
    with stdio_client.serving(version, command) as session:
        blocked = [session.call("block") for _ in range(60)]
        session.send(*blocked)
        session.send(session.request(probe, "probe"))

        first = session.receive()
        (tmp_path / "shop" / "go").touch()
        others = [session.receive() for _ in blocked]

    assert first["id"] == "probe"
    assert "result" in first
    assert {answer["id"] for answer in others} == {request["id"] for request in blocked}
    assert all(answer["result"]["structuredContent"]["data"] is True for answer in others)
