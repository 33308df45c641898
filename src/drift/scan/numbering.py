"""Numbers of symbols that outlive an edit: what was there before keeps its number, what is new gets a free one."""

from collections import deque
from collections.abc import Iterable, Sequence

from drift.index.ids import MOST_SYMBOLS_PER_FILE
from drift.languages.facts import FileFacts

Numbers = tuple[int, ...]
"""The number of each symbol, in the order of the facts."""

Identity = tuple[int, str, str]
"""A symbol as the index knows it: number, kind, qualified name."""


def number_symbols(facts: FileFacts, names: Sequence[str], former: Sequence[Identity]) -> Numbers | None:
    """The number of each symbol, given those the file had; None where it is the order itself.

    Symbols are the same by qualified name, and in their order among equals: links know them by that and
    nothing else, so a function that becomes a class has to keep its number. The file itself is always 0. Where
    numbers would run out, all are numbered anew.
    """
    if not former:
        return None
    known = {name: deque(numbers) for name, numbers in _by_name(former).items()}
    free = max(number for number, _, _ in former) + 1
    numbers = [0]
    for name in names[1 : len(facts.symbols)]:
        same = known.get(name)
        if same:
            numbers.append(same.popleft())
        else:
            numbers.append(free)
            free += 1
    is_order = numbers == list(range(len(numbers)))
    return None if is_order or max(numbers) >= MOST_SYMBOLS_PER_FILE else tuple(numbers)


def is_numbered_anew(former: Sequence[Identity], present: Sequence[Identity]) -> bool:
    """Whether a symbol that was there before has another number now."""
    now = _by_name(present)
    return any(
        any(one != other for one, other in zip(numbers, now.get(name, ()), strict=False))
        for name, numbers in _by_name(former).items()
    )


def _by_name(symbols: Iterable[Identity]) -> dict[str, list[int]]:
    """The numbers of the symbols of each qualified name in order, without the file's own."""
    found: dict[str, list[int]] = {}
    for number, _, name in sorted(symbols):
        if number:
            found.setdefault(name, []).append(number)
    return found


def symbol_ids(file: int, numbers: Numbers | range) -> list[int]:
    """The id of each symbol of a file, by its place in the facts; the numbers were checked when given."""
    first = file << 16
    return [first | number for number in numbers]
