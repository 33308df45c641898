"""Linking a scan's files and writing what comes of it: all of them, or those that the changes matter to."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from drift.index.ids import symbol_id
from drift.index.transaction import IndexTransaction
from drift.scan.link import Linked, Linker, Place
from drift.scan.link.provision import Provision, provide
from drift.scan.link.rules import is_configuration
from drift.scan.link.traces import changed_keys, pack_trace, path_keys
from drift.scan.linking import link_rows
from drift.scan.report import Progress
from drift.scan.stored import StoredFacts, StoredSources

_NOTHING = Provision({}, {})


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
    # Files that are gone are among them: their traces still tell what they overrode.
    paths = {file: path for path, file in facts.known.items()}
    traces = {paths[file]: packed for file, packed in reader.files.traces()}
    changed = touched.read | touched.gone
    return linker.link_changed(changed, _keys(facts, sources, touched), traces), None


def _keys(facts: StoredFacts, sources: StoredSources, touched: Touched) -> set[int]:
    """The keys of what the changed files provide differently."""
    changed = touched.read | touched.gone
    keys: set[int] = set()
    moved = []
    for path in changed:
        then, now = facts.former_facts(path), sources.facts_of(path) if path in facts.fresh else None
        before, after = (provide(path, one) if one is not None else _NOTHING for one in (then, now))
        keys |= changed_keys(before, after)
        if path in touched.renumbered:
            keys |= before.own.keys()
        if (then is None) != (now is None):
            moved.append(path)
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
