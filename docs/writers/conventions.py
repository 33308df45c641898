"""The tables of docs/conventions.md: which dimensions there are, in which languages, and what finders can do."""

from collections import Counter

from drift.dimensions import CATEGORIES, Dimension, finders, shipped_dimensions
from drift.languages.table import LANGUAGES
from writers.blocks import Block
from writers.markdown import code, table

_READ = tuple(each for each in LANGUAGES if each.name != "wpf")


def conventions_blocks() -> Block:
    """The generated blocks of the page."""
    return {"dimension-counts": _counts(), "dimensions": _dimensions(), "finders": _finders()}


def _counts() -> str:
    dimensions = shipped_dimensions().values()
    counts = Counter((each.category, name) for each in dimensions for name in _languages(each))
    rows = [
        [category, *(counts[category, each.name] or "" for each in _READ), _in_category(category)]
        for category in CATEGORIES
    ]
    total = (
        f"There are {len(dimensions)} dimensions. In which languages each category has some, and how many:"
    )
    return f"{total}\n\n{table(['category', *(each.title for each in _READ), 'in all'], rows)}"


def _in_category(category: str) -> int:
    return sum(1 for each in shipped_dimensions().values() if each.category == category)


def _languages(dimension: Dimension) -> tuple[str, ...]:
    return dimension.languages or tuple(each.name for each in _READ)


def _dimensions() -> str:
    rows = [
        [
            code(each.id),
            each.looks_at,
            ", ".join(each.variants) or "open",
            ", ".join(each.languages) or "all",
            each.limits,
        ]
        for each in shipped_dimensions().values()
    ]
    return table(["dimension", "looks at", "variants", "languages", "limits"], rows)


def _finders() -> str:
    rows = [[code(name), each.what, _told(each.where), _told(each.text)] for name, each in finders().items()]
    return table(["finder", "finds", "where", "text"], rows)


def _told(parts: object) -> str:
    assert isinstance(parts, dict)
    return "; ".join(f"{code(name)} {told}" for name, told in parts.items())
