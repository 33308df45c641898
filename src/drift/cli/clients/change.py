"""A change to a client's file: planned as text, shown as a diff, then written with a backup beside it."""

import difflib
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Protocol

from drift.cli.clients import json_text, toml_text, yaml_text
from drift.cli.clients.json_text import Section
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import write_atomically

_OURS: Final = "drift-"
_MOST_BYTES: Final = 20_000_000
_MOST_BACKUPS_PER_SECOND: Final = 100
_BYTE_ORDER_MARK: Final = "\ufeff"


class _Syntax(Protocol):
    def read_entries(self, text: str, section: Section, /) -> dict[str, Any]: ...
    def put_entries(
        self, text: str, section: Section, entries: Mapping[str, Mapping[str, Any]], /
    ) -> str: ...
    def drop_entries(self, text: str, section: Section, names: Iterable[str], /) -> str | None: ...
    def write_entries(self, section: Section, entries: Mapping[str, Mapping[str, Any]], /) -> str: ...


_SYNTAXES: Final[Mapping[str, _Syntax]] = {
    ".json": json_text,
    ".jsonc": json_text,  # without comments it is JSON, with them it is left alone
    ".toml": toml_text,
    ".yaml": yaml_text,
}
_PASTED: Final = frozenset({".yaml"})


class Status(StrEnum):
    """What a plan comes to."""

    CHANGES = "changes"
    UNCHANGED = "unchanged"
    CONFLICT = "conflict"  # an entry of this name says something else, and nobody said to replace it
    UNFIT = "unfit"  # the file is not one that can be changed without harm


@dataclass(frozen=True, slots=True)
class Change:
    """What would happen to a file, and to which entries in it.

    `before` is None for a file that is not there, `after` for one to be removed. A file that `is_ours` holds
    nothing but what we put there, so that nothing is lost with it.
    """

    path: Path
    status: Status
    before: bytes | None
    after: bytes | None
    names: tuple[str, ...] = ()
    reason: str = ""
    is_ours: bool = False

    def diff(self) -> str:
        """The change as a unified diff."""
        before, after = (
            [] if content is None else content.decode("utf-8", "replace").splitlines(keepends=True)
            for content in (self.before, self.after)
        )
        lines = difflib.unified_diff(before, after, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def plan_install(
    path: Path, section: Section, entries: Mapping[str, Mapping[str, Any]], *, may_replace: bool
) -> Change:
    """What putting the entries into a section of a client's file comes to."""
    before = _read(path)
    syntax = _SYNTAXES[path.suffix]
    try:
        mark, text = _decode(before)
        there = syntax.read_entries(text, section)
        missing = {name: entry for name, entry in entries.items() if not _covers(there.get(name), entry)}
        if not missing:
            return Change(path, Status.UNCHANGED, before, before)
        after = (mark + syntax.put_entries(text, section, missing)).encode()
        is_ours = _is_ours(syntax, text, section)
    except (ValueError, RecursionError) as error:
        return Change(path, Status.UNFIT, before, before, reason=str(error))
    different = sorted(name for name in missing if name in there)
    if different and not may_replace:
        reason = f"{', '.join(different)} is there with other values"
        return Change(path, Status.CONFLICT, before, after, tuple(missing), reason)
    return Change(path, Status.CHANGES, before, after, tuple(missing), is_ours=is_ours)


def plan_removal(path: Path, section: Section, names: Iterable[str]) -> Change:
    """What taking the entries out of a section of a client's file comes to."""
    before = _read(path)
    syntax = _SYNTAXES[path.suffix]
    try:
        mark, text = _decode(before)
        present = [name for name in names if name in syntax.read_entries(text, section)]
        if not present:
            return Change(path, Status.UNCHANGED, before, before)
        left = syntax.drop_entries(text, section, present)
        is_ours = _is_ours(syntax, text, section)
    except (ValueError, RecursionError) as error:
        return Change(path, Status.UNFIT, before, before, reason=str(error))
    after = None if left is None else (mark + left).encode()
    return Change(path, Status.CHANGES, before, after, tuple(present), is_ours=is_ours)


def plan_edit(path: Path, names: tuple[str, ...], edit: Callable[[str], str | None]) -> Change:
    """What an edit of a client's file as text comes to; None from it removes the file."""
    before = _read(path)
    try:
        mark, text = _decode(before)
        left = edit(text)
    except (ValueError, RecursionError) as error:
        return Change(path, Status.UNFIT, before, before, reason=str(error))
    if left == text:
        return Change(path, Status.UNCHANGED, before, before)
    after = None if left is None else (mark + left).encode()
    return Change(path, Status.CHANGES, before, after, names)


def read_installed(path: Path, section: Section) -> dict[str, Any]:
    """Our entries in a section of a client's file, by name. Raises ValueError for a file that cannot be read."""
    _mark, text = _decode(_read(path))
    entries = _SYNTAXES[path.suffix].read_entries(text, section)
    return {name: entry for name, entry in entries.items() if name.startswith(_OURS)}


def write_entries(path: Path, section: Section, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The entries in the file's syntax, as a person would paste them."""
    return _SYNTAXES[path.suffix].write_entries(section, entries)


def is_pasted(path: Path) -> bool:
    """Whether entries for the file are printed instead of put into it."""
    return path.suffix in _PASTED


def apply_change(change: Change, *, now: datetime) -> Path | None:
    """Make a planned change. Returns the backup of what was there, None when nothing was."""
    if change.status is not Status.CHANGES:
        return None
    try:
        change.path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(change.path.parent, error) from error
    if _read(change.path) != change.before:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"{change.path} was changed by another program in this moment; nothing was written",
            Recovery(hint="Run the command again."),
        )
    has_others = change.before is not None and not change.is_ours
    backup = _back_up(change.path, change.before or b"", now) if has_others else None
    if change.after is None:
        change.path.unlink()
    else:
        write_atomically(change.path, change.after)
    return backup


def _is_ours(syntax: _Syntax, text: str, section: Section) -> bool:
    """Whether nothing would be left of the file without our entries."""
    ours = [name for name in syntax.read_entries(text, section) if name.startswith(_OURS)]
    return bool(ours) and syntax.drop_entries(text, section, ours) is None


def _covers(there: Any, entry: Mapping[str, Any]) -> bool:
    """Whether an entry says what ours says; what else it says is the user's."""
    return isinstance(there, Mapping) and all(there.get(key) == value for key, value in entry.items())


def _read(path: Path) -> bytes | None:
    try:
        # A pipe or a device under this name would be waited for.
        if not stat.S_ISREG(path.stat().st_mode):
            raise _unreadable(path, "it is not a regular file")
        with path.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, str(error.strerror)) from error
    if len(content) > _MOST_BYTES:
        raise _unreadable(path, f"it has more than {_MOST_BYTES:,} bytes")
    return content


def _decode(content: bytes | None) -> tuple[str, str]:
    """The byte order mark, if there is one, and the text behind it."""
    text = (content or b"").decode("utf-8")
    has_mark = text.startswith(_BYTE_ORDER_MARK)
    return (_BYTE_ORDER_MARK, text[1:]) if has_mark else ("", text)


def _back_up(path: Path, content: bytes, now: datetime) -> Path:
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    names = [f"{path.name}.{stamp}.bak"] + [
        f"{path.name}.{stamp}-{number}.bak" for number in range(2, _MOST_BACKUPS_PER_SECOND)
    ]
    backup = next((path.with_name(name) for name in names if not os.path.lexists(path.with_name(name))), None)
    if backup is None:
        raise _unreadable(path, "there are too many backups beside it")
    # These files may hold secrets, so the copy is as private as the original.
    write_atomically(backup, content, mode=stat.S_IMODE(path.stat().st_mode))
    return backup


def _unreadable(path: Path, problem: str) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"{path} cannot be changed: {problem}",
        Recovery(hint="Paste the entry yourself; --print shows it."),
    )


def _unwritable(path: Path, error: OSError) -> DriftError:
    return DriftError(ErrorCode.STORE_UNAVAILABLE, f"{path} cannot be made: {error.strerror}")
