"""The collector while a server is loaded, and after."""

import gc

import pytest

from drift.protocol.heap import loading


@pytest.fixture(autouse=True)
def _as_before():
    thresholds, was_enabled = gc.get_threshold(), gc.isenabled()
    gc.unfreeze()
    yield
    # The tests themselves were set aside when all were collected (tests/conftest.py).
    gc.freeze()
    gc.set_threshold(*thresholds)
    (gc.enable if was_enabled else gc.disable)()


def test_nothing_is_collected_while_loading_and_what_was_loaded_is_set_aside():
    with loading():
        was_collecting = gc.isenabled()
        loaded = [[] for _ in range(100)]

    assert not was_collecting
    assert gc.isenabled()
    assert gc.get_freeze_count() > len(loaded)


def test_garbage_made_after_loading_is_still_collected():
    class Knot:
        freed = 0

        def __init__(self):
            self.itself = self

        def __del__(self):
            Knot.freed += 1

    with loading():
        pass
    for _ in range(gc.get_threshold()[0] * 2):
        Knot()

    assert Knot.freed > 0


def test_a_failure_while_loading_leaves_the_collector_on():
    with pytest.raises(RuntimeError), loading():
        raise RuntimeError

    assert gc.isenabled()
