"""Asks git, so that neither a hostile repository nor a user's text can make it run anything else.

What is guarded: programs named in the repository's own configuration (hooks, file system monitors,
external diffs, text converters, content filters, signature checkers, transports), bare repositories
hidden inside a checkout, a `git` lying in the working directory, prompts, pagers, and variables inherited
from a surrounding git command. Programs of the user's own configuration run as the user wants them.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid

DEFAULT_TIMEOUT_SECONDS = 10.0
DEFAULT_MAX_BYTES = 10_000_000

_OVERRIDES = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "log.showSignature=false",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    # A partial clone would fetch what it lacks; "none" is no protocol's name.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}
_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")
_COMMAND_GUARDS: Mapping[str, tuple[str, ...]] = {
    "blame": ("--no-textconv",),
    "diff": _NO_PROGRAMS,
    "diff-files": _NO_PROGRAMS,
    "diff-index": _NO_PROGRAMS,
    "diff-tree": _NO_PROGRAMS,
    "log": _NO_PROGRAMS,
    "show": _NO_PROGRAMS,
}
# These compare files on disk with the store and would pass them through content filters.
_READS_FILES = frozenset({"blame", "diff", "diff-files", "diff-index", "ls-files", "status"})
_REPOSITORY_SCOPES = frozenset({"local", "worktree"})


@dataclass(frozen=True, slots=True)
class GitResult:
    """What git said. Output over the limit is cut and git stopped, with `is_cut` set."""

    exit_code: int
    stdout: bytes
    stderr: str
    is_cut: bool = False

    @property
    def text(self) -> str:
        """The output as text without its last line end; undecodable bytes survive as surrogates."""
        return os.fsdecode(self.stdout).rstrip("\n")


def user_argument(text: str, *, argument: str) -> str:
    """The user's text, safe as one argument of git; INVALID_ARGUMENT if it would be an option."""
    if text.startswith("-"):
        raise invalid(argument, "must not begin with '-'")
    if "\0" in text or not text:
        raise invalid(argument, "must be text without NUL characters, and not empty")
    return text


def run_git(
    root: Path,
    *args: str,
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
    max_bytes: int = DEFAULT_MAX_BYTES,
    environ: Mapping[str, str] | None = None,
) -> GitResult:
    """What `git ARGS` says in `root`, whatever its exit code. `args` begin with the command.

    Text of a user goes through `user_argument` first; `--` before paths is the caller's to write.
    Raises STORE_UNAVAILABLE when git is missing or cannot start, TIMEOUT when it takes too long.
    """
    surroundings = os.environ if environ is None else environ
    disarmed = _disarmed_filters(root, surroundings, timeout_seconds) if args[0] in _READS_FILES else {}
    guards = _COMMAND_GUARDS.get(args[0], ())
    return _run(
        root,
        (args[0], *guards, *args[1:]),
        environ={**_clean(surroundings), **_ENVIRONMENT, **disarmed},
        timeout_seconds=timeout_seconds,
        max_bytes=max_bytes,
    )


def git_head(root: Path) -> str | None:
    """The commit checked out, or None: no git, no repository, no commit yet."""
    return _ask(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")


def git_branch(root: Path) -> str | None:
    """The branch checked out, or None: no git, no repository, a detached HEAD."""
    return _ask(root, "symbolic-ref", "--quiet", "--short", "HEAD")


def git_version() -> str | None:
    """The version of the git that would be asked, such as 2.39.5, or None without one."""
    answer = _ask(Path(os.sep), "version")
    return answer.removeprefix("git version ").split(" ")[0] if answer else None


def _ask(root: Path, *args: str) -> str | None:
    try:
        result = run_git(root, *args, max_bytes=10_000)
    except DriftError:
        return None
    return result.text if result.exit_code == 0 and result.stdout else None


def _clean(environ: Mapping[str, str]) -> dict[str, str]:
    # A hook or an alias that starts Drift has set GIT_DIR and its like for another purpose.
    return {name: value for name, value in environ.items() if not name.upper().startswith("GIT_")}


def _disarmed_filters(root: Path, environ: Mapping[str, str], timeout_seconds: float) -> dict[str, str]:
    """Variables that empty each content filter the repository's own configuration defines."""
    listing = _run(
        root,
        ("config", "--show-scope", "--includes", "--null", "--name-only", "--get-regexp", r"^filter\."),
        environ={**_clean(environ), **_ENVIRONMENT},
        timeout_seconds=timeout_seconds,
        max_bytes=DEFAULT_MAX_BYTES,
    )
    fields = os.fsdecode(listing.stdout).split("\0")
    scoped = zip(fields[::2], fields[1::2], strict=False)  # the last field is empty
    own = {key.rpartition(".")[0] for scope, key in scoped if scope in _REPOSITORY_SCOPES}
    empty = [(f"{name}.{part}", "") for name in sorted(own) for part in ("clean", "smudge", "process")]
    pairs = empty + [(f"{name}.required", "false") for name in sorted(own)]
    variables = {"GIT_CONFIG_COUNT": str(len(pairs))} if pairs else {}
    for position, (key, value) in enumerate(pairs):
        variables |= {f"GIT_CONFIG_KEY_{position}": key, f"GIT_CONFIG_VALUE_{position}": value}
    return variables


def _run(
    root: Path,
    args: tuple[str, ...],
    *,
    environ: Mapping[str, str],
    timeout_seconds: float,
    max_bytes: int,
) -> GitResult:
    # Imported here: it brings subprocess, and many starts never ask git.
    from drift.project.processes import run_bounded

    options = [part for override in _OVERRIDES for part in ("-c", override)]
    command = [_find_git(environ), "--no-pager", *options, *args]
    try:
        done = run_bounded(
            command, cwd=root, environ=environ, timeout_seconds=timeout_seconds, max_bytes=max_bytes
        )
    except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
        raise _unavailable(f"git could not be started in {root}: {error}") from error
    if done.has_timed_out:
        raise DriftError(
            ErrorCode.TIMEOUT,
            f"git {args[0]} took longer than {timeout_seconds:g} seconds.",
            Recovery(hint="Narrow the question, or look whether the repository's disk is slow."),
        )
    return GitResult(done.exit_code, done.stdout, os.fsdecode(done.stderr).strip(), is_cut=done.is_cut)


def _find_git(environ: Mapping[str, str]) -> str:
    import shutil  # brings every compression library, and many starts never ask git

    found = shutil.which("git", path=environ.get("PATH"))
    # Windows looks in the working directory first, and PATH may name relative places: both would let
    # a project bring its own "git".
    if found is None or not Path(found).is_absolute():
        raise _unavailable("git was not found on PATH")
    return found


def _unavailable(problem: str) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE, f"{problem}.", Recovery(hint="Install git, or go on without history.")
    )
