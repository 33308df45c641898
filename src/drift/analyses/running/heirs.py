"""Classes that have the constructor of a parent: who makes one runs the parent's, and has an object of the class.

What it does: leads from a call such as `new TaskCreation($container)` to the class it names, where the constructor that
linking leads to is that of a class above.
Why it matters: what a framework or a parent calls of such a class would run for nobody.
Known limits: not in Python, where a class that is called is named as a value.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from drift.analyses.running.edges import Run
from drift.analyses.running.objects import MadeClasses, called_class
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader


def heir_runs(reader: "IndexReader") -> Iterator[Run]:
    """Who makes a class that inherits its constructor, by the name in the call."""
    inheriting = reader.objects.inheriting()
    if not inheriting:
        return
    parents: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents():
        if parent is not None:
            parents[child].append(parent)
    names = set(inheriting.values())
    classes = MadeClasses(reader, parents)
    for one in reader.objects.made():
        if called_class(one.text) in names:
            for meant in classes.meant(one):
                if meant in inheriting and meant != one.owner:
                    yield Run(one.maker, meant, one.confidence)
