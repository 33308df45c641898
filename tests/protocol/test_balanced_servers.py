"""Three servers behind a balancer are one to their callers, also when one of them is killed."""

import asyncio
import importlib.util
import os
import tempfile
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent


@pytest.fixture
def balanced():
    place = TESTS.parent / "benchmarks" / "balanced.py"
    spec = importlib.util.spec_from_file_location("balanced", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def redis(monkeypatch):
    monkeypatch.syspath_prepend(str(TESTS / "pipeline"))
    from redis_server import RedisServer  # of the tests of another room

    with tempfile.TemporaryDirectory(prefix="drift-redis-") as folder:
        server = RedisServer(Path(folder))
        yield server
        server.stop()


def test_no_call_fails_but_those_a_killed_server_was_answering_and_limits_hold_for_all(
    balanced, redis, tmp_path
):
    (tmp_path / "cart.py").write_text("def total(items):\n    return sum(items)\n")
    backends = balanced.serve_three(tmp_path, redis.url, os.environ["DRIFT_HOME"], DRIFT_MCP_RATE_LIMIT="40")
    try:
        counts = asyncio.run(balanced.load(backends, 60, kill_after=15))
    finally:
        for each in backends:
            each.kill()

    assert counts["lost_elsewhere"] == 0
    assert counts["lost"] <= counts["in_flight_at_kill"]
    assert 40 - counts["lost"] <= counts["answered"] <= 40
    assert counts["answered"] + counts["limited"] + counts["lost"] == 60
