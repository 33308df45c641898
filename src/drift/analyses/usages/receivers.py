"""Whether the object that a page names may be of the class that has a member: `order.total` and Order.total."""

import re
from functools import lru_cache
from typing import Final

from drift.analyses.usages.templates import receiver_before
from drift.index import SymbolRecord

# `@model Shop.OrderView` and `@inject Prices Prices` say of what types the objects of a page are.
_MODEL: Final = re.compile(rb"^[ \t]{0,40}@model[ \t]{1,20}([\w.<>\[\], ?]{1,200})", re.MULTILINE)
_INJECTED: Final = re.compile(
    rb"^[ \t]{0,40}@inject[ \t]{1,20}([\w.<>\[\], ?]{1,200}?)[ \t]{1,20}(\w{1,80})[ \t\r]{0,40}$",
    re.MULTILINE,
)
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_UNTOLD: Final = frozenset(
    {"this", "self", "vm", "it", "item", "one", "entity", "object", "obj", "data", "row", "value"}
)
_SHORTEST: Final = 3


def fits_receiver(content: bytes, offset: int, symbol: SymbolRecord) -> bool | None:
    """Whether the object before a member is named like the member's class; None where its name says nothing."""
    receiver = receiver_before(content, offset)
    owner = symbol.qualname.rpartition(".")[0].rpartition(".")[2]
    if receiver is None or not owner:
        return None
    types = _declared(content).get(receiver)
    if types is not None:
        return owner in types or f"I{owner}" in types
    said = receiver.replace("_", "").lower()
    if said in _UNTOLD:
        return None
    return _is_alike(said, owner.lower())


def _is_alike(said: str, owner: str) -> bool:
    one = said.removesuffix("s") if len(said) > _SHORTEST else said
    if len(one) < _SHORTEST:
        return owner.startswith(one)
    return one in owner or owner in said or (one.endswith("ie") and one[:-2] in owner)


@lru_cache(maxsize=16)
def _declared(content: bytes) -> dict[str, frozenset[str]]:
    """The types that a page says its objects have, by their names."""
    found: dict[str, frozenset[str]] = {}
    model = _MODEL.search(content)
    if model is not None:
        words = frozenset(_WORD.findall(model[1].decode("utf-8", "replace")))
        found |= {"Model": words, "model": words}
    for types, name in _INJECTED.findall(content):
        found[name.decode()] = frozenset(_WORD.findall(types.decode("utf-8", "replace")))
    return found
