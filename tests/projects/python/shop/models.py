from __future__ import annotations

import abc
import enum
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .pricing import Rule

DEFAULT_CURRENCY = "EUR"
_limit = 40
type Prices[T] = dict[str, T]


class Kind(enum.Enum):
    BOOK = "book"
    toy = 7


class Priced(Protocol):
    def price(self) -> int: ...


@dataclass(frozen=True)
class Item:
    """A thing to buy.

    It has a price.
    """

    name: str
    cents: int = 0
    tags: list[str] = field(default_factory=list)
    kind: Kind | None = None

    def price(self) -> int:
        return self.cents


class Store(abc.ABC):
    @abc.abstractmethod
    def load(self, key: str) -> Item: ...

    @staticmethod
    def clean(key):
        return key.strip()

    @classmethod
    def open(cls, path="."):
        store = cls()
        store.path = path
        return store


class Cart[T](Store, metaclass=abc.ABCMeta):
    SIZE = 10
    rules: "list[Rule]"

    def __init__(self, owner: "Owner | None" = None, *items: Item, strict=False, **options):
        super().__init__()
        self.owner = owner
        self.items: list[Item] = list(items)
        self.__secret = strict

    @property
    def count(self) -> int:
        return len(self.items)

    @count.setter
    def count(self, value):
        self.items = self.items[:value]

    @cached_property
    def first(self) -> Item:
        return self.items[0]

    def load(self, key: str) -> Item:
        self.clean(key)
        found = self.first.price
        return found() or self.owner.choose(key)

    async def fetch(self, client):
        async with client.session() as session:
            reply = await session.get("/items")
        return reply

    def __iter__(self):
        for item in self.items:
            yield item
        yield from self.rules

    class Owner:
        def choose(self, key): ...


def _hidden():
    pass
