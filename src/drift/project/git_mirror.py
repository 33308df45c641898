"""Copies of other repositories, fetched by a git that runs nothing but itself and goes nowhere but where it was sent.

The address is the user's own; what comes from there is a stranger's. Git gets no configuration but what stands here: no
hook, filter, helper, submodule or other protocol than that of the address, and no prompt. Who may fetch is told by ssh's
own files and agent, or by `~/.netrc`: no password is in an address, so none is shown, kept or seen among processes.
"""

import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.redaction import redact
from drift.kernel.text import shorten
from drift.project.git import clean_environ, find_git
from drift.project.processes import Completed, run_bounded

_URL: Final = re.compile(r"(https|ssh|file)://(?:([^/@:]+)(:[^/@]*)?@)?([^\s/@-][^\s/@]*)?(/\S*)", re.ASCII)
_PROTOCOLS: Final = ("https", "ssh", "file")
_BRANCH: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+@#-]{0,199}", re.ASCII)
_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")
_OWN_REF: Final = "refs/drift/head"
_MOST_LISTED: Final = 100_000_000
_MOST_SAID: Final = 100_000
_MB: Final = 1_000_000
_SETTINGS: Final = {
    "core.attributesFile": os.devnull,
    "core.autocrlf": "false",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "fetch.fsckObjects": "true",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "http.followRedirects": "initial",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
}
_ENVIRONMENT: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=20",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "LC_ALL": "C",
}
# Every file that git writes stays below the limit, so that an endless pack ends by itself.
_LIMITED: Final = (
    "import os, resource, sys; size = int(sys.argv[1]); resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)); "
    "os.execv(sys.argv[2], sys.argv[2:])"
)


class Source(NamedTuple):
    """A repository elsewhere: an address that was checked, and the branch; None for the one it calls its own."""

    url: str
    branch: str | None = None

    @property
    def protocol(self) -> str:
        """The one that may be spoken; "none" is no protocol's name."""
        return next((each for each in _PROTOCOLS if self.url.startswith(f"{each}://")), "none")

    @property
    def ref(self) -> str:
        return "HEAD" if self.branch is None else f"refs/heads/{self.branch}"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What fetching one repository may take."""

    timeout_seconds: float = 600.0
    most_bytes: int = 2_000 * _MB
    most_files: int = 200_000


def check_source(url: str, branch: str | None) -> Source:
    """The source, if its address and branch are of a form that git takes for nothing else; ValueError says what is wrong."""
    found = _URL.fullmatch(url)
    if found is None:
        raise ValueError("url must begin with https://, ssh:// or file:// and name a host and a path")
    if found[3] is not None:
        raise ValueError("url must hold no password; ssh's files or ~/.netrc tell who may fetch")
    if found[1] != "file" and not found[4]:
        raise ValueError("url names no host")
    if found[1] == "file" and (found[2] or found[4]):
        raise ValueError("a file:// url has no host: file:///srv/git/shop.git")
    if branch is not None and (
        _BRANCH.fullmatch(branch) is None or ".." in branch or branch.endswith(".lock")
    ):
        raise ValueError("branch is no name of a branch")
    return Source(url, branch)


def path_url(path: Path) -> str:
    """The address of a repository on this machine."""
    return f"file://{quote(path.absolute().as_posix())}"


def ask_commit(source: Source, bounds: Bounds, environ: Mapping[str, str]) -> str:
    """The commit that the branch is at now. STORE_UNAVAILABLE where nobody answers or there is no such branch."""
    said = _git(None, ("ls-remote", "--", source.url, source.ref), source, bounds, environ)
    for line in said.stdout.decode("ascii", "replace").splitlines():
        commit, _, ref = line.partition("\t")
        if ref == source.ref and _COMMIT.fullmatch(commit):
            return commit
    raise _failed(source, f"it has no {source.branch or 'HEAD'}")


def fetch_mirror(folder: Path, source: Source, bounds: Bounds, environ: Mapping[str, str]) -> str:
    """Have the folder hold the newest files of the source, and no history; the commit they are of.

    A copy that something broke is fetched anew. STORE_UNAVAILABLE and TOO_LARGE say why there is none.
    """
    if (folder / ".git").is_dir():
        try:
            return _fetch(folder, source, bounds, environ)
        except DriftError as error:
            if error.code is ErrorCode.TIMEOUT:
                raise
    drop_mirror(folder)
    return _fetch(folder, source, bounds, environ)


def drop_mirror(folder: Path) -> None:
    """Remove a copy."""
    if folder.is_symlink():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)


def _fetch(folder: Path, source: Source, bounds: Bounds, environ: Mapping[str, str]) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".git").is_dir():
        _git(folder, ("init", "--quiet", "--template="), source, bounds, environ)
    wanted = f"+{source.ref}:{_OWN_REF}"
    options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--depth=1")
    _git(folder, ("fetch", *options, "--", source.url, wanted), source, bounds, environ)
    commit = _git(folder, ("rev-parse", "--verify", _OWN_REF), source, bounds, environ)
    _check_size(folder, source, bounds, environ)
    _git(folder, ("checkout", "--quiet", "--force", "--detach", _OWN_REF), source, bounds, environ)
    return commit.stdout.decode("ascii", "replace").strip()


def _check_size(folder: Path, source: Source, bounds: Bounds, environ: Mapping[str, str]) -> None:
    """Raise TOO_LARGE for files that would take more than they may: a small pack can hold a great many."""
    listed = _git(folder, ("ls-tree", "-r", "-l", "-z", _OWN_REF), source, bounds, environ)
    # Mode, type, object and size before a tab, the path behind it.
    sizes = [entry.partition(b"\t")[0].rpartition(b" ")[2] for entry in listed.stdout.split(b"\0") if entry]
    total = sum(int(size) for size in sizes if size.isdigit())
    if listed.is_cut or len(sizes) > bounds.most_files or total > bounds.most_bytes:
        raise DriftError(
            ErrorCode.TOO_LARGE,
            f"{source.url} has {len(sizes):,} files with {total // _MB:,} MB, more than is allowed",
            Recovery(hint="Raise max_repository_mb or max_repository_files of the fleet."),
        )


def _git(
    folder: Path | None, args: tuple[str, ...], source: Source, bounds: Bounds, environ: Mapping[str, str]
) -> Completed:
    settings = [word for key, value in _SETTINGS.items() for word in ("-c", f"{key}={value}")]
    command = [find_git(environ), "--no-pager", *settings, *args]
    if sys.platform != "win32":
        command = [sys.executable, "-I", "-S", "-c", _LIMITED, str(bounds.most_bytes), *command]
    here = {} if folder is None else {"GIT_DIR": str(folder / ".git"), "GIT_WORK_TREE": str(folder)}
    # Without a folder of ours git must not take the one it is started in for a repository.
    own = here or {"GIT_DIR": os.devnull, "GIT_CEILING_DIRECTORIES": os.sep}
    try:
        done = run_bounded(
            command,
            cwd=folder or Path(os.sep),
            environ={**clean_environ(environ), **_ENVIRONMENT, **own, "GIT_ALLOW_PROTOCOL": source.protocol},
            timeout_seconds=bounds.timeout_seconds,
            max_bytes=_MOST_LISTED if args[0] == "ls-tree" else _MOST_SAID,
        )
    except (OSError, ValueError) as error:
        raise _failed(source, f"git could not be started: {error}") from error
    if done.has_timed_out:
        raise DriftError(
            ErrorCode.TIMEOUT,
            f"git {args[0]} of {source.url} took longer than {bounds.timeout_seconds:g} seconds",
        )
    if done.exit_code != 0 and not done.is_cut:
        raise _failed(source, f"git {args[0]}: {_last_words(done)}")
    return done


def _last_words(done: Completed) -> str:
    said = [line for line in os.fsdecode(done.stderr).splitlines() if line.strip()]
    told = next((line for line in said if line.startswith(("fatal:", "error:"))), said[-1] if said else "")
    return shorten(redact(told).text, 300) or f"it ended with {done.exit_code}"


def _failed(source: Source, why: str) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"{source.url}: {why}",
        Recovery(hint="Fetch it by hand with git to see more; keys come from ssh or ~/.netrc."),
    )
