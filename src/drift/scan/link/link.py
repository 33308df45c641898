"""Link a project: all of it, or what a change can have touched."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from drift.scan.link.links import FileLinks
from drift.scan.link.neighbourhood import connected_files, label_components, outward_links
from drift.scan.link.overriding import find_overriders
from drift.scan.link.passes import analyse
from drift.scan.link.program import Program
from drift.scan.link.rows import write_links
from drift.scan.link.sources import Sources
from drift.scan.link.unique_names import settle_by_name


def link(sources: Sources) -> dict[str, FileLinks]:
    """The links of every file of a project."""
    program = Program(sources, sources.paths())
    return settle_by_name(_link_program(program))


def relink(
    sources: Sources, previous: Mapping[str, FileLinks], changed: Collection[str]
) -> dict[str, FileLinks]:
    """The links of every file after these have changed, come or gone: exactly what `link` would say.

    Values flow along imports both ways: a function's result to those who import it, arguments back to the
    function. So what is linked again is every file that is connected with a changed one through imports,
    as they were or as they are; the links of all others are taken over, and their facts not even asked for.
    """
    paths = set(sources.paths())
    affected = connected_files(sources, previous, changed)
    program = Program(sources, affected & paths)
    links = {path: known for path, known in previous.items() if path in paths and path not in affected}
    links.update(_link_program(program))
    return settle_by_name(dict(sorted(links.items())))


def _link_program(program: Program) -> dict[str, FileLinks]:
    findings = analyse(program)
    reaches = {table.path: outward_links(program, table) for table in program.tables()}
    overriders = find_overriders(findings.analysis, label_components(reaches))
    return {
        table.path: write_links(findings, table, overriders)._replace(reaches=reaches[table.path])
        for table in program.tables()
    }
