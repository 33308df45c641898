"""Decision records that people wrote: Markdown files in docs/adr and the like, with status, context and decision."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from drift.decisions.form import Decision, DecisionStatus, Evidence
from drift.index.path_text import text_to_path
from drift.kernel.reading import list_files, read_text
from drift.kernel.text import shorten

_FOLDERS: Final = re.compile(
    r"(?:^|/)(?:adrs?|decisions|architecture-decisions|decision-records)/[^/]{1,200}\.md$"
)
_USUAL: Final = (
    "docs/adr",
    "doc/adr",
    "docs/adrs",
    "docs/decisions",
    "docs/architecture/decisions",
    "adr",
    "decisions",
)
_NUMBER: Final = re.compile(r"^(?:ADR[- ]?)?\d{1,5}\s{0,3}[.:)-]\s{0,3}", re.IGNORECASE)
_STEM_NUMBER: Final = re.compile(r"^(?:adr[-_]?)?(\d{1,5})", re.IGNORECASE)
_DATE: Final = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_STATUS_LINE: Final = re.compile(r"^[*\s>|-]{0,6}status[*\s]{0,4}[:|]\s{0,4}(.{1,80})$", re.IGNORECASE)
_MOST_BYTES: Final = 500_000
_MOST_RECORDS: Final = 500
_MOST_TEXT: Final = 600
_STATUSES: Final[tuple[tuple[str, DecisionStatus], ...]] = (
    ("supersed", "superseded"), ("deprecat", "superseded"), ("replaced", "superseded"), ("reject", "rejected"),
    ("propos", "draft"), ("draft", "draft"), ("pending", "draft"),
)  # fmt: skip
_SAYING: Final = ("decision", "context", "status")
_LEAST_SAYING: Final = 2


def read_records(root: Path, paths: Iterable[str]) -> Iterator[Decision]:
    """The records among some paths and in the folders that mostly have them; a file without the parts of one is none."""
    fitting = {path for path in paths if _FOLDERS.search(path.lower())} | set(_listed(root))
    for path in sorted(fitting)[:_MOST_RECORDS]:
        try:
            text = read_text(root, text_to_path(path), _MOST_BYTES)
        except OSError:
            continue  # gone since the index was made
        record = read_record(path, text)
        if record is not None:
            yield record


def _listed(root: Path) -> Iterator[str]:
    for folder in _USUAL:
        try:
            names = list_files(root, folder)
        except OSError:
            continue  # most projects have none of them
        yield from (f"{folder}/{name}" for name in names if name.endswith(".md"))


def read_record(path: str, text: str) -> Decision | None:
    """The decision that a file records; None where it has not the form of one."""
    title, parts = _sections(text)
    status_line = next(
        (found[1] for line in text.splitlines()[:40] if (found := _STATUS_LINE.match(line))), None
    )
    said = {key for key in _SAYING for heading in parts if key in heading}
    if status_line:
        said.add("status")
    if not title or len(said) < _LEAST_SAYING:
        return None
    stem = path.rpartition("/")[2].removesuffix(".md")
    number = _STEM_NUMBER.match(stem)
    status = status_line or _part(parts, "status")
    date = _DATE.search(status) or _DATE.search(_part(parts, "date")) or _DATE.search(text[:1_000])
    day = date[1] if date else ""
    return Decision(
        f"ADR-{number[1] if number else stem}",
        _NUMBER.sub("", title)[:160],
        "record",
        1.0,
        day,
        day,
        (),
        (path,),
        (Evidence("record", f"status: {shorten(' '.join(status.split()), 80) or 'not said'}", path),),
        shorten(" ".join(_part(parts, "context").split()), _MOST_TEXT),
        shorten(" ".join(_part(parts, "decision").split()), _MOST_TEXT),
        tuple(
            shorten(" ".join(line.lstrip("-*+ ").split()), 200)
            for line in _part(parts, "consequence").splitlines()
            if line.strip()
        )[:8],
        next((mapped for word, mapped in _STATUSES if word in status.lower()), "confirmed"),
        keys=(),
        source=path,
    )


def _sections(text: str) -> tuple[str, dict[str, str]]:
    title, parts, at = "", {}, ""
    lines: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("# ") and not title:
            title = line[2:].strip()
        elif line.startswith("#"):
            at = line.lstrip("#").strip().lower()
            lines.setdefault(at, [])
        elif at:
            lines[at].append(line)
    parts = {heading: "\n".join(found).strip() for heading, found in lines.items()}
    return title, parts


def _part(parts: dict[str, str], word: str) -> str:
    return next((text for heading, text in parts.items() if word in heading and text), "")
