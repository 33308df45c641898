"""Linking a scan's files and writing what comes of it: all of them, or those that the changes matter to."""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from drift.index.ids import symbol_id
from drift.index.transaction import IndexTransaction
from drift.scan.link import Linked, Linker, Place
from drift.scan.link.rules import is_configuration
from drift.scan.link.traces import (
    changed_keys,
    pack_trace,
    path_keys,
    unpack_provision,
)
from drift.scan.linking import link_rows
from drift.scan.report import Progress
from drift.scan.stored import StoredFacts, StoredSources


class Touched(NamedTuple):
    """The files of a project that are not what the index says: read anew, come, or gone."""

    read: frozenset[str]
    come: frozenset[str]  # those of the read that the index did not have
    gone: frozenset[str]
    renumbered: frozenset[str] = frozenset()  # those of the read whose symbols could not keep their numbers


def link_files(
    root: Path,
    transaction: IndexTransaction,
    facts: StoredFacts,
    *,
    touched: Touched | None,
    progress: Progress,
) -> None:
    """Link the files that the changes matter to, or all where nothing says which that is."""
    sources = StoredSources(root, facts)
    linker = Linker(sources)
    with _no_garbage_collection():
        linked, total = _choose(linker, sources, facts, touched)
        progress("link", 0, total)
        for done, each in enumerate(linked, 1):
            _write(transaction, facts, sources, each)
            progress("link", done, total)


def _choose(
    linker: Linker, sources: StoredSources, facts: StoredFacts, touched: Touched | None
) -> tuple[Iterator[Linked], int | None]:
    reader = facts.reader
    if touched is None or reader is None or _is_about_configuration(touched):
        return linker.link_all(), len(sources.paths())
    paths = {file: path for path, file in facts.ids.items()}
    traces = {paths[file]: packed for file, packed in reader.files.traces() if file in paths}
    # Of files that are gone the trace still tells what they overrode.
    gone_ids = _known_ids(facts, touched.gone)
    traces.update({gone_ids[file]: packed for file, packed in reader.files.traces() if file in gone_ids})
    changed = touched.read | touched.gone
    return linker.link_changed(changed, _keys(facts, touched), traces), None


def _known_ids(facts: StoredFacts, paths: Iterable[str]) -> dict[int, str]:
    wanted = set(paths)
    if not wanted or facts.reader is None:
        return {}
    return {stamp.id: stamp.path for stamp in facts.reader.files.stamps() if stamp.path in wanted}


def _keys(facts: StoredFacts, touched: Touched) -> set[int]:
    """The keys of what the changed files provide differently."""
    reader = facts.reader
    assert reader is not None
    changed = touched.read | touched.gone
    known = _known_ids(facts, changed)
    before = {known[file]: unpack_provision(held) for file, held in reader.files.provides() if file in known}
    nothing = unpack_provision(b"")
    keys: set[int] = set()
    for path in changed:
        then = before.get(path, nothing)
        now = unpack_provision(facts.fresh[path].provides) if path in facts.fresh else nothing
        keys |= changed_keys(then, now)
        if path in touched.renumbered:
            keys |= then.own.keys()
    moved = [path for path in changed if (path in before) != (path in facts.fresh)]
    others = [path for path in facts.readable() if path not in changed]
    return keys | (path_keys(moved, others) if moved else set())


def _is_about_configuration(touched: Touched) -> bool:
    """Whether a file has changed that says what imports mean."""
    anew = touched.come | touched.gone
    return any(is_configuration(path, is_there_anew=path in anew) for path in touched.read | touched.gone)


def _write(transaction: IndexTransaction, facts: StoredFacts, sources: StoredSources, linked: Linked) -> None:
    path = linked.path
    rows = link_rows(path, sources.facts_of(path), linked.links, ids=facts.ids, numbers_of=sources.numbers_of)

    def number(place: Place) -> int:
        numbers = sources.numbers_of(place.path)
        own = place.symbol if numbers is None else numbers[place.symbol]
        return symbol_id(facts.ids[place.path], own)

    overrides = tuple((number(overrider), number(method)) for method, overrider in linked.overrides)
    transaction.set_links(rows._replace(overrides=overrides, traces=pack_trace(linked.trace)))


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Linking makes millions of tuples and no cycles; looking for those costs a quarter of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
