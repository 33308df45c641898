"""What a project keeps beside its index: memories and instructions, opened as the servers open them."""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from drift.cli.checks.finding import Finding, failing, ok, warn
from drift.kernel.errors import DriftError
from drift.kernel.sharing import place_of, store_exists
from drift.kernel.text import plural
from drift.project import Project, open_project


def check_stores(root: Path, environ: Mapping[str, str]) -> Iterator[Finding]:
    """How the memories and the instructions are. Nothing is made; a store of an earlier version is brought up to date."""
    try:
        project = open_project(root, environ)
    except DriftError:
        return  # wrong settings, which are a finding of their own
    yield _check_memory(project)
    if project.config.cortex.enabled is not False:
        yield _check_places(project)
    yield _check_instructions(project, environ)
    yield _check_decisions(project)


def _check_memory(project: Project) -> Finding:
    if project.config.cortex.enabled is False:
        return ok("memory", "switched off by cortex.enabled")
    from drift.memory.storage.damage import say_damage  # brings SQLite, which only this check needs
    from drift.memory.store import MemoryStore

    try:
        with closing(MemoryStore(project.memory_db)) as store:
            if not store.is_present:
                return ok("memory", "nothing saved yet")
            damaged = say_damage(store.check())
            if damaged:
                return warn("memory", damaged[0].partition(";")[0], "Run: drift memory salvage")
            # One that may only be read is checked as far as that goes.
            places = (project.memory_db, project.memory_db.parent)
            may_write = place_of(project.memory_db) is not None or all(
                os.access(each, os.W_OK) for each in places
            )
            was_mended = may_write and store.mend_indexes()
            count = plural(store.counts().current, "memory", "memories")
            return ok("memory", f"{count}; damaged indexes were made anew" if was_mended else count)
    except DriftError as error:
        return failing("memory", error)


def _check_places(project: Project) -> Finding:
    """Where what cannot be derived anew is kept, and what of it is not believed."""
    notes = project.stores.notes
    if notes:
        return warn("stores", " ".join(notes), "See: drift memory accept --help")
    place = place_of(project.memory_db)
    if place is not None:
        return ok("stores", f"{place.schema} of the team's database")
    return ok("stores", str(project.memory_db.parent.parent))


def _check_instructions(project: Project, environ: Mapping[str, str]) -> Finding:
    place = environ.get("INSTRUCTIONS_DIR") or project.state.instructions
    if not os.path.isdir(place):  # noqa: PTH112 - either a text of the environment or a path
        return ok("instructions", "none yet")
    from drift.catalog import Catalog  # as above

    try:
        with closing(Catalog.open(project.root, environ)) as catalog:
            count, problems = catalog.list_entries(limit=1).count, catalog.problems()
            damaged = catalog.check()
    except DriftError as error:
        return failing("instructions", error)
    if problems:
        told = "; ".join(f"{each.name}: {each.reason}" for each in problems[:3])
        return warn(
            "instructions", f"{plural(len(problems), 'file')} cannot be read: {told}", "Mend them by hand."
        )
    if damaged:
        return warn("instructions", damaged[0], "Run: drift memory restore --store catalog")
    return ok("instructions", plural(count, "instruction"))


def _check_decisions(project: Project) -> Finding:
    path = project.stores.state_db
    if not store_exists(path):
        return ok("decisions", "none yet")
    from drift.state import StateStore  # as above

    try:
        with closing(StateStore(path)) as store:
            damaged = store.check()
            count = len(store.sightings())
    except DriftError as error:
        return failing("decisions", error)
    if damaged:
        return warn("decisions", damaged[0], "Run: drift memory restore --store state --from latest")
    return ok("decisions", plural(count, "convention"))
