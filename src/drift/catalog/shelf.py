"""Instructions by their row numbers, those last used at hand: making one from its row costs more than finding it."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from drift.catalog.entry import Instruction

_MOST_BYTES: Final = 24_000_000
_OBJECT_BYTES: Final = 2_500  # what an instruction takes beside its texts: 1,700 measured of short ones


class Shelf:
    """Rows never change and their numbers are never given again, so nothing here grows old. For one thread."""

    def __init__(self) -> None:
        self._entries: OrderedDict[int, Instruction] = OrderedDict()
        self._bytes = 0

    def take(
        self, rows: Sequence[int], fetch: Callable[[Sequence[int]], Mapping[int, Instruction]]
    ) -> tuple[Instruction, ...]:
        """The instructions of these rows, in this order; those not at hand are fetched."""
        missing = [row for row in rows if row not in self._entries]
        fetched = fetch(missing) if missing else {}
        found = tuple(fetched[row] if row in fetched else self._entries[row] for row in rows)
        for row in rows:
            if row not in fetched:
                self._entries.move_to_end(row)
        self._keep(fetched.items())
        return found

    def _keep(self, fetched: Iterable[tuple[int, Instruction]]) -> None:
        for row, entry in fetched:
            self._entries[row] = entry
            self._bytes += _size(entry)
        while self._bytes > _MOST_BYTES:
            _, dropped = self._entries.popitem(last=False)
            self._bytes -= _size(dropped)


def _size(entry: Instruction) -> int:
    # The longest texts alone are counted; a character may take up to four bytes.
    return _OBJECT_BYTES + 2 * (len(entry.body) + sum(map(len, entry.examples)) + len(entry.rationale or ""))
