"""Errors followed, solved, and known again."""

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import Draft, MemoryStore
from drift.memory.search import WordCounts
from drift.memory.work.debug_paths import (
    MOST_WAYPOINTS,
    Waypoint,
    add_waypoint,
    list_paths,
    normalise_error,
    resolve_path,
    similar_paths,
    start_path,
)

NOW = 1_750_000_000_000
FIRST = """Traceback (most recent call last):
  File "/home/ann/shop/cart.py", line 41, in total
    return self.prices[name]
KeyError: 'discount' is missing in cart 8812 at 0x7f3a9c
"""
AGAIN = """  File "C:\\work\\shop\\cart.py", line 7, in total
KeyError: 'discount' is missing in cart 17 at 0x11aa22
"""
OTHERS = [
    "ModuleNotFoundError: No module named 'requests'",
    "psycopg.OperationalError: connection to server at 10.0.0.1, port 5432 refused",
    "TypeError: Cannot read properties of undefined (reading 'map')",
    "AssertionError: expected 3 rows, got 4",
    "error[E0382]: borrow of moved value: `config`",
]


def start(store, error, **options):
    return start_path(store, error, actor="test", **options)


def alike(store, error):
    return [one.path.id for one in similar_paths(store, WordCounts(), error, now_ms=NOW)]


def test_places_numbers_and_addresses_do_not_tell_two_errors_apart():
    assert normalise_error(FIRST).splitlines()[-1] == normalise_error(AGAIN).splitlines()[-1]
    assert "8812" not in normalise_error(FIRST)
    assert "/home/ann" not in normalise_error(FIRST)


def test_a_similar_error_brings_back_what_solved_it(store):
    path = start(store, FIRST)
    resolve_path(store, path.id, resolution="give discount a default", actor="test")

    (found,) = similar_paths(store, WordCounts(), AGAIN, now_ms=NOW)

    assert found.path.id == path.id
    assert found.path.resolution == "give discount a default"


def test_other_errors_do_not_bring_it_back(store):
    start(store, FIRST)
    for error in OTHERS:
        start(store, error)

    assert all(len(alike(store, error)) == 1 for error in (AGAIN, *OTHERS))
    assert alike(store, "ConnectionResetError: peer closed the socket") == []


def test_steps_are_kept_in_order_and_failures_are_told(store):
    path = start(store, FIRST)
    add_waypoint(store, path.id, waypoint=Waypoint.ATTEMPT, text="raise the timeout", actor="t")
    seen = add_waypoint(
        store, path.id, waypoint=Waypoint.FAILURE, text="raise the timeout", actor="t", files=("cart.py",)
    )

    assert [kind for kind, _text in seen.steps] == ["attempt", "failure"]
    assert seen.failed == ("raise the timeout",)
    assert seen.files == ("cart.py",)


def test_the_same_error_continues_the_path_that_is_open(store):
    path = start(store, FIRST)

    assert start(store, FIRST).id == path.id
    resolve_path(store, path.id, resolution="fixed", actor="t")
    assert start(store, FIRST).id != path.id


def test_a_resolved_path_takes_no_more_steps(store):
    path = start(store, FIRST)
    resolve_path(store, path.id, resolution="fixed", actor="t")

    with pytest.raises(DriftError, match="resolved"):
        add_waypoint(store, path.id, waypoint=Waypoint.ATTEMPT, text="more", actor="t")
    assert [one.is_open for one in list_paths(store)] == [False]


def test_a_path_does_not_grow_without_end(store):
    path = start(store, FIRST)
    for number in range(MOST_WAYPOINTS):
        add_waypoint(store, path.id, waypoint=Waypoint.ATTEMPT, text=f"try {number}", actor="t")

    with pytest.raises(DriftError, match="steps"):
        add_waypoint(store, path.id, waypoint=Waypoint.ATTEMPT, text="one more", actor="t")


def test_secrets_in_an_error_are_not_kept(store):
    token = "ghp_" + "a1B2" * 9
    path = start(store, f"RequestError: bad credentials for {token}")
    seen = add_waypoint(store, path.id, waypoint=Waypoint.ATTEMPT, text=f"used {token}", actor="t")
    resolve_path(store, path.id, resolution=f"not {token}", actor="t")

    memory = store.get(path.id)
    assert token not in memory.text + memory.title + str(memory.content)
    assert token not in str(seen)


@pytest.mark.parametrize("error", ["", "  \n ", "42 0x11 /a/b/c", "\0"])
def test_an_error_that_says_nothing_is_refused(store, error):
    with pytest.raises(DriftError) as raised:
        start(store, error)

    assert raised.value.code is ErrorCode.INVALID_ARGUMENT


def test_another_memory_is_no_path(store):
    note = store.add(Draft(type="procedural", text="How to release"), actor="t")

    with pytest.raises(DriftError) as raised:
        resolve_path(store, note.id, resolution="x", actor="t")

    assert raised.value.code is ErrorCode.RESOURCE_NOT_FOUND


def test_without_a_store_nothing_is_alike(tmp_path):
    assert similar_paths(MemoryStore(tmp_path / "none.db"), WordCounts(), FIRST, now_ms=NOW) == ()
