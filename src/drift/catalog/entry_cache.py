"""Instructions by their row numbers, those last used at hand: reading one from its row costs more than finding it."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

Wire = dict[str, Any]
"""An instruction with its names on the wire. Many answers may hold it, so nobody changes it."""

_MOST_BYTES: Final = 24_000_000
_OBJECT_BYTES: Final = 2_500  # what an instruction takes beside its texts: 1,700 measured of short ones


class EntryCache:
    """Rows never change and their numbers are never given again, so nothing here grows old. For one thread."""

    def __init__(self) -> None:
        self._entries: OrderedDict[int, Wire] = OrderedDict()
        self._bytes = 0

    def take(
        self, rows: Sequence[int], fetch: Callable[[Sequence[int]], Mapping[int, Wire]]
    ) -> tuple[Wire, ...]:
        """The instructions of these rows, in this order; those not at hand are fetched."""
        missing = [row for row in rows if row not in self._entries]
        fetched = fetch(missing) if missing else {}
        found = tuple(fetched[row] if row in fetched else self._entries[row] for row in rows)
        for row in rows:
            if row not in fetched:
                self._entries.move_to_end(row)
        self._keep(fetched.items())
        return found

    def _keep(self, fetched: Iterable[tuple[int, Wire]]) -> None:
        for row, entry in fetched:
            self._entries[row] = entry
            self._bytes += _size(entry)
        while self._bytes > _MOST_BYTES:
            _, dropped = self._entries.popitem(last=False)
            self._bytes -= _size(dropped)


def _size(entry: Wire) -> int:
    # The longest texts alone are counted; a character may take up to four bytes.
    examples = sum(map(len, entry.get("examples", ())))
    return _OBJECT_BYTES + 2 * (len(entry["body"]) + examples + len(entry.get("rationale", "")))
