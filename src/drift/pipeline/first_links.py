"""The links that one call needs, while a first scan is still linking all: found by a process of their own."""

import logging
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from drift.index import IndexState, read_index_state
from drift.kernel.own_process import isolated
from drift.kernel.text import plural, shorten
from drift.project.home import with_settled_home

log = logging.getLogger(__name__)

_RUN: Final = "from drift.analyses.first_links import main; main()"
_MOST_SECONDS: Final = 25.0  # what takes so long, though it limits itself, is held up by something else


@dataclass(frozen=True, slots=True)
class LinkedFirst:
    """A copy of the index in a folder of its own, with the links of files that mention a symbol."""

    folder: Path
    state: IndexState
    mentioning: int
    linked: int

    def notice(self, stand: str) -> str:
        """What is to be said of an answer from it."""
        which = "all" if self.linked == self.mentioning else f"only {self.linked:,} of"
        mentions = f"{which} {plural(self.mentioning, 'file')} that mention it"
        return (
            f"Partial: the first scan is still under way ({stand}); for this answer {mentions} were linked. "
            "Uses that do not name it, and callers of callers, may be missing"
        )

    def close(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self.folder, ignore_errors=True)


def link_first(root: Path, index: Path, wanted: str, environ: Mapping[str, str]) -> LinkedFirst | None:
    """Link the files that mention a symbol; None where none is meant, or it could not be done in time."""
    folder = Path(tempfile.mkdtemp(prefix="drift-first-links-"))
    into = folder / ".drift" / index.name
    into.parent.mkdir()
    found = _run(root, index, wanted, into, environ)
    state = read_index_state(into)
    if found is None or not state.is_usable:
        shutil.rmtree(folder, ignore_errors=True)
        return None
    return LinkedFirst(folder, state, **found)


def _run(
    root: Path, index: Path, wanted: str, into: Path, environ: Mapping[str, str]
) -> dict[str, int] | None:
    words = (str(root), str(index), wanted, str(into))
    start = isolated(_RUN, words, environ=with_settled_home(environ), project=root)
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and module, no shell
            start.command,
            env=start.environ,
            cwd=start.cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_MOST_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or b""
        log.warning(
            "no first links of %s: %s %s", wanted, error, shorten(said.decode("utf-8", "replace"), 500)
        )
        return None
    found: dict[str, int] | None = orjson.loads(done.stdout)
    return found
