"""What was counted last, shown by answers that do not count: status, explanations, lists of files."""

import os
from contextlib import closing

from drift.conventions.glance import glance_of, read_glance
from drift.index import IndexReader
from drift.project import open_project


def test_what_was_counted_is_told_without_counting_and_marked_once_it_is_old(shop, seen):
    picture = seen(shop)
    with closing(IndexReader(shop.state.index_db)) as reader:
        generation = reader.generation()

    kept, now = read_glance(shop, generation), glance_of(picture)

    assert kept.counts == now.counts
    assert kept.counts.reason is None
    assert kept.counts.outliers == sum(len(picture.outliers(each)) for each in picture.mined.conventions)
    assert all(kept.standing(path) == now.standing(path) for path in now.files)
    assert "before the last change" in read_glance(shop, generation + 1).counts.reason


def test_a_file_tells_what_it_follows_and_where_it_does_otherwise(shop, seen):
    glance = glance_of(seen(shop))

    orders, cart = glance.standing("shop/orders.py"), glance.standing("shop/cart.py")

    assert any(each.startswith("shop/orders.py:5 ") for each in orders.deviates)
    assert orders.follows
    assert cart.deviates is None
    assert glance.deviating("shop/orders.py") > glance.deviating("shop/cart.py") == 0
    assert "errors" in glance.categories("shop/cart.py")
    assert glance.pattern_count("shop/cart.py") >= 1
    assert glance.standing("shop/none.py") is None


def test_without_a_count_nothing_is_made_up(tmp_path):
    glance = read_glance(open_project(tmp_path, os.environ), 1)

    assert "not counted yet" in glance.counts.reason
    assert glance.counts.conventions is None
    assert glance.standing("a.py").follows is None
    assert glance.pattern_count("a.py") is None
