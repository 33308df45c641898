"""What git says has changed, for tools that take a diff."""

from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.project.git import run_git, user_argument

_MOST_BYTES = 20_000_000
_TIMEOUT_SECONDS = 20.0


def read_diff(root: Path, base: str) -> str:
    """The diff from a commit to the files as they are, without context lines."""
    commit = user_argument(base, argument="base")
    known = run_git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    if known.exit_code != 0:
        if run_git(root, "rev-parse", "--git-dir").exit_code != 0:
            raise DriftError(
                ErrorCode.INVALID_ARGUMENT,
                "What has changed is read from git, and the project is in no git repository.",
                Recovery(hint="Name the symbols or files that change instead."),
            )
        raise invalid("base", f"git knows no commit {base[:80]!r}")
    diff = run_git(
        root,
        "diff",
        "--no-color",
        "--unified=0",
        "--find-renames",
        "--relative",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        known.text,
        "--",
        ".",
        timeout_seconds=_TIMEOUT_SECONDS,
        max_bytes=_MOST_BYTES,
    )
    if diff.exit_code != 0 and not diff.is_cut:
        raise DriftError(ErrorCode.ANALYSIS_FAILED, f"git diff failed: {diff.stderr[:200]}")
    if diff.is_cut:
        raise DriftError(
            ErrorCode.TOO_LARGE,
            f"The diff against {base} is larger than {_MOST_BYTES:,} bytes.",
            Recovery(hint="Give a nearer base, or a file as target."),
        )
    return diff.text
