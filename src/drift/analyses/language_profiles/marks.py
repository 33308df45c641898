"""Decorators, annotations and attributes: how often each is used, on what, and an example."""

from collections import Counter, defaultdict
from typing import Final

from drift.analyses.language_profiles.rows import LanguageData, MarkRow
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.profile_queries import Mark
from drift.kernel.text import plural, shorten

_MOST_EXAMPLE_CHARACTERS: Final = 100


def find_marks(sources: Sources, word: str) -> Found:
    """What symbols are marked with, most used first; `word` is what the language calls them."""
    used: dict[str, list[Mark]] = defaultdict(list)
    for mark in sources.facts.marks(sources.ids):
        used[mark.name].append(mark)
    rows = [_row(sources, name, marks) for name, marks in used.items()]
    total = sum(row.count for row in rows)
    told = f"{plural(len(rows), word)}, {plural(total, 'use')}"
    counts = {f"{word}s": len(rows), "uses": total}
    return Found(
        told,
        ranked(rows, lambda row: (-row.count, row.name), file=lambda _row: ""),
        lambda shown: LanguageData(counts=counts, decorators=shown),
    )


def _row(sources: Sources, name: str, marks: list[Mark]) -> MarkRow:
    kinds = Counter(mark.kind for mark in marks)
    first = marks[0]
    return MarkRow(
        name,
        len(marks),
        tuple(kind for kind, _ in kinds.most_common()),
        sources.path(first.symbol_id),
        first.line,
        shorten(first.text, _MOST_EXAMPLE_CHARACTERS),
    )
