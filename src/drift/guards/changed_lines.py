"""What changed between a commit and the files as they are: the lines that are new, file by file, renames followed.

A run looks at what is on disk, so the end of a change is always the work tree. CI checks out the commit it judges;
a range whose end is not checked out is refused rather than judged by other files.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.changes import FileChange, find_commit, parse_diff, read_diff
from drift.index.path_text import path_to_text
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.reading import read_file
from drift.kernel.text import plural
from drift.project.git import git_head, run_git, user_argument

ALL: Final = "all"
STAGED: Final = "staged"
WORKING: Final = "working"

_LAST_LINE: Final = 2**31
_MOST_BYTES: Final = 1_000_000
_NO_COMMIT: Final = "0" * 40  # what CI says for "there was none"
_DEFAULT_BRANCHES: Final = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
_SHALLOW: Final = (
    "Fetch more history (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0), or name a commit."
)


class Change(NamedTuple):
    """What is new since a commit. `told` says since which, in words."""

    base: str | None
    told: str
    files: Mapping[str, FileChange]
    moved: frozenset[str] = frozenset()
    """Lines taken away somewhere, whatever their white space: what has one of these was not written now."""
    notes: tuple[str, ...] = ()

    @property
    def gone(self) -> frozenset[str]:
        """The paths at which there is no file any more: deleted, or renamed."""
        deleted = {each.path for each in self.files.values() if each.is_deleted}
        return frozenset(deleted | {each.former for each in self.files.values() if each.former is not None})

    def has_line(self, path: str, line: int) -> bool:
        """Whether a line is new."""
        change = self.files.get(path)
        if change is None:
            return False
        place = bisect_right(change.added, (line, _LAST_LINE)) - 1
        return place >= 0 and change.added[place][0] <= line <= change.added[place][1]

    def touches(self, path: str, lines: tuple[int, int]) -> bool:
        """Whether one of some lines is new."""
        change = self.files.get(path)
        return change is not None and any(
            first <= lines[1] and last >= lines[0] for first, last in change.added
        )


def read_change(
    root: Path, against: str | None, *, base_branch: str | None = None, environ: Mapping[str, str]
) -> Change | None:
    """What changed; None where all code is meant.

    `against` is `all`, `staged`, `working` (since HEAD), a commit, or a range `A..B`; without it, what the branch
    has changed since it left the default branch, or the last commit where the default branch itself is checked out.
    """
    if against == ALL:
        return None
    if git_head(root) is None:
        return _from_nothing(root)
    if against == STAGED:
        return _staged(root)
    if against == WORKING:
        return _since(root, "HEAD", "since the last commit")
    if against is None:
        return _of_branch(root, base_branch, environ)
    if ".." in against:
        return _of_range(root, against)
    return _since(root, against, f"since {against}")


def text_before(root: Path, change: Change, path: str) -> bytes | None:
    """A file as it was before a change; None where there was none, or git lacks its text."""
    if change.base is None:
        return None
    shown = run_git(root, "show", "--end-of-options", f"{change.base}:./{path}", max_bytes=_MOST_BYTES)
    return shown.stdout if shown.exit_code == 0 and not shown.is_cut else None


def text_now(root: Path, path: str) -> bytes | None:
    """A file as it is; None where it cannot be read."""
    try:
        return read_file(root, path, _MOST_BYTES)
    except OSError:
        return None


def _since(root: Path, base: str, told: str, notes: tuple[str, ...] = ()) -> Change:
    changes = parse_diff(read_diff(root, base))
    return _change(base, told, [*changes, *_untracked(root)], notes)


def _change(base: str | None, told: str, changes: Iterable[FileChange], notes: tuple[str, ...]) -> Change:
    files = {path_to_text(each.path): each for each in changes}
    moved = frozenset(line for each in files.values() for line in each.removed)
    return Change(base, told, files, moved, notes)


def _of_range(root: Path, text: str) -> Change:
    """What changed from A to B, where B is checked out."""
    first, dots, last = text.partition("...") if "..." in text else text.partition("..")
    head = find_commit(root, "HEAD")
    if find_commit(root, last or "HEAD") != head:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{last} is not checked out, and findings are made of the files on disk.",
            Recovery(hint=f"Check out {last} first, as CI does, or leave the end of the range away."),
        )
    base = _common(root, first or "HEAD") if dots == "..." else find_commit(root, first or "HEAD")
    return _since(root, base, f"since {first or 'HEAD'}")


def _of_branch(root: Path, base_branch: str | None, environ: Mapping[str, str]) -> Change:
    """What the branch that is checked out changed."""
    name = next((each for each in _bases(base_branch, environ) if _is_known(root, each)), None)
    if name is None:
        wanted = f"branch {base_branch!r}" if base_branch else "default branch (origin/HEAD, main, master)"
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT, f"git knows no {wanted} to compare with.", Recovery(hint=_SHALLOW)
        )
    base, head = _common(root, name), find_commit(root, "HEAD")
    if base != head:
        return _since(root, base, f"since {name} ({base[:9]})")
    found = _since(root, base, f"since {name}, which is checked out")
    if found.files or not _is_known(root, "HEAD^"):
        return found
    return _since(root, "HEAD^", f"in the last commit ({head[:9]}), since {name} has nothing else")


def _bases(base_branch: str | None, environ: Mapping[str, str]) -> Iterator[str]:
    """What to compare with, the surest first: what was asked for, what CI says, the default branch."""
    if base_branch is not None:
        yield from (f"origin/{base_branch}", base_branch)
        return
    if found := environ.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", ""):
        yield found
    before, branch = environ.get("CI_COMMIT_BEFORE_SHA", ""), environ.get("CI_COMMIT_BRANCH", "")
    if before not in {"", _NO_COMMIT} and branch == environ.get("CI_DEFAULT_BRANCH"):
        yield before  # what was pushed to the default branch itself
    for variable in ("GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CI_DEFAULT_BRANCH"):
        if found := environ.get(variable, ""):
            yield from (f"origin/{found}", found)
    yield from _DEFAULT_BRANCHES


def _is_known(root: Path, name: str) -> bool:
    if name.startswith("-") or "\0" in name:
        return False
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return run_git(root, *asked).exit_code == 0


def _common(root: Path, name: str) -> str:
    """The commit at which a branch and HEAD parted."""
    user_argument(name, argument="base")
    found = run_git(root, "merge-base", find_commit(root, name), "HEAD")
    if found.exit_code != 0 or not found.text:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"git finds no commit that {name} and HEAD have in common.",
            Recovery(hint=_SHALLOW),
        )
    return found.text.split("\n", 1)[0]


def _staged(root: Path) -> Change:
    """The files that a commit would take, as they are on disk."""
    staged = _listed(
        root, "diff", "--cached", "--name-only", "--no-renames", "--relative", "-z", "HEAD", "--", "."
    )
    beside = set(_listed(root, "diff", "--name-only", "--no-renames", "--relative", "-z", "--", "."))
    wanted = set(staged)
    changes = [each for each in parse_diff(read_diff(root, "HEAD")) if each.path in wanted]
    mixed = sorted(wanted & beside)
    notes = (
        (f"{plural(len(mixed), 'staged file')} looked at as on disk, with what is not staged: {mixed[0]}",)
        if mixed
        else ()
    )
    return _change("HEAD", "that is staged", changes, notes)


def _from_nothing(root: Path) -> Change:
    """All that a repository without a commit has; INVALID_ARGUMENT where there is no repository."""
    if run_git(root, "rev-parse", "--git-dir").exit_code != 0:
        raise invalid(
            "against",
            "what has changed is read from git, and the project is in no repository; `all` looks at all code",
        )
    paths = {
        *_listed(root, "ls-files", "-z"),
        *_listed(root, "ls-files", "--others", "--exclude-standard", "-z"),
    }
    return _change(None, "before the first commit", map(_whole, sorted(paths)), ())


def _untracked(root: Path) -> list[FileChange]:
    return [_whole(path) for path in _listed(root, "ls-files", "--others", "--exclude-standard", "-z")]


def _whole(path: str) -> FileChange:
    lines = ((1, _LAST_LINE),)
    return FileChange(path, lines, added=lines)


def _listed(root: Path, *command: str) -> list[str]:
    found = run_git(root, *command)
    if found.exit_code != 0:
        raise DriftError(ErrorCode.ANALYSIS_FAILED, f"git {command[0]} failed: {found.stderr[:200]}")
    if found.is_cut:
        raise DriftError(ErrorCode.TOO_LARGE, f"git {command[0]} lists more files than can be looked at.")
    return [each for each in found.text.split("\0") if each]
