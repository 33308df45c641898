"""The quality report in a real browser: drawn as meant, and nothing in the names of files runs."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from drift.context.report_page import gather_page
from drift.index import IndexReader
from drift.project import open_project
from drift.quality.page import write_page

pytestmark = pytest.mark.slow

ATTACK = "<img src=x onerror=hacked=1>"


@pytest.fixture
def report(place):
    """The report of a project whose files and comments attack it."""
    body = "".join(f"    if cart > {n}:\n        cart -= 1\n" for n in range(12))
    place.write(f"{ATTACK}/{ATTACK}.py", f"def total(cart):\n    # TODO: {ATTACK}\n{body}    return cart\n")
    place.scan()
    project = open_project(place.root, place.environ)
    with IndexReader(project.state.index_db) as reader:
        page = gather_page(project, reader, datetime.now(UTC), progress=lambda *_: None)
    path = place.root.parent / "report.html"
    path.write_text(write_page(page), "utf-8")
    return path


@pytest.mark.parametrize(("width", "is_dark"), [(1280, False), (390, True)])
def test_the_report_is_drawn_and_no_attack_in_it_runs(report, chromium, width, is_dark):
    with chromium.page(width=width, is_dark=is_dark) as page:
        page.order("Page.navigate", url=report.as_uri())
        page.wait_for("document.readyState === 'complete' && document.querySelector('rect.file')")

        before = page.evaluate(
            "[...document.querySelectorAll('rect.file')].map((each) => each.className.baseVal)"
        )
        page.evaluate("document.querySelector('[data-colour=complexity]').click()")
        after = page.evaluate(
            "[...document.querySelectorAll('rect.file')].map((each) => each.className.baseVal)"
        )
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

        assert page.complaints() == []
        assert page.evaluate("window.hacked === undefined && document.images.length === 0")
        assert before != after
        assert page.addresses() == [report.as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # The style holds: a policy that forbade it would leave the page white.
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert colour == ("rgb(18, 22, 21)" if is_dark else "rgb(247, 246, 243)")
        assert ATTACK in page.text()
        if shots := os.environ.get("DRIFT_SCREENSHOTS"):
            page.shoot(Path(shots) / f"report-{width}.png")
