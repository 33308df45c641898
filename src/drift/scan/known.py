"""What the index knows of the files, in the form that discovery compares with."""

from collections.abc import Iterable
from typing import Final, cast

from drift.index.file_queries import FileStamp
from drift.index.path_text import text_to_path
from drift.scan.discovery import KnownFile, SkipReason
from drift.scan.roles import ROLES, Role

_REASONS: Final = frozenset(SkipReason)


def known_files(stamps: Iterable[FileStamp]) -> dict[str, KnownFile]:
    """The known files by path. A skipped one has its reason as `problem` in the index.

    One with a reason or role this version does not know is left out: it will be looked at as if new.
    """
    known = (_known(stamp) for stamp in stamps if stamp.role in ROLES)
    return {each.path: each for each in known if each is not None}


def _known(stamp: FileStamp) -> KnownFile | None:
    is_skipped = stamp.status == "skipped"
    if is_skipped and stamp.problem not in _REASONS:
        return None
    return KnownFile(
        text_to_path(stamp.path),
        stamp.size,
        stamp.mtime_ns,
        stamp.hash,
        stamp.language,
        cast("Role", stamp.role),
        SkipReason(cast("str", stamp.problem)) if is_skipped else None,
    )
