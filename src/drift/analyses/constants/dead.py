"""Constants that nobody uses.

What it does: of the constants that no code of the product refers to or imports, those whose name stands nowhere else
in a text of the project.
Why it matters: a limit that nobody reads is believed, and changed, for nothing.
Known limits: what a framework reads by name, as it does settings, cannot be seen; such places have less confidence.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.constants.catalogue import Constant, read_constants
from drift.analyses.dead_code.mentions import Mention, find_mentions
from drift.analyses.index_cache import PerQuestion
from drift.analyses.prominence import rank_place
from drift.analyses.usages.texts import Texts, project_texts
from drift.index import IndexReader
from drift.kernel.ranking import Ranked, Sort

# As the confidence of dead functions: what speaks for life makes death less likely.
_SURE: Final = 0.95
_EXPORTED: Final = 0.6
_TEST_ONLY: Final = 0.8
_DEPRECATED: Final = 0.9
_MEMBER: Final = 0.5
_SETTINGS: Final = 0.3
_SETTINGS_FILE: Final = re.compile(
    r"(?:^|/)(?:[\w.\-]{0,40}settings?[\w.\-]{0,40}|conf|config|configuration|[\w.\-]{0,40}\.conf|[\w.\-]{0,40}\.config)"
    r"(?:/[\w.\-]{1,60})?\.\w{1,5}$",
    re.IGNORECASE,
)
_DEPRECATION: Final = re.compile(r"\bdeprecated\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DeadConstantRow:
    """A constant without a use, how sure that is, and what speaks against it."""

    name: str
    kind: str
    value: str | None
    file: str
    line: int
    confidence: float
    doubt: str | None = None


class DeadConstants(NamedTuple):
    """Constants without a use."""

    rows: tuple[DeadConstantRow, ...]

    def ranked(self) -> Ranked[DeadConstantRow]:
        by_place: Sort[DeadConstantRow] = Sort(lambda row: (row.file, row.line, row.name))
        sure: Sort[DeadConstantRow] = Sort(
            lambda row: (-row.confidence, row.file, row.line, row.name), "desc"
        )
        return Ranked(self.rows, {"confidence": sure, "file": by_place})


_found: Final = PerQuestion[DeadConstants]()


def find_dead(reader: IndexReader, root: Path) -> DeadConstants:
    """The constants of the product that nobody uses."""
    texts = project_texts(reader, root)
    return _found.get(reader, texts.stamp(), lambda: _find_in(reader, texts))


def _find_in(reader: IndexReader, texts: Texts) -> DeadConstants:
    unused = {one.id for one in reader.literals.unused()}
    candidates = [
        each
        for each in read_constants(reader)
        if each.symbol.id in unused and rank_place(each.symbol.path, each.symbol.role) == 0
    ]
    if not candidates:
        return DeadConstants(())
    homes: dict[str, set[str]] = {}
    for each in candidates:
        homes.setdefault(each.symbol.name, set()).add(each.symbol.path)
    kinds: dict[str, tuple[str, str]] = {}

    def contents() -> Iterable[tuple[str, bytes]]:
        for one in texts:
            kinds[one.path] = (one.kind, one.role)
            yield one.path, one.content

    mentions = find_mentions(homes, contents())
    rows = (_judge(each, mentions.get(each.symbol.name), kinds) for each in candidates)
    return DeadConstants(tuple(each for each in rows if each is not None))


def _judge(
    constant: Constant, mentions: list[Mention] | None, kinds: dict[str, tuple[str, str]]
) -> DeadConstantRow | None:
    """The row of a constant, if it seems dead; a name with letters outside ASCII cannot be looked for."""
    if mentions is None:
        return None
    symbol = constant.symbol
    lines = range(symbol.line, symbol.end_line + 1)
    elsewhere = [
        each
        for each in mentions
        if not (each.path == symbol.path and each.line in lines) and kinds[each.path][0] != "doc"
    ]
    tested = [each for each in elsewhere if kinds[each.path][1] == "test"]
    if len(tested) != len(elsewhere):
        return None
    confidence, doubt = _confidence(constant, tested)
    return DeadConstantRow(
        symbol.qualname, constant.kind, constant.shown, symbol.path, symbol.line, confidence, doubt
    )


def _confidence(constant: Constant, tested: list[Mention]) -> tuple[float, str | None]:
    symbol = constant.symbol
    if constant.kind == "enum_member":
        return _MEMBER, "values of an enumeration may come from data"
    if _SETTINGS_FILE.search(symbol.path):
        return _SETTINGS, "a framework may read settings by name"
    if _DEPRECATION.search(symbol.doc):
        return _DEPRECATED, "deprecated, and kept for others"
    if tested:
        return _TEST_ONLY, f"a test uses it: {tested[0].path}:{tested[0].line}"
    return (_EXPORTED, "others may use it") if constant.is_exported else (_SURE, None)
