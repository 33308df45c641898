"""Files changed by hand while the catalog is open: the next call is right, and a broken one hides no other."""

import json
import os

import pytest

from drift.catalog import FileProblem
from drift.kernel.errors import DriftError, ErrorCode


def test_without_a_directory_the_catalog_is_empty(catalog):
    assert catalog.list_entries().items == ()
    assert not catalog.directory.exists()


def test_a_file_needs_an_id_and_a_body_alone(catalog, write):
    write("alpha.json", {"id": "alpha", "body": "# Do this\nand that"})

    found = catalog.get("alpha")

    assert (found.title, found.priority, found.status, found.owner) == ("Do this", 50, "draft", "unowned")
    assert found.created_at is None


def test_files_that_come_change_and_go_are_noticed_by_the_next_call(catalog, write):
    path = write("alpha.json", {"id": "alpha", "body": "one"})
    assert catalog.get("alpha").body == "one"

    write("alpha.json", {"id": "alpha", "body": "two"})  # of the same size, perhaps in the same tick
    assert [each.body for each in catalog.list_entries().items] == ["two"]

    write("beta.json", {"id": "beta", "body": "new"})
    assert [each.id for each in catalog.list_entries().items] == ["alpha", "beta"]

    path.unlink()
    assert [each.id for each in catalog.list_entries().items] == ["beta"]


def test_a_change_with_the_old_time_put_back_is_noticed(catalog, write):
    path = write("alpha.json", {"id": "alpha", "body": "one"})
    os.utime(path, ns=(10**18 + 1, 10**18 + 1))
    assert catalog.get("alpha").body == "one"

    write("alpha.json", {"id": "alpha", "body": "two"})
    os.utime(path, ns=(10**18 + 1, 10**18 + 1))

    assert catalog.get("alpha").body == "two"


def test_a_file_that_breaks_and_is_mended_goes_and_comes_back(catalog, write):
    write("alpha.json", {"id": "alpha", "body": "one"})
    assert catalog.get("alpha") is not None

    write("alpha.json", '{\n  "id": "alpha",\n  "body": \n}')
    assert catalog.get("alpha") is None
    (problem,) = catalog.problems()
    assert (problem.name, problem.line) == ("alpha.json", 4)
    assert "not JSON" in problem.reason

    write("alpha.json", {"id": "alpha", "body": "mended"})
    assert catalog.get("alpha").body == "mended"
    assert catalog.problems() == ()


BROKEN = {
    "not JSON": b"{",
    "not JSON in UTF-8": b'{"id": "bad", "body": "\xff"}',
    "not JSON in UTF-8 ": b'{"id": "bad", "body": "\\ud800"}',
    "depth": b"[" * 5000,
    "no JSON object": b"[]",
    "id is 'other'": b'{"id": "other", "body": "x"}',
    "id: is missing": b'{"body": "x"}',
    '"body" is a required': b'{"id": "bad"}',
    "body: 3 is not": b'{"id": "bad", "body": 3}',
    "priority": b'{"id": "bad", "body": "x", "priority": 0}',
    "createdAt: is not a time": b'{"id": "bad", "body": "x", "createdAt": "soon"}',
    "NUL": b'{"id": "bad", "body": "a\\u0000b"}',
    "newer Drift": b'{"id": "bad", "body": "x", "schemaVersion": "9"}',
    "schemaVersion": b'{"id": "bad", "body": "x", "schemaVersion": "new"}',
    "larger than": b" " * 1_000_001,
    "not JSON in UTF-8: input": b"",
}


@pytest.mark.parametrize("reason", BROKEN)
def test_a_broken_file_is_reported_with_the_reason_and_hides_no_other(catalog, write, reason):
    write("bad.json", BROKEN[reason])
    write("good.json", {"id": "good", "body": "fine"})

    assert [each.id for each in catalog.list_entries().items] == ["good"]
    (problem,) = catalog.problems()
    assert problem.name == "bad.json"
    assert reason.strip() in problem.reason or "JSON" in problem.reason
    assert catalog.inspect("bad").problem == problem.reason


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_is_neither_read_nor_written_through(catalog, write, tmp_path, entry):
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps({"id": "alpha", "body": "secret"}))
    write("good.json", {"id": "good", "body": "fine"})
    (catalog.directory / "alpha.json").symlink_to(outside)

    assert [each.id for each in catalog.list_entries().items] == ["good"]
    assert catalog.problems() == (FileProblem("alpha.json", None, "is a symbolic link"),)
    with pytest.raises(DriftError, match="symbolic link"):
        catalog.add(entry("alpha"), overwrite=True)
    assert "secret" in outside.read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_folders_and_pipes_are_reported_without_waiting(catalog, write):
    write("good.json", {"id": "good", "body": "fine"})
    (catalog.directory / "folder.json").mkdir()
    os.mkfifo(catalog.directory / "pipe.json")

    assert [each.id for each in catalog.list_entries().items] == ["good"]
    assert [problem.name for problem in catalog.problems()] == ["folder.json", "pipe.json"]


def test_gates_dot_files_and_other_endings_are_no_instructions(catalog, write):
    for name in ("gates.json", ".hidden.json", "notes.md", ".drift-12.tmp"):
        write(name, "whatever")

    assert catalog.list_entries().count == 0
    assert catalog.problems() == ()


@pytest.mark.parametrize(
    "name", ["a b.json", "ü.json", "nul.json", "-x.json", "a..json", f"{'x' * 130}.json"]
)
def test_a_file_whose_name_is_no_id_is_reported(catalog, write, name):
    write(name, {"id": name.removesuffix(".json"), "body": "x"})

    (problem,) = catalog.problems()
    assert "cannot be an id" in problem.reason


def test_ids_that_differ_in_case_only_are_told_of(catalog, write, entry):
    write("Alpha.json", {"id": "Alpha", "body": "x"})
    write("alpha.json", {"id": "alpha", "body": "y"})

    if catalog.list_entries().count == 2:  # on a file system that tells them apart
        assert [problem.name for problem in catalog.warnings()] == ["alpha.json"]
    with pytest.raises(DriftError, match="in case only"):
        catalog.add(entry("ALPHA"))


def test_an_older_file_with_a_byte_order_mark_nulls_and_scope_words_is_understood(catalog, write):
    old = {
        "id": "old",
        "body": "x",
        "owner": None,
        "categories": [
            "Scope:Workspace:Shop",
            "scope:user:Ann",
            "scope:team:b",
            "scope:team:a",
            "B",
            "b ",
            "a",
        ],
    }
    write("old.json", b"\xef\xbb\xbf" + json.dumps(old).encode())

    found = catalog.get("old")

    assert found.categories == ("a", "b")
    assert (found.workspace_id, found.user_id, found.team_ids) == ("Shop", "Ann", ("a", "b"))


def test_fields_nobody_knows_are_told_of_and_kept(catalog, write):
    write("alpha.json", {"id": "alpha", "body": "x", "requirment": "mandatory", "sourceHash": "0" * 64})

    assert [problem.reason for problem in catalog.warnings()] == [
        "sourceHash does not fit the body",
        "unknown fields: 'requirment'",
    ]
    assert catalog.repair() == ("alpha",)
    kept = json.loads((catalog.directory / "alpha.json").read_text())
    assert kept["requirment"] == "mandatory"


def test_an_index_that_is_garbage_is_made_anew(open_catalog, write, tmp_path):
    write("alpha.json", {"id": "alpha", "body": "x"})
    (tmp_path / "catalog-index.db").write_bytes(b"garbage" * 1000)

    assert open_catalog().get("alpha").body == "x"


def test_an_index_that_breaks_while_it_is_used_is_made_anew(catalog, write):
    write("alpha.json", {"id": "alpha", "body": "x"})
    assert catalog.count() == 1

    catalog._store._index.connection.execute("DROP TABLE instruction")

    assert catalog.get("alpha").body == "x"
    assert catalog.count() == 1


def test_rows_that_somebody_removed_from_the_index_are_back_after_a_reload(catalog, write):
    write("alpha.json", {"id": "alpha", "body": "x"})
    before = catalog.hash()
    catalog._store._index.connection.execute("DELETE FROM instruction")

    assert catalog.reload().hash == before
    assert catalog.get("alpha") is not None


def test_where_no_index_can_be_written_it_is_kept_in_memory(open_catalog, write, tmp_path):
    write("alpha.json", {"id": "alpha", "body": "x"})
    (tmp_path / "catalog-index.db").mkdir()

    catalog = open_catalog()

    assert catalog.get("alpha").body == "x"
    assert catalog.search("alpha x").count == 1


def test_what_one_catalog_writes_another_one_reads(open_catalog, entry):
    first, second = open_catalog(), open_catalog()
    assert second.count() == 0

    first.add(entry("alpha"))
    assert second.get("alpha") is not None
    second.add(entry("alpha", body="Changed."), overwrite=True)

    assert first.get("alpha").body == "Changed."
    assert first.hash() == second.hash()


def test_an_expected_id_tells_what_hides_it(catalog, write):
    write("bad.json", "{")
    write("good.json", {"id": "good", "body": "x"})

    seen = catalog.expect("good")
    assert (seen.is_on_disk, seen.is_in_catalog) == (True, True)
    hidden = catalog.expect("bad")
    assert (hidden.is_on_disk, hidden.is_in_catalog, hidden.attempted_late) == (True, False, True)
    assert hidden.problem.name == "bad.json"
    assert catalog.counters.late_materialize_rejected == 1
    absent = catalog.expect("none")
    assert (absent.is_on_disk, absent.attempted_reload) == (False, False)


def test_an_id_that_came_since_the_last_look_is_brought_to_light(catalog, write):
    assert catalog.count() == 0
    write("late.json", {"id": "late", "body": "x"})

    seen = catalog.expect("late")

    assert seen.repaired_visibility
    assert catalog.counters.repaired_visibility == 1


def test_a_directory_that_is_a_file_is_an_error_with_a_way_out(catalog):
    catalog.directory.write_text("not a folder")

    with pytest.raises(DriftError) as caught:
        catalog.count()
    assert caught.value.code is ErrorCode.STORE_UNAVAILABLE
    assert caught.value.recovery.hint
