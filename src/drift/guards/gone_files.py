"""Imports that lead to a file which a change takes away or renames, in the files that stay.

What it does: links those who name the file twice, with it and without it, and tells of the imports that led to it and lead
nowhere in the project now.
Why it matters: whoever deletes a file looks at the file, and not at those who load it.
Known limits: at most so many files are read; an import that is tried (`try: import x`) may fail, and is not told of, nor is
one of a package that the project declares.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from drift.guards.broken_imports import IMPORTED_BY_NAME
from drift.guards.changed_lines import Change, text_before, text_now
from drift.guards.intentions import is_tried
from drift.guards.missing_names import MISSING_MODULE
from drift.guards.overlay import OverlaidFile, Overlay, overlaid
from drift.guards.unread_files import is_ignored
from drift.index import IndexReader
from drift.index.path_text import path_to_text, text_to_path
from drift.index.site_queries import WHOLE
from drift.languages.table import language_of
from drift.quality import Finding, finding

RULE: Final = "imports/missing-file"
_MOST_FILES: Final = 40
_MOST_GONE: Final = 60
_WORD: Final = re.compile(r"[A-Za-z0-9_$-]{1,200}")
_FOLDER_FILES: Final = frozenset({"__init__", "index", "mod", "lib"})
"""Files that an import names by their folder."""

Texts = Mapping[str, bytes | None]


class LostImport(NamedTuple):
    """An import that led to a file which is gone."""

    path: str
    line: int
    module: str
    name: str | None
    gone: str
    is_certain: bool = False
    """Nothing else may stand behind it: it is of the project by its form, and nobody makes such files."""


def lost_imports(
    root: Path, reader: IndexReader, importers: Collection[str], *, before: Texts, now: Texts
) -> Iterator[LostImport]:
    """The imports of some files that lead to a file of `before` which is none of `now`, and lead nowhere now."""
    texts = {
        path: text for path in sorted(importers)[:_MOST_FILES] if (text := text_now(root, path)) is not None
    }
    gone = frozenset(path for path, text in before.items() if text is not None and now.get(path) is None)
    if not texts or not gone:
        return
    led: dict[tuple[str, int], str] = {}
    with overlaid(root, reader, {**before, **texts}) as overlay:
        for path in texts:
            for number, (_, link) in enumerate(overlay.files[path].imports()):
                place = link.symbols[0].path if link.symbols else link.file
                if place in gone or link.file in gone:
                    led[path, number] = str(link.file if link.file in gone else place)
    if not led:
        return
    with overlaid(root, reader, {**now, **texts}) as overlay:
        for path in texts:
            yield from _lost_in(overlay, overlay.files[path], led)


def _lost_in(
    overlay: Overlay, file: OverlaidFile, led: Mapping[tuple[str, int], str]
) -> Iterator[LostImport]:
    for number, (written, link) in enumerate(file.imports()):
        gone = led.get((file.path, number))
        if gone is None or link.symbols or is_tried(file.lines, written.line):
            continue
        # The package around it is still there; the name was that of the file.
        is_of_package = (
            link.file is not None and written.name not in {None, "*"} and _is_named(gone, str(written.name))
        )
        if link.file is None or (is_of_package and not _has_name(overlay, link.file, str(written.name))):
            is_certain = file.facts.language in IMPORTED_BY_NAME and (
                is_of_package or (link.problem or "").startswith(MISSING_MODULE)
            )
            yield LostImport(file.path, written.line, written.module, written.name, gone, is_certain)


def _is_named(path: str, name: str) -> bool:
    return name in _names(path)


def _has_name(overlay: Overlay, path: str, name: str) -> bool:
    """Whether a file says a name anywhere, so that it may be made in a way that nobody reads."""
    text = overlay.linking.sources.text_of(path) or ""
    return name in _WORD.findall(text)


def find_imports_of_gone(reader: IndexReader, root: Path, change: Change) -> tuple[Finding, ...]:
    """The imports that a change breaks by deleting or renaming files, where the files are gone already."""
    gone = sorted(each for each in change.gone if language_of(each.rpartition("/")[2]) is not None)[
        :_MOST_GONE
    ]
    before = {path: text for path in gone if (text := text_before(root, change, path)) is not None}
    if not before:
        return ()
    found = lost_imports(root, reader, _naming(reader, before), before=before, now=dict.fromkeys(before))
    return tuple(
        tell_lost(each, is_certain=each.is_certain and not is_ignored(root, each.gone)) for each in found
    )


def importers_of(reader: IndexReader, path: str) -> list[str]:
    """The other files whose imports lead to a file of the index."""
    record = reader.files.at(path_to_text(path))
    found = reader.facts.importers_of_file(record.id) if record is not None else []
    return sorted({text_to_path(each.path) for each in found} - {path})


def tell_lost(lost: LostImport, *, is_certain: bool) -> Finding:
    """The finding at the import."""
    return finding(
        RULE,
        f"{lost.module} is imported, and {path_to_text(lost.gone)} is gone",
        file=path_to_text(lost.path),
        lines=(lost.line, lost.line),
        snippet=f"{lost.module} {lost.name or ''}",
        severity="error" if is_certain else "warning",
    )


def _naming(reader: IndexReader, gone: Iterable[str]) -> set[str]:
    """The files of which an import says the name of a file that is gone."""
    names = frozenset(name for path in gone for name in _names(path))
    paths = {each.id: each.path for each in reader.sites.files()}
    return {
        text_to_path(paths[each.file_id])
        for each in reader.sites.imports(WHOLE)
        if each.file_id in paths
        and not names.isdisjoint(_WORD.findall(f"{each.module} {each.name or ''}".replace("-", "_")))
    }


def _names(path: str) -> frozenset[str]:
    """What an import may call a file: its name without endings, or that of its folder."""
    parts = PurePosixPath(path)
    stem = parts.name.partition(".")[0]
    called = parts.parent.name if stem in _FOLDER_FILES else stem
    return frozenset({called.replace("-", "_")})
