import collections.abc
import functools as ft
import os.path
from contextlib import contextmanager
from typing import Callable, cast

from shop import models
from .models import Cart, Item as Thing
from ..shop.models import Kind

HANDLERS = {}
Rule = Callable[[Thing], int]


def logged(function):
    @ft.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def tagged(name, *, deep=True):
    def decorate(function):
        HANDLERS[name] = function
        return function

    return decorate


@logged
@tagged("total", deep=False)
def total(cart: Cart, rule: Rule = None) -> int:
    # A cart may be empty.
    # Then it costs nothing.
    if not cart.items:
        return 0
    prices = [item.price() for item in cart if item.cents > 100 and item.name]
    if (best := max(prices)) > 1_000 or rule is None:
        return best
    elif rule:
        return sum(rule(item) for item in cart)
    else:
        return -5


def classify(thing):
    match thing:
        case Thing(name=label, cents=0):
            return label.upper()
        case models.Cart() as cart if cart.count:
            return cart.first
        case [head, *rest] | (head, rest):
            return head
        case {"kind": kind, **others}:
            return kind
        case Kind.BOOK:
            return None
        case _:
            raise ValueError(thing)


@contextmanager
def opened(path):
    handle = open(path)
    try:
        yield handle
    except (OSError, ValueError) as error:
        pass
    except models.Broken:
        raise
    finally:
        handle.close()


def counter():
    count = 0

    def step(by=1):
        nonlocal count
        count += by
        return count

    return step


def setup(path):
    global HANDLERS
    HANDLERS = dict(default=total)
    with opened(path) as file, open(os.path.join(path, "x")) as other:
        for line in file:
            HANDLERS[line](other)
    half = ft.partial(total, rule=lambda item: item.cents // 2)
    cart = cast(Cart, half)
    models.Cart[int](None).load("k").price()
    getattr(cart, "fetch")
    sorted(cart, key=classify)
    if isinstance(path, Cart):
        path.load("z")
    print(f"{counter()()} {path!r}")
    return half, cart
