"""What a decorator gives runs in the place of what it is put on: who comes to run the one runs the other.

Example: `def checked(view): def inner(request): … return inner`, and `@checked def orders(request): …`: a request of
`orders` runs `inner`.
Known limits: Python alone, and decorators of the project; which of several inner functions is given is not seen.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_GIVEN: Final = 0.9
_AMONG_SEVERAL: Final = 0.6


def decorated_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which decorated functions run the innermost functions of their decorators."""
    marked = reader.objects.marked()
    inner: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for decorator, one in reader.objects.innermost({decorator for _, decorator in marked}) if marked else ():
        inner[decorator].append(one)
    for symbol, decorator in marked:
        given = [one for one in inner[decorator] if one != symbol]
        confidence = _GIVEN if len(given) == 1 else _AMONG_SEVERAL
        yield from (Run(symbol, one, confidence) for one in given)
