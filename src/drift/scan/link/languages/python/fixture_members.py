"""Members that pytest's fixtures give the test classes that use them: `request.cls.member = …`."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import MOST_GIVEN, Analysis
from drift.scan.link.languages.python.fixtures import used_fixtures
from drift.scan.link.links import Place
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, merge

_REQUEST: Final = ("name", "request")
_REQUESTING: Final = frozenset({("member", _REQUEST, "cls"), ("member", _REQUEST, "instance")})


def fixture_values(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """What fixtures that a class or an ancestor of it uses put on it under a name."""
    fixtures: dict[int, None] = {}
    for owner in line:
        if isinstance(owner, int) and used_fixtures(analysis.program.symbol(owner)):
            fixtures.update(dict.fromkeys(analysis.cached(("lenders", owner), _lenders, owner)))
    parts: list[Values] = []
    for fixture in fixtures:
        table = analysis.program.table_of(fixture)
        analysis.program.note_stores(table, name)
        parts.extend(
            analysis.evaluate(store.value, store.scope)
            for store in table.late_stores.get(name, ())[:MOST_GIVEN]
            if store.scope == fixture and store.receiver in _REQUESTING
        )
    return merge(parts) if parts else NOTHING


def _lenders(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """The fixtures that a class uses, with those that they ask for themselves."""
    program = analysis.program
    asked = [(owner, name) for name in used_fixtures(program.symbol(owner))]
    found: dict[int, None] = {}
    while asked:
        taker, name = asked.pop()
        table = program.table_of(taker)
        provider = program.semantics(table).provider(table.path, taker & SYMBOL_MASK, name)
        fixture = None if provider is None else program.number(Place(*provider))
        if fixture is not None and fixture not in found:
            found[fixture] = None
            asked.extend((fixture, one.name) for one in program.symbol(fixture).parameters)
    return tuple(found)
