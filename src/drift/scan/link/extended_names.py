"""Names of extension methods outside: the package that a file takes in, and not the type they are called on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.scan.link.analysis import Analysis


def extending_spaces(analysis: Analysis, scope: int) -> tuple[str, ...]:
    """The namespaces whose extension methods are seen at a place."""
    table = analysis.program.table_of(scope)
    if table.extending_spaces is None:
        semantics = analysis.program.semantics(table)
        table.extending_spaces = analysis.program.read_apart(
            semantics.extending_spaces, table.path, table.facts
        )
    spaces, read = table.extending_spaces
    analysis.program.reads.update(read)
    return spaces


def extended_name(analysis: Analysis, scope: int, name: str) -> str:
    """The name of what is called; of a method that a collection has not, that of the package which extends it.

    `System.list.ToListAsync` is none of a list: it is the one of a package of which the file takes in the namespace,
    or stands without any where that is not known.
    """
    semantics = analysis.program.semantics_at(scope)
    known = semantics.outside_names
    called = name.rpartition(".")[2]
    if not name.startswith(known.extended) or called in known.own_members:
        return name
    library = semantics.outside_extensions.get(called)
    if library is not None:
        return library
    owners = known.extensions.get(called, ())
    if not owners:
        return called
    spaces = extending_spaces(analysis, scope)
    return next((f"{owner}.{called}" for space, owner in owners if space in spaces), called)
