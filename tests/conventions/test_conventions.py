import os
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from drift.conventions.finders import FINDERS
from drift.conventions.gathering import gather
from drift.conventions.guidance import guide
from drift.conventions.mining import mine
from drift.conventions.rows import (
    Wish,
    count_undecided,
    describe_pattern,
    list_patterns,
    nearest_example,
    require_convention,
)
from drift.conventions.rulebook import Decision, write_decisions
from drift.conventions.trends import keep_day
from drift.dimensions import finders, shipped_dimensions
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import open_project
from drift.scan import scan


def errors(*names):
    return "".join(f"class {name}(Exception): ...\n\n" for name in names)


def test_what_most_sites_chose_is_a_convention_and_the_rest_are_outliers(shop, seen):
    picture = seen(shop)
    detail = describe_pattern(picture, require_convention(picture, "errors/exception-suffix"), most=20)

    assert detail.id == "errors/exception-suffix:python"
    assert (detail.followed, detail.sites, detail.files) == (6, 8, 3)
    assert [(row.file, row.line, row.example) for row in detail.outliers] == [
        ("shop/orders.py", 5, "shop/orders.py:3")
    ]
    assert "6 of 8 places in the project use the suffix `Error`" in detail.outliers[0].reason


def test_a_variant_that_is_no_rule_to_anybody_is_never_a_convention(shop):
    dimension = replace(shipped_dimensions()["errors/exception-suffix"], unclaimed=("Error",))
    with IndexReader(shop.state.index_db) as reader, reader.snapshot():
        mined = mine(gather(reader, [dimension]), {dimension.id: dimension})

    assert mined.conventions + mined.undecided == ()


def test_undecided_ones_are_counted_in_the_wanted_categories_alone(shop, seen):
    picture = seen(shop)
    undecided = picture.mined.conventions[0]._replace(dimension=shipped_dimensions()["api/url-casing"])
    divided = picture._replace(mined=picture.mined._replace(undecided=(undecided,)))

    assert [count_undecided(divided, Wish(of)) for of in ((), ("api",), ("errors",))] == [1, 1, 0]


def test_a_comment_excuses_a_site(shop, seen):
    picture = seen(shop)

    assert (
        describe_pattern(picture, require_convention(picture, "errors/exception-suffix"), most=1).excused == 1
    )


def test_tests_have_conventions_of_their_own(shop, seen):
    rows = {row.id: row for row in list_patterns(seen(shop), Wish()).rows}

    assert rows["testing/file-naming:python"].rule == "Test files are named `test_*`"


def test_what_is_not_there_is_said_with_a_reason(shop, seen):
    with pytest.raises(DriftError, match="too few places"):
        require_convention(seen(shop), "api/url-casing")
    with pytest.raises(DriftError, match="No convention is called"):
        require_convention(seen(shop), "api/no-such")


def test_an_edit_is_seen_without_looking_at_other_files(shop, seen, monkeypatch):
    seen(shop)
    path = shop.root / "shop/legacy.py"
    before = path.read_text()
    path.write_text(before + errors("Lost", "Found"))
    try:
        scan(shop.root)
        asked = []
        monkeypatch.setattr(
            "drift.index.site_queries.SiteQueries.noted", lambda self, run: asked.append(run) or []
        )

        assert require_convention(seen(shop), "errors/exception-suffix").followed == 6
        assert len(require_convention(seen(shop), "errors/exception-suffix").sites) == 10
        assert [first == last for first, last in asked] == [True]
    finally:
        path.write_text(before)
        scan(shop.root)


def test_decisions_are_files_and_what_is_gone_is_stale(shop, seen):
    ignored = Decision("testing/file-naming", "ignored")
    approved = Decision("errors/exception-suffix:python", "approved", "Error", excepted=("shop/orders.py",))
    gone = Decision("api/url-casing", "approved", "kebab-case", rule='Addresses are in "kebab-case"')
    write_decisions(shop.state, [ignored, approved, gone])
    try:
        rows = {row.id: row for row in list_patterns(seen(shop), Wish()).rows}

        assert rows["testing/file-naming:python"].status == "ignored"
        assert (
            rows["errors/exception-suffix:python"].status,
            rows["errors/exception-suffix:python"].outliers,
        ) == (
            "approved",
            0,
        )
        assert (rows["api/url-casing"].status, rows["api/url-casing"].rule) == ("stale", gone.rule)
    finally:
        write_decisions(shop.state, [], [ignored.id, approved.id, gone.id])


def test_when_a_convention_was_seen_first_outlives_the_index(shop, seen):
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    picture = seen(shop)
    keep_day(shop, picture, long_ago)
    (shop.root / "shop/new.py").write_text("x = 1\n")
    scan(shop.root)

    found = require_convention(seen(shop), "errors/exception-suffix")

    assert found.measures.age == 1.0


def test_finders_are_what_is_told_of_them():
    told = finders()

    assert set(told) == set(FINDERS)
    for name, finder in FINDERS.items():
        kinds = {"kinds"} if finder.kind_of else set()
        assert set(told[name].text) == set(finder.texts), name
        assert set(told[name].where) == {*finder.tests, *kinds}, name


def test_few_places_tell_nobody_what_to_do(shop, seen):
    picture = seen(shop)
    suffix = require_convention(picture, "errors/exception-suffix")
    doubled = suffix._replace(sites=suffix.sites * 2, measures=suffix.measures._replace(score=0.9))
    many = picture._replace(mined=picture.mined._replace(conventions=(doubled,)))
    few = picture._replace(
        mined=picture.mined._replace(conventions=(suffix._replace(sites=suffix.sites[:7]),))
    )

    assert [each.id for each in guide(many, "shop/cart.py")] == [suffix.id]
    assert guide(few, "shop/cart.py") == []


def test_the_nearest_example_of_a_file_at_the_root_is_found(tmp_path, seen):
    for path, names in {
        "one.py": ("AError", "BError", "CError", "DError", "EError"),
        "shop/two.py": ("FError",),
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(errors(*names))
    (tmp_path / "setup.py").write_text("VERSION = 1\n")
    scan(tmp_path)
    picture = seen(open_project(tmp_path, os.environ))
    suffix = require_convention(picture, "errors/exception-suffix")
    below = next(each for each in suffix.sites if picture.path_of(each) == "shop/two.py")
    others = suffix._replace(sites=tuple(each for each in suffix.sites if each is not below))

    found = nearest_example(picture, others, below)

    assert found is not None
    assert picture.path_of(found) == "one.py"
