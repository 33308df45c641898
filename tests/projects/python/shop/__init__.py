"""A small shop."""

from .models import Cart, Item
from .pricing import *
from .pricing import total as cart_total
from . import settings
from .models import _hidden

__all__ = ["Cart", "cart_total"]
__all__ += ["settings"]
__all__.extend(["late"])


def late():
    return Cart()


def early():
    return None
