"""What has changed since the last scan: by size and time, and by content where these do not settle it."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from drift.scan.discovery import Discovery, FoundFile, KnownFile, SkippedFile
from drift.scan.hashing import hash_file

# File systems keep times as coarsely as this: a file changed so shortly before it was read may have been
# changed again without its time telling.
_RACY_NS: Final = 2_000_000_000

_Content = tuple[int, str | None, str | None]  # size, language and hash


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
    left: tuple[SkippedFile, ...] = ()  # looked at and not read, which the index does not say yet

    @property
    def is_empty(self) -> bool:
        """Whether the index says of every file what is true."""
        return not (self.added or self.changed or self.removed or self.renamed or self.touched or self.left)


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
    read_hash = hash_of or (lambda path: hash_file(discovery.root, path))
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
        left=tuple(each for each in discovery.skipped if _is_news(known.get(each.path), each)),
    )


def _is_news(known: KnownFile | None, left: SkippedFile) -> bool:
    if left.size is None or left.mtime_ns is None:
        return False
    said = None if known is None else (known.skipped, known.size, known.mtime_ns)
    return said != (left.reason, left.size, left.mtime_ns)


def _compare(
    known: KnownFile | None, file: FoundFile, racy_from_ns: int, read_hash: Callable[[str], str | None]
) -> str:
    if known is None:
        return "added"
    if known.skipped is not None or known.language != file.language:
        return "changed"
    is_same_stamp = (known.size, known.mtime_ns) == (file.size, file.mtime_ns)
    # Changed in any way since: an edit may keep the size and set the time back.
    is_settled = is_same_stamp and max(file.mtime_ns, file.changed_ns) < racy_from_ns
    if not is_settled and (known.size != file.size or read_hash(file.path) != known.hash):
        return "changed"
    return "unchanged" if is_same_stamp and known.role == file.role else "touched"


def _pair(
    removed: Iterable[KnownFile], added: Iterable[FoundFile], read_hash: Callable[[str], str | None]
) -> list[Renamed]:
    """The added files that have the content of a removed one, in the order of their new paths."""
    gone: dict[_Content, list[KnownFile]] = defaultdict(list)
    for each in removed:
        if each.skipped is None and each.size > 0:  # all empty files are alike
            gone[each.size, each.language, each.hash].append(each)
    likely = {content[:2] for content in gone}  # others need not be read
    come: dict[_Content, list[FoundFile]] = defaultdict(list)
    for file in added:
        if (file.size, file.language) in likely:
            come[file.size, file.language, read_hash(file.path)].append(file)
    pairs = (_match(gone[content], files) for content, files in come.items() if content in gone)
    return sorted((each for found in pairs for each in found), key=lambda each: each.new.path)


def _match(old: Iterable[KnownFile], new: Iterable[FoundFile]) -> Iterator[Renamed]:
    """Pairs of files with the same content: those of the same name first, then in the order of paths."""
    namesakes: dict[str, deque[KnownFile]] = defaultdict(deque)
    for each in old:
        namesakes[_name(each.path)].append(each)
    others = []
    for file in new:
        if same := namesakes.get(_name(file.path)):
            yield Renamed(same.popleft(), file)
        else:
            others.append(file)
    left = sorted(each for files in namesakes.values() for each in files)
    yield from map(Renamed, left, others)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
