"""Asks git, so that neither a hostile repository nor a user's text can make it run anything else.

Git gets a configuration of ours and no other: not that of the repository (see `git_repository`), and of the user's
only which files they ignore everywhere and how they end lines. So there is no filter, monitor, converter, external
diff, signature checker, hook, helper or transport that it could run, whatever attributes name one. It does not enter
submodules, whose configuration is their own. Variables inherited from a surrounding git command are dropped, a `git`
lying in the working directory is not run, and only commands that read can be asked.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.text import shorten
from drift.project.home import expand_home, home_directory

DEFAULT_TIMEOUT_SECONDS = 10.0
DEFAULT_MAX_BYTES = 10_000_000

_NOT_A_REPOSITORY = 128  # git's own exit code for it
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    # A partial clone would fetch what it lacks; "none" is no protocol's name.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}
# Belt and braces: no program is configured that these could keep from running.
_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv", "--submodule=short")
# Looking into a submodule would be done by a git of its own, with the submodule's configuration.
_NO_SUBMODULES = ("--ignore-submodules=all",)
_COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "blame": ("--no-textconv",),
    "check-ignore": (),
    "diff": (*_NO_PROGRAMS, *_NO_SUBMODULES),
    "diff-index": (*_NO_PROGRAMS, *_NO_SUBMODULES),
    "diff-tree": _NO_PROGRAMS,
    "for-each-ref": (),
    "log": (*_NO_PROGRAMS, "--no-show-signature"),
    "ls-files": (),
    "merge-base": (),
    "rev-list": (),
    "rev-parse": (),
    "show": (*_NO_PROGRAMS, "--no-show-signature"),
    "status": _NO_SUBMODULES,
    "symbolic-ref": (),
}
"""What can be asked, and the options that go first."""
_MOST_KEPT: Final = 100
_values: dict[
    tuple[tuple[str, ...], tuple[Path, ...]], tuple[tuple[tuple[int, ...], ...], Mapping[str, str]]
] = {}
"""Values of configuration files by how they were asked for, and the stamps of the files then."""
_USER_KEYS: Final = ("core.autocrlf", "core.eol", "core.excludesfile")


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
    from drift.project.git_repository import find_repository, neutral_view  # as in `_start`

    surroundings = os.environ if environ is None else environ
    guards = _COMMANDS[args[0]]
    try:
        repository = find_repository(root)
        if repository is None:
            return GitResult(_NOT_A_REPOSITORY, b"", f"fatal: {root} is not in a git repository")
        reader = _ConfigReader(surroundings, timeout_seconds)
        view = neutral_view(repository, reader.of_repository, reader.of_user())
        return _start(
            root,
            (args[0], *guards, *args[1:]),
            environ={**clean_environ(surroundings), **_ENVIRONMENT, **view.variables()},
            timeout_seconds=timeout_seconds,
            max_bytes=max_bytes,
        )
    except OSError as error:
        raise _unavailable(f"git could not be asked about {root}: {error}") from error


def git_head(root: Path) -> str | None:
    """The commit checked out, or None: no git, no repository, no commit yet."""
    return _ask(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")


def git_branch(root: Path) -> str | None:
    """The branch checked out, or None: no git, no repository, a detached HEAD."""
    return _ask(root, "symbolic-ref", "--quiet", "--short", "HEAD")


def is_tracked(root: Path, path: str) -> bool:
    """Whether git has the file, which then may have come with the repository; so does one that git cannot be asked about."""
    try:
        return run_git(root, "ls-files", "--error-unmatch", "--", f":(literal){path}").exit_code == 0
    except DriftError:
        return (root / ".git").exists()


def git_version() -> str | None:
    """The version of the git that would be asked, such as 2.39.5, or None without one."""
    try:
        result = _start(
            Path(os.sep),
            ("version",),
            environ=clean_environ(os.environ) | _ENVIRONMENT,
            timeout_seconds=DEFAULT_TIMEOUT_SECONDS,
            max_bytes=10_000,
        )
    except DriftError:
        return None
    return result.text.removeprefix("git version ").split(" ")[0] if result.stdout else None


def _ask(root: Path, *args: str) -> str | None:
    try:
        result = run_git(root, *args, max_bytes=10_000)
    except DriftError:
        return None
    return result.text if result.exit_code == 0 and result.stdout else None


def clean_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without what a surrounding git command has set."""
    # A hook or an alias that starts Drift has set GIT_DIR and its like for another purpose.
    return {name: value for name, value in environ.items() if not name.upper().startswith("GIT_")}


class _ConfigReader:
    """Reads configuration by git itself, which alone knows its syntax; reading it runs nothing."""

    def __init__(self, environ: Mapping[str, str], timeout_seconds: float) -> None:
        self._environ = environ
        self._timeout_seconds = timeout_seconds

    def of_repository(self, path: Path) -> Mapping[str, str]:
        """The values of a file, without those of files it includes."""
        return self._read((path,), ("--file", os.fspath(path), "--no-includes"), variables=_ENVIRONMENT)

    def of_user(self) -> Mapping[str, str]:
        """What the user and the machine say about ignored files and line ends."""
        home = home_directory(self._environ)
        xdg = self._environ.get("XDG_CONFIG_HOME") or (home / ".config" if home else None)
        places = [home / ".gitconfig"] if home else []
        places += [Path(xdg, "git/config")] if xdg else []
        # A place that is no repository keeps git from looking for one.
        values = self._read(tuple(places), ("--includes",), variables={"GIT_DIR": os.devnull})
        kept = {key: values[key] for key in _USER_KEYS if key in values}
        if ignored := kept.get("core.excludesfile"):
            kept["core.excludesfile"] = os.fspath(expand_home(ignored, self._environ))
        return kept

    def _read(
        self, places: tuple[Path, ...], options: tuple[str, ...], *, variables: Mapping[str, str]
    ) -> Mapping[str, str]:
        """The values, as they were read last if the files at these places are the same still."""
        stamps = tuple(map(_stamp, places))
        if (kept := _values.get((options, places))) is not None and kept[0] == stamps:
            return kept[1]
        listing = _start(
            Path(os.sep),
            ("config", "--null", "--list", *options),
            environ={**clean_environ(self._environ), **variables, "LC_ALL": "C"},
            timeout_seconds=self._timeout_seconds,
            max_bytes=DEFAULT_MAX_BYTES,
        )
        if listing.exit_code != 0 or listing.is_cut:
            problem = "it is too long" if listing.is_cut else shorten(listing.stderr, 300)
            raise _unavailable(
                f"git's configuration ({places[0] if places else 'system'}) cannot be read: {problem}"
            )
        # A key without a value is one that is switched on.
        pairs = [entry.partition("\n") for entry in os.fsdecode(listing.stdout).split("\0") if entry]
        values = {key: value if has_value else "true" for key, has_value, value in pairs}
        if len(_values) >= _MOST_KEPT:
            _values.clear()
        _values[options, places] = (stamps, values)
        return values


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns


def _start(
    root: Path,
    args: tuple[str, ...],
    *,
    environ: Mapping[str, str],
    timeout_seconds: float,
    max_bytes: int,
) -> GitResult:
    # Imported here: it brings subprocess, and many starts never ask git.
    from drift.project.processes import run_bounded

    command = [find_git(environ), "--no-pager", *args]
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


def find_git(environ: Mapping[str, str]) -> str:
    """Where git is; STORE_UNAVAILABLE without one on PATH."""
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
