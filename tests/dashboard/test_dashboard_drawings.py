"""Map, search and graph in a real browser, by keys alone."""

import pytest

pytestmark = pytest.mark.slow

FOCUSED = "document.activeElement.getAttribute('aria-label')"


@pytest.fixture
def served(place, serve):
    place.write("shop/models.py", "class Cart:\n    def total(self):\n        return 1\n" * 3)
    place.write("shop/<i>.py", "from shop.models import Cart\n\n\ndef price():\n    return Cart().total()\n")
    place.write("app.py", "from shop.models import Cart\n\n\ndef run():\n    return Cart().total()\n")
    place.scan()
    return serve()


def test_the_map_fills_its_place_and_is_walked_by_keys(served, chromium):
    with chromium.page() as page:
        page.open(f"{served.url}/#map")
        page.wait_for("document.querySelectorAll('svg.map a.file').length === 4")
        shares = page.evaluate(
            """import('/treemap.js').then(({ squarify }) => {
                const boxes = squarify([50, 30, 10, 5, 5], { x: 0, y: 0, width: 200, height: 100 });
                const overlap = boxes.some((one, at) => boxes.some((other, place) => at < place
                    && one.x < other.x + other.width - 1e-6 && other.x < one.x + one.width - 1e-6
                    && one.y < other.y + other.height - 1e-6 && other.y < one.y + one.height - 1e-6));
                return [overlap, ...boxes.map((box) => Math.round(box.width * box.height / 200))];
            })"""
        )
        page.evaluate("document.querySelector('svg.map a').focus()")
        first = page.evaluate(FOCUSED)
        for _ in range(5):
            page.press("ArrowDown")
            page.press("ArrowRight")
        last = page.evaluate(FOCUSED)
        told = page.evaluate("document.querySelector('.told').innerText")
        select = "document.querySelector('main select')"
        page.evaluate(f"{select}.value = 'coverage'; {select}.dispatchEvent(new Event('change'))")
        page.wait_for("document.querySelectorAll('svg.map rect.unknown').length === 4")

        assert shares == [False, 50, 30, 10, 5, 5]
        assert first != last
        assert told.split("\n")[0] in last
        assert page.evaluate("location.hash") == "#map?colour=coverage"
        assert "no report of coverage" in page.text()
        page.evaluate("document.querySelector('svg.map a.folder').focus()")
        page.press("Enter")
        page.wait_for("document.querySelector('main h1').textContent === 'shop'")
        assert page.evaluate("location.hash") == "#map/shop?colour=coverage"
        assert page.complaints() == []


def test_a_symbol_is_found_and_its_graph_walked_by_keys(served, chromium):
    with chromium.page() as page:
        page.open(f"{served.url}/#overview")
        page.press("/", text="/")
        page.type("price")
        page.wait_for("document.querySelector('#found [aria-selected=true]')")
        page.press("Enter")
        page.wait_for("document.querySelector('main h1').textContent === 'price'")

        assert page.evaluate("location.hash") == "#symbol/shop/%3Ci%3E.py%3A4"
        assert "def price()" in page.text()

        page.open(f"{served.url}/?graph#graph?level=file")
        page.wait_for("document.querySelector('canvas.over').width > 300")
        page.evaluate("document.querySelector('canvas.over').focus()")
        told = "document.querySelector('.told').innerText"
        page.press("ArrowDown")  # stands on the first
        page.wait_for(f"{told}.startsWith('app.py')")
        page.press("ArrowDown")
        page.wait_for(f"{told}.startsWith('shop/models.py')")
        page.press("Enter")
        page.wait_for("document.querySelector('main h1').textContent === 'shop/models.py'")

        assert page.evaluate("location.hash") == "#graph/shop/models.py?level=file"
        assert "Used by (2)" in page.text()
        assert page.complaints() == []
