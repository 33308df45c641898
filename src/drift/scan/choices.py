"""What a scan takes in: the project's settings, and what a command line chose over them."""

import os
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.languages.table import LANGUAGES
from drift.project.settings import ScanSettings
from drift.scan.discovery import DiscoverOptions
from drift.scan.ignores import is_fair_rule

_MOST_GLOBS: Final = 1000
_MOST_BYTES: Final = 100_000_000
_NAMES: Final = tuple(language.name for language in LANGUAGES)


class Choices(NamedTuple):
    """What was chosen for one scan over the settings; None leaves it to them.

    They are kept beside the index and hold for its automatic updates, until someone scans with others.
    """

    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    max_file_bytes: int | None = None
    languages: tuple[str, ...] | None = None

    def is_none(self) -> bool:
        """Whether all is left to the settings."""
        return self == NO_CHOICES


NO_CHOICES: Final = Choices()


def choose_files(settings: ScanSettings, choices: Choices = NO_CHOICES) -> DiscoverOptions:
    """What discovery shall take in. Raises CONFIG_INVALID for settings that make no sense here."""
    languages = settings.languages if choices.languages is None else choices.languages
    wanted = DiscoverOptions(
        include=settings.include if choices.include is None else choices.include,
        exclude=settings.exclude if choices.exclude is None else choices.exclude,
        max_file_bytes=choices.max_file_bytes or settings.max_file_size,
        languages=frozenset(languages) or None,
    )
    _check(wanted)
    return wanted


def choose_jobs(settings: ScanSettings) -> int:
    """How many processes shall read files."""
    return settings.jobs if settings.jobs != "auto" else os.cpu_count() or 1


def choices_to_json(choices: Choices) -> dict[str, object]:
    """The choices that were made, as JSON keeps them."""
    return {name: value for name, value in choices._asdict().items() if value is not None}


def choices_from_json(document: object) -> Choices | None:
    """The choices a document holds; None if it holds none that could have been made."""
    if not isinstance(document, Mapping) or not set(document) <= set(Choices._fields):
        return None
    size = document.get("max_file_bytes")
    if size is not None and (type(size) is not int or not 1 <= size <= _MOST_BYTES):
        return None
    lists: dict[str, tuple[str, ...]] = {}
    for name in set(document) - {"max_file_bytes"}:
        texts = document[name]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            return None
        lists[name] = tuple(texts)
    choices = Choices(lists.get("include"), lists.get("exclude"), size, lists.get("languages"))
    try:
        _check(choose_files(ScanSettings(), choices))
    except DriftError:
        return None
    return choices


def _check(wanted: DiscoverOptions) -> None:
    for name, globs in (("include", wanted.include), ("exclude", wanted.exclude)):
        if len(globs) > _MOST_GLOBS:
            raise _unfit(f"scan.{name}", f"has {len(globs):,} patterns", f"at most {_MOST_GLOBS:,}")
        for glob in globs:
            if not is_fair_rule(glob):
                shown = ascii(shorten(glob, 80))
                raise _unfit(f"scan.{name}", f"holds {shown}", "patterns with at most three stars a part")
    for language in sorted(wanted.languages or ()):
        if language not in _NAMES:
            shown = ascii(shorten(language, 60))
            similar = similar_names(language, _NAMES)
            raise _unfit("scan.languages", f"holds {shown}", ", ".join(_NAMES), similar=similar)


def _unfit(key: str, problem: str, allowed: str, *, similar: Iterable[str] = ()) -> DriftError:
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{key} {problem}; allowed: {allowed}.",
        Recovery(
            hint="Correct it in drift.toml, in the DRIFT_SCAN_* variable or on the command line.",
            similar=tuple(similar),
            details={"key": key, "allowed": allowed},
        ),
    )
