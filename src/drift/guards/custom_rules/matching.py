"""Where rules fire: each condition tells of a file whether it holds, and in which lines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from posixpath import basename, dirname
from typing import Final, NamedTuple, assert_never

from drift.conventions.finders import fits
from drift.guards.custom_rules.conditions import (
    Calls,
    Combined,
    Condition,
    Imports,
    Lacks,
    Named,
    PathIs,
    SyntaxHas,
    TextHas,
)
from drift.guards.custom_rules.reading import CustomRule
from drift.index import IndexReader
from drift.index.path_text import text_to_path
from drift.index.records import FileRecord, SymbolRecord
from drift.index.site_records import NotedSite
from drift.kernel.reading import read_file

_MOST_BYTES: Final = 2_000_000
_MOST_LINES: Final = 500  # of one file for one rule

Lines = tuple[int, ...]
"""Where a condition holds; empty: in the file as a whole."""


class Violation(NamedTuple):
    """A rule that fires: in a line, or in the file as a whole (line 0)."""

    rule: CustomRule
    path: str
    line: int
    text: str
    symbol: str | None


def find_violations(
    reader: IndexReader,
    root: Path,
    rules: Sequence[CustomRule],
    *,
    files: Sequence[FileRecord],
    check: Callable[[], None] = lambda: None,
) -> Iterator[Violation]:
    """Where the rules fire in some files."""
    for record in files:
        check()
        wanted = [each for each in rules if each.holds_in(record.path, record.language)]
        if not wanted:
            continue
        file = _File(reader, root, record)
        for rule in wanted:
            lines = file.holds(rule.when)
            if lines is None:
                continue
            for line in lines[:_MOST_LINES] or (0,):
                yield Violation(rule, record.path, line, file.line(line), file.symbol_at(line))


class _File:
    """One file, read when a condition first asks for it."""

    def __init__(self, reader: IndexReader, root: Path, record: FileRecord) -> None:
        self._reader = reader
        self._root = root
        self._record = record

    def holds(self, condition: Condition) -> Lines | None:
        """The lines in which a condition holds; None where it does not."""
        match condition:
            case PathIs():
                return () if any(each.matches(self._record.path) for each in condition.globs) else None
            case TextHas():
                return self._lines_with(condition)
            case SyntaxHas():
                return _some(each.line for each in self._sites if each.dimension == condition.id)
            case Imports():
                return self._importing(condition.patterns)
            case Calls():
                return self._calling(condition.patterns)
            case Named():
                return _some(
                    each.line
                    for each in self._symbols
                    if each.kind in condition.kinds
                    and condition.pattern.is_in(each.name) == condition.is_wanted
                )
            case Lacks():
                return None if self._has_companion(condition.companion) else ()
            case Combined():
                return self._combined(condition)
            case _:
                assert_never(condition)

    def line(self, number: int) -> str:
        """A line, whatever its white space."""
        return " ".join(self._text[number - 1].split()) if 0 < number <= len(self._text) else ""

    def symbol_at(self, line: int) -> str | None:
        found = self._reader.symbols.at_line(self._record.id, line) if line else None
        return found.qualname if found is not None and found.kind != "module" else None

    def _combined(self, condition: Combined) -> Lines | None:
        found = [self.holds(each) for each in condition.parts]
        if condition.how == "not":
            return () if all(each is None for each in found) else None
        held = [each for each in found if each is not None]
        is_met = len(held) == len(found) if condition.how == "all" else bool(held)
        return tuple(sorted({line for each in held for line in each})) if is_met else None

    def _lines_with(self, condition: TextHas) -> Lines | None:
        # Most files have no match at all, which one look at the whole tells.
        if not condition.pattern.is_in("\n".join(self._text)):
            return None
        return _some(at for at, line in enumerate(self._text, 1) if condition.pattern.is_in(line))

    def _importing(self, patterns: tuple[str, ...]) -> Lines | None:
        found = []
        for each in self._reader.facts.imports_of(self._record.id):
            target = self._reader.files.get(each.target_file_id) if each.target_file_id is not None else None
            full = f"{each.module}.{each.name}" if each.name not in (None, "*") else each.module
            texts = (
                each.module,
                full,
                each.external_package or "",
                target.path if target is not None else "",
            )
            if any(fits(patterns, text) for text in texts if text):
                found.append(each.line)
        return _some(found)

    def _calling(self, patterns: tuple[str, ...]) -> Lines | None:
        return _some(
            call.line
            for symbol in self._symbols
            for call in self._reader.calls.calls_of(symbol.id)
            if fits(patterns, call.text) or (call.external_name and fits(patterns, call.external_name))
        )

    def _has_companion(self, companion: str) -> bool:
        stem = basename(self._record.path).partition(".")[0]
        wanted = companion.replace("{stem}", stem)
        beside = f"{dirname(self._record.path)}/{wanted}".lstrip("/")
        return self._reader.files.at(wanted) is not None or self._reader.files.at(beside) is not None

    @cached_property
    def _text(self) -> list[str]:
        try:
            content = read_file(self._root, text_to_path(self._record.path), _MOST_BYTES)
        except OSError:
            return []
        return content.decode("utf-8", "replace").splitlines()

    @cached_property
    def _symbols(self) -> list[SymbolRecord]:
        return self._reader.symbols.of_file(self._record.id)

    @cached_property
    def _sites(self) -> list[NotedSite]:
        file = self._record.id
        return self._reader.sites.noted((file, file))


def _some(lines: Iterable[int]) -> Lines | None:
    found = tuple(sorted(set(lines)))
    return found or None
