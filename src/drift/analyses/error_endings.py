"""What ends an error without naming it: handlers that a framework is told of, and handlers of its parents."""

from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.error_handling.boundaries import Boundaries, Boundary
from drift.analyses.error_handling.hierarchy import Hierarchy, families, family_name
from drift.analyses.error_handling.scopes import Scopes

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_PARENTS: Final = 8


class Endings(NamedTuple):
    """Handlers of frameworks that an error comes to, and the names of its parents that are no root of all errors."""

    boundaries: tuple[Boundary, ...]
    parents: tuple[str, ...]


def find_endings(reader: "IndexReader", name: str, languages: frozenset[str]) -> Endings:
    """What may end an error of this name in the languages it is raised in."""
    hierarchy = Hierarchy(reader)
    own = sorted({family_name(each) for each in languages})
    found = [
        one
        for one in Boundaries(reader, hierarchy, Scopes((), ())).found
        if one.language in own and hierarchy.catches(one.language, one.types, name)
    ]
    parents = {each for language in own for each in hierarchy.ancestors(language, name) - _roots(language)}
    return Endings(tuple(found), tuple(sorted(parents - {name}))[:_MOST_PARENTS])


def _roots(language: str) -> frozenset[str]:
    """The types whose handlers catch whatever is thrown, and say nothing of one error."""
    family = families().get(language)
    return frozenset() if family is None else frozenset({family.root, *family.catches_all})
