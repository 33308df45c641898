"""Which languages a project is written in, from a quick look at its upper levels.

A hint for what to offer, not a count: the scan knows better once it has run.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from drift.kernel.reading import read_beginning
from drift.kernel.text import plural, shorten
from drift.languages.table import LANGUAGES, Confidence, extension_of, language_of

_MOST_ENTRIES = 5_000
_LEVELS_BELOW_ROOT = 3  # `Src/Shop.Api/Shop.Api.csproj` and `services/cart/go.mod` are not rare
_MOST_ENTRIES_PER_DIRECTORY = 1_000  # so that one directory of pictures cannot use up the look
_MOST_MARKERS_SHOWN = 2
_LIKE_TRANSLATIONS = ".ts"
_HEAD_BYTES = 300
_TRANSLATION = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,9}<\?xml.{0,200}?<!DOCTYPE TS", re.DOTALL)
# Fewer files than this, and than a tenth of the sources seen, are a stray script.
_FEW_FILES = 3
_SHARE_OF_STRAYS = 10
_SKIPPED_DIRECTORIES = frozenset(
    {"node_modules", "bower_components", "vendor", "target", "dist", "build", "out", "bin", "obj", "venv", "env",
     "site-packages", "__pycache__", "third_party", "third-party", "deps", "external", "coverage"}
)  # fmt: skip
_MARKERS = [(marker.pattern, each.name, marker.confidence) for each in LANGUAGES for marker in each.markers]
_MARKER_PATTERNS = [marker for marker in _MARKERS if "*" in marker[0]]
_MARKERS_BY_NAME = {
    name: tuple((language, confidence) for pattern, language, confidence in _MARKERS if pattern == name)
    for name, _, _ in _MARKERS
    if "*" not in name
}
_RANKS: dict[Confidence, int] = {"high": 0, "medium": 1, "low": 2}


@dataclass(frozen=True, slots=True)
class DetectedLanguage:
    """A language of the project.

    `confidence` is high for a build file of its own, or a weaker sign together with sources; medium for
    sources or a weaker sign alone; low for a stray file or two.
    """

    language: str
    confidence: Confidence
    evidence: tuple[str, ...]


class _Entry(NamedTuple):
    name: str
    shown: str  # relative to the root, printable
    is_directory: bool


@dataclass(slots=True)
class _Findings:
    markers: list[tuple[str, Confidence]] = field(default_factory=list)
    files_by_extension: Counter[str] = field(default_factory=Counter)

    @property
    def file_count(self) -> int:
        return self.files_by_extension.total()

    @property
    def is_telling(self) -> bool:
        """Whether there is more than a sign that counts only beside sources, such as a Makefile."""
        return bool(self.file_count) or any(confidence != "low" for _, confidence in self.markers)


def detect_languages(root: Path) -> tuple[DetectedLanguage, ...]:
    """The languages seen in `root` and three levels below it, strongest evidence first.

    Hidden and vendored directories are not entered, links not followed, and at most 5,000 entries
    looked at. A directory that cannot be read counts as empty.
    """
    findings = _collect(islice(_files_near(root), _MOST_ENTRIES))
    total = sum(found.file_count for found in findings.values())
    ranked = sorted(
        findings.items(),
        key=lambda item: (
            _RANKS[_judge(item[1], total)],
            -item[1].file_count,
            -len(item[1].markers),
            item[0],
        ),
    )
    return tuple(DetectedLanguage(name, _judge(found, total), _describe(found)) for name, found in ranked)


def _files_near(root: Path) -> Iterator[_Entry]:
    """Files level by level, so that what is nearest the root counts when the look ends early."""
    level: list[tuple[Path, str]] = [(root, "")]
    for _ in range(_LEVELS_BELOW_ROOT + 1):
        below: list[tuple[Path, str]] = []
        for directory, prefix in level:
            for entry in _list(directory, prefix):
                if not entry.is_directory:
                    yield entry
                elif _is_worth_entering(entry.name):
                    below.append((directory / entry.name, f"{entry.shown}/"))
        level = below


def _list(directory: Path, prefix: str) -> list[_Entry]:
    try:
        with os.scandir(directory) as found:
            entries = sorted(islice(found, _MOST_ENTRIES_PER_DIRECTORY), key=lambda entry: entry.name)
        translations = {entry.name for entry in _translations(directory, entries)}
        return [
            _Entry(entry.name, prefix + _printable(entry.name), entry.is_dir(follow_symlinks=False))
            for entry in entries
            if entry.name not in translations
        ]
    except OSError:
        return []


def _translations(directory: Path, entries: Iterable[os.DirEntry[str]]) -> Iterator[os.DirEntry[str]]:
    """Translations of Qt, which are called like TypeScript; they have a folder of their own, so the first tells."""
    for entry in entries:
        if entry.name.endswith(_LIKE_TRANSLATIONS) and entry.is_file(follow_symlinks=False):
            head = read_beginning(directory, entry.name, _HEAD_BYTES, follow_links=False)
            if _TRANSLATION.match(head) is None:
                return
            yield entry


def _is_worth_entering(name: str) -> bool:
    return not name.startswith(".") and name.casefold() not in _SKIPPED_DIRECTORIES


def _printable(name: str) -> str:
    return shorten(name if name.isprintable() else ascii(name), 100)


def _collect(entries: Iterable[_Entry]) -> dict[str, _Findings]:
    findings: defaultdict[str, _Findings] = defaultdict(_Findings)
    for entry in entries:
        if entry.is_directory:
            continue
        extension = extension_of(entry.name)
        found = language_of(entry.name) if extension else None
        if found is not None:
            findings[found].files_by_extension[extension] += 1
        for language, confidence in _markers_named(entry.name):
            findings[language].markers.append((entry.shown, confidence))
    return {name: found for name, found in findings.items() if found.is_telling}


def _markers_named(name: str) -> Iterator[tuple[str, Confidence]]:
    yield from _MARKERS_BY_NAME.get(name, ())
    for pattern, language, confidence in _MARKER_PATTERNS:
        if fnmatchcase(name, pattern):
            yield language, confidence


def _judge(found: _Findings, total_files: int) -> Confidence:
    from_markers = min((confidence for _, confidence in found.markers), key=_RANKS.__getitem__, default=None)
    if from_markers == "high" or (from_markers and found.file_count):
        return "high"
    is_stray = found.file_count < _FEW_FILES and found.file_count * _SHARE_OF_STRAYS < total_files
    from_files: Confidence = "low" if is_stray or not found.file_count else "medium"
    return min(from_files, from_markers or "low", key=_RANKS.__getitem__)


def _describe(found: _Findings) -> tuple[str, ...]:
    markers = [shown for shown, _ in found.markers[:_MOST_MARKERS_SHOWN]]
    more = len(found.markers) - len(markers)
    counts = sorted(found.files_by_extension.items(), key=lambda item: (-item[1], item[0]))
    return (
        *markers,
        *([f"{plural(more, 'more build file')}"] if more else []),
        # Said to be near the root, so that nobody takes a quick look for a count of the project.
        *(f"{plural(count, f'{extension} file')} near the root" for extension, count in counts),
    )
