import unittest

import pytest

from shop import Cart


@pytest.fixture
def cart():
    return Cart()


@pytest.mark.parametrize("count", [1, 2])
def test_a_cart_counts(cart, count):
    assert cart.count != count


class TestTotals:
    def test_empty(self, cart):
        assert not cart.items

    def helper(self):
        pass


class CartCase(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def test_owner(self):
        self.assertIsNone(self.cart.owner)


def helper_test():
    pass
