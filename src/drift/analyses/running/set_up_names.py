"""Who asks for what set-up keeps in a field that only code above the class reads: `self.url = reverse("orders")`.

Example: `OrderTests.setUp` gives `self.url` a path, and its tests call `self.assert_created()` of a parent, which posts to
`self.url`: each test asks for the path with the method of the helper that it calls.
Known limits: which of several helpers reads the field is not looked at.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.running.client_calls import Said, requests_by_line
from drift.analyses.running.edges import reached_from
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_TEST: Final = "test"


def asking_tests(
    reader: "IndexReader", setting_up: Collection[SymbolId]
) -> Mapping[SymbolId, Mapping[SymbolId, frozenset[str]]]:
    """By the method that keeps something for them, the tests that ask through helpers of parents, each with their methods."""
    owners = {one.id: one.parent_id for one in reader.symbols.many(setting_up) if one.parent_id is not None}
    if not owners:
        return {}
    above: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    below: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents():
        if parent is not None:
            above[child].append(parent)
            below[parent].append(child)
    tests: dict[SymbolId, list[SymbolId]] = {}
    helpers: dict[SymbolId, set[SymbolId]] = {}
    for owner in set(owners.values()):
        line = reached_from(owner, above) | reached_from(owner, below)
        members = [each for one in sorted(line) for each in reader.symbols.members(one)]
        tests[owner] = [each.id for each in members if each.name.startswith(_TEST) and each.role == _TEST]
        helpers[owner] = {each.id for each in members if each.parent_id != owner} - set(tests[owner])
    called: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    for edge in reader.graph.edges_of({each for some in tests.values() for each in some}):
        called[edge.caller_id].add(edge.callee_id)
    said = requests_by_line(reader, {each for some in helpers.values() for each in some})
    return {
        method: {
            test: asked for test in tests[owner] if (asked := _asked(said, called[test] & helpers[owner]))
        }
        for method, owner in owners.items()
    }


def _asked(said: Said, helpers: Collection[SymbolId]) -> frozenset[str]:
    """The methods of the requests that these make."""
    return frozenset(
        method for one in helpers for methods in said.get(one, {}).values() for method in methods
    )
