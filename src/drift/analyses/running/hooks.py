"""Functions that plugins offer for a hook of pluggy: who calls the hook runs them all.

Example: `pm.hook.load_blueprints(app=app)` runs every `@hookimpl def load_blueprints(app)`.
Known limits: Python alone; a hook is told by its name, so two managers with hooks of one name share what is offered for it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_HOOKED: Final = 0.55  # what is offered may only register things, whose names would count as well
_MARKING: Final = re.compile(r"(?:\w{1,80}\.){0,4}(?:\w{0,40}hookimpl|\w{0,40}hookspec|impl|spec)")
_LIBRARY: Final = "pluggy."


def hook_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which functions run what is offered for the hooks they call."""
    wanted = [each for each in reader.running.decorator_names() if _MARKING.fullmatch(each)]
    if not wanted or not any(name.startswith(_LIBRARY) for _, name in reader.running.outside_names()):
        return
    offered: dict[str, set[SymbolId]] = defaultdict(set)
    for mark in reader.running.decorated(wanted):
        offered[mark.name].add(mark.symbol_id)
    for caller, text in reader.running.calls_of_hooks():
        yield from (
            Run(caller, one, _HOOKED) for one in offered.get(text.rpartition(".")[2], ()) if one != caller
        )
