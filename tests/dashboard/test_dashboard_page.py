"""The page in a real browser: what it shows, what it asks for, and what it never does."""

import os
from pathlib import Path
from urllib.parse import quote

import pytest
from page_checks import CONTRAST, barriers
from watched_project import ATTACK, LONG_AGO, served_at

from drift.registry import ServerName

pytestmark = pytest.mark.slow

LISTED = (
    "overview",
    "map",
    "graph",
    "conventions",
    "quality",
    "memory",
    "catalog",
    "activity",
    "tools",
    "packs",
)
VIEWS = (
    *LISTED,
    "map/<b>odd?colour=coverage",
    "file/<b>odd/<i>.py",
    "file/shop.py",
    "symbol/shop.py:1",
    "graph/shop.py?level=file",
    "graph?level=symbol",
    "graph/shop.py:1?level=symbol",
)
FOCUSED = "document.activeElement.textContent.trim() || document.activeElement.id"


@pytest.fixture
def shots():
    """Where pictures are put for people to look at, if anyone wants them."""
    wanted = os.environ.get("DRIFT_SCREENSHOTS")
    return Path(wanted) if wanted else None


@pytest.fixture
def full(place):
    """A project with everything the page can show, and an attack in every text that people or agents write."""
    place.write("<b>odd/<i>.py", "from shop import total\n\n\ndef run(cart):\n    return total(cart)\n")
    place.write("test_shop.py", "from shop import total\n\n\ndef test_total():\n    assert total([1]) == 1\n")
    place.scan()
    place.call(ServerName.ANALYSIS, "drift_telemetry", action="enable")
    place.remember(f"Payments retry {ATTACK}", title=f"Payments {ATTACK}", tags=[ATTACK])
    place.remember("The importer runs before midnight")
    place.instruct("use-uv", title=f"Use uv {ATTACK}", body=ATTACK, owner=ATTACK, nextReviewDue=LONG_AGO)
    place.instruct("use-ruff", categories=["lint"], rationale=ATTACK)
    place.write(".drift/instructions/broken.json", f"{{ {ATTACK}")
    place.write(
        ".drift/packs/own.json",
        '{"name": "own", "title": "Own", "description": "<img src=x onerror=hacked=1>", "tools": ["drift_status"]}',
    )
    return place


def open_view(page, served, view):
    page.open(f"{served.url}/?{quote(view)}#{quote(view, safe='/?=:')}")
    page.wait_for("document.querySelector('main h1')")
    page.wait_for("!/^(Looking|Measuring|Loading)…$/m.test(document.querySelector('main').innerText)")


def assert_clean(page):
    assert page.complaints() == []
    assert page.evaluate("window.hacked === undefined")
    assert (
        page.evaluate("document.querySelectorAll('main img, main script, main b, main iframe').length") == 0
    )


# Each size and each scheme once; whoever wants pictures gets all.
SEEN = [(1280, False), (820, True), (390, False)]
if os.environ.get("DRIFT_SCREENSHOTS"):
    SEEN = [(width, is_dark) for width in (1280, 820, 390) for is_dark in (False, True)]


@pytest.mark.parametrize(("width", "is_dark"), SEEN)
def test_every_view_is_drawn_and_no_attack_in_it_runs(full, serve, chromium, shots, axe, width, is_dark):
    served = serve()
    with chromium.page(width=width, is_dark=is_dark) as page:
        for view in VIEWS:
            open_view(page, served, view)
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            page.wait_for(
                "[...document.querySelectorAll('.detail')].every((each) => each.childElementCount && each.innerText !== 'Loading…')"
            )

            assert_clean(page)
            assert page.evaluate(CONTRAST) == []
            if axe and width > 1000 and not is_dark:  # the rest does not depend on size and colours
                assert barriers(page, axe) == [], view
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view} is too wide"
            if shots:
                page.shoot(shots / f"{quote(view, safe='')}-{width}-{'dark' if is_dark else 'light'}.png")
        assert all(url.startswith(served.url) for url in page.addresses() if not url.startswith("about:"))


@pytest.mark.parametrize("is_dark", [False, True])
def test_an_empty_project_says_what_is_missing(serve, chromium, shots, is_dark):
    served = serve()
    expected = {
        "overview": "Not scanned yet",
        "tools": "Calls are not counted in this project",
        "catalog": "No instructions yet",
        "memory": "Nothing has been saved yet",
        "packs": "bug-fix",
        "map": "There is no map yet",
        "graph": "There is no graph",
        "conventions": "Conventions are not known",
        "quality": "Nothing can be said yet",
        "activity": "Calls are not counted in this project",
        "file/shop.py": "This place is not known",
    }
    with chromium.page(is_dark=is_dark) as page:
        for view, text in expected.items():
            open_view(page, served, view)

            assert text in page.text()
            assert_clean(page)
            if shots:
                page.shoot(shots / f"empty-{quote(view, safe='')}-{'dark' if is_dark else 'light'}.png")


def test_the_attack_is_shown_as_the_text_it_is(full, serve, chromium):
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "memory")
        assert "Payments <img" in page.text()
        open_view(page, served, "catalog")
        assert f"Use uv {ATTACK}" in page.text()
        open_view(page, served, "packs")
        assert "<img src=x onerror=hacked=1>" in page.text()
        open_view(page, served, "overview")
        assert full.root.name in page.text()


def test_overdue_reviews_and_broken_files_are_seen_at_once(full, serve, chromium):
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "overview")

        shown = page.evaluate("[...document.querySelectorAll('.badge')].map((each) => each.textContent)")
        assert "degraded" in shown
        assert "up to date" in shown
        assert page.evaluate(
            "[...document.querySelectorAll('dt')].filter((each) => /Overdue|Broken/.test(each.textContent))"
            ".map((each) => each.nextSibling.textContent)"
        ) == ["1", "1"]


def test_the_catalog_is_searched_and_filtered(full, serve, chromium):
    served = serve()
    rows = "[...document.querySelectorAll('tbody th code')].map((each) => each.textContent).join()"
    with chromium.page() as page:
        open_view(page, served, "catalog")
        page.wait_for(f"{rows} === 'use-ruff,use-uv' || {rows} === 'use-uv,use-ruff'")
        page.evaluate("document.querySelector('input[type=checkbox]').click()")
        page.wait_for(f"{rows} === 'use-uv'")
        page.evaluate("document.querySelector('input[type=checkbox]').click()")
        page.evaluate("document.querySelector('main input[type=search]').focus()")
        page.type("lint")
        page.wait_for(f"{rows} === 'use-ruff'")
        page.type("xyzzy")
        page.wait_for("document.querySelector('main').innerText.includes('Nothing fits')")
        assert_clean(page)


def test_the_rest_of_a_long_catalog_is_one_press_away(place, serve, chromium):
    for number in range(60):
        place.instruct(f"rule-{number:02}")
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "catalog")
        page.wait_for("document.querySelectorAll('tbody tr').length === 50")
        page.evaluate("document.querySelector('button.more').click()")
        page.wait_for("document.querySelectorAll('tbody tr').length === 60")

        assert page.evaluate("document.querySelector('button.more')") is None
        assert "rule-50" in page.evaluate("document.activeElement.textContent")
        assert "60 of 60 instructions" in page.text()


def test_memories_are_searched_as_one_types(full, serve, chromium):
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "memory")
        page.evaluate("document.querySelector('main input[type=search]').focus()")
        page.type("importer")
        page.wait_for("document.querySelector('#news').textContent.includes('memor')")
        page.wait_for("document.querySelector('tbody th').textContent.includes('importer')")
        page.evaluate("document.activeElement.select()")  # a word that begins like another one finds it
        page.type("qqqqzzzz")
        page.wait_for("document.querySelector('main').innerText.includes('Nothing found')")
        assert_clean(page)


def test_tools_are_filtered_in_the_page_without_asking_again(full, serve, chromium):
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "tools")
        asked = len(page.addresses())
        page.evaluate("document.querySelector('main input[type=search]').focus()")
        page.type("memory_search")
        page.wait_for("document.querySelectorAll('tbody tr').length === 1")

        assert "drift_memory_search" in page.text()
        assert len(page.addresses()) == asked


def test_everything_can_be_reached_without_a_mouse(full, serve, chromium):
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "overview")
        order = []
        for _ in range(13):
            page.press("Tab")
            order.append(page.evaluate(FOCUSED))
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid", f"{order[-1]} shows no focus"

        assert order == [
            "Skip to content",
            "words",
            *("Overview", "Map", "Graph", "Conventions", "Quality", "Memory", "Instructions", "Activity"),
            *("Tools", "Packs", "Refresh"),
        ]


def test_the_skip_link_leads_into_the_content(full, serve, chromium):
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "tools")
        page.press("Tab")
        page.press("Enter")

        assert page.evaluate("document.activeElement.id") == "main"
        page.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Copy"
        assert page.evaluate("location.hash") == "#tools"


def test_a_view_is_chosen_and_an_instruction_opened_by_keys_alone(full, serve, chromium):
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "overview")
        for _ in range(9):
            page.press("Tab")
        page.press("Enter")
        page.wait_for("document.querySelector('main h1').textContent === 'Instructions'")
        page.wait_for("document.querySelector('details') && document.activeElement.id === 'main'")
        for _ in range(12):
            page.press("Tab")
            if page.evaluate("document.activeElement.tagName") == "SUMMARY":
                break
        page.press("Enter")
        page.wait_for("document.querySelector('details[open] pre')")

        assert page.evaluate("document.querySelector('nav a[aria-current]').textContent") == "Instructions"
        assert page.evaluate("document.title").startswith("Instructions")


def test_what_changed_is_told_to_those_who_do_not_see_it(full, serve, chromium):
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "tools")

        assert page.evaluate("document.querySelector('#news').getAttribute('aria-live')") == "polite"
        page.wait_for("/^[0-9]+ tools/.test(document.querySelector('#news').textContent)")


def test_every_control_has_a_name_and_every_table_a_caption(full, serve, chromium):
    served = serve()
    with chromium.page() as page:
        for view in VIEWS:
            open_view(page, served, view)
            nameless = page.evaluate(
                "[...document.querySelectorAll('input, select, button')]"
                ".filter((each) => !(each.labels?.length || each.textContent.trim())).length"
            )
            bare = page.evaluate(
                "[...document.querySelectorAll('table')].filter((each) => !each.caption).length"
            )

            assert (nameless, bare) == (0, 0)
            assert page.evaluate("document.querySelectorAll('h1').length") == 1


def test_refreshing_shows_what_has_changed(place, serve, chromium):
    served = serve()
    with chromium.page() as page:
        open_view(page, served, "overview")
        assert "Not scanned yet" in page.text()
        place.scan()
        page.evaluate("document.querySelector('#refresh').click()")
        page.wait_for("document.querySelector('main').innerText.includes('up to date')")


def test_a_dashboard_that_was_stopped_is_said_to_be(place, chromium):
    with chromium.page() as page:
        with served_at(place) as served:
            open_view(page, served, "overview")
        page.evaluate("document.querySelector('#refresh').click()")
        page.wait_for("document.querySelector('main').innerText.includes('drift dashboard')")
