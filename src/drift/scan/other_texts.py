"""The texts of a project that no language reads: pages, documents, settings, which may name its code all the same.

They are found as the scan finds code: what git or the ignore files leave out, and others' code, is left out here, too.
"""

import os
import stat
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal, NamedTuple

from drift.scan.discovery import FoundFile
from drift.scan.git_listing import list_with_git
from drift.scan.ignores import IgnoreRules
from drift.scan.roles import role_rules
from drift.scan.tree_walk import DRIFTIGNORE, TreeWalk

TextKind = Literal["template", "doc", "config", "other"]
MOST_TEXT_BYTES: Final = 1_000_000
"""Of one file: a longer one is data."""
_OWN_FOLDER: Final = ".drift"


class _Endings(NamedTuple):
    kinds: dict[str, TextKind]
    skipped: tuple[str, ...]


@cache
def _endings() -> _Endings:
    table = tomllib.loads((resources.files("drift.scan") / "other_texts.toml").read_text("utf-8"))
    kinds: dict[str, TextKind] = {}
    for kind in ("template", "doc", "config"):
        kinds |= dict.fromkeys(table[kind], kind)
    return _Endings(kinds, tuple(table["skipped"]))


def kind_of_text(path: str) -> TextKind:
    """What part a file that is no code plays, by its name."""
    name = path.rpartition("/")[2].lower()
    kinds = _endings().kinds
    parts = name.split(".")
    for length in (2, 1):  # `.blade.php` before `.php`
        found = kinds.get(f".{'.'.join(parts[-length:])}") if len(parts) > length else None
        if found:
            return found
    return "config" if name.startswith(".env") else "other"


def list_texts(root: Path, known: Collection[str], *, also: tuple[str, ...] = ()) -> tuple[FoundFile, ...]:
    """The regular files that belong to the project beside the `known` ones and may be text, in the order of paths.

    Those whose names end in one of `also` are among them where they are skipped otherwise.
    """
    found = []
    skipped = tuple(each for each in _endings().skipped if each not in also)
    for path in _belonging(root):
        if path in known or path.lower().endswith(skipped) or path.startswith(f"{_OWN_FOLDER}/"):
            continue
        try:
            status = os.lstat(f"{root}/{path}")
        except (OSError, ValueError):
            continue  # it is gone since it was listed, or its name is none the system takes
        if not stat.S_ISREG(status.st_mode) or not 0 < status.st_size <= MOST_TEXT_BYTES:
            continue
        role = role_rules().role_of(*path.rpartition("/")[::2], None)
        if role != "vendored":
            found.append(FoundFile(path, status.st_size, status.st_mtime_ns, None, role, status.st_ctime_ns))
    return tuple(sorted(found))


def _belonging(root: Path) -> Iterator[str]:
    rules, ignores = role_rules(), IgnoreRules()
    listing = list_with_git(root)
    if listing is None:
        yield from (each.path for each in TreeWalk(root, rules, ignores).entries() if each.reason is None)
        return
    split = [path.rpartition("/") for path in listing.paths]
    for folder in sorted({folder for folder, _, name in split if name == DRIFTIGNORE} | {""}):
        ignores.read(root, folder, DRIFTIGNORE)
    vendored = cache(rules.vendored_directory)
    for path, (folder, _, name) in zip(listing.paths, split, strict=True):
        if not ignores.judge(folder, name) and vendored(folder) is None:
            yield path
