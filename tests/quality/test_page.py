"""The report as a page: drawn from plain data, with nothing of the repository in it but text."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.quality.comprehensive import PartRow
from drift.quality.findings import finding
from drift.quality.health import health_of, health_part
from drift.quality.page import ConventionLine, FileCell, PageContent, TrendLine, write_page, write_summary
from drift.quality.page.treemap import Box, squarify

ATTACK = "</title></style></script><script>hacked=1</script><img src=x onerror=hacked=1>\"' onload=hacked=1 x='\u202e\ud800\0"


def content(word=ATTACK, *, files=3):
    cells = [FileCell(f"{word}/{word}{n}.py", 10 * (n + 1), 3 * n, n % 5, n) for n in range(files)]
    return PageContent(
        project=word,
        head=word,
        made_at=word,
        version=word,
        figures=((word, word),),
        health=health_of([health_part("tests", 40, {word: 4}), health_part("errors", 90, {"handlers": 10})]),
        files=tuple(cells),
        trends=(TrendLine(word, word, ((word, 1), (word, 2))), TrendLine("Health", "", ((word, 1),)), TrendLine(word, "", ())),
        parts=(PartRow(word, None, word),),
        findings=(
            finding("debt/comment", word, file=word, symbol=word, evidence={word: word}, suggestion=word),
            finding("complexity/cyclomatic", word, file=word, evidence={"minutes": 12}),
        ),
        conventions=(ConventionLine(word, word, word, 3, 1),),
        notes=(word,),
    )  # fmt: skip


class Elements(HTMLParser):
    """What a browser makes of the page: elements, their attributes, and what stands in scripts."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.names, self.attributes, self.scripts, self.stack = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if self.stack and self.stack[-1] == "script":
            self.scripts.append(data)


def read(page):
    found = Elements()
    found.feed(page)
    found.close()
    assert found.stack == []
    return found


def test_no_text_of_a_repository_becomes_an_element_an_attribute_or_a_script():
    hostile, plain = read(write_page(content())), read(write_page(content("plain")))

    assert hostile.names == plain.names
    assert hostile.scripts == plain.scripts
    assert [name for name, _ in hostile.attributes] == [name for name, _ in plain.attributes]
    assert not {name for name, _ in hostile.attributes} & {"style", "href", "src", "onload", "onerror"}


def test_the_page_asks_for_nothing_from_outside_and_can_be_written_as_utf_8():
    page = write_page(content())

    assert page.encode()
    assert not re.search(r"https?:|@import|url\(", page)
    assert "default-src 'none'" in page
    assert "\u202e" not in page
    assert "unsafe" not in page


@settings(max_examples=20)
@given(word=st.text(min_size=1, max_size=12))
def test_any_name_leaves_the_page_well_formed(word):
    assert read(write_page(content(word))).names == read(write_page(content("plain"))).names


def test_what_was_not_measured_is_said():
    bare = content("shop", files=0)._replace(
        trends=(), findings=(), parts=(), conventions=(), health=health_of([])
    )
    page = write_page(bare)

    assert "secrets and flows of data are not measured" in page
    assert "No file has code." in page
    assert "The history could not be read." in page


@given(sizes=st.lists(st.integers(1, 10_000), min_size=1, max_size=30))
@settings(max_examples=30)
def test_the_rectangles_of_a_map_fill_it_by_their_sizes_and_stay_inside(sizes):
    sizes = sorted(sizes, reverse=True)
    whole = Box(0, 0, 400, 300)

    boxes = squarify(sizes, whole)

    assert [box.width * box.height for box in boxes] == pytest.approx(
        [400 * 300 * size / sum(sizes) for size in sizes], rel=1e-6
    )
    assert all(
        box.x >= -1e-6 and box.y >= -1e-6 and box.x + box.width <= 400.01 and box.y + box.height <= 300.01
        for box in boxes
    )


def test_a_tree_deeper_than_calls_nest_and_thousands_of_files_stay_a_small_page():
    deep = FileCell("/".join(["d"] * 3000) + "/end.py", 5, 1, 1.0, 1)
    many = [FileCell(f"src/part_{n % 90}/module_with_a_long_name_{n}.py", 20 + n % 300, n % 60, n % 5, n % 9) for n in range(9_000)]  # fmt: skip

    page = write_page(content("shop")._replace(files=(deep, *many)))

    assert len(page) < 1_000_000
    assert len(read(page).names) > 2_000


def test_in_short_it_is_markdown_in_which_names_are_text():
    written = write_summary(content("<b>|x"))

    assert "Health 65 of 100, from 2 of 7 parts. Findings: 1 warning, 1 info." in written
    assert "| tests | 40 |" in written
    assert "## Hotspots" in written
    assert "## Trends" in written
    assert "<b>" not in written
    assert "\\<b\\>\\|x" in written


def test_what_was_not_measured_is_not_zero_in_short():
    page = content("x")._replace(health=health_of([health_part("tests", None, {})]), findings=())

    assert "Health not known, from 0 of 7 parts. Findings: none." in write_summary(page)
