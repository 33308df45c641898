"""The format of `projects.json`: read with tolerance, written without losing what we do not know.

    {"version": 1, "active": "3f2a…", "projects": [{"id", "name", "path", "addedAt", "lastAccessed"}]}

Fields beyond these, and entries that make no sense to us, are kept as they are.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from drift.kernel.text import shorten
from drift.project.identity import project_id
from drift.project.roots import is_directory

MOST_BYTES = 10_000_000

_VERSION = 1


@dataclass(frozen=True, slots=True)
class ProjectEntry:
    """One registered project. `is_valid`: its directory is still there."""

    id: str
    name: str
    path: Path
    added_at: datetime | None
    last_accessed: datetime | None
    is_valid: bool
    is_active: bool


class RegistryDocument:
    """The content of the file, as JSON values; entries are read from it and written through to it."""

    def __init__(self, raw: dict[str, Any] | None = None) -> None:
        self._raw: dict[str, Any] = {"version": _VERSION, "active": None} if raw is None else raw
        self._raw.setdefault("projects", [])

    @classmethod
    def parse(cls, content: bytes) -> "RegistryDocument":
        """The document. Raises ValueError, with the reason, when the content is not one."""
        if len(content) > MOST_BYTES:
            raise ValueError(f"it is larger than {MOST_BYTES:,} bytes")
        try:
            raw = json.loads(content)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        if isinstance(raw, dict) and isinstance(raw.get("projects", []), list):
            return cls(raw)
        raise ValueError("it is no object with a list of projects")

    def render(self) -> bytes:
        """The file's content, made for people to read."""
        # Escaped, so that undecodable bytes of a path survive.
        return (json.dumps(self._raw, indent=2) + "\n").encode()

    def entries(self) -> tuple[ProjectEntry, ...]:
        """The projects, in the order of the file; entries without name or path are left out."""
        return tuple(self._as_entry(record) for record in self._records())

    def problems(self) -> tuple[str, ...]:
        """A sentence for each entry that is left out."""
        return tuple(
            f"An entry of the project list has no name or no path and is left out: {shorten(ascii(record), 100)}"
            for record in self._raw["projects"]
            if not _is_readable(record)
        )

    def append(self, record: dict[str, Any]) -> None:
        """Add a project's record at the end."""
        self._raw["projects"].append(record)

    def drop(self, identity: str) -> None:
        """Take out the project with this id; no project is active if it was."""
        kept = [each for each in self._raw["projects"] if not _is_readable(each) or _id_of(each) != identity]
        self._raw["projects"] = kept
        if self._raw.get("active") == identity:
            self._raw["active"] = None

    def update(self, identity: str, **changes: str) -> None:
        """Set fields of the project with this id, leaving its others."""
        for record in self._records():
            if _id_of(record) == identity:
                record.update(changes)

    def activate(self, identity: str) -> None:
        """Make the project with this id the active one."""
        self._raw["active"] = identity

    def _records(self) -> Iterator[dict[str, Any]]:
        return (record for record in self._raw["projects"] if _is_readable(record))

    def _as_entry(self, record: dict[str, Any]) -> ProjectEntry:
        path = Path(record["path"])
        identity = _id_of(record)
        return ProjectEntry(
            id=identity,
            name=record["name"],
            path=path,
            added_at=_read_time(record.get("addedAt")),
            last_accessed=_read_time(record.get("lastAccessed")),
            is_valid=is_directory(path),
            is_active=self._raw.get("active") == identity,
        )


def _is_readable(record: object) -> bool:
    return isinstance(record, dict) and all(
        isinstance(record.get(field), str) and record[field] and "\0" not in record[field]
        for field in ("name", "path")
    )


def _id_of(record: dict[str, Any]) -> str:
    kept = record.get("id")
    return kept if isinstance(kept, str) and kept else project_id(Path(record["path"]))


def _read_time(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    # Written by hand, a time without a zone is taken as UTC: mixing both kinds cannot be sorted.
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
