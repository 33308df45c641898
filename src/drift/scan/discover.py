"""Finds the files of a project: what to read, what to leave and why."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from drift.documents.kinds import document_kind
from drift.kernel.errors import DriftError, ErrorCode, invalid
from drift.kernel.reading import ProjectFiles
from drift.languages.table import LANGUAGES, extension_of, language_of
from drift.scan.discovery import (
    DiscoverOptions,
    Discovery,
    FoundFile,
    KnownFile,
    SkippedFile,
    SkipReason,
)
from drift.scan.git_listing import GitListing, list_with_git
from drift.scan.ignores import IgnoreRules, is_fair_rule
from drift.scan.inspection import Inspection
from drift.scan.roles import role_rules
from drift.scan.tree_walk import DRIFTIGNORE, TreeWalk

_EVERYTHING: Final = DiscoverOptions()
_NOTHING_KNOWN: Final[Mapping[str, KnownFile]] = MappingProxyType({})
_OWN_DIRECTORY: Final = ".drift"
_MARKERS: Final = tuple(marker.pattern for each in LANGUAGES for marker in each.markers)
_MARKER_NAMES: Final = frozenset(pattern for pattern in _MARKERS if "*" not in pattern)
_MARKER_PATTERNS: Final = tuple(pattern for pattern in _MARKERS if "*" in pattern)


def discover(
    root: Path, options: DiscoverOptions = _EVERYTHING, *, known: Mapping[str, KnownFile] = _NOTHING_KNOWN
) -> Discovery:
    """The files of the project at `root`.

    A file of `known` with its size and time unchanged is taken for what it was, without a look at its
    content. Raises FILE_NOT_FOUND when the root is no directory.
    """
    return discover_listed(root, list_with_git(root), options, known=known)


def discover_listed(
    root: Path, listing: GitListing | None, options: DiscoverOptions, *, known: Mapping[str, KnownFile]
) -> Discovery:
    """The files of the project at `root`, of which git has given this listing; None has it walked through."""
    if not root.is_dir():
        raise DriftError(ErrorCode.FILE_NOT_FOUND, f"{root} is no directory that could be scanned")
    with ProjectFiles(root) as files:
        search = _Search(root, options, Inspection(files, root, options, known=known))
        if listing is None:
            search.take_walk()
            return search.result("walk")
        search.take_list(listing.paths)
        for path in listing.nested:
            search.skip_directory(path, SkipReason.NESTED)
        return search.result("git")


class _Search:
    def __init__(self, root: Path, options: DiscoverOptions, inspection: Inspection) -> None:
        self._root = root
        self._options = options
        self._rules = role_rules()
        self._ignores = IgnoreRules()
        self._inspection = inspection
        self._included = _glob_rules("include", options.include)
        self._excluded = _glob_rules("exclude", options.exclude)
        self._files: list[FoundFile] = []
        self._skipped: list[SkippedFile] = []
        self._directories: Counter[tuple[str, SkipReason]] = Counter()
        self._unknown: Counter[str] = Counter()
        self._vendored_above = cache(self._find_vendored)

    def take_list(self, paths: Iterable[str]) -> None:
        split = [path.rpartition("/")[::2] for path in paths]
        ignoring = {directory for directory, name in split if name == DRIFTIGNORE} | {""}
        for directory in sorted(ignoring):  # those above before those below
            self._ignores.read(self._root, directory, DRIFTIGNORE)
        self._inspection.copies.take_listing(split)
        for directory, name in split:
            self._take(directory, name)

    def take_walk(self) -> None:
        entries = list(TreeWalk(self._root, self._rules, self._ignores).entries())
        self._inspection.copies.take_listing(
            (each.directory, each.name) for each in entries if each.reason is None
        )
        for entry in entries:
            if entry.reason is None:
                self._take(entry.directory, entry.name)
            else:
                self.skip_directory(entry.path, entry.reason)

    def skip_directory(self, path: str, reason: SkipReason) -> None:
        self._skipped.append(SkippedFile(f"{path}/", reason, file_count=None))

    def result(self, source: Literal["git", "walk"]) -> Discovery:
        directories = [
            SkippedFile(f"{path}/", reason, file_count=count)
            for (path, reason), count in self._directories.items()
        ]
        return Discovery(
            self._root,
            source,
            tuple(sorted(self._files)),
            tuple(sorted([*self._skipped, *directories], key=lambda each: (each.path, each.reason))),
            dict(sorted(self._unknown.items())),
        )

    def _take(self, directory: str, name: str) -> None:
        if directory == _OWN_DIRECTORY or directory.startswith(f"{_OWN_DIRECTORY}/"):
            return
        language = language_of(name)
        if language is None and not _is_marker(name) and document_kind(directory, name) is None:
            self._unknown[extension_of(name)] += 1
            return
        path = f"{directory}/{name}" if directory else name
        verdict = self._ignores.judge(directory, name)
        if verdict:
            self._skipped.append(SkippedFile(path, SkipReason.IGNORED))
        elif not self._is_wanted(directory, name, language):
            self._skipped.append(SkippedFile(path, SkipReason.EXCLUDED))
        else:
            self._inspect(directory, name, language, is_forced=verdict is False)

    def _inspect(self, directory: str, name: str, language: str | None, *, is_forced: bool) -> None:
        above = self._vendored_above(directory)
        if above is not None and not is_forced and not self._options.has_vendored:
            self._directories[above, SkipReason.VENDORED] += 1
            return
        seen = self._inspection.look(directory, name, language, is_forced=is_forced)
        if isinstance(seen, FoundFile):
            self._files.append(seen)
        elif seen is not None:
            self._skipped.append(seen)

    def _find_vendored(self, directory: str) -> str | None:
        """The uppermost directory of others' code that this one is or lies in: by its name, or by its licence."""
        return self._rules.vendored_directory(directory) or self._inspection.copies.foreign_directory(
            directory
        )

    def _is_wanted(self, directory: str, name: str, language: str | None) -> bool:
        languages = self._options.languages
        if languages is not None and language is not None and language not in languages:
            return False
        if self._excluded is not None and self._excluded.judge(directory, name):
            return False
        # A build file is read whatever is asked for: without it the links of the others are not known.
        return self._included is None or language is None or bool(self._included.judge(directory, name))


def _glob_rules(argument: str, globs: tuple[str, ...]) -> IgnoreRules | None:
    if not globs:
        return None
    rules = IgnoreRules()
    for glob in globs:
        if not is_fair_rule(glob) or not IgnoreRules().add("", [glob]):
            raise invalid(
                argument, f"{glob!r} is no pattern as in .gitignore with at most three stars a part"
            )
    rules.add("", globs)
    return rules


@cache
def _is_marker(name: str) -> bool:
    return name in _MARKER_NAMES or any(fnmatchcase(name, pattern) for pattern in _MARKER_PATTERNS)
