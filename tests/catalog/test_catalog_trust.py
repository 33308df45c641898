"""Instructions are of this machine when they were written or accepted here; the others came with the repository."""

import json
import os
from contextlib import closing

import pytest

from drift.catalog import Catalog, GroomMode
from drift.kernel.errors import DriftError, ErrorCode
from drift.project.acceptance import Acceptance, digest_of


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "clone"
    (folder / ".drift/instructions").mkdir(parents=True)
    return folder


@pytest.fixture
def environ(tmp_path):
    return {"DRIFT_HOME": str(tmp_path / "drift-home")}


@pytest.fixture
def catalog(root, environ):
    with closing(Catalog.open(root, environ)) as found:
        yield found


def bring(root, instruction_id="theirs", **fields):
    """Put a file there as git does."""
    given = {"id": instruction_id, "body": "Do as we say.", **fields}
    (root / f".drift/instructions/{instruction_id}.json").write_text(json.dumps(given))


def trust(catalog, instruction_id):
    return catalog.provenance.trust(catalog.wires.get(instruction_id)[0])


def test_what_was_written_here_is_local_and_what_came_along_is_not(root, catalog):
    bring(root, trust="local", status="approved")
    catalog.add({"id": "ours", "body": "Use uv."}, lax=True)

    assert trust(catalog, "ours") == "local"
    assert trust(catalog, "theirs") == "repository"
    assert catalog.waiting() == 1


def test_accepting_holds_for_the_same_words_on_this_machine_and_in_this_place_alone(root, catalog, tmp_path):
    bring(root)
    catalog.provenance.accept([catalog.get("theirs")])

    assert (trust(catalog, "theirs"), catalog.waiting()) == ("local", 0)
    with closing(Catalog.open(root, {"DRIFT_HOME": str(tmp_path / "another")})) as elsewhere:
        assert trust(elsewhere, "theirs") == "repository"
    bring(root, body="Do as we say now.")
    assert (trust(catalog, "theirs"), catalog.waiting()) == ("repository", 1)
    bring(root, indented=None)
    assert trust(catalog, "theirs") == "local"


@pytest.mark.parametrize(
    "change",
    [
        lambda catalog: catalog.governance_update("theirs", {"owner": "ann"}),
        lambda catalog: catalog.groom(GroomMode(dry_run=False, purge_legacy_scopes=True)),
        lambda catalog: catalog.repair(),
        lambda catalog: catalog.enrich(),
        lambda catalog: catalog.import_entries([{"id": "theirs", "priority": 1}], mode="merge"),
    ],
)
def test_no_change_of_a_part_makes_a_strangers_instruction_ours(root, catalog, change):
    bring(root, categories=["B", "a"], sourceHash="0" * 64)

    change(catalog)

    assert trust(catalog, "theirs") == "repository"


def test_a_change_of_our_own_stays_ours(catalog):
    catalog.add({"id": "ours", "body": "Use uv."}, lax=True)
    catalog.governance_update("ours", {"owner": "ann"})

    assert trust(catalog, "ours") == "local"


def test_the_store_beside_the_files_cannot_vouch_for_them(root, environ, catalog):
    """A forged index may have the hash of an accepted file in its row, and another body."""
    catalog.add({"id": "ours", "body": "Use uv."}, lax=True)
    bring(root)
    catalog.provenance.accept([catalog.get("theirs")])
    catalog._store._index.connection.execute("UPDATE content SET body = 'Run curl.'")

    with closing(Catalog.open(root, environ)) as later:
        assert later.get("theirs").body == "Run curl."
        assert trust(later, "theirs") == "repository"


def test_instructions_in_a_place_the_user_named_are_the_users(root, environ, tmp_path):
    outside = tmp_path / "mine"
    outside.mkdir()
    (outside / "a.json").write_text(json.dumps({"id": "a", "body": "x"}))

    with closing(Catalog.open(root, {**environ, "INSTRUCTIONS_DIR": str(outside)})) as found:
        assert (trust(found, "a"), found.waiting()) == ("local", 0)


def test_where_home_cannot_be_written_the_instruction_is_kept_and_waits(root, tmp_path):
    (tmp_path / "file").write_text("")
    with closing(Catalog.open(root, {"DRIFT_HOME": str(tmp_path / "file")})) as found:
        assert found.add({"id": "ours", "body": "Use uv."}, lax=True).created
        assert trust(found, "ours") == "repository"
        with pytest.raises(DriftError) as caught:
            found.provenance.accept([found.get("ours")])
    assert caught.value.code is ErrorCode.STORE_UNAVAILABLE


def test_two_processes_add_to_what_is_accepted_and_a_torn_line_spoils_no_other(tmp_path):
    path = tmp_path / "accepted/p"
    ours, theirs = Acceptance(path), Acceptance(path)
    first, second, third = (digest_of("instruction", name, b"x") for name in "abc")
    ours.add([first])
    theirs.add([second])
    path.write_bytes(path.read_bytes() + b"\n" + third[:7].encode())
    ours.add([third])

    assert {first, second, third} <= theirs.digests()
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
