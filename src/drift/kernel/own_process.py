"""How every Python process of ours starts: with our modules alone, elsewhere than in the project it works on.

The project is a stranger's. A module it holds, a variable that makes an interpreter load more, or a working
directory that is looked through for code must not decide what runs.
"""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.search_path import entries_outside

# What a program of ours needs of its surroundings: where things are, how text is written, and our own settings.
# Not among them, on purpose: PYTHON*, LD_PRELOAD and their like, which load code, and everybody's secrets.
_KEPT: Final = frozenset(
    """
    APPDATA COMSPEC DYLD_LIBRARY_PATH HOME HOMEDRIVE HOMEPATH LANG LANGUAGE LD_LIBRARY_PATH LOCALAPPDATA LOGNAME
    NO_COLOR PATH PATHEXT SYSTEMDRIVE SYSTEMROOT TEMP TERM TMP TMPDIR TZ USER USERPROFILE WINDIR
    """.split()  # noqa: SIM905 - a list that people read and extend
)
_KEPT_BEGINNINGS: Final = ("DRIFT_", "LC_", "XDG_")

CLI: Final = "from drift.cli import main; sys.exit(main())"
"""The statement that runs a command line of ours."""


class Start(NamedTuple):
    """What a process is started with."""

    command: tuple[str, ...]
    environ: dict[str, str]
    cwd: str


def isolated(
    statement: str, words: Iterable[str] = (), *, environ: Mapping[str, str], project: Path
) -> Start:
    """The start of a process of ours that runs `statement`, with `words` as its arguments, on a project."""
    interpreter, *arguments = own_interpreter(statement, project)
    return Start((interpreter, *_options(), *arguments, *words), kept_variables(environ), neutral_directory())


def own_interpreter(statement: str, project: Path) -> tuple[str, ...]:
    """The command that runs `statement` with this interpreter and the modules this process finds.

    `-I` takes no module from the working directory, the environment or the user's own folder. What Drift is
    found by (a folder of the user's, an editable install, PYTHONPATH, a zip file) is handed over in so many words.
    """
    path = entries_outside(str(project))
    return (sys.executable, "-I", "-c", f"import sys; sys.path[:] = {path!a}; {statement}")


def _options() -> Iterable[str]:
    """What was chosen for this interpreter by variables, which the other will not see."""
    yield "-X"
    yield f"utf8={sys.flags.utf8_mode}"  # else the two would write the same path in different bytes
    if sys.dont_write_bytecode:
        yield "-B"
    if sys.pycache_prefix is not None:
        yield "-X"
        yield f"pycache_prefix={sys.pycache_prefix}"


def kept_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process of ours."""
    return {
        name: value
        for name, value in environ.items()
        if name.upper() in _KEPT or name.startswith(_KEPT_BEGINNINGS)
    }


def neutral_directory() -> str:
    """A working directory that is always there and is no project: the interpreter's own."""
    return sys.base_prefix
