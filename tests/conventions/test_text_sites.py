"""A text that is not in the index decides as it would if it were."""

import pytest

from drift.conventions.gathering import gather
from drift.conventions.text_sites import deviations, sites_of_text
from drift.index import IndexReader

SUFFIX = "errors/exception-suffix"


@pytest.fixture
def read(shop, seen):
    picture = seen(shop)

    def reading(path, content):
        with IndexReader(shop.state.index_db) as reader, reader.snapshot():
            return sites_of_text(reader, shop, picture, path=path, content=content)

    return reading


@pytest.mark.parametrize("path", ["shop/orders.py", "shop/legacy.py"])
def test_the_text_of_a_file_has_the_sites_that_the_scan_found_in_it(shop, seen, read, path):
    with IndexReader(shop.state.index_db) as reader, reader.snapshot():
        gathered = gather(reader, seen(shop).rulebook.dimensions.values())
    scanned = {site[1:] for site in gathered.sites() if gathered.files[site.file_id].path == path}
    found = {placed.site[1:] for placed in read(path, (shop.root / path).read_bytes()).sites}
    assert found
    assert found == scanned


def test_a_draft_is_held_against_what_its_place_follows(read):
    draft = "from shop.cart import CartError\n\n\nclass Late(CartError): ...\n\n\nclass LateError(CartError): ...\n"
    text = read("shop/late.py", draft)
    assert [
        (each.site.line, each.site.variant, each.follows)
        for each in text.sites
        if each.site.dimension == SUFFIX
    ] == [
        (4, "none", False),
        (7, "Error", True),
    ]
    (late,) = deviations(text)
    assert late.convention.id.startswith(SUFFIX)
    assert late.convention.variant == "Error"


def test_what_a_comment_of_the_draft_excuses_is_no_deviation(read):
    assert not deviations(read("shop/late.py", "class Late(Exception): ...  # drift-ignore\n"))


def test_a_test_is_not_held_against_what_the_product_does(read):
    assert not deviations(read("tests/test_late.py", "class Late(Exception): ...\n"))


def test_a_draft_that_is_code_of_others_has_nothing_to_follow(read):
    text = read("vendor/more.py", "class Late(Exception): ...\n")
    assert (text.sites, text.applying) == ((), ())
    assert text.missing
