"""Where the user's own files are: the home directory, and Drift's directory in it."""

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode, Recovery

HOME_VARIABLE = "DRIFT_HOME"
USER_CONFIG_NAME = "settings.toml"
"""The user's own settings, in Drift's directory."""


def home_directory(environ: Mapping[str, str]) -> Path | None:
    """The user's home, or None when neither the environment nor the system knows one."""
    named = environ.get("HOME") or environ.get("USERPROFILE")
    if named and Path(named).is_absolute():
        return Path(named)
    try:
        return Path.home()  # clients may start servers with an empty environment
    except RuntimeError:
        return None


def drift_home(environ: Mapping[str, str]) -> Path:
    """Drift's user-wide directory: DRIFT_HOME, else `~/.drift`. STORE_UNAVAILABLE when there is no home."""
    named = environ.get(HOME_VARIABLE, "").strip()
    if named:
        return expand_home(named, environ).absolute()
    home = home_directory(environ)
    if home is None:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            "There is no home directory to keep the list of projects in.",
            Recovery(hint=f"Set {HOME_VARIABLE} to a directory Drift may write to."),
        )
    return home / ".drift"


def with_settled_home(environ: Mapping[str, str]) -> Mapping[str, str]:
    """The same environment for a process that starts in another directory, which a relative DRIFT_HOME must not follow."""
    return {**environ, HOME_VARIABLE: str(drift_home(environ))} if HOME_VARIABLE in environ else environ


@lru_cache(maxsize=16)  # every memory call asks, and the file system is slower than all else it asks for
def personal_root(home: Path) -> Path:
    """The folder in Drift's own that is kept like a project, for what is true of the user; it need not exist."""
    return Path(os.path.realpath(home / "user"))


def expand_home(path: str, environ: Mapping[str, str]) -> Path:
    """The path with a leading `~` replaced: clients pass it on unexpanded, without a shell."""
    home = home_directory(environ)
    if home is not None and (path == "~" or path.startswith(("~/", "~\\"))):
        return home / path[2:]
    return Path(path)
