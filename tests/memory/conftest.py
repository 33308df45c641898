import itertools

import pytest

from drift.memory import MemoryStore


@pytest.fixture
def clock():
    """A clock that goes on by a second at each look."""
    return itertools.count(1_700_000_000_000, 1_000).__next__


@pytest.fixture
def store(tmp_path, clock, keep_on):
    path = tmp_path / "memory" / "cortex.db"
    keep_on(memory=path)
    opened = MemoryStore.open(path, now_ms=clock)
    yield opened
    opened.close()
