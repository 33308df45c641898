"""Types of the project with all that they descend from."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from drift.conventions.finders.form import Finder, Source, fits, fits_none, fits_one, is_within, last_name
from drift.index.site_queries import Run, SiteQueries
from drift.index.site_records import SiteBase, SiteClass

_MOST_STEPS: Final = 30


class _Type(NamedTuple):
    """A type, and what stands above it."""

    file_id: int
    line: int
    end_line: int
    kind: str
    name: str
    modifiers: str
    bases: tuple[str, ...]  # as written, those it names itself
    base_kinds: frozenset[str]
    ancestors: frozenset[str]  # by last name, and by full name those outside
    root: str
    decorators: tuple[str, ...]


def _rows(source: Source, run: Run) -> Iterator[_Type]:
    sites = source.sites
    classes = {each.id: each for each in sites.classes(run)}
    bases = sites.bases(run)
    if source.around is not None:
        _take_above(classes, bases, source.around)
    ancestry = _Ancestry(classes, bases)
    decorators: dict[int, list[str]] = {}
    for symbol, name in sites.class_decorators(run):
        decorators.setdefault(symbol, []).append(name)
    for each in classes.values():
        if each.file_id not in source.files or not is_within(run, each.file_id):
            continue
        own = ancestry.bases.get(each.id, ())
        names, root = ancestry.of(each.id)
        yield _Type(
            each.file_id,
            each.line,
            each.end_line,
            each.kind,
            each.name,
            each.modifiers,
            tuple([last_name(base.text) for base in own]),
            frozenset([base.kind for base in own]),
            names,
            root,
            tuple(decorators.get(each.id, ())),
        )


def _take_above(classes: dict[int, SiteClass], bases: list[SiteBase], around: SiteQueries) -> None:
    """Add the types of the project that some types descend from, and what these do."""
    targets = {base.target for base in bases if base.target is not None and base.target not in classes}
    for _ in range(_MOST_STEPS):
        found = around.classes_of(targets)
        if not found:
            return
        classes.update({each.id: each for each in found})
        above = around.bases_of([each.id for each in found])
        bases.extend(above)
        targets = {base.target for base in above if base.target is not None and base.target not in classes}


class _Ancestry:
    """What types descend from, each asked once."""

    def __init__(self, classes: dict[int, SiteClass], bases: list[SiteBase]) -> None:
        self._classes = classes
        self.bases: dict[int, list[SiteBase]] = {}
        for base in bases:
            self.bases.setdefault(base.symbol_id, []).append(base)
        self._known: dict[int, tuple[frozenset[str], str]] = {}

    def of(self, start: int, steps: int = 0) -> tuple[frozenset[str], str]:
        """The names of all that a type descends from, and of the uppermost of it in the project."""
        known = self._known.get(start)
        if known is not None:
            return known
        self._known[start] = frozenset(), self._classes[start].name  # for types that descend from themselves
        names: set[str] = set()
        root = self._classes[start].name
        for base in self.bases.get(start, ()):
            names.add(last_name(base.text))
            if base.external_name:
                names.add(base.external_name)
            if base.target in self._classes and steps < _MOST_STEPS:
                above, uppermost = self.of(base.target, steps + 1)
                names |= above
                root = uppermost if root == self._classes[start].name else root
        self._known[start] = frozenset(names), root
        return self._known[start]


def _descends(row: _Type, values: tuple[str, ...]) -> bool:
    return any(fits(values, name) for name in row.ancestors)


CLASSES: Final = Finder(
    rows=_rows,
    kind_of=lambda row: str(row.kind),
    rests_on="ancestors",
    texts={
        "name": lambda row: row.name,
        "base": lambda row: tuple(row.bases),
        "root": lambda row: row.root,
        "modifiers": lambda row: row.modifiers,
    },
    tests={
        "names": fits_one(lambda row: row.name),
        "not_names": fits_none(lambda row: row.name),
        "bases": _descends,
        "not_bases": lambda row, values: not _descends(row, values),
        "base_kinds": lambda row, values: not row.base_kinds.isdisjoint(values),
        "decorators": lambda row, values: any(fits(values, name) for name in row.decorators),
        "modifiers": lambda row, values: not set(values).isdisjoint(row.modifiers.split()),
    },
)
