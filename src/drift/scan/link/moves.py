"""Whom files that come or go matter to: the words that imports may name them by."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from drift.languages.table import language_of
from drift.scan.link.file_semantics import FileSemantics
from drift.scan.link.folders import all_folders, folder_of, join, stem_of
from drift.scan.link.keys import part_key, stem_key
from drift.scan.link.languages.files import file_semantics_of

HasText = Callable[[str], bool]


class Wanted(NamedTuple):
    """Keys of which a file must have read one to be concerned, and pairs of which it must have read both."""

    keys: set[int]
    pairs: set[tuple[int, int]]


def path_keys(
    come: Collection[str], gone: Collection[str], *, staying: Collection[str], has_text: HasText
) -> Wanted:
    """The keys by which imports may name files that came or went: their names, and folders no other file has.

    `staying` are the files that were there and still are.
    """
    wanted = Wanted(set(), set())
    for suffix in sorted({_suffix_of(path) for path in (*come, *gone)}):
        # A folder that has files of another language is new to this one all the same.
        same = [path for path in staying if _suffix_of(path) == suffix]
        folders = all_folders(same)
        for moved in (come, gone):
            paths = [path for path in moved if _suffix_of(path) == suffix]
            packages = _Packages((*paths, *same), has_text)
            for path in paths:
                _add(wanted, packages.words(path, folders, staying=staying))
                wanted.keys.add(stem_key(stem_of(path)))
    return wanted


def _add(wanted: Wanted, named: Iterable[tuple[str, ...]]) -> None:
    for words in named:
        first, *others = map(part_key, words)
        if others:
            wanted.pairs.add((first, others[0]))
        else:
            wanted.keys.add(first)


def _new_folders(path: str, folders: Collection[str]) -> Iterator[str]:
    folder = folder_of(path)
    while folder not in folders:
        yield folder
        folder = folder_of(folder)


class _Packages:
    """How imports name files. In a language with packages who names one inside a package names that, too, or asks it.

    By its name alone a file is known there where imports may begin in its folder: outside of packages, and in roots.
    """

    def __init__(self, paths: Iterable[str], has_text: HasText) -> None:
        self._paths = tuple(paths)
        self._has_text = has_text
        self._known: frozenset[str] | None = None

    def words(
        self, path: str, folders: Collection[str], *, staying: Collection[str]
    ) -> Iterator[tuple[str, ...]]:
        """The words that an import has which may lead to the file, or to a folder that no other file is in."""
        folder, _, name = path.rpartition("/")
        rules = file_semantics_of(language_of(name) or "")
        is_plain = name.count(".") == 1  # a dot more reads as another folder
        if not rules.package_file or not is_plain:
            yield from ((word,) for word in name.split("."))
            # A file such as index stands for its folder; Rust has words for the files around.
            yield (folder.rpartition("/")[2],)
            yield from (("crate",), ("self",), ("super",)) if name.endswith(".rs") else ()
            yield from ((new.rpartition("/")[2],) for new in _new_folders(path, folders))
        else:
            yield from self._words_in_packages(path, folders, rules=rules, staying=staying)

    def _words_in_packages(
        self, path: str, folders: Collection[str], *, rules: FileSemantics, staying: Collection[str]
    ) -> Iterator[tuple[str, ...]]:
        folder, stem = folder_of(path), stem_of(path)
        if stem == rules.package_file:
            # What makes a folder a package changes the names of all that is in it.
            if any(other.startswith(f"{folder}/") or not folder for other in staying):
                yield (stem,)
            yield self._named(folder, rules)
        else:
            yield self._named(join(folder, stem), rules)
        for new in _new_folders(path, folders):
            yield self._named(new, rules)

    def _named(self, place: str, rules: FileSemantics) -> tuple[str, ...]:
        holder, _, name = place.rpartition("/")
        is_inside = holder and holder in self._packages(rules.package_file)
        is_root = is_inside and (
            holder.rpartition("/")[2] in rules.source_folders
            or any(self._has_text(join(holder, marker)) for marker in rules.root_markers)
        )
        return (name, holder.rpartition("/")[2]) if is_inside and not is_root else (name,)

    def _packages(self, package_file: str) -> frozenset[str]:
        if self._known is None:
            self._known = frozenset(folder_of(each) for each in self._paths if stem_of(each) == package_file)
        return self._known


def _suffix_of(path: str) -> str:
    return path.rpartition(".")[2]
