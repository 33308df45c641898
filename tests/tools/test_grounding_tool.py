"""drift_grounding_check as a client meets it: verdict, history, and what applying it does."""

import jsonschema_rs
import pytest
from memory_world import MemoryWorld

from drift.memory.opened import memory_store
from drift.scan import ScanOptions, scan
from drift.tools import all_tools

TRUE = "Orders go through `shop/orders.py`, and LIMIT stands at shop/orders.py:5."
FALSE = "Orders go through `shop/carts.py` and `fill_cart()`."


@pytest.fixture
def world(tmp_path):
    world = MemoryWorld(tmp_path)
    yield world
    world.close()


def check(world, memory_id, **arguments):
    outcome = world.call("drift_grounding_check", memoryId=memory_id, **arguments)
    if not outcome.is_error:
        schema = all_tools().get("drift_grounding_check").output_schema
        jsonschema_rs.validator_for(schema).validate(outcome.structured())
    return outcome.structured()


def test_a_memory_that_the_code_bears_out_is_validated_and_nothing_is_written(world):
    scan(world.root, ScanOptions(jobs=0))
    memory_id = world.add(TRUE)
    before = memory_store(world.store).get(memory_id)

    found = check(world, memory_id)

    assert found["summary"] == "validated (1.00): 2 claims looked up, 2 found"
    assert found["data"]["claims"][0] == {
        "kind": "path", "text": "shop/orders.py", "verdict": "found", "evidence": "shop/orders.py",
    }  # fmt: skip
    assert found["data"]["adjustment"]["mode"] == "boost"
    assert found["data"]["adjustment"]["isApplied"] is False
    assert found["nextActions"][0]["args"] == {"memoryId": memory_id, "apply": True}
    assert memory_store(world.store).get(memory_id) == before


def test_what_the_code_does_not_have_comes_first_and_applying_it_lowers_the_confidence_once(world):
    scan(world.root, ScanOptions(jobs=0))
    memory_id = world.add(FALSE, type="semantic")

    first = check(world, memory_id, apply=True)["data"]
    second = check(world, memory_id, apply=True)["data"]

    assert first["verdict"] == "invalidated"
    assert first["generatesContradiction"] is True
    assert [row["verdict"] for row in first["claims"]] == ["missing", "missing"]
    assert first["adjustment"] == {
        "mode": "penalize", "delta": -0.3, "reason": "the code does not have what it names",
        "confidence": 0.7, "isApplied": True,
    }  # fmt: skip
    assert first.get("previousScore") is None
    assert (second["previousScore"], second["scoreDelta"], second["adjustment"]["mode"]) == (0.0, 0.0, "none")
    assert len(second["history"]) == 1
    assert memory_store(world.store).get(memory_id).confidence == pytest.approx(0.7, abs=0.01)


def test_a_memory_that_comes_true_again_tells_the_way_up(world):
    memory_id = world.add(FALSE)
    scan(world.root, ScanOptions(jobs=0))
    check(world, memory_id, apply=True)
    (world.root / "shop/carts.py").write_text("def fill_cart():\n    return 1\n")
    scan(world.root, ScanOptions(jobs=0))

    found = check(world, memory_id, apply=True)["data"]

    assert (found["verdict"], found["previousScore"], found["scoreDelta"]) == ("validated", 0.0, 1.0)
    assert check(world, memory_id)["data"]["history"][0]["score"] == 1.0


def test_without_an_index_it_says_so_and_looks_at_files(world):
    memory_id = world.add("See shop/orders.py and shop/carts.py, where fill_cart is.")

    found = check(world, memory_id)

    assert {row["text"]: row["verdict"] for row in found["data"]["claims"]} == {
        "shop/orders.py": "found", "shop/carts.py": "missing", "fill_cart": "unclear",
    }  # fmt: skip
    assert any("no index" in warning for warning in found["warnings"])


def test_a_memory_of_a_moment_is_not_judged(world):
    memory_id = world.add("We looked at shop/carts.py together.", type="episodic")

    found = check(world, memory_id, apply=True)

    assert found["data"]["verdict"] == "not_groundable"
    assert found["data"].get("score") is None
    assert found["data"]["adjustment"]["isApplied"] is False


def test_an_unknown_id_is_answered_with_those_like_it(world):
    memory_id = world.add(TRUE)

    error = check(world, memory_id[:-1])

    assert error["code"] == "RESOURCE_NOT_FOUND"
    assert memory_id in error["similar"]


def test_an_empty_memory_says_what_to_do(world):
    error = check(world, "m_1")

    assert error["code"] == "RESOURCE_NOT_FOUND"
    assert "save_memory" in error["hint"]


def test_a_broken_store_is_told_and_the_server_lives_on(world):
    world.store.parent.mkdir(parents=True)
    world.store.write_bytes(b"no database at all, " * 500)

    error = check(world, "m_1")

    assert error["code"] == "CORTEX_UNAVAILABLE"
    assert not world.call("drift_memory_discover").is_error


@pytest.mark.parametrize("memory_id", ["", "m_1' OR 1=1", "\x00", "é" * 100, "x" * 5_000])
def test_hostile_ids_are_refused_kindly(world, memory_id):
    world.add(TRUE)

    assert check(world, memory_id)["code"] in {"RESOURCE_NOT_FOUND", "INVALID_ARGUMENT"}
