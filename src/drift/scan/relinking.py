"""Linking a scan's files and writing what comes of it: all of them, or those that the changes matter to."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from drift.index import IndexReader
from drift.index.transaction import IndexTransaction
from drift.languages.facts import FileFacts
from drift.scan.describing import judge_facts
from drift.scan.garbage import garbage_left_alone
from drift.scan.link.configuration import is_configuration
from drift.scan.link.exported_facts import ExportedFacts, exported_facts
from drift.scan.link.folders import all_folders, folder_of
from drift.scan.link.moves import path_keys
from drift.scan.link.traces import changed_keys, is_whole, presence_keys
from drift.scan.link_pool import LinkPool, LostProcessError, count_processes
from drift.scan.report import Progress
from drift.scan.routes import join_routes
from drift.scan.row_linker import LinkedRows, RowLinker
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
    jobs: int,
    progress: Progress,
) -> None:
    """Link the files that the changes matter to, or all where nothing says which that is."""
    with garbage_left_alone(), closing(RowLinker(root, facts)) as linker:
        sources = linker.sources
        affected = _find_affected(linker, facts, touched)
        written = _Written(transaction, facts, sources, progress)
        if not _link_side_by_side(root, facts, linker, written, affected, jobs=jobs):
            paths = linker.find_all() if affected is None else affected
            written.take(map(linker.link, paths), len(paths))
        join_routes(transaction)
        _note_surroundings(transaction, facts, sources)
        for path, reason in sources.damaged.items():
            transaction.fail_file(facts.ids[path], reason, is_read_anew=True)


def _link_side_by_side(
    root: Path,
    facts: StoredFacts,
    linker: RowLinker,
    written: "_Written",
    affected: Sequence[str] | None,
    *,
    jobs: int,
) -> bool:
    """Link the affected files, or all, in several processes; whether that was worth it and went well."""
    sources = linker.sources
    paths = sources.paths() if affected is None else affected
    count = count_processes(sum(len(facts.packed(path)) for path in paths), jobs)
    if count == 1:
        return False
    overridden = None if affected is None else linker.linker.overridden
    linker.let_all_go()
    try:
        with closing(LinkPool(root, count)) as pool:
            written.take(pool.link(facts, paths, overridden), len(paths))
    except LostProcessError as error:
        logger.warning("files are linked in one process, as another was lost: %s", error)
        return False
    sources.damaged |= pool.damaged
    sources.surroundings |= pool.surroundings
    return True


class _Written:
    """Takes what is found of files into the index."""

    def __init__(
        self, transaction: IndexTransaction, facts: StoredFacts, sources: StoredSources, progress: Progress
    ) -> None:
        self._transaction = transaction
        self._facts = facts
        self._sources = sources
        self._progress = progress

    def take(self, found: Iterable[LinkedRows], total: int) -> None:
        self._progress("link", 0, total)
        for done, each in enumerate(found, 1):
            self._write(each)
            self._progress("link", done, total)

    def _write(self, linked: LinkedRows) -> None:
        path, facts = linked.path, self._facts
        file = facts.ids[path]
        self._transaction.set_links(linked.rows)
        if linked.fault is not None:
            self._transaction.fail_file(file, linked.fault)
        elif path in facts.unlinked and path not in facts.fresh:
            self._transaction.restore_file(file, *judge_facts(self._sources.facts_of(path)))


def _note_surroundings(transaction: IndexTransaction, facts: StoredFacts, sources: StoredSources) -> None:
    """Keep what was found of files that the index has not: where they say something else, links may be others."""
    known = facts.reader.surroundings() if facts.reader is not None else None
    both = {**(known or {}), **sources.surroundings}
    found = {path: said for path, said in both.items() if path not in facts.ids}
    if found != known:
        transaction.set_surroundings(found)


def _find_affected(linker: RowLinker, facts: StoredFacts, touched: Touched | None) -> Sequence[str] | None:
    """The files that the changes matter to, ready to be linked; None where it may be all."""
    reader, sources = facts.reader, linker.sources
    if touched is None or reader is None or _is_about_configuration(touched):
        return None
    changed = touched.read | touched.gone
    try:
        former = {path: found for path in changed if (found := facts.former_facts(path)) is not None}
        traces = _read_traces(facts, reader)
    except ValueError as error:
        logger.warning("all files are linked anew, as the index cannot tell what has changed: %s", error)
        return None
    come = sorted(path for path in changed if path in facts.fresh and path not in former)
    gone = sorted(path for path in changed if path in former and path not in facts.fresh)
    staying = sorted(set(facts.readable()).difference(come))
    if any(_is_about_package(facts, *each) for each in _group_moves(staying, (*come, *gone))):
        return None
    wanted = path_keys(come, gone, staying=staying, has_text=sources.has_text)
    keys = wanted.keys | _changed_keys(facts, sources, touched, former=former)
    return linker.linker.find_affected(changed, keys, traces, pairs=wanted.pairs)


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
