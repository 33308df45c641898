"""Unsafe code of Rust: where it stands, and in what."""

import re
from collections import Counter
from typing import Final

from drift.analyses.language_profiles.rows import IssueRow, LanguageData
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.kernel.text import plural

_FUNCTIONS: Final = ("function", "method")
_UNSAFE: Final = re.compile(r"\bunsafe (?:extern (?:\"\w{0,20}\" )?)?fn\b")


def find_unsafe(sources: Sources) -> Found:
    """Blocks and functions that are unsafe, files with most first."""
    blocks = [
        IssueRow(
            "unsafe block",
            sources.path(one.symbol_id),
            one.line,
            one.qualname,
            _lines(one.line, one.end_line),
        )
        for one in sources.facts.constructs(sources.ids, ("unsafe",))
    ]
    marked = [
        IssueRow("unsafe function", sources.path(one.id), one.line, one.qualname)
        for one in sources.facts.of_kind(sources.ids, _FUNCTIONS)
        if _UNSAFE.search(one.signature)
    ]
    rows = [*blocks, *marked]
    files = Counter(row.file for row in rows)
    by_rule = dict(Counter(row.rule for row in rows).most_common())
    told = f"{plural(len(blocks), 'unsafe block')}, {plural(len(marked), 'unsafe function')} in {plural(len(files), 'file')}"
    return Found(
        told,
        ranked(rows, lambda row: (-files[row.file], row.file, row.line, row.rule, row.function)),
        lambda shown: LanguageData(by_rule=by_rule, issues=shown),
    )


def _lines(first: int, last: int) -> str | None:
    return f"{last - first + 1} lines" if last > first else None
