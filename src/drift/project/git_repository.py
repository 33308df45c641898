"""Finds the repository around a directory, and gives git a view of it that holds none of its configuration.

A repository's own configuration can name programs in many places, more with each version of git. So git never reads
it: it is given a directory of ours in place of `.git`, with links to the commits and the list of files of the real
one and a configuration that we write. Of the real one only what says how things are stored is carried over.

A `.git` that leads elsewhere is believed where that place says the same: linked worktrees and submodules are known
to their repositories. Otherwise an unpacked archive could show the history of any repository on the machine.
"""

import contextlib
import os
import shutil
import stat
import sys
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import read_file
from drift.kernel.text import shorten
from drift.project.view_folders import delete_left_folders, make_folder

_MOST_CONFIG_BYTES: Final = 1_000_000
_MOST_POINTER_BYTES: Final = 10_000
_MOST_SHARED_INDEXES: Final = 100
_GITFILE: Final = "gitdir:"
_COMMON_FILES: Final = ("packed-refs", "shallow", "info/exclude")
_COMMON_FOLDERS: Final = ("refs", "reftable")
_OWN_FILES: Final = ("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "info/sparse-checkout")
_SHARED_INDEX: Final = "sharedindex."
_BOOLEANS: Final = frozenset({"", "true", "false", "yes", "no", "on", "off", "1", "0"})
_CARRIED: Final[Mapping[str, frozenset[str]]] = {
    "core.autocrlf": _BOOLEANS | {"input"},
    "core.eol": frozenset({"lf", "crlf", "native"}),
    "core.filemode": _BOOLEANS,
    "core.ignorecase": _BOOLEANS,
    "core.precomposeunicode": _BOOLEANS,
    "core.sparsecheckout": _BOOLEANS,
    "core.sparsecheckoutcone": _BOOLEANS,
    "core.symlinks": _BOOLEANS,
}
"""What of a repository's configuration is carried over, and the values it may have."""
_EXTENSIONS: Final[Mapping[str, frozenset[str]]] = {
    "extensions.objectformat": frozenset({"sha1", "sha256"}),
    "extensions.refstorage": frozenset({"files", "reftable"}),
}
# About fetching, writing, or where other files lie: without a meaning for who only reads here.
_WITHOUT_MEANING: Final = frozenset(
    f"extensions.{name}"
    for name in ("noop", "noop-v1", "partialclone", "preciousobjects", "relativeworktrees", "worktreeconfig")
)

_MOST_VIEWS: Final = 20
_LEFT_FOR_SECONDS: Final = (
    86_400  # a container may share the folder, where the same number is another process
)
_MOST_LENDERS: Final = 5  # in a row, as with git
_STAND_ALONE: Final = "To make it stand alone, run `git repack -a -d` and delete objects/info/alternates; or go on without history."
_IS_LASTING: Final = os.name != "nt"  # there files are copied, and a copy does not change with its original

ConfigReader = Callable[[Path], Mapping[str, str]]
"""Reads the values of a file in git's syntax by their keys in lower case, without the files it includes."""


_views: "dict[Repository, View]" = {}


@dataclass(frozen=True, slots=True)
class Repository:
    """Where a repository's parts are. `own` differs from `common` in a linked worktree."""

    top: Path
    own: Path
    common: Path

    @property
    def is_linked(self) -> bool:
        """Whether it is a worktree beside the main one."""
        return self.own != self.common


def find_repository(root: Path) -> Repository | None:
    """The repository that the directory is in; None without one.

    Raises STORE_UNAVAILABLE for one that leads to a place outside which knows nothing of it.
    """
    start = Path(os.path.realpath(root))
    device = start.stat().st_dev
    for folder in (start, *start.parents):
        if folder.stat().st_dev != device:
            return None  # as git does: another disk is mounted here
        own = _own_directory(folder)
        if own is not None:
            return _check(folder, own)
    return None


class View:
    """A directory of ours that stands in for `.git`; it goes with the object."""

    def __init__(self, repository: Repository, content: "_Content") -> None:
        self._repository = repository
        self._content = content
        delete_left_folders()
        self.path = make_folder()
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)  # at the end of the process, too
        (self.path / "info").mkdir()
        for name, place in content.folders:
            _link(place, self.path / name, is_folder=True)
        if not (self.path / "refs").exists():  # git takes nothing without it for a repository
            (self.path / "refs").mkdir()
        for name, place in content.files:
            _link(place, self.path / name, is_folder=False)
        (self.path / "HEAD").write_bytes(content.head)
        (self.path / "config").write_text(content.config, "utf-8", "surrogateescape")

    def shows(self, content: "_Content") -> bool:
        """Whether it is as it would be made now; the machine may also have tidied it away."""
        return _IS_LASTING and content == self._content and (self.path / "config").exists()

    def variables(self) -> Mapping[str, str]:
        """What has git look here, and at the files beside the real `.git`."""
        return {
            "GIT_DIR": os.fspath(self.path),
            "GIT_WORK_TREE": os.fspath(self._repository.top),
            "GIT_INDEX_FILE": os.fspath(self._repository.own / "index"),
            "GIT_OBJECT_DIRECTORY": os.fspath(self._repository.common / "objects"),
        }


def neutral_view(repository: Repository, read_config: ConfigReader, defaults: Mapping[str, str]) -> View:
    """A view of the repository without its configuration; kept for the next question while nothing of it changes.

    `defaults` are values that the repository's own carried ones go over.
    """
    carried, extensions = _carried(repository, read_config)
    if repository.is_linked and extensions.get("extensions.refstorage") == "reftable":
        _refuse(repository.top, "its linked worktree keeps its branch in a reftable, which Drift cannot join")
    content = _gather(repository, _render({**_FIXED, **defaults, **carried}, extensions))
    kept = _views.get(repository)
    if kept is not None and kept.shows(content):
        return kept
    if len(_views) >= _MOST_VIEWS:
        _views.clear()
    _views[repository] = made = View(repository, content)
    return made


_FIXED: Final[Mapping[str, str]] = {
    "core.attributesfile": os.devnull,
    "core.bare": "false",
    "core.fsmonitor": "false",
    "core.hookspath": os.devnull,
    "gc.auto": "0",
    "log.mailmap": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "submodule.recurse": "false",
}


def _own_directory(folder: Path) -> Path | None:
    """Where the folder's `.git` is or points to; None without one that holds a repository."""
    dot_git = folder / ".git"
    try:
        status = dot_git.lstat()
    except OSError:
        return None
    if stat.S_ISREG(status.st_mode):
        text = _pointer(folder, ".git")
        if not text.startswith(_GITFILE):
            _refuse(folder, "its .git is a file that names no repository")
        return Path(os.path.realpath(folder / text.removeprefix(_GITFILE).strip()))
    real = Path(os.path.realpath(dot_git))
    # Like git: a folder of this name that holds no repository is passed over.
    return real if (real / "HEAD").is_file() and (real / "objects").is_dir() else None


def _check(folder: Path, own: Path) -> Repository:
    """The repository, if all it consists of belongs to it."""
    common = own
    if os.path.lexists(own / "commondir"):
        common = Path(os.path.realpath(own / _pointer(own, "commondir")))
        is_known = common == own.parent.parent and own.parent.name == "worktrees"
        if not is_known or not _is_same(own / _pointer(own, "gitdir"), folder / ".git"):
            _refuse(folder, f"its .git leads to {own}, which is not a worktree of that repository here")
    for part in ("objects", "refs", "objects/pack"):
        if (common / part).is_symlink():
            _refuse(folder, f"{part} of its repository is a link")
    if os.path.lexists(own / "index") and not _is_regular(own / "index"):
        _refuse(folder, "the index of its repository is no file")
    _refuse_borrowed_objects(folder, common)
    return Repository(folder, own, common)


def _refuse_borrowed_objects(folder: Path, common: Path) -> None:
    """Raise where objects are those of somebody's repository, which this one's history could then show."""
    _check_lenders(folder, common / "objects", _MOST_LENDERS)
    for place in ("objects", "objects/pack"):
        with contextlib.suppress(FileNotFoundError), os.scandir(common / place) as entries:
            if any(entry.is_symlink() for entry in entries):
                _refuse(folder, f"there are links in {place} of its repository")


def _check_lenders(folder: Path, objects: Path, most: int) -> None:
    """Raise unless objects are borrowed from bare repositories alone: stores that machines make clones from.

    Nobody works in those, and what such a clone shows of one is what it was made from.
    """
    if (objects / "info").is_symlink() or _has_content(objects / "info/http-alternates"):
        _refuse(folder, "it takes objects from elsewhere", hint=_STAND_ALONE)
    if not _has_content(objects / "info/alternates"):
        return
    for line in _pointer(objects, "info/alternates").splitlines():
        lender = Path(os.path.realpath(objects / line))
        if not most or not line or line.startswith(("#", '"')) or not _is_bare(lender):
            _refuse(
                folder,
                f"its objects are partly those of another repository ({shorten(line, 200)})",
                hint=_STAND_ALONE,
            )
        _check_lenders(folder, lender, most - 1)


def _is_bare(objects: Path) -> bool:
    """Whether a folder holds the objects of a repository without files to work on, of this user or the machine's own."""
    repository = objects.parent
    if objects.name != "objects" or repository.name == ".git" or os.path.lexists(repository / "index"):
        return False
    if not _is_regular(repository / "HEAD") or not objects.is_dir():
        return False
    return not hasattr(os, "getuid") or objects.stat().st_uid in {0, os.getuid()}


def _carried(repository: Repository, read_config: ConfigReader) -> tuple[dict[str, str], dict[str, str]]:
    """What of the repository's configuration says how it is stored: plain values, and extensions of its format."""
    found = dict(_read_bounded(repository, repository.common / "config", read_config))
    if found.get("extensions.worktreeconfig", "false").lower() in {"", "true", "yes", "on", "1"}:
        found |= _read_bounded(repository, repository.own / "config.worktree", read_config)
    _check_owner(repository, found)
    extensions = {key: value for key, value in found.items() if key.startswith("extensions.")}
    for key, value in extensions.items():
        if key not in _WITHOUT_MEANING and value.lower() not in _EXTENSIONS.get(key, ()):
            _refuse(repository.top, f"its format has {shorten(key, 80)}, which Drift does not know")
    carried = {key: value for key, value in found.items() if value.lower() in _CARRIED.get(key, ())}
    kept = {key: value.lower() for key, value in extensions.items() if key in _EXTENSIONS}
    if found.get("core.repositoryformatversion", "0") not in {"0", "1"}:
        _refuse(repository.top, "its format has a version that Drift does not know")
    return carried, kept


def _check_owner(repository: Repository, config: Mapping[str, str]) -> None:
    """Raise for a repository outside that does not name this directory as its work tree."""
    dot_git = repository.top / ".git"
    is_at_home = repository.own == dot_git or repository.top in repository.own.parents
    if repository.is_linked or is_at_home:
        return
    worktree = config.get("core.worktree")
    if worktree is None or not _is_same(repository.own / worktree, repository.top):
        _refuse(
            repository.top,
            f"its .git leads to {repository.own}, which does not name this directory as its work tree",
            hint=f"If they belong together, say so: git config core.worktree {repository.top}",
        )


def _read_bounded(repository: Repository, path: Path, read_config: ConfigReader) -> Mapping[str, str]:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return {}
    if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_CONFIG_BYTES:
        _refuse(repository.top, f"{path.name} of its repository is no file of usual size")
    return read_config(path)


class _Content(NamedTuple):
    """What a view consists of: names with the places they stand for, and what is written."""

    folders: tuple[tuple[str, Path], ...]
    files: tuple[tuple[str, Path], ...]
    head: bytes
    config: str


def _gather(repository: Repository, config: str) -> _Content:
    own, common = repository.own, repository.common
    try:
        head = read_file(own, "HEAD", _MOST_POINTER_BYTES)
    except OSError as error:
        _refuse(repository.top, f"its HEAD cannot be read: {error.strerror}")
    folders = [(name, common / name) for name in _COMMON_FOLDERS]
    folders += [] if repository.is_linked else [("logs", own / "logs")]
    files = [(name, common / name) for name in _COMMON_FILES]
    files += [(name, own / name) for name in (*_OWN_FILES, *_shared_indexes(own))]
    return _Content(
        tuple(each for each in folders if each[1].is_dir()),
        tuple(each for each in files if _is_regular(each[1])),
        head,
        config,
    )


def _shared_indexes(own: Path) -> list[str]:
    """The files beside an index that is split in two."""
    with os.scandir(own) as entries:
        return sorted(entry.name for entry in entries if entry.name.startswith(_SHARED_INDEX))[
            :_MOST_SHARED_INDEXES
        ]


if sys.platform == "win32":
    import _winapi

    def _link(place: Path, name: Path, *, is_folder: bool) -> None:
        # Not everybody may make links there; folders can be joined and files copied by all.
        if is_folder:
            _winapi.CreateJunction(os.fspath(place), os.fspath(name))
        else:
            shutil.copyfile(place, name)

else:

    def _link(place: Path, name: Path, *, is_folder: bool) -> None:
        name.symlink_to(place, target_is_directory=is_folder)


def _render(values: Mapping[str, str], extensions: Mapping[str, str]) -> str:
    """A configuration in git's syntax; of the values only paths hold more than letters."""
    version = "1" if extensions else "0"
    lines = []
    for key, value in {"core.repositoryformatversion": version, **values, **extensions}.items():
        section, _, name = key.rpartition(".")
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        lines.append(f'[{section}]\n\t{name} = "{escaped}"\n')
    return "".join(lines)


def _pointer(folder: Path, name: str) -> str:
    try:
        return os.fsdecode(read_file(folder, name, _MOST_POINTER_BYTES, follow_links=False)).strip()
    except OSError as error:
        _refuse(folder, f"{name} cannot be read: {error.strerror}")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _has_content(path: Path) -> bool:
    try:
        return path.lstat().st_size > 0
    except FileNotFoundError:
        return False


def _refuse(folder: Path, reason: str, *, hint: str = "") -> NoReturn:
    raise DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"git is not asked about {folder}: {reason}.",
        Recovery(hint=hint or "Look at the repository's .git; the files themselves are read without git."),
    )
