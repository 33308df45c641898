"""Numbers of symbols that outlive an edit: what was there before keeps its number, what is new gets a free one."""

from collections import defaultdict, deque
from collections.abc import Sequence

from drift.index.ids import MOST_SYMBOLS_PER_FILE
from drift.languages.facts import FileFacts

Numbers = tuple[int, ...]
"""The number of each symbol, in the order of the facts."""

Identity = tuple[int, str, str]
"""A symbol as the index knows it: number, kind, qualified name."""


def number_symbols(facts: FileFacts, names: Sequence[str], former: Sequence[Identity]) -> Numbers | None:
    """The number of each symbol, given those the file had; None where it is the order itself.

    Symbols are the same by kind and qualified name, and in their order among equals. The file itself is
    always 0. Where numbers would run out, all are numbered anew.
    """
    if not former:
        return None
    known: defaultdict[tuple[str, str], deque[int]] = defaultdict(deque)
    for number, kind, qualname in former:
        if number:
            known[kind, qualname].append(number)
    free = max(number for number, _, _ in former) + 1
    numbers = [0]
    for symbol, name in zip(facts.symbols[1:], names[1:], strict=True):
        same = known.get((symbol.kind, name))
        if same:
            numbers.append(same.popleft())
        else:
            numbers.append(free)
            free += 1
    is_order = numbers == list(range(len(numbers)))
    return None if is_order or max(numbers) >= MOST_SYMBOLS_PER_FILE else tuple(numbers)


def is_numbered_anew(former: Sequence[Identity], present: Sequence[Identity]) -> bool:
    """Whether a symbol that was there before has another number now."""
    known: dict[tuple[str, str], int] = {}
    for number, kind, name in former:
        known.setdefault((kind, name), number)
    seen: set[tuple[str, str]] = set()
    for number, kind, name in present:
        if (kind, name) not in seen and known.get((kind, name), number) != number:
            return True
        seen.add((kind, name))
    return False


def symbol_ids(file: int, numbers: Numbers | range) -> list[int]:
    """The id of each symbol of a file, by its place in the facts; the numbers were checked when given."""
    first = file << 16
    return [first | number for number in numbers]
