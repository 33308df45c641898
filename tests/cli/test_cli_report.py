"""`drift report`: one file, written where it was asked for and nowhere else."""

import pytest

from drift.cli.exits import Exit


@pytest.fixture
def shop(place):
    (place.project / "cart.py").write_text("def total(cart):\n    return sum(cart)\n")
    return place


def test_a_report_is_written_into_the_project_or_where_it_was_asked_for(shop, tmp_path):
    done = shop.run("report")

    assert done.code == Exit.OK
    kept = shop.project / ".drift" / "exports" / "report.html"
    assert f"Written to {kept}" in done.out
    assert "cart.py: 2 lines of code" in kept.read_text()
    assert shop.run("report", "--output", str(tmp_path / "own.html")).code == Exit.OK
    assert (tmp_path / "own.html").read_text().startswith("<!DOCTYPE html>")
    assert shop.run("report", "--output", "-").out.startswith("<!DOCTYPE html>")


def test_no_link_leads_a_report_out_of_the_project(shop, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (shop.project / "docs").symlink_to(outside)
    (shop.project / "report.html").symlink_to(outside / "planted.html")

    refused = [
        shop.run("report", "--output", name) for name in ("docs/report.html", "report.html", ".", "no/r.html")
    ]

    assert [done.code for done in refused] == [Exit.FAILED] * 4
    assert list(outside.iterdir()) == []
