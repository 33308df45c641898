"""Markdown that a project has already, kept section by section: once, and again where it changed."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from drift.kernel.errors import DriftError
from drift.kernel.text import shorten
from drift.memory.checks import checked
from drift.memory.citations import hash_lines, read_cited, split_lines
from drift.memory.records import Draft, FileLink, Memory
from drift.memory.saving import clean_draft
from drift.memory.storage.listing import Listing
from drift.memory.store import MemoryStore
from drift.memory.transfer.markdown_sections import MarkdownSection, read_sections


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A file that was not read, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class IngestData:
    """Sections, by what became of them."""

    files: int
    added: int
    superseded: int
    unchanged: int
    archived: int
    redacted: int
    skipped: tuple[SkippedRow, ...] = ()


KIND: Final = "ingested"
_SOURCE: Final = "ingest:"
_NAMES: Final = re.compile(
    r"(?i)(?:readme|claude|agents|contributing|architecture|design|gemini)(?:\.local)?\.md"
)
_DECISIONS: Final = re.compile(r"(?i)(?:^|/)(?:adrs?|decisions?|rfcs?)/|(?:^|/)adr[-_ ]?\d+")
_INSTRUCTIONS: Final = re.compile(r"(?i)(?:^|/)(?:claude(?:\.local)?|agents|gemini)\.md$")
_SKIPPED: Final = frozenset({"node_modules", "vendor", "dist", "build", "target", "venv", "__pycache__"})
_MARKDOWN: Final = (".md", ".markdown")
MOST_FILES: Final = 500  # a page a day for two years; more is a manual, not what a project says of itself
_MOST_BYTES: Final = 1_000_000
_MOST_TEXT: Final = 8_000
_DEEPEST: Final = 6
_PAGE: Final = 1_000
_LEAST_WORDS: Final = 4


@dataclass(slots=True)
class Ingested:
    """What an ingest did, in sections."""

    files: int = 0
    added: int = 0
    superseded: int = 0
    unchanged: int = 0
    archived: int = 0
    redacted: int = 0
    cut: int = 0
    """Sections too long to be kept whole."""
    skipped: list[tuple[str, str]] = field(default_factory=list)
    """Files that could not be read, and why."""


def find_documents(root: Path) -> Iterator[str]:
    """The Markdown that tells of a project: README and its like anywhere near the top, and all below docs."""
    yield from islice(_walk(root, "", depth=0), MOST_FILES)


def ingest_documents(
    store: MemoryStore,
    root: Path,
    *,
    actor: str,
    paths: tuple[str, ...] = (),
    report: Callable[[int, int], None] = lambda _done, _total: None,
) -> Ingested:
    """Keep the sections of these files, or of all that `find_documents` names; all or none.

    A section that is there in the same words is left alone; one that changed supersedes what it was; one that
    is gone is archived. Given paths, only sections of those files can be gone. `report` hears how many files of
    how many are done, and may raise to end it with nothing changed.
    """
    done = Ingested()
    with store.transaction():
        known = _known(store)
        seen: set[str] = set()
        chosen = paths or tuple(find_documents(root))
        for number, path in enumerate(chosen):
            report(number, len(chosen))
            seen |= _ingest_file(store, root, path, known, done, actor=actor)
        gone = [
            memory.id
            for source, memory in known.items()
            if source not in seen and (not paths or _path_of(source) in paths)
        ]
        if gone:
            store.archive(gone, reason="the section is not in its file any more", actor=actor)
        done.archived = len(gone)
    return done


def _ingest_file(
    store: MemoryStore, root: Path, path: str, known: dict[str, Memory], done: Ingested, *, actor: str
) -> set[str]:
    """Keep one file; the sources of its sections. A file that cannot be read keeps what is known of it."""
    try:
        content = read_cited(root, path)
        page = content.decode("utf-8")
        if len(content) > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES:,} bytes")
    except (DriftError, ValueError) as error:
        done.skipped.append((path, _say_reason(path, error)))
        return {source for source in known if _path_of(source) == path} if (root / path).exists() else set()
    done.files += 1
    lines = split_lines(content)
    seen: set[str] = set()
    for section in read_sections(page.replace("\0", "")):
        if len(section.text.split()) < _LEAST_WORDS:
            continue
        source = f"{_SOURCE}{path}#{section.anchor}"[:1_000]
        seen.add(source)
        draft, findings = clean_draft(_draft(path, section, lines, source))
        done.redacted += len(findings)
        done.cut += len(section.text) > _MOST_TEXT
        _put(store, checked(draft), known.get(source), done, actor=actor)
    return seen


def _say_reason(path: str, error: DriftError | ValueError) -> str:
    if isinstance(error, DriftError):
        return error.message
    return f"{path} is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else f"{path}: {error}"


def _put(store: MemoryStore, draft: Draft, known: Memory | None, done: Ingested, *, actor: str) -> None:
    if known is not None and (known.title, known.text, known.type) == (draft.title, draft.text, draft.type):
        done.unchanged += 1
        if known.files != draft.files:  # the same words elsewhere in the file
            store.update(known.id, {"files": draft.files}, actor=actor)
        return
    # Not through `keep`: a section is known by its place, and the same words in two files are two sections.
    memory = store.add(draft, actor=actor)
    if known is None:
        done.added += 1
    else:
        store.supersede(known.id, memory.id, actor=actor)
        done.superseded += 1


def _draft(path: str, section: MarkdownSection, lines: list[bytes], source: str) -> Draft:
    heading = " > ".join(section.headings)
    title = shorten(f"{path}: {heading}" if heading else path, 200)
    content: dict[str, Any] = {}
    memory_type = _type_of(path)
    if memory_type == "reference":
        content = (
            {"url": f"{path}#L{section.start_line}"} if not heading else {"title": shorten(heading, 200)}
        )
    elif memory_type == "preference":
        content = {"scope": "project", "category": shorten(heading, 200)}
    cited = lines[section.start_line - 1 : section.end_line]
    link = FileLink(path, section.start_line, section.start_line + len(cited) - 1, hash_lines(cited))
    return Draft(
        type=memory_type,
        kind=KIND,
        title=title,
        text=shorten(section.text, _MOST_TEXT),
        content=content,
        files=(link,),
        source=source,
        confidence=0.9,  # written down by people, and documents age
    )


def _type_of(path: str) -> str:
    if _DECISIONS.search(path):
        return "decision"
    return "preference" if _INSTRUCTIONS.search(path) else "reference"


def _known(store: MemoryStore) -> dict[str, Memory]:
    """What was ingested and still holds, by its source."""
    found: dict[str, Memory] = {}
    after: str | None = None
    while True:
        page = store.list(Listing(kinds=(KIND,)), after=after, limit=_PAGE)
        found |= {one.source: one for one in page.memories if one.source and one.source.startswith(_SOURCE)}
        after = page.next_after
        if after is None:
            return found


def _path_of(source: str) -> str:
    return source.removeprefix(_SOURCE).rpartition("#")[0]


def _walk(root: Path, folder: str, *, depth: int) -> Iterator[str]:
    try:
        with os.scandir(root / folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    is_docs = any(part.casefold() in ("docs", "doc") for part in folder.split("/"))
    for entry in entries:
        path = f"{folder}/{entry.name}" if folder else entry.name
        # Links are not followed: they may lead out, or round in a circle.
        if entry.is_file(follow_symlinks=False):
            is_wanted = is_docs or _NAMES.fullmatch(entry.name) or _DECISIONS.search(path)
            if is_wanted and entry.name.casefold().endswith(_MARKDOWN):
                yield path
        elif entry.is_dir(follow_symlinks=False) and depth < _DEEPEST and not _is_skipped(entry.name):
            yield from _walk(root, path, depth=depth + 1)


def _is_skipped(folder: str) -> bool:
    return folder in _SKIPPED or folder.startswith(".")
