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
# What else a page calls an object that it goes through a list of: `th:each="one : ${orders}"`, `@foreach (var one in Model.Orders)`.
_NAME: Final = rb"[@$#*]?[{]?[\w.>-]{1,120}"
_LOOPS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rb"th:each=[\"']\s{0,9}(?P<one>\w{1,80})(?:\s{0,9},\s{0,9}\w{1,80})?\s{0,9}:\s{0,9}(?P<all>"
        + _NAME
        + rb")",
        rb"items=[\"'](?P<all>" + _NAME + rb")\}[\"']\s{1,9}var=[\"'](?P<one>\w{1,80})",
        rb"var=[\"'](?P<one>\w{1,80})[\"']\s{1,9}items=[\"'](?P<all>" + _NAME + rb")",
        rb"\bforeach\s{0,9}\((?:var|[\w<>?.]{1,80})\s{1,9}(?P<one>\w{1,80})\s{1,9}in\s{1,9}(?P<all>"
        + _NAME
        + rb")",
        rb"#list\s{1,9}(?P<all>" + _NAME + rb")\s{1,9}as\s{1,9}(?P<one>\w{1,80})",
        rb"\{%-?\s{0,9}for\s{1,9}(?P<one>\w{1,80})\s{1,9}in\s{1,9}(?P<all>" + _NAME + rb")",
    )
)
_LAST_WORD: Final = re.compile(rb"(\w{1,80})\W{0,9}\Z")
# The object of a form, whose members its fields name alone.
_OBJECT: Final = re.compile(rb"(?:th:object=[\"']\$\{|(?:modelAttribute|commandName)=[\"'])([\w.]{1,120})")
_OF_OBJECT: Final = re.compile(rb"(?:\*\{|\bpath=[\"'])\Z")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_UNTOLD: Final = frozenset(
    {"this", "self", "vm", "it", "item", "one", "entity", "object", "obj", "data", "row", "value"}
)
_SHORTEST: Final = 3
_OF_INTERFACE: Final = re.compile(r"\AI(?=[A-Z][a-z])")  # an object is seldom called like its interface
_NEAR: Final = 20
_FORM: Final = 20_000  # bytes from the beginning of a form to its last field


def fits_receiver(content: bytes, offset: int, symbol: SymbolRecord) -> bool | None:
    """Whether the object before a member is named like the member's class; None where its name says nothing."""
    receiver = said_receiver(content, offset)
    owner = _owner_of(symbol)
    if receiver is None or not owner:
        return None
    types = _declared(content).get(receiver)
    if types is not None:
        return owner in types or f"I{owner}" in types
    names = [receiver, *_looped(content).get(receiver, ())]
    said = [one.replace("_", "").lower() for one in names]
    telling = [one for one in said if one not in _UNTOLD]
    if not telling:
        return None
    return any(_is_alike(one, owner.lower()) for one in (telling[1:] or telling))


def is_declared_receiver(content: bytes, offset: int, symbol: SymbolRecord) -> bool:
    """Whether the page says of what type the object before a member is, and that is the member's class."""
    receiver = said_receiver(content, offset)
    types = _declared(content).get(receiver) if receiver is not None else None
    owner = _owner_of(symbol)
    return types is not None and bool(owner) and (owner in types or f"I{owner}" in types)


def names_owner(content: bytes, offset: int, owner: str) -> bool:
    """Whether the object before a member is called just like a class, or as one of a list of its objects is."""
    receiver = said_receiver(content, offset)
    names = [receiver, *_looped(content).get(receiver, ())] if receiver is not None else []
    plain = _OF_INTERFACE.sub("", owner).lower()
    return any(one.replace("_", "").lower() in {plain, f"{plain}s", f"{plain}es"} for one in names)


def said_receiver(content: bytes, offset: int) -> str | None:
    """The name of the object whose member a word is, be it that of the form around it."""
    found = receiver_before(content, offset)
    if found is not None or _OF_OBJECT.search(content[max(offset - _NEAR, 0) : offset]) is None:
        return found
    around = _OBJECT.findall(content, max(offset - _FORM, 0), offset)
    return around[-1].rpartition(b".")[2].decode("utf-8", "replace") if around else None


def _owner_of(symbol: SymbolRecord) -> str:
    return symbol.qualname.rpartition(".")[0].rpartition(".")[2]


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


@lru_cache(maxsize=16)
def _looped(content: bytes) -> dict[str, tuple[str, ...]]:
    """What a page goes through, by the name of one of it."""
    found: dict[str, dict[str, None]] = {}
    for loop in _LOOPS:
        for match in loop.finditer(content):
            if (last := _LAST_WORD.search(match["all"])) is not None:
                names = found.setdefault(match["one"].decode("utf-8", "replace"), {})
                names[last[1].decode("utf-8", "replace")] = None
    return {one: tuple(names) for one, names in found.items()}
