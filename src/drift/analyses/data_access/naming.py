"""Names of tables as frameworks make them from names of classes."""

import re
from typing import Final

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IRREGULAR: Final = {
    "person": "people", "child": "children", "man": "men", "woman": "women", "mouse": "mice", "goose": "geese",
    "datum": "data", "medium": "media", "analysis": "analyses", "criterion": "criteria", "status": "statuses",
}  # fmt: skip
_UNCOUNTED: Final = frozenset(
    {"news", "series", "species", "equipment", "information", "money", "data", "media", "metadata", "audio"}
)


def snake(name: str) -> str:
    """OrderItem as order_item."""
    return "_".join(_HUMP.split(name)).replace("-", "_").lower()


def plural_of(word: str) -> str:
    """The plural of the last part of a name in snake case."""
    head, _, last = word.rpartition("_")
    return f"{head}_{_plural(last)}" if head else _plural(last)


def _plural(word: str) -> str:
    if word in _UNCOUNTED:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    return f"{word}s"


def table_name(style: str, class_name: str, *, app: str = "") -> str:
    """The table of a class, as a framework with this style names it where nothing else is said."""
    match style:
        case "plural":
            return plural_of(snake(class_name))
        case "app":
            return f"{app}_{class_name.lower()}" if app else class_name.lower()
        case "lower":
            return class_name.lower()
        case "lower-plural":
            return _plural(class_name.lower())
        case "class":
            return class_name
        case "class-plural":
            return _plural(class_name) if not class_name.endswith("s") else class_name
        case _:
            return snake(class_name)


def folded(name: str) -> str:
    """A name by which spellings of the same thing meet: order_items, OrderItem and orderItem."""
    word = name.replace("_", "").replace("-", "").lower()
    for ending, instead in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ses", "s"),
        ("xes", "x"),
        ("ches", "ch"),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            return word[: len(word) - len(ending)] + instead
    return word
