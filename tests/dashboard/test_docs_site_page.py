"""The site of the documentation in a real browser, opened from the disk."""

import sys

import pytest
from page_checks import CONTRAST, barriers

pytestmark = pytest.mark.slow
SEEN = ("index.html", "quick-start.html", "peers.html", "tasks/find.html")


@pytest.fixture(scope="module")
def site(tmp_path_factory, request):
    out = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(request.config.rootpath / "docs"))
        import build_site  # not a package of the project: only its path makes it known

        assert build_site.main([str(out)]) == 0
    sys.modules.pop("build_site")
    return out


def open_sheet(page, site, name):
    page.order("Page.navigate", url=(site / name).as_uri())
    page.wait_for("document.readyState === 'complete' && document.querySelector('main h1')")


@pytest.mark.parametrize(("width", "is_dark"), [(1280, True), (390, False)])
def test_pages_fit_can_be_read_and_shut_nobody_out(site, chromium, axe, width, is_dark):
    with chromium.page(width=width, is_dark=is_dark) as page:
        for name in SEEN:
            open_sheet(page, site, name)

            assert page.complaints() == []
            assert page.evaluate(CONTRAST) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
            assert not axe or barriers(page, axe) == [], name


def test_a_page_is_found_by_its_words_and_opened_by_keys(site, chromium):
    with chromium.page() as page:
        open_sheet(page, site, "index.html")
        page.press("/", text="/")
        page.type("fading memory")
        page.wait_for("document.querySelector('#search li a')")
        page.press("Enter")
        page.wait_for("location.pathname.endsWith('memory.html') && location.hash === '#fading'")
        assert page.complaints() == []
