"""The folders from which a loader makes names of types by those of files: `app/*` of Rails, and what settings add."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from drift.kernel.reading import read_text

_ALWAYS: Final = frozenset({"app", "migrate"})
_SETTINGS: Final = "config/application.rb"
_MOST_BYTES: Final = 1_000_000
_MOST_HOMES: Final = 20  # places above a file that may be those of an application
# config.eager_load_paths << Rails.root.join("lib"), config.autoload_paths += %W[#{config.root}/extras]
_ADDED: Final = re.compile(
    r"^[ \t]*config\.(?:eager_load|autoload|autoload_once)_paths[ \t]*(?:<<|\+=|\.push|\.concat)(?P<what>[^\n]{0,500})",
    re.MULTILINE,
)
_LIBRARY: Final = re.compile(r"^[ \t]*config\.autoload_lib\b", re.MULTILINE)
_JOINED: Final = re.compile(r"\bjoin\(([^()\n]{0,200})\)")
_TEXTS: Final = re.compile(r"""["']([^"'\n]{1,200})["']|%[wW][\[(]([^\])\n]{1,300})[\])]""")
_ROOT: Final = re.compile(r"\A(?:#\{[^{}]{1,80}\})?/?")
_FOLDER: Final = re.compile(r"[\w-]{1,80}(?:/[\w-]{1,80}){0,8}/?")


def loaded_folders(root: Path, paths: Iterable[str]) -> dict[str, int | None]:
    """For each file how many of the folders around it are no part of names; None where its name makes none."""
    known: dict[str, tuple[str, ...]] = {}
    return {path: _home(root, PurePosixPath(path), known) for path in paths}


def _home(root: Path, path: PurePosixPath, known: dict[str, tuple[str, ...]]) -> int | None:
    # The folders of a kind, as `app/models`, are no part of the name.
    homes = [path.parts.index(one) + 2 for one in _ALWAYS if one in path.parts]
    for number, place in enumerate(list(path.parents)[::-1][:_MOST_HOMES]):
        prefix = "" if str(place) == "." else f"{place}/"
        if prefix not in known:
            known[prefix] = tuple(_added(root, prefix))
        inside = str(path)[len(prefix) :]
        homes += [
            number + folder.count("/") + 1 for folder in known[prefix] if inside.startswith(f"{folder}/")
        ]
    return max(homes, default=None)


def _added(root: Path, prefix: str) -> Iterator[str]:
    """The folders that the settings of an application add to those it loads from."""
    try:
        text = read_text(root, f"{prefix}{_SETTINGS}", _MOST_BYTES)
    except OSError:
        return
    if _LIBRARY.search(text):
        yield "lib"
    for added in _ADDED.finditer(text):
        for said in _said(added["what"]):
            folder = _ROOT.sub("", said)
            if _FOLDER.fullmatch(folder):
                yield folder.rstrip("/")


def _said(what: str) -> Iterator[str]:
    """The texts in which folders are named: those that are joined are one."""
    for joined in _JOINED.finditer(what):
        yield "/".join(found[1] or "" for found in _TEXTS.finditer(joined[1]))
    for found in _TEXTS.finditer(_JOINED.sub("", what)):
        yield from (found[1] or found[2]).split()
