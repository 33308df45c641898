"""Files that a repository may bring along to do harm: each is told of, and none hides the others."""

import os
import sys

import pytest

from drift.catalog import evaluate_gates
from drift.kernel.errors import DriftError, ErrorCode

NOW = "2026-06-01T00:00:00.000Z"

needs_any_bytes = pytest.mark.skipif(
    sys.platform in {"win32", "darwin"}, reason="the system takes no name that is not text"
)
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")


@needs_any_bytes
def test_a_name_that_is_no_text_is_told_of_and_hides_no_other(catalog, write):
    write("good.json", {"id": "good", "body": "fine"})
    path = write(os.fsdecode(b"bad\xff.json"), b'{"id": "bad", "body": "x"}')

    assert [each.id for each in catalog.list_entries().items] == ["good"]
    (problem,) = catalog.problems()
    assert problem.name == r"bad\udcff.json"
    assert "not text" in problem.reason
    assert catalog.stats().problems == 1

    path.unlink()
    catalog.reload()
    assert catalog.problems() == ()


@needs_any_bytes
def test_such_a_name_that_comes_later_does_no_harm_either(catalog, write):
    write("good.json", {"id": "good", "body": "fine"})
    # From the third look on changes are heard of rather than looked for.
    assert [catalog.count() for _ in range(3)] == [1, 1, 1]

    write(os.fsdecode(b"\xc3(.json"), b"{}")

    assert catalog.count() == 1


@pytest.mark.parametrize("depth", [65, 254, 900, 100_000])
def test_a_file_that_nests_too_deep_is_told_of_and_hides_no_other(catalog, write, depth):
    write("good.json", {"id": "good", "body": "fine"})
    write("deep.json", b'{"id": "deep", "body": "x", "more": ' + b"[" * depth + b"]" * depth + b"}")

    assert [each.id for each in catalog.list_entries().items] == ["good"]
    (problem,) = catalog.problems()
    assert (problem.name, "depth" in problem.reason) == ("deep.json", True)


def test_what_is_not_too_deep_is_taken_and_can_be_written_again(catalog, write):
    write("deep.json", b'{"id": "deep", "body": "x", "more": ' + b"[" * 63 + b"]" * 63 + b"}")

    assert catalog.enrich() == ("deep",)
    assert catalog.get("deep").body == "x"


def test_a_number_is_no_id_even_if_the_file_is_called_so(catalog, write):
    write("5.json", b'{"id": 5, "body": "x"}')

    (problem,) = catalog.problems()

    assert (problem.reason, problem.line) == ("id: must be a string", 1)


@needs_pipes
def test_gates_in_a_pipe_are_refused_without_waiting(catalog, entry):
    catalog.add(entry())
    os.mkfifo(catalog.directory / "gates.json")

    assert "not a regular file" in refusal_of_gates(catalog).message


def test_gates_behind_a_link_are_not_read(catalog, entry, tmp_path):
    catalog.add(entry())
    secret = tmp_path / "elsewhere.json"
    secret.write_text('[{"id": "g", "op": "==", "value": 1, "description": "secret"}]')
    (catalog.directory / "gates.json").symlink_to(secret)

    assert "symbolic link" in refusal_of_gates(catalog).message


@pytest.mark.parametrize(
    "content",
    [
        b'[{"id": "g", "op": "<", "value": ' + b"9" * 5000 + b"}]",
        b'[{"id": "g", "op": "<", "value": 1e300}]',
        b'[{"id": "g", "op": "<", "value": NaN}]',
        b'[{"id": "\\ud800", "op": "<", "value": 1}]',
        b"\xff\xfe[\x00]\x00",
        b"[" * 100_000,
        b'[{"id": "g", "op": "<", "value": 1, "where": {"or": [' + b'{"id": 1},' * 2_000 + b'{"id": 1}]}}]',
    ],
)
def test_gates_no_client_could_be_told_of_are_refused(catalog, write, content):
    write("gates.json", content)

    assert refusal_of_gates(catalog).code is ErrorCode.CONFIG_INVALID


def test_gates_may_begin_with_a_byte_order_mark(catalog, write):
    write("gates.json", b'\xef\xbb\xbf[{"id": "g", "op": "==", "value": 0}]')

    assert evaluate_gates(catalog.directory, catalog.export(), now=NOW).results[0].passed


def refusal_of_gates(catalog):
    with pytest.raises(DriftError) as caught:
        evaluate_gates(catalog.directory, catalog.export(), now=NOW)
    return caught.value
