"""Functions that a decorator keeps under a name: who calls that name on something, or says it, runs them.

Example: `@rpc_method(name="Case.filter")` is run by `client.Case.filter(…)`, `@app.task(name="mails.send")` by
`app.send_task("mails.send")`.
Known limits: Python alone; the name is given as `name=` and has several parts; two functions of one name share its callers.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_CALLED: Final = 0.8
_SAID: Final = 0.5  # it may be told, and not asked for
_NAME: Final = re.compile(r"\bname\s{0,9}=\s{0,9}['\"]([A-Za-z_]\w{0,80}(?:[.:/]\w{1,80}){1,6})['\"]")
_MOST_OF_A_NAME: Final = 4


def registered_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which functions run what decorators keep under the names that they call or say."""
    kept: dict[str, set[SymbolId]] = defaultdict(set)
    for symbol, text in reader.objects.marked_with_names():
        if (named := _NAME.search(text)) is not None:
            kept[named[1]].add(symbol)
    kept = {name: found for name, found in kept.items() if len(found) <= _MOST_OF_A_NAME}
    if not kept:
        return
    yield from _runs(reader.objects.saying(kept), kept, _SAID)
    running = reader.running
    outside = {word: name for word, text in running.outside_names() if (name := _ending(text, kept))}
    callers = running.callers_of_outside(outside) if outside else []
    yield from _runs(((outside[word], caller) for caller, word, _ in callers), kept, _CALLED)
    unknown = {word: name for word, text in running.open_texts() if (name := _ending(text, kept))}
    open_callers = running.open_callers(unknown) if unknown else []
    yield from _runs(((unknown[word], caller) for caller, word, _, _ in open_callers), kept, _CALLED)


def _runs(
    uses: Iterable[tuple[str, SymbolId]], kept: Mapping[str, set[SymbolId]], confidence: float
) -> Iterator[Run]:
    for name, user in uses:
        yield from (Run(user, one, confidence) for one in kept[name] if user != one)


def _ending(text: str, kept: Container[str]) -> str | None:
    """The name with which a call of a member ends: `Case.filter` of `self.client.Case.filter`."""
    rest = text
    while "." in rest:
        rest = rest.partition(".")[2]
        if "." in rest and rest in kept:
            return rest
    return None
