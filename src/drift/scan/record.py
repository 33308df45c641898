"""What the last scan was asked for and counted, kept beside the index so that nobody must count again."""

import os
from typing import Any, Final, Literal, NamedTuple

from drift.kernel.files import write_atomically
from drift.project import StateDir
from drift.scan.choices import NO_CHOICES, Choices, choices_from_json, choices_to_json
from drift.scan.sealing import open_document, sealed_document

_PURPOSE: Final = "scan record"
_MOST_BYTES: Final = 2_000_000
_MOST_KEYS: Final = 100  # of call outcomes or languages; there are far fewer
_SOURCES: Final = ("git", "walk")


class ScanRecord(NamedTuple):
    """A finished scan. The counts are those of the index of this generation, and of no other."""

    generation: int
    choices: Choices
    source: Literal["git", "walk"]
    files: int
    languages: dict[str, int]
    symbols: int
    calls: dict[str, int]
    cut: int
    unread: dict[str, int]


_NOTHING_COUNTED: Final = ScanRecord(
    0, NO_CHOICES, "walk", 0, {}, 0, {}, 0, {}
)  # no index is of generation 0


def write_record(state: StateDir, record: ScanRecord) -> None:
    """Keep the record. The caller holds the index's lock."""
    document = record._asdict() | {"choices": choices_to_json(record.choices)}
    path = state.check(state.scan_record)
    if path.is_symlink():
        path.unlink()  # writing follows links, and one that came with the repository could name any file
    write_atomically(path, sealed_document(state, _PURPOSE, document))


def note_choices(state: StateDir, choices: Choices) -> None:
    """Keep what a scan that now begins was asked for: what it leaves if it is killed is updated likewise."""
    record = read_record(state) or _NOTHING_COUNTED
    if record.choices != choices:
        write_record(state, record._replace(choices=choices))


def read_record(state: StateDir) -> ScanRecord | None:
    """The record of the last scan; None if there is none that makes sense. One that came from a stranger does not."""
    try:
        return _parse(open_document(state, _PURPOSE, state.read(state.scan_record, _MOST_BYTES)))
    except OSError:
        return None


def kept_choices(state: StateDir) -> Choices:
    """What the scan that made the present index was asked for, over the settings."""
    record = read_record(state) if os.path.lexists(state.index_db) else None
    return record.choices if record else NO_CHOICES


def _parse(document: dict[str, Any] | None) -> ScanRecord | None:
    if document is None or set(document) != set(ScanRecord._fields):
        return None
    choices = choices_from_json(document["choices"])
    tables = (document["calls"], document["languages"], document["unread"])
    is_sound = (
        choices is not None
        and document["source"] in _SOURCES
        and all(isinstance(table, dict) and len(table) <= _MOST_KEYS for table in tables)
        and all(_is_count(document[name]) for name in ("generation", "files", "symbols", "cut"))
        and all(_is_count(count) for table in tables for count in table.values())
    )
    return ScanRecord(**document | {"choices": choices}) if is_sound else None


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0
