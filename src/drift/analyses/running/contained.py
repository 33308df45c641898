"""Constructors that no code of the product calls: what makes the objects is a container, wherever one is used.

What it does: leads from the methods of an object to the constructor of its class: where one of them runs, that has run.
Why it matters: the constructors of handlers, behaviours and controllers would run for nobody.
Known limits: classes with several constructors, of which nobody knows the one that a container takes; Python, whose
classes are made by calls that say so.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run

if TYPE_CHECKING:
    from drift.index import IndexReader

_MADE: Final = 0.9  # a test may take a stand-in for the object that no constructor made


def contained_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which methods need the constructor of their class to have run."""
    for method, constructor in reader.objects.made_by_containers():
        yield Run(method, constructor, _MADE)
