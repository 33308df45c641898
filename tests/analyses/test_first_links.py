"""Answers about one symbol while a first scan has read all files and linked none."""

import itertools

import pytest

from drift.analyses.callers import find_callers
from drift.analyses.first_links import FirstLinks, write_first_links
from drift.index import IndexReader, IndexWriter
from drift.index.layers import SYMBOL_LAYERS
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.discover import discover
from drift.scan.discovery import DiscoverOptions
from drift.scan.intake import Intake
from drift.scan.part_linking import link_part
from drift.scan.report import tell_nobody

FILES = {
    "shop/cart.py": """
class Cart:
    def __init__(self):
        self.lines = []

    def total(self):
        return sum(self.lines)

class Gift(Cart):
    def total(self):
        return 0
""",
    "shop/orders.py": """
from shop.cart import Cart

def order(cart: Cart):
    return cart.total()

def fresh():
    return Cart()
""",
    "shop/other.py": """
from shop.orders import order

def other():
    return order(None)
""",
    "tests/test_cart.py": """
from shop.cart import Gift

def test_total():
    assert Gift().total() == 0
""",
}


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "project"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@pytest.fixture
def unlinked(root):
    """The index as it is between reading and linking."""
    index = StateDir(root).ensure().index_db
    with IndexWriter(index) as writer, writer.rebuild(SYMBOL_LAYERS) as transaction:
        intake = Intake(root, jobs=0, progress=tell_nobody)
        intake.add_all(transaction, discover(root, DiscoverOptions(), known={}))
    return index


def copy_at(tmp_path):
    place = tmp_path / "copy" / ".drift" / "drift.db"
    place.parent.mkdir(parents=True)
    return place


def callers(index, root, wanted):
    with IndexReader(index) as reader:
        found = find_callers(reader, wanted, file=None, max_depth=1, root=root)
        return {(place.path, place.line, place.confidence) for place in found.direct.places}


@pytest.mark.parametrize("wanted", ["Cart.total", "Gift.total", "shop/cart.py:6", "order"])
def test_callers_are_those_of_a_whole_scan(root, unlinked, tmp_path, wanted):
    place = copy_at(tmp_path)

    write_first_links(root, unlinked, wanted, place)
    early = callers(place, root, wanted)
    scan(root, ScanOptions(jobs=0))

    assert early == callers(unlinked, root, wanted)
    assert early


def test_callers_of_a_constructor_are_found_by_the_name_of_its_class(root, unlinked, tmp_path):
    place = copy_at(tmp_path)

    write_first_links(root, unlinked, "Cart.__init__", place)

    assert callers(place, root, "Cart.__init__") == {("shop/orders.py", 8, 1.0)}


def test_only_files_that_mention_the_symbol_are_linked(root, unlinked, tmp_path):
    place = copy_at(tmp_path)

    found = write_first_links(root, unlinked, "Cart.total", place)

    assert found == FirstLinks(mentioning=3, linked=3)
    assert callers(place, root, "order") == set()


def test_the_index_itself_stays_as_it_is(root, unlinked, tmp_path):
    before = unlinked.read_bytes()

    write_first_links(root, unlinked, "Cart.total", copy_at(tmp_path))

    assert unlinked.read_bytes() == before


def test_nothing_is_linked_for_a_name_that_nobody_has(root, unlinked, tmp_path):
    place = copy_at(tmp_path)

    assert write_first_links(root, unlinked, "nothing_of_this_name", place) is None
    assert not place.exists()


def test_a_file_that_is_gone_since_it_was_read_is_passed_over(root, unlinked, tmp_path):
    (root / "tests/test_cart.py").unlink()

    found = write_first_links(root, unlinked, "Cart.total", copy_at(tmp_path))

    assert found == FirstLinks(mentioning=2, linked=2)


def test_what_is_not_linked_in_time_is_left_out(root, unlinked, tmp_path):
    ticks = itertools.count()

    with IndexReader(unlinked) as source:
        linked = link_part(
            root, source, copy_at(tmp_path), list, most_seconds=4.0, clock=lambda: float(next(ticks))
        )

    assert 1 <= linked < len(FILES)
