"""Adding, importing, removing, grooming: what is taken, what is refused, and that the audit tells."""

import json

import pytest

from drift.catalog import GroomMode
from drift.kernel.errors import DriftError, ErrorCode


def refusal(action):
    with pytest.raises(DriftError) as caught:
        action()
    return caught.value


def test_an_added_instruction_is_on_disk_whole_and_read_back(catalog, entry):
    added = catalog.add(entry("alpha", categories=["B", "a", "b"]), actor="ann")

    assert (added.created, added.verified, added.overwritten, added.skipped) == (True, True, False, False)
    kept = json.loads((catalog.directory / "alpha.json").read_text())
    assert kept["categories"] == ["a", "b"]
    assert kept["sourceHash"] == added.source_hash
    assert kept["governanceHash"] == added.governance_hash
    assert kept["createdAt"] == kept["updatedAt"] == kept["lastReviewedAt"]
    assert kept["nextReviewDue"] > kept["lastReviewedAt"]
    assert catalog.verify().issues == ()


def test_one_that_is_there_is_skipped_or_replaced_or_in_strict_mode_refused(catalog, open_catalog, entry):
    catalog.add(entry("alpha", owner="ann", version="1.2.3"))
    created_at = catalog.get("alpha").created_at

    skipped = catalog.add(entry("alpha", body="New."))
    assert (skipped.skipped, skipped.created) == (True, False)
    assert catalog.get("alpha").body == "The body of alpha."

    replaced = catalog.add(entry("alpha", body="New."), overwrite=True)
    found = catalog.get("alpha")
    assert replaced.overwritten
    assert (found.body, found.created_at, found.owner, found.version) == ("New.", created_at, "ann", "1.2.3")
    assert found.updated_at > created_at

    error = refusal(lambda: open_catalog(is_create_strict=True).add(entry("alpha")))
    assert error.recovery.details["error"] == "duplicate id"


def test_lax_fills_what_is_missing_and_strict_says_what_it_is(catalog):
    error = refusal(lambda: catalog.add({"id": "alpha", "body": "x"}))

    details = error.recovery.details
    assert details["error"].startswith("missing title")
    assert {fault["keyword"] for fault in details["validation"]} == {"required"}
    assert details["schema"]["properties"]["title"]["maxLength"] == 200
    assert details["reproEntry"] == {"id": "alpha", "bodyPreview": "x"}
    assert details["feedbackHint"]
    assert catalog.add({"id": "alpha", "body": "x"}, lax=True).created


@pytest.mark.parametrize("requirement", ["mandatory", "critical"])
def test_what_must_be_followed_needs_an_owner(catalog, entry, requirement):
    error = refusal(lambda: catalog.add(entry(requirement=requirement), lax=True))

    assert error.recovery.details["error"] == "mandatory/critical require owner"
    assert catalog.add(entry(requirement=requirement, owner="ann")).created
    assert catalog.get("alpha").priority_tier == "P1"


@pytest.mark.parametrize(
    "bad",
    [
        "../up",
        "a/b",
        "a\\b",
        "",
        ".hidden",
        "nul",
        "COM1.x",
        "x" * 121,
        "gates",
        "a\n",
        "ü",
        "a.",
        "a:b",
        None,
        3,
    ],
)
def test_an_id_that_is_no_safe_file_name_is_refused_everywhere(catalog, entry, bad):
    for action in (
        lambda: catalog.add(entry(bad)),
        lambda: catalog.get(bad),
        lambda: catalog.remove([bad]),
        lambda: catalog.inspect(bad),
        lambda: catalog.governance_update(bad, {}),
    ):
        assert refusal(action).code is ErrorCode.INVALID_ARGUMENT
    assert not catalog.directory.exists() or not list(catalog.directory.iterdir())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"body": ""}, "body"),
        ({"body": 3}, "body"),
        ({"body": "a\0b"}, "NUL"),
        ({"body": "\ud800"}, "UTF-8"),
        ({"priority": 101}, "priority"),
        ({"priority": True}, "priority"),
        ({"audience": "everyone"}, "audience"),
        ({"version": "1.0"}, "version"),
        ({"createdAt": "soon"}, "createdAt"),
        ({"createdAt": "0001-01-01T00:00:00+14:00"}, "createdAt"),
        ({"requirment": "optional"}, "requirment"),
        ({"categories": "testing"}, "categories"),
        ({"extra": object()}, "JSON"),
    ],
)
def test_an_entry_of_the_wrong_form_is_refused_with_the_field(catalog, entry, changes, said):
    error = refusal(lambda: catalog.add(entry(**changes)))

    assert error.code is ErrorCode.INVALID_ARGUMENT
    assert said in error.message
    assert error.recovery.details["fault"] == "validation"
    assert catalog.count() == 0


@pytest.mark.parametrize("missing", [None, "text", ["list"]])
def test_no_entry_at_all_is_told_how_to_wrap_it(catalog, missing):
    assert refusal(lambda: catalog.add(missing)).recovery.details["error"] == "missing entry"


def test_a_body_over_the_limit_is_too_large(catalog, entry):
    error = refusal(lambda: catalog.add(entry(body="x" * 1_000_000)))

    assert error.code is ErrorCode.TOO_LARGE
    assert error.recovery.details["fault"] == "limit"


def test_line_ends_are_made_one_kind_unless_that_is_turned_off(catalog, open_catalog, entry):
    catalog.add(entry("one", body="a\r\nb\rc"))
    open_catalog(keeps_line_ends=True).add(entry("two", body="a\r\nb"))

    assert catalog.get("one").body == "a\nb\nc"
    assert catalog.get("two").body == "a\r\nb"


def test_a_broken_file_is_not_replaced_unless_asked_for(catalog, entry, write):
    path = write("alpha.json", "{ half of somebody's work")

    assert "cannot be read" in refusal(lambda: catalog.add(entry("alpha"))).message
    assert path.read_text().startswith("{ half")
    assert catalog.add(entry("alpha"), overwrite=True).created


def test_every_change_leaves_a_line_in_the_audit(catalog, open_catalog, entry):
    catalog.add(entry("alpha"), actor="ann")
    open_catalog(agent_id="agent-7").add(entry("alpha", body="Two."), overwrite=True)
    catalog.remove(["alpha"])

    lines = catalog.audit.lines(instruction="alpha")

    assert [(line.actor, line.action) for line in lines] == [
        ("unknown", "remove"),
        ("agent-7", "overwrite"),
        ("ann", "add"),
    ]
    remove, overwrite, add = lines
    assert add.before_hash is None
    assert add.after_hash == overwrite.before_hash
    assert (overwrite.after_hash, remove.after_hash) == (remove.before_hash, None)


def test_a_write_that_fails_is_in_the_audit_as_failed(catalog, entry, tmp_path):
    catalog.add(entry("alpha"))
    (catalog.directory / "beta.json").mkdir()

    error = refusal(lambda: catalog.add(entry("beta"), overwrite=True))

    assert error.code is ErrorCode.STORE_UNAVAILABLE
    assert [line.action for line in catalog.audit.lines(instruction="beta")] == ["add-failed", "add"]
    assert [each.id for each in catalog.export()] == ["alpha"]


def test_an_import_takes_what_is_good_and_reports_the_rest(catalog, entry):
    catalog.add(entry("there"))

    done = catalog.import_entries(
        [entry("new"), entry("there", body="x"), {"id": "bad"}, "text", entry("../up"), entry("NEW")],
        batch_size=2,
    )

    assert (done.imported, done.skipped, done.overwritten, done.total) == (1, 1, 0, 6)
    assert [(error.index, error.id) for error in done.errors] == [
        (2, "bad"),
        (3, None),
        (4, "../up"),
        (5, "NEW"),
    ]
    assert done.hash == catalog.hash()


def test_an_import_can_replace_or_merge(catalog, entry):
    catalog.add(entry("alpha", categories=["one"], rationale="because", owner="ann"))

    catalog.import_entries([{"id": "alpha", "categories": ["two"]}], mode="merge")
    merged = catalog.get("alpha")
    assert (merged.categories, merged.rationale, merged.body) == (
        ("one", "two"),
        "because",
        "The body of alpha.",
    )

    done = catalog.import_entries([entry("alpha", categories=["three"])], mode="overwrite")
    replaced = catalog.get("alpha")
    assert done.overwritten == 1
    assert (replaced.categories, replaced.rationale, replaced.owner) == (("three",), None, "ann")


def test_the_same_id_twice_in_one_import_counts_once_as_new(catalog, entry):
    done = catalog.import_entries([entry("a", body="1"), entry("a", body="2")], mode="overwrite")

    assert (done.imported, done.overwritten) == (1, 1)
    assert catalog.get("a").body == "2"


def test_removing_reports_what_was_missing(catalog, open_catalog, entry):
    catalog.add(entry("alpha"))

    strict = open_catalog(is_remove_strict=True)
    assert "not found" in refusal(lambda: strict.remove(["alpha", "none"])).message
    assert catalog.get("alpha") is not None
    done = catalog.remove(["alpha", "none", "alpha"])
    assert (done.removed_ids, done.missing) == (("alpha",), ("none",))
    assert not (catalog.directory / "alpha.json").exists()


def test_removing_more_than_ten_needs_a_confirmation(catalog, entry):
    ids = [f"i{number}" for number in range(11)]
    catalog.import_entries([entry(each) for each in ids])

    assert "confirm=true" in refusal(lambda: catalog.remove(ids)).message
    assert catalog.count() == 11
    assert len(catalog.remove(ids, confirm=True).removed_ids) == 11


def test_a_cascade_takes_along_what_depends_on_it_through_others(catalog, entry):
    catalog.import_entries(
        [
            entry("root"),
            entry("child", dependencies=["root"]),
            entry("grandchild", dependencies=["child"]),
            entry("loop", dependencies=["loop"]),
        ]
    )

    done = catalog.remove(["root"], cascade=True)

    assert done.cascade_removals == ("child", "grandchild")
    assert [each.id for each in catalog.export()] == ["loop"]


@pytest.mark.parametrize(
    ("bump", "version"), [("patch", "1.2.4"), ("minor", "1.3.0"), ("major", "2.0.0"), ("none", "1.2.3")]
)
def test_governed_fields_change_with_a_version_and_a_line_of_history(catalog, entry, bump, version):
    catalog.add(entry(version="1.2.3"))

    done = catalog.governance_update("alpha", {"owner": "bob", "changeSummary": "new owner"}, bump=bump)

    found = catalog.get("alpha")
    assert (done.previous_version, done.new_version) == ("1.2.3", version)
    assert (found.owner, found.version) == ("bob", version)
    assert (found.change_log[-1].version, found.change_log[-1].summary) == (version, "new owner")


def test_a_review_moves_the_next_one(catalog, entry):
    catalog.add(entry(priority=5))

    catalog.governance_update("alpha", {"lastReviewedAt": "2030-01-01"})

    assert catalog.get("alpha").next_review_due == "2030-01-31T00:00:00.000Z"


def test_a_patch_of_what_is_not_governed_or_not_there_is_refused(catalog, entry):
    catalog.add(entry())

    assert (
        "not a governed field" in refusal(lambda: catalog.governance_update("alpha", {"body": "x"})).message
    )
    error = refusal(lambda: catalog.governance_update("alphas", {"owner": "x"}))
    assert error.code is ErrorCode.RESOURCE_NOT_FOUND
    assert error.recovery.similar == ("alpha",)
    wrong = refusal(lambda: catalog.governance_update("alpha", {"status": "fine"}))
    assert "status" in wrong.message
    owned = refusal(lambda: catalog.governance_update("alpha", {"requirement": "mandatory"}))
    assert owned.recovery.details["error"] == "mandatory/critical require owner"


def untidy(write):
    write(
        "a.json", {"id": "a", "body": "same", "categories": ["X"], "createdAt": "2026-01-02", "priority": 9}
    )
    write(
        "b.json", {"id": "b", "body": "same", "categories": ["y"], "createdAt": "2026-01-01", "riskScore": 4}
    )
    write("c.json", {"id": "c", "body": "c", "categories": ["z", "scope:user:ann"], "sourceHash": "0" * 64})
    write("d.json", {"id": "d", "body": "d", "requirement": "deprecated", "deprecatedBy": "c"})
    write("e.json", {"id": "e", "body": "e", "requirement": "deprecated", "deprecatedBy": "gone"})


ALL = {"merge_duplicates": True, "remove_deprecated": True, "purge_legacy_scopes": True}


def test_grooming_counts_exactly_what_it_changes(catalog, write):
    untidy(write)
    catalog.usage.track("a")
    catalog.usage.track("ghost")
    before = catalog.hash()

    plan = catalog.groom(GroomMode(dry_run=True, **ALL))
    assert (plan.hash, plan.files_rewritten) == (before, 0)
    assert "would-rewrite:2" in plan.notes
    assert catalog.hash() == before

    done = catalog.groom(GroomMode(**ALL))
    assert (done.scanned, done.repaired_hashes, done.normalized_categories) == (5, 1, 1)
    assert (done.duplicates_merged, done.deprecated_removed, done.purged_scopes) == (1, 2, 1)
    # `a` is the later of the two and goes with its uses; those of `ghost` were nobody's.
    assert (done.usage_pruned, done.files_rewritten) == (2, 2)
    counted = (
        "scanned",
        "repaired_hashes",
        "normalized_categories",
        "duplicates_merged",
        "deprecated_removed",
    )
    assert [getattr(plan, name) for name in counted] == [getattr(done, name) for name in counted]
    assert done.previous_hash == before
    assert [each.id for each in catalog.export()] == ["b", "c", "e"]
    primary = catalog.get("b")
    assert (primary.categories, primary.priority, primary.risk_score) == (("x", "y"), 9, 4)


def test_grooming_twice_changes_nothing_the_second_time(catalog, write):
    untidy(write)
    catalog.groom(GroomMode(**ALL))

    again = catalog.groom(GroomMode(**ALL))

    assert (again.files_rewritten, again.duplicates_merged, again.repaired_hashes, again.purged_scopes) == (
        0,
        0,
        0,
        0,
    )
    assert again.hash == again.previous_hash


def test_instructions_for_different_people_are_no_duplicates(catalog, entry):
    catalog.add(entry("all", body="same"))
    catalog.add(entry("ann", body="same", userId="ann"))

    assert catalog.groom(GroomMode(merge_duplicates=True)).duplicates_merged == 0


def test_deprecated_ones_that_point_at_each_other_stay(catalog, write):
    write("a.json", {"id": "a", "body": "a", "status": "deprecated", "deprecatedBy": "b"})
    write("b.json", {"id": "b", "body": "b", "status": "deprecated", "deprecatedBy": "a"})

    assert catalog.groom(GroomMode(remove_deprecated=True)).deprecated_removed == 0


def test_wrong_hashes_are_found_and_repaired(catalog, write):
    write("a.json", {"id": "a", "body": "x", "sourceHash": "0" * 64})

    (issue,) = catalog.verify().issues
    assert (issue.id, issue.expected) == ("a", "0" * 64)
    assert catalog.repair() == ("a",)
    assert catalog.verify().issues == ()
    assert catalog.counters.repairs == 1
    assert catalog.repair() == ()


def test_enriching_writes_down_what_files_leave_out_once(catalog, write):
    write("a.json", {"id": "a", "body": "x"})

    assert catalog.enrich() == ("a",)
    found = catalog.get("a")
    assert None not in (found.created_at, found.last_reviewed_at, found.next_review_due)
    assert json.loads((catalog.directory / "a.json").read_text())["owner"] == "unowned"
    assert catalog.enrich() == ()


def test_new_instructions_get_the_workspace_they_come_from(open_catalog, entry):
    catalog = open_catalog(workspace_id="shop")
    catalog.add(entry("a"))

    assert catalog.get("a").workspace_id == "shop"
