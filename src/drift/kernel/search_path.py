"""Where Python looks for modules: never in the working directory, which may be a stranger's repository.

It is asked before anything else of Drift is loaded, so it imports nothing but what every start has loaded already.
"""

import os
import site
import sys


def leave_out_working_directory() -> None:
    """Take out of Python's search path what goes by the working directory, before more is imported.

    That is what `python -m` puts first, and the empty or relative parts of PYTHONPATH, which Python makes
    absolute at its start. Absolute parts are the word of whoever started this process, and stay.
    """
    parts = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    here = {_real(part) for part in (os.curdir, *parts) if not os.path.isabs(part)}
    sys.path[:] = [
        entry
        for entry in sys.path
        if os.path.isabs(entry) and (_real(entry) not in here or _is_trusted(entry))
    ]


def entries_outside(folder: str) -> list[str]:
    """The search path of a process that reads `folder`: nothing in there, but for where Drift itself lies."""
    around = os.path.join(_real(folder), "")
    return [
        entry
        for entry in sys.path
        if os.path.isabs(entry)
        and (not os.path.join(_real(entry), "").startswith(around) or _is_trusted(entry) or _is_used(entry))
    ]


def _is_trusted(entry: str) -> bool:
    """Whether an entry is a folder of the interpreter's, of its packages or of Drift: their code runs anyway."""
    library = os.path.dirname(os.__file__)
    own = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    packages = [*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]
    trusted = (library, os.path.join(library, "lib-dynload"), own, *packages)
    return _real(entry) in {_real(each) for each in trusted}


def _is_used(entry: str) -> bool:
    """Whether modules this process runs have come from there, as where each package has a folder of its own."""
    below = os.path.join(_real(entry), "")
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    return any(isinstance(file, str) and _real(file).startswith(below) for file in files)


def _real(path: str) -> str:
    try:
        path = os.path.realpath(path)
    except OSError:  # relative to a working directory that was removed, where nothing can be found
        return path
    return os.path.normcase(path)
