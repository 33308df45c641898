"""The cells of a table's column: equal values are written once, and the kind of all is found out at one go."""

from collections.abc import Mapping, Sequence
from itertools import chain
from types import NoneType
from typing import Any, Final

from drift.kernel.cells import is_scalar, write_cell, write_cells, write_listed

_LINES_WORTH_A_BLOCK: Final = 4  # shorter text stays in its cell: one docstring must not break up a table
_LARGEST_CELL: Final = 8  # scalars in a nested cell; with more of them a row is hard to read
_DEEPEST_CELL: Final = 3

_TEXTS_AND_NULLS: Final[frozenset[type]] = frozenset({str, NoneType})
_NUMBERS: Final[frozenset[type]] = frozenset({int, float})


def write_column(values: Sequence[Any]) -> list[str] | None:
    """The values as they stand between commas, null as nothing; None where one is too large for a cell."""
    kinds = set(map(type, values))
    if kinds == {str}:
        return _write_texts(values)
    if kinds <= _NUMBERS:
        return list(map(repr, values))
    if kinds == _TEXTS_AND_NULLS:
        return _write_texts_and_nulls(values)
    if kinds == {list} and set(map(type, chain.from_iterable(values))) <= {str}:
        return _write_lists(values)
    if not all(map(fits_cell, values)):
        return None
    return ["" if value is None else write_cell(value) for value in values]


def write_scalars(values: Sequence[Any]) -> list[str] | None:
    """The items of a list as they stand between commas; None where one is no scalar or too large for a cell."""
    if set(map(type, values)) == {str}:
        return _write_texts(values)
    if all(is_scalar(value) and _is_short(value) for value in values):
        return list(map(write_cell, values))
    return None


def fits_cell(value: Any) -> bool:
    """Whether the value is small enough to stand between commas."""
    if is_scalar(value):
        return _is_short(value)
    if not isinstance(value, Mapping) and all(is_scalar(item) and _is_short(item) for item in value):
        return True
    return _count_scalars(value, levels=_DEEPEST_CELL) <= _LARGEST_CELL


def _write_texts(texts: Sequence[str]) -> list[str] | None:
    if texts.count(texts[0]) == len(texts):
        return [write_cell(texts[0])] * len(texts) if _is_short(texts[0]) else None
    different = set(texts)
    written = write_cells(different)
    if written is None:
        return list(texts)
    return [written[text] for text in texts] if all(map(_is_short, different)) else None


def _write_texts_and_nulls(values: Sequence[str | None]) -> list[str] | None:
    texts = _write_texts([value for value in values if value is not None])
    if texts is None:
        return None
    written = iter(texts)
    return ["" if value is None else next(written) for value in values]


def _write_lists(lists: Sequence[Sequence[str]]) -> list[str] | None:
    different = set(chain.from_iterable(lists))
    written = write_listed(different)
    if written is None:
        return [f"[{','.join(texts)}]" for texts in lists]
    if not all(map(_is_short, different)):
        return None
    return [f"[{','.join([written[text] for text in texts])}]" for texts in lists]


def _is_short(value: Any) -> bool:
    return not isinstance(value, str) or value.count("\n") < _LINES_WORTH_A_BLOCK - 1


def _count_scalars(value: Any, *, levels: int) -> int:
    """How many scalars a cell would hold; more than the largest cell has where it may not hold them."""
    if is_scalar(value):
        return 1 if _is_short(value) else _LARGEST_CELL + 1
    if not levels:
        return _LARGEST_CELL + 1
    items = value.values() if isinstance(value, Mapping) else value
    return 1 + sum(_count_scalars(item, levels=levels - 1) for item in items)
