"""Paths a caller gave, held inside the project root whatever they are made of.

The text is judged first, without touching the disk; then what it names is resolved, so that a symbolic link
cannot lead out. What passes can still be changed on disk before it is opened: open it soon, and read only.
"""

import errno
import os
import re
import unicodedata
from pathlib import Path
from typing import Final, NewType

from drift.kernel.errors import DriftError, ErrorCode, invalid
from drift.kernel.text import shorten

ProjectPath = NewType("ProjectPath", str)
"""A path relative to the project root, with `/` between its parts; the root itself is `.`."""

_ON_WINDOWS: Final = os.name == "nt"
_LONGEST_PATH: Final = 4096
_LONGEST_PART: Final = 255
_LONGEST_SHOWN: Final = 80

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_SEPARATORS_AND_DOTS: Final = frozenset("/\\.")
# These look like a slash or backslash and have no compatibility form that would give them away.
_LOOK_ALIKES: Final = frozenset("\u2044\u2215\u2216\u29f5\u29f8\u29f9\u2571\u2572")
_DEVICE: Final = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.IGNORECASE
)


def resolve_inside(root: Path, given: str, *, must_exist: bool = False) -> ProjectPath:
    """The path relative to the root, its links checked but not replaced.

    Takes relative paths, and absolute ones that lie inside the root. Raises PATH_OUTSIDE_PROJECT,
    INVALID_ARGUMENT, or FILE_NOT_FOUND if it must exist.
    """
    _refuse_unfit_text(given)
    text = given.replace("\\", "/")
    real_root = os.path.realpath(root)
    if _is_absolute(text):
        text = _make_relative(text, given, root=os.path.normpath(root.absolute()), real_root=real_root)
    parts = [part for part in text.split("/") if part not in {"", "."}]
    _refuse_unfit_parts(parts, given)
    real, exists = _follow(str(Path(real_root, *parts)), given)
    if not _contains(real_root, real):
        raise _outside(given)
    if must_exist and not exists:
        raise DriftError(ErrorCode.FILE_NOT_FOUND, f"{_show(given)} does not exist in the project")
    # Elsewhere such a name is harmless, but a new one would make the project unusable on Windows.
    if not exists and any(map(_DEVICE.fullmatch, parts)):
        raise invalid("path", f"{_show(given)} is the name of a device on Windows")
    return ProjectPath("/".join(parts) or ".")


def is_inside(root: Path, path: Path) -> bool:
    """Whether the path, its links followed, is the root or lies below it."""
    try:
        real, _ = _follow(str(path), str(path))
    except (DriftError, ValueError):  # ValueError: a NUL in the path
        return False
    return _contains(os.path.realpath(root), real)


def _refuse_unfit_text(given: str) -> None:
    if not given:
        raise invalid("path", "is empty")
    if len(given) > _LONGEST_PATH:
        raise invalid("path", f"is longer than {_LONGEST_PATH} characters")
    if control := _CONTROL.search(given):
        raise invalid("path", f"has the control character U+{ord(control[0]):04X}")
    try:
        given.encode("utf-8")
    except UnicodeEncodeError:
        raise invalid("path", "has a character that UTF-8 cannot hold") from None
    for character in given:
        if not character.isascii() and _looks_like_separator(character):
            raise invalid("path", f"has U+{ord(character):04X}, which looks like a slash, backslash or dot")


def _looks_like_separator(character: str) -> bool:
    plain = unicodedata.normalize("NFKC", character)
    return character in _LOOK_ALIKES or not _SEPARATORS_AND_DOTS.isdisjoint(plain)


def _is_absolute(text: str) -> bool:
    return text.startswith("/") or _DRIVE.match(text) is not None


def _make_relative(text: str, given: str, *, root: str, real_root: str) -> str:
    """What follows the root, however the caller's absolute path reaches it: as named, or through links."""
    is_native = text[1:3] == ":/" if _ON_WINDOWS else text.startswith("/")
    if not is_native or text.startswith("//") or ".." in text.split("/"):
        raise _outside(given)
    path = os.path.normpath(text)
    for base in (root, real_root):
        if _contains(base, path):
            return os.path.relpath(path, base).replace(os.sep, "/")
    real, _ = _follow(path, given)
    if not _contains(real_root, real):
        raise _outside(given)
    return os.path.relpath(real, real_root).replace(os.sep, "/")


def _refuse_unfit_parts(parts: list[str], given: str) -> None:
    # Other programs would take the one for a home folder and the other for a drive.
    if parts and (parts[0].startswith("~") or _DRIVE.match(parts[0])):
        raise _outside(given)
    for part in parts:
        # Windows drops dots and spaces at the end of a name, so `.. ` is a way up there as well.
        if part.startswith("..") and not part.strip(". "):
            raise _outside(given)
        if len(part.encode("utf-8")) > _LONGEST_PART:
            raise invalid(
                "path", f"has a part longer than {_LONGEST_PART} bytes: {shorten(part, _LONGEST_SHOWN)}"
            )
        if _ON_WINDOWS and (":" in part or part[-1] in ". " or _DEVICE.fullmatch(part)):
            raise invalid("path", f"{_show(given)} is a stream, a device or no name at all on Windows")


def _follow(path: str, given: str) -> tuple[str, bool]:
    """Where the path leads when its links are followed, and whether anything is there."""
    try:
        return os.path.realpath(path, strict=True), True
    except (FileNotFoundError, NotADirectoryError):
        return os.path.realpath(path), False
    except OSError as error:
        reason = "its links form a loop" if error.errno == errno.ELOOP else error.strerror
        raise invalid("path", f"{_show(given)} cannot be followed: {reason}") from None


def _contains(root: str, path: str) -> bool:
    root, path = os.path.normcase(root), os.path.normcase(path)
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _outside(given: str) -> DriftError:
    return DriftError(ErrorCode.PATH_OUTSIDE_PROJECT, f"{_show(given)} is outside the project")


def _show(given: str) -> str:
    return repr(shorten(given, _LONGEST_SHOWN))
