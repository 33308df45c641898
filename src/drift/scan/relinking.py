"""Linking a scan's files and writing what comes of it: all of them, or those that the changes matter to."""

import gc
import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from drift.index import IndexReader
from drift.index.ids import symbol_id
from drift.index.rows import LinkRows
from drift.index.transaction import IndexTransaction
from drift.languages.facts import FileFacts
from drift.scan.describing import judge_facts
from drift.scan.link import Linked, Linker, Place
from drift.scan.link.configuration import is_configuration
from drift.scan.link.exported_facts import ExportedFacts, exported_facts
from drift.scan.link.faults import FAULTS, note_fault
from drift.scan.link.folders import all_folders, folder_of
from drift.scan.link.moves import path_keys
from drift.scan.link.traces import changed_keys, is_whole, pack_trace, presence_keys
from drift.scan.linking import link_rows
from drift.scan.report import Progress
from drift.scan.routes import join_routes
from drift.scan.stored import StoredFacts, StoredSources

logger = logging.getLogger(__name__)

_NOTHING = ExportedFacts({}, {})
_Moves = tuple[list[str], list[str]]
"""Files that came or went, and the others beside them."""


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
    with _no_garbage_collection(), closing(linker):
        linked, total = _choose(linker, sources, facts, touched)
        progress("link", 0, total)
        for done, each in enumerate(linked, 1):
            _write(transaction, facts, sources, each)
            sources.let_go(each.path)
            linker.let_go(each.path)
            progress("link", done, total)
    join_routes(transaction)
    _note_surroundings(transaction, facts, sources)
    for path, reason in sources.damaged.items():
        transaction.fail_file(facts.ids[path], reason, is_read_anew=True)


def _note_surroundings(transaction: IndexTransaction, facts: StoredFacts, sources: StoredSources) -> None:
    """Keep what was found of files that the index has not: where they say something else, links may be others."""
    known = facts.reader.surroundings() if facts.reader is not None else None
    both = {**(known or {}), **sources.surroundings}
    found = {path: said for path, said in both.items() if path not in facts.ids}
    if found != known:
        transaction.set_surroundings(found)


def _choose(
    linker: Linker, sources: StoredSources, facts: StoredFacts, touched: Touched | None
) -> tuple[Iterator[Linked], int | None]:
    reader = facts.reader
    if touched is None or reader is None or _is_about_configuration(touched):
        return linker.link_all(), len(sources.paths())
    changed = touched.read | touched.gone
    try:
        former = {path: found for path in changed if (found := facts.former_facts(path)) is not None}
        traces = _read_traces(facts, reader)
    except ValueError as error:
        logger.warning("all files are linked anew, as the index cannot tell what has changed: %s", error)
        return linker.link_all(), len(sources.paths())
    come = sorted(path for path in changed if path in facts.fresh and path not in former)
    gone = sorted(path for path in changed if path in former and path not in facts.fresh)
    staying = sorted(set(facts.readable()).difference(come))
    if any(_is_about_package(facts, *each) for each in _group_moves(staying, (*come, *gone))):
        return linker.link_all(), len(sources.paths())
    wanted = path_keys(come, gone, staying=staying, has_text=sources.has_text)
    keys = wanted.keys | _changed_keys(facts, sources, touched, former=former)
    return linker.link_changed(changed, keys, traces, pairs=wanted.pairs), None


def _read_traces(facts: StoredFacts, reader: IndexReader) -> dict[str, bytes]:
    """The packed traces by path. Those of files that are gone still tell what they overrode."""
    paths = {file: path for path, file in facts.known.items()}
    traces = {paths[file]: packed for file, packed in reader.files.traces()}
    for path, packed in traces.items():
        if not is_whole(packed):
            raise ValueError(f"the trace of {path} is damaged")
    return traces


def _changed_keys(
    facts: StoredFacts, sources: StoredSources, touched: Touched, *, former: Mapping[str, FileFacts]
) -> set[int]:
    """The keys of what the changed files export differently."""
    keys: set[int] = set()
    provided: list[tuple[ExportedFacts, ExportedFacts]] = []
    changed = touched.read | touched.gone
    for path in changed:
        then, now = former.get(path), sources.facts_of(path) if path in facts.fresh else None
        before, after = (exported_facts(path, one) if one is not None else _NOTHING for one in (then, now))
        provided.append((before, after))
        keys |= changed_keys(before, after)
        if path in touched.renumbered:
            keys |= before.own.keys()

    def is_elsewhere(key: int) -> bool:
        return not changed.issuperset(sources.providing(key))

    befores, afters = ([pair[side] for pair in provided] for side in (0, 1))
    return keys | presence_keys(befores, afters, is_elsewhere=is_elsewhere)


def _group_moves(others: Collection[str], moved: Collection[str]) -> list[_Moves]:
    """The files that came or went by their suffix, each time with the others that have it.

    A folder that has files of another language is new to this one all the same.
    """
    suffixes = sorted({_suffix_of(path) for path in moved})
    return [
        (
            [path for path in moved if _suffix_of(path) == suffix],
            [path for path in others if _suffix_of(path) == suffix],
        )
        for suffix in suffixes
    ]


def _suffix_of(path: str) -> str:
    return path.rpartition(".")[2]


def _is_about_package(facts: StoredFacts, moved: Collection[str], others: Collection[str]) -> bool:
    """Whether a folder got its first or lost its last file: only with one its configuration means anything."""
    folders = all_folders(moved) - all_folders(others)
    return any(
        folder_of(path) in folders and is_configuration(path, is_there_anew=True) for path in facts.ids
    )


def _is_about_configuration(touched: Touched) -> bool:
    """Whether a file has changed that says what imports mean."""
    anew = touched.come | touched.gone
    return any(is_configuration(path, is_there_anew=path in anew) for path in touched.read | touched.gone)


def _write(transaction: IndexTransaction, facts: StoredFacts, sources: StoredSources, linked: Linked) -> None:
    path, fault = linked.path, linked.fault
    file = facts.ids[path]
    try:
        rows = _rows(facts, sources, linked)
    except FAULTS as error:
        rows, fault = LinkRows(file), note_fault(path, error)
    transaction.set_links(rows)
    if fault is not None:
        transaction.fail_file(file, fault)
    elif path in facts.unlinked and path not in facts.fresh:
        transaction.restore_file(file, *judge_facts(sources.facts_of(path)))


def _rows(facts: StoredFacts, sources: StoredSources, linked: Linked) -> LinkRows:
    path = linked.path
    rows = link_rows(path, sources.facts_of(path), linked.links, ids=facts.ids, numbers_of=sources.numbers_of)

    def number(place: Place) -> int:
        numbers = sources.numbers_of(place.path)
        own = place.symbol if numbers is None else numbers[place.symbol]
        return symbol_id(facts.ids[place.path], own)

    overrides = tuple((number(overrider), number(method)) for method, overrider in linked.overrides)
    return rows._replace(overrides=overrides, traces=pack_trace(linked.trace))


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
