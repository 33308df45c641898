"""Which files beside the code say what imports mean, so that a change of theirs can matter to any file."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

from drift.scan.link.languages.files import all_file_semantics


def is_configuration(path: str, *, is_there_anew: bool) -> bool:
    """Whether linking depends on the file: on what it says, or on whether there is one (`is_there_anew`)."""
    plain, patterns, markers = _names()
    name = path.rpartition("/")[2]
    return (
        name in plain
        or any(fnmatchcase(name, pattern) for pattern in patterns)
        or (is_there_anew and name in markers)
    )


@cache
def _names() -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    """All that some language reads: by name, by pattern, and those that only have to be there."""
    languages = tuple(all_file_semantics())
    named = frozenset(name for each in languages for name in each.configuration)
    patterns = tuple(sorted(name for name in named if "*" in name))
    return named - {*patterns}, patterns, frozenset(name for each in languages for name in each.root_markers)
