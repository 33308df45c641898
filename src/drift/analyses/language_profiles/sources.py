"""The files of one language that a question is about, and what an action found in them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from drift.analyses.language_profiles.rows import LanguageData
from drift.analyses.prominence import is_showing
from drift.index import IndexReader
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.profile_queries import ProfileQueries, SourceFile
from drift.kernel.ranking import Key, Ranked, Sort
from drift.languages.profiles import LanguageProfile, load_profile

Row = TypeVar("Row")


class Asked(NamedTuple):
    """Which files and what of them."""

    path: str | None = None
    framework: str | None = None
    with_tests: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What an action found, as an answer tells it."""

    summary: str
    rows: Ranked[Any]
    data: Callable[[tuple[Any, ...]], LanguageData]
    warnings: tuple[str, ...] = ()


class Sources:
    """The files that are asked about."""

    def __init__(self, reader: IndexReader, root: Path, *, language: str, asked: Asked) -> None:
        self.reader = reader
        self.root = root
        self.profile: LanguageProfile = load_profile(language)
        self.asked = asked
        every = reader.profiles.files(self.profile.languages)
        self.is_there = bool(every)
        self.files: Mapping[FileId, SourceFile] = {one.id: one for one in every if self._is_wanted(one)}

    @property
    def facts(self) -> ProfileQueries:
        return self.reader.profiles

    @cached_property
    def ids(self) -> list[FileId]:
        return list(self.files)

    def has(self, symbol: SymbolId | int) -> bool:
        """Whether a symbol stands in one of the files."""
        return file_of_symbol(SymbolId(symbol)) in self.files

    def path(self, symbol: SymbolId | int) -> str:
        """The file that a symbol stands in."""
        return self.files[file_of_symbol(SymbolId(symbol))].path

    def _is_wanted(self, file: SourceFile) -> bool:
        if file.role == "test" and not self.asked.with_tests:
            return False
        wanted = (self.asked.path or "").rstrip("/")
        return wanted in {"", ".", file.path} or file.path.startswith(f"{wanted}/")


def ranked(
    rows: Sequence[Row], key: Callable[[Row], Key], *, file: Callable[[Row], str] | None = None
) -> Ranked[Row]:
    """Rows in an order whose keys are of one row each; those of examples come last."""
    path = file or _file
    return Ranked(rows, {"relevance": Sort(lambda row: (is_showing(path(row)), *key(row)))})


def _file(row: Any) -> str:
    return str(row.file)


NO_ROWS: Final[Ranked[Any]] = Ranked((), {"relevance": Sort(lambda _row: ())})
