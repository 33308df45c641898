"""Tests that a class nested in another has for the classes below it: `class Cases: class Create(TestCase): ...`.

What it does: tells such a test as that of a class which inherits it, the nearest to what was asked about; a runner
collects no nested class, and the base alone has no model to test.
Known limits: Python alone; of several classes that inherit a test one is told.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from drift.analyses.testing.suites import Case
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord

if TYPE_CHECKING:
    from drift.index import IndexReader

_LANGUAGE: Final = "python"
_TEST: Final = "test"
_MOST_STEPS: Final = 6
_MOST_HEIRS: Final = 500


def as_inherited(reader: "IndexReader", case: Case, near: Collection[str]) -> Case:
    """The case as a class that inherits it runs it, which stands nearest to these files; else as it is."""
    if case.language != _LANGUAGE or "." not in case.owner:
        return case
    method = reader.symbols.get(case.id)
    if method is None or method.parent_id is None:
        return case
    heirs = [one for one in _heirs(reader, method.parent_id) if not _has_own(reader, one, case.name)]
    if not heirs:
        return case
    heir = min(
        heirs,
        key=lambda one: (-max((_shared(one.path, each) for each in near), default=0), one.path, one.line),
    )
    return case._replace(
        title=f"{heir.qualname}.{case.name}", owner=heir.qualname, path=heir.path, line=heir.line
    )


def _heirs(reader: "IndexReader", owner: SymbolId) -> list[SymbolRecord]:
    """The classes of test files below a class that a runner collects."""
    seen = {owner}
    pending = {owner}
    for _ in range(_MOST_STEPS):
        pending = {heir for heir, _ in reader.usages.heirs(sorted(pending))} - seen if pending else set()
        seen |= pending
        if len(seen) > _MOST_HEIRS:
            break
    found = reader.symbols.many(sorted(seen - {owner}))
    return [one for one in found if one.role == _TEST and "." not in one.qualname]


def _has_own(reader: "IndexReader", heir: SymbolRecord, name: str) -> bool:
    """Whether a class has something else under the name of a test: `test_create = None`."""
    return any(one.name == name for one in reader.symbols.members(heir.id))


def _shared(one: str, other: str) -> int:
    """How many folders two paths begin with alike."""
    count = 0
    for mine, theirs in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if mine != theirs:
            break
        count += 1
    return count
