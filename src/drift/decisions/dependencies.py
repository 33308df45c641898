"""What commits did to declared dependencies: manifests read at both sides of each, many commits at once."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from drift.history import Commit
from drift.manifests.contents import Ecosystem, Parser, UnreadableManifestError, plain_name
from drift.manifests.formats import DEPENDENCY_FILES, fits
from drift.project.git import run_git

NOTES: Final = "dependencies"
_MARK: Final = "\x01commit "
_CONTEXT: Final = "-U100000"  # both sides whole
_AT_ONCE: Final = 40
_MOST_BYTES: Final = 60_000_000
_SECONDS: Final = 60.0
_LOCKS: Final = ("lock", ".sum", "shrinkwrap")


class Declared(NamedTuple):
    """A dependency that a commit declared or no longer declares."""

    ecosystem: str
    name: str
    scope: str
    file: str


class Delta(NamedTuple):
    """What one commit did to dependencies."""

    added: tuple[Declared, ...] = ()
    removed: tuple[Declared, ...] = ()


def touches_manifests(commit: Commit) -> bool:
    """Whether a commit changes a file that declares dependencies."""
    return any(each.letter in "MAD" and _kind(each.path) is not None for each in commit.changes)


def look_at(root: Path, commits: Sequence[Commit]) -> dict[str, str]:
    """The deltas of some commits as texts, by hash; none where nothing was added or removed."""
    found = {}
    for start in range(0, len(commits), _AT_ONCE):
        part = commits[start : start + _AT_ONCE]
        for hashed, files in _diffs(root, part):
            delta = _delta(files)
            if delta.added or delta.removed:
                found[hashed] = json.dumps([delta.added, delta.removed])
    return found


def read_delta(text: str) -> Delta:
    """What a text says that `look_at` made."""
    if not text:
        return Delta()
    added, removed = json.loads(text)
    return Delta(tuple(Declared(*each) for each in added), tuple(Declared(*each) for each in removed))


def _kind(path: str) -> tuple[Ecosystem, Parser] | None:
    folder, _, name = path.rpartition("/")
    if any(each in name.lower() for each in _LOCKS) or "node_modules/" in path or "vendor/" in path:
        return None
    return next(((kind[1], kind[2]) for kind in DEPENDENCY_FILES if fits(kind[0], name, folder)), None)


def _diffs(root: Path, commits: Sequence[Commit]) -> Iterator[tuple[str, dict[str, tuple[str, str]]]]:
    paths = sorted({each.path for one in commits for each in one.changes if _kind(each.path) is not None})
    if not paths:
        return
    hashes = [each.hash for each in commits]
    told = run_git(
        root, "show", f"--format={_MARK}%H", "--no-renames", _CONTEXT, *hashes, "--", *paths,
        timeout_seconds=_SECONDS, max_bytes=_MOST_BYTES,
    )  # fmt: skip
    if told.exit_code != 0 and len(commits) > 1:
        # One commit whose files git does not have keeps it from telling of those behind it.
        for one in commits:
            yield from _diffs(root, [one])
        return
    for chunk in os.fsdecode(told.stdout).split(_MARK)[1:]:
        hashed, _, diff = chunk.partition("\n")
        yield hashed.strip(), _sides(diff)


def _sides(diff: str) -> dict[str, tuple[str, str]]:
    """The files of a diff without limits of context, each before and after."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    path, is_body = "", False
    for line in diff.split("\n"):
        if line.startswith("diff --git "):
            path, is_body = line.partition(" b/")[2], False
            found[path] = ([], [])
        elif line.startswith("@@") and not is_body:
            is_body = True
        elif is_body and path:
            before, after = found[path]
            if line[:1] in (" ", "-"):
                before.append(line[1:])
            if line[:1] in (" ", "+"):
                after.append(line[1:])
    return {path: ("\n".join(before), "\n".join(after)) for path, (before, after) in found.items()}


def _delta(files: Mapping[str, tuple[str, str]]) -> Delta:
    before: dict[tuple[str, str], Declared] = {}
    after: dict[tuple[str, str], Declared] = {}
    for path, (old, new) in files.items():
        kind = _kind(path)
        if kind is None:
            continue
        try:
            sides = _declared(old, path, *kind), _declared(new, path, *kind)
        except UnreadableManifestError:
            continue  # a side that was broken then tells nothing of the other
        before |= sides[0]
        after |= sides[1]
    added = [each for key, each in after.items() if key not in before]
    removed = [each for key, each in before.items() if key not in after]
    return Delta(tuple(added), tuple(removed))


def _declared(text: str, path: str, ecosystem: Ecosystem, parser: Parser) -> dict[tuple[str, str], Declared]:
    if not text.strip():
        return {}
    return {
        (ecosystem, plain_name(ecosystem, each.name)): Declared(ecosystem, each.name, each.scope, path)
        for each in parser(text).declared
    }


def names(declared: Iterable[Declared]) -> list[str]:
    """The names, each once, in their order."""
    return list(dict.fromkeys(each.name for each in declared))
