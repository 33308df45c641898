"""What has changed since the last scan: by size and time, and by content where these do not settle it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from drift.scan.discovery import Discovery, FoundFile, KnownFile
from drift.scan.hashing import hash_file

# File systems keep times as coarsely as this: a file changed so shortly before it was read may have been
# changed again without its time telling.
_RACY_NS: Final = 2_000_000_000


class Renamed(NamedTuple):
    """A file that has a new path and its old content."""

    old: KnownFile
    new: FoundFile


class Changes(NamedTuple):
    """Every file once, each list in the order of paths."""

    added: tuple[FoundFile, ...]
    changed: tuple[FoundFile, ...]
    removed: tuple[KnownFile, ...]
    renamed: tuple[Renamed, ...]
    touched: tuple[FoundFile, ...]  # another time or role, the same content
    unchanged: tuple[FoundFile, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the index says of every file what is true."""
        return not (self.added or self.changed or self.removed or self.renamed or self.touched)


def find_changes(
    known: Mapping[str, KnownFile],
    discovery: Discovery,
    *,
    scanned_at_ns: int,
    hash_of: Callable[[str], str | None] | None = None,
) -> Changes:
    """How the files found differ from those known, which were read at `scanned_at_ns` or before.

    `hash_of` gives the hash of the file at a path, None if it cannot be read; then it counts as changed.
    """
    read_hash = hash_of or (lambda path: hash_file(discovery.root / path))
    sorted_out: dict[str, list[FoundFile]] = defaultdict(list)
    racy_from_ns = scanned_at_ns - _RACY_NS
    for file in discovery.files:
        sorted_out[_compare(known.get(file.path), file, racy_from_ns, read_hash)].append(file)
    present = {file.path for file in discovery.files}
    # Files that were skipped and still are have no facts to lose.
    still_skipped = {each.path for each in discovery.skipped}
    removed = [
        each
        for path, each in sorted(known.items())
        if path not in present and not (each.skipped is not None and path in still_skipped)
    ]
    renamed = _pair(removed, sorted_out["added"], read_hash)
    old_paths = {each.old.path for each in renamed}
    new_paths = {each.new.path for each in renamed}
    return Changes(
        added=tuple(file for file in sorted_out["added"] if file.path not in new_paths),
        changed=tuple(sorted_out["changed"]),
        removed=tuple(each for each in removed if each.path not in old_paths),
        renamed=tuple(renamed),
        touched=tuple(sorted_out["touched"]),
        unchanged=tuple(sorted_out["unchanged"]),
    )


def _compare(
    known: KnownFile | None, file: FoundFile, racy_from_ns: int, read_hash: Callable[[str], str | None]
) -> str:
    if known is None:
        return "added"
    if known.skipped is not None or known.language != file.language:
        return "changed"
    is_same_stamp = (known.size, known.mtime_ns) == (file.size, file.mtime_ns)
    is_settled = is_same_stamp and file.mtime_ns < racy_from_ns
    if not is_settled and (known.size != file.size or read_hash(file.path) != known.hash):
        return "changed"
    return "unchanged" if is_same_stamp and known.role == file.role else "touched"


def _pair(
    removed: Iterable[KnownFile], added: Iterable[FoundFile], read_hash: Callable[[str], str | None]
) -> list[Renamed]:
    """The added files that have the content of a removed one, those of the same name first."""
    gone: dict[tuple[int, str | None], list[KnownFile]] = defaultdict(list)
    for each in removed:
        if each.skipped is None and each.size > 0:  # all empty files are alike
            gone[each.size, each.language].append(each)
    renamed: list[Renamed] = []
    for file in added:
        candidates = gone.get((file.size, file.language))
        if not candidates:
            continue
        content_hash = read_hash(file.path)
        same = [each for each in candidates if each.hash == content_hash]
        if same:
            old = next((each for each in same if _name(each.path) == _name(file.path)), same[0])
            candidates.remove(old)
            renamed.append(Renamed(old, file))
    return renamed


def _name(path: str) -> str:
    return path.rpartition("/")[2]
