import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.index.file_queries import FileStamp
from drift.index.ids import FileId
from drift.scan.changes import find_changes
from drift.scan.describing import Task
from drift.scan.discovery import Discovery, FoundFile, KnownFile, SkippedFile, SkipReason
from drift.scan.hashing import hash_content, hash_file, read_whole
from drift.scan.known import known_files
from drift.scan.pool import read_files

LONG_AGO = 1_000_000_000
NOW = 100_000_000_000


def found(path: str, content: str, *, mtime_ns: int = LONG_AGO, language: str = "python") -> FoundFile:
    return FoundFile(path, len(content), mtime_ns, language, "source")


def known(
    path: str, content: str, *, mtime_ns: int = LONG_AGO, skipped: SkipReason | None = None
) -> KnownFile:
    return KnownFile(
        path, len(content), mtime_ns, hash_content(content.encode()), "python", "source", skipped
    )


def compare(before: list[KnownFile], after: list[FoundFile], contents: dict[str, str], *, skipped=()):
    asked: list[str] = []

    def hash_of(path: str) -> str | None:
        asked.append(path)
        return hash_content(contents[path].encode()) if path in contents else None

    discovery = Discovery(Path("/nowhere"), "git", tuple(sorted(after)), tuple(skipped))
    changes = find_changes(
        {each.path: each for each in before}, discovery, scanned_at_ns=NOW, hash_of=hash_of
    )
    return changes, asked


def test_nothing_is_read_where_nothing_changed():
    changes, asked = compare([known("a.py", "one")], [found("a.py", "one")], {})

    assert changes.is_empty
    assert [file.path for file in changes.unchanged] == ["a.py"]
    assert asked == []


def test_another_size_is_a_change_without_reading():
    changes, asked = compare([known("a.py", "one")], [found("a.py", "three")], {})

    assert [file.path for file in changes.changed] == ["a.py"]
    assert asked == []


@pytest.mark.parametrize(("content", "kind"), [("one", "touched"), ("two", "changed")])
def test_another_time_is_settled_by_the_content(content, kind):
    changes, asked = compare(
        [known("a.py", "one")], [found("a.py", content, mtime_ns=2 * LONG_AGO)], {"a.py": content}
    )

    assert [file.path for file in getattr(changes, kind)] == ["a.py"]
    assert asked == ["a.py"]


@pytest.mark.parametrize(("content", "kind"), [("one", "unchanged"), ("two", "changed")])
def test_a_time_shortly_before_the_scan_is_not_trusted(content, kind):
    racy = NOW - 1_500_000_000

    changes, asked = compare(
        [known("a.py", "one", mtime_ns=racy)], [found("a.py", content, mtime_ns=racy)], {"a.py": content}
    )

    assert [file.path for file in getattr(changes, kind)] == ["a.py"]
    assert asked == ["a.py"]


def test_a_file_that_cannot_be_read_any_more_counts_as_changed():
    changes, _ = compare([known("a.py", "one")], [found("a.py", "one", mtime_ns=5)], {})

    assert [file.path for file in changes.changed] == ["a.py"]


def test_files_come_and_go():
    changes, _ = compare([known("a.py", "one")], [found("b.py", "three")], {"b.py": "three"})

    assert [file.path for file in changes.added] == ["b.py"]
    assert [file.path for file in changes.removed] == ["a.py"]


def test_a_renamed_file_is_known_by_its_content_and_first_by_its_name():
    before = [known("a/one.py", "same"), known("a/two.py", "same"), known("gone.py", "else")]
    after = [found("b/two.py", "same"), found("b/zero.py", "same"), found("new.py", "moor")]
    contents = {"b/two.py": "same", "b/zero.py": "same", "new.py": "moor"}

    changes, _ = compare(before, after, contents)

    assert [(each.old.path, each.new.path) for each in changes.renamed] == [
        ("a/two.py", "b/two.py"),
        ("a/one.py", "b/zero.py"),
    ]
    assert [file.path for file in changes.added] == ["new.py"]
    assert [file.path for file in changes.removed] == ["gone.py"]


def test_a_file_of_another_name_does_not_take_the_content_of_a_namesake():
    before = [known("a/kept.py", "same"), known("a/other.py", "same")]
    after = [found("b/first.py", "same"), found("b/kept.py", "same")]

    changes, _ = compare(before, after, {"b/first.py": "same", "b/kept.py": "same"})

    assert [(each.old.path, each.new.path) for each in changes.renamed] == [
        ("a/other.py", "b/first.py"),
        ("a/kept.py", "b/kept.py"),
    ]


class CountedHash(str):
    """A hash that counts how often it is compared with another."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other: object) -> bool:
        CountedHash.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_pairing_moved_files_of_one_size_compares_each_with_a_few_others():
    count = 1_000
    contents = {f"new/{number}.py": f"{number:05}" for number in range(count)}
    hashes = {path: hash_content(content.encode()) for path, content in contents.items()}
    before = {
        f"old/{number}.py": known(f"old/{number}.py", f"{number:05}")._replace(
            hash=CountedHash(hashes[f"new/{number}.py"])
        )
        for number in range(count)
    }
    discovery = Discovery(
        Path("/nowhere"), "git", tuple(sorted(found(path, text) for path, text in contents.items())), ()
    )
    CountedHash.comparisons = 0

    changes = find_changes(before, discovery, scanned_at_ns=NOW, hash_of=hashes.get)

    assert len(changes.renamed) == count
    assert CountedHash.comparisons < 10 * count


def test_empty_files_and_other_languages_are_no_renames():
    changes, _ = compare(
        [known("a/__init__.py", ""), known("a.py", "x")],
        [found("b/__init__.py", ""), found("a.js", "x", language="javascript")],
        {"b/__init__.py": "", "a.js": "x"},
    )

    assert changes.renamed == ()


def test_a_file_that_was_skipped_and_still_is_has_not_gone():
    before = [
        known("big.py", "x", skipped=SkipReason.OVERSIZED),
        known("min.py", "y", skipped=SkipReason.MINIFIED),
    ]

    changes, _ = compare(before, [], {}, skipped=[SkippedFile("big.py", SkipReason.OVERSIZED)])

    assert [file.path for file in changes.removed] == ["min.py"]


def test_a_file_that_is_no_longer_skipped_is_read():
    changes, _ = compare([known("a.py", "x", skipped=SkipReason.BINARY)], [found("a.py", "x")], {"a.py": "x"})

    assert [file.path for file in changes.changed] == ["a.py"]


contents = st.dictionaries(
    st.sampled_from(["a.py", "b.py", "c.py", "d/a.py"]), st.sampled_from(["x", "y", "zz", ""])
)


@given(
    before=contents,
    after=contents,
    # A file of the same size and time as long ago is taken to be the same, whatever it holds.
    times=st.dictionaries(
        st.sampled_from(["a.py", "b.py"]), st.integers(1, NOW).filter(lambda time: time != LONG_AGO)
    ),
)
def test_every_file_is_told_once_and_truly(before, after, times):
    changes, _ = compare(
        [known(path, content) for path, content in before.items()],
        [found(path, content, mtime_ns=times.get(path, NOW)) for path, content in after.items()],
        after,
    )

    told = [
        file.path
        for files in (changes.added, changes.changed, changes.touched, changes.unchanged)
        for file in files
    ]
    assert sorted([*told, *(each.new.path for each in changes.renamed)]) == sorted(after)
    gone = [*(each.path for each in changes.removed), *(each.old.path for each in changes.renamed)]
    assert sorted(gone) == sorted(before.keys() - after.keys())
    assert all(before[file.path] == after[file.path] for file in (*changes.touched, *changes.unchanged))
    assert all(before[file.path] != after[file.path] for file in changes.changed)
    assert all(before[each.old.path] == after[each.new.path] for each in changes.renamed)


def test_what_the_index_knows_is_read_with_paths_as_the_system_names_them():
    stamps = [
        FileStamp(FileId(1), "caf\uefe9.py", 1, 2, "h", "python", "test", "ok", None),
        FileStamp(FileId(2), "b.py", 1, 2, "", "python", "generated", "skipped", "generated"),
        FileStamp(FileId(3), "c.py", 1, 2, "", "python", "source", "skipped", "a reason of another version"),
        FileStamp(FileId(4), "d.py", 1, 2, "", "python", "a role of another version", "ok", None),
    ]

    files = known_files(stamps)

    assert set(files) == {os.fsdecode(b"caf\xe9.py"), "b.py"}
    assert files["b.py"].skipped is SkipReason.GENERATED


def test_a_link_is_not_followed_for_a_hash(tmp_path):
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "link").symlink_to("real")

    assert hash_file(tmp_path, "real") == hash_content(b"x")
    assert hash_file(tmp_path, "link") is None
    with pytest.raises(OSError, match="symbolic"):
        read_whole(tmp_path, "link")


def in_place_of_a_file(kind: str, path: Path) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(os.fspath(path))
    elif kind == "link to a device":
        path.symlink_to("/dev/zero")


@pytest.mark.parametrize("kind", ["pipe", "directory", "socket", "link to a device", "nothing"])
def test_what_took_the_place_of_a_file_is_not_read_and_the_row_says_so(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)  # the name of a socket has to be short
    in_place_of_a_file(kind, Path("a.py"))

    (rows,) = read_files(tmp_path, [Task(FileId(1), "a.py", "python", "source", 1, 1)], jobs=1)

    assert rows.file.status == "failed"
    assert "cannot be read" in rows.file.problem
    assert hash_file(tmp_path, "a.py") is None


def test_a_pipe_that_somebody_writes_to_is_not_read_either(tmp_path):
    os.mkfifo(tmp_path / "a.py")
    reading = os.open(tmp_path / "a.py", os.O_RDONLY | os.O_NONBLOCK)
    writing = os.open(tmp_path / "a.py", os.O_WRONLY)
    os.write(writing, b"x = 1")

    found = hash_file(tmp_path, "a.py")

    os.close(writing)
    os.close(reading)
    assert found is None


def test_a_device_that_never_ends_is_not_read():
    assert hash_file(Path("/dev"), "zero") is None


def test_a_file_that_grew_beyond_measure_is_not_taken_into_memory(tmp_path):
    with (tmp_path / "a.py").open("wb") as file:
        file.truncate(1 << 40)

    (rows,) = read_files(tmp_path, [Task(FileId(1), "a.py", "python", "source", 1, 1)], jobs=1)

    assert (rows.file.status, rows.file.size) == ("failed", 1)
