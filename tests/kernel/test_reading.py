import os
import socket
import threading
from pathlib import Path

import pytest

from drift.kernel import reading
from drift.kernel.reading import ProjectFiles, list_files, opened, read_beginning, read_file, read_text

MOST = 1_000


@pytest.fixture(params=["handles", "paths"])
def root(request, tmp_path, monkeypatch):
    """A project with a file outside of it, read in both ways."""
    if request.param == "paths":
        monkeypatch.setattr(reading, "_HAS_HANDLES", False)
    (tmp_path / "secret.txt").write_text("secret")
    project = tmp_path / "project"
    (project / "folder" / "inner").mkdir(parents=True)
    (project / "folder" / "inner" / "file.txt").write_text("content")
    (project / "top.txt").write_text("top")
    return project


def test_a_file_is_read(root):
    assert read_file(root, "top.txt", MOST) == b"top"
    assert read_file(root, "folder/inner/file.txt", MOST) == b"content"
    assert read_file(root, "folder/./inner//file.txt", MOST) == b"content"


def test_files_are_read_one_after_the_other_in_any_order(root):
    (root / "folder" / "other").mkdir()
    (root / "folder" / "other" / "file.txt").write_text("other")

    with ProjectFiles(root) as files:
        found = [
            files.read(path, MOST)
            for path in ("folder/inner/file.txt", "folder/other/file.txt", "top.txt", "folder/inner/file.txt")
        ]

    assert found == [b"content", b"other", b"top", b"content"]


def test_a_file_that_is_too_large_is_refused_and_its_beginning_given(root):
    with pytest.raises(OSError, match="larger than 2 bytes"):
        read_file(root, "top.txt", 2)
    assert read_beginning(root, "top.txt", 2) == b"to"
    assert read_file(root, "top.txt", 3) == b"top"


def test_text_has_line_feeds_alone(root):
    (root / "top.txt").write_bytes(b"a\r\nb\rc\xff")

    assert read_text(root, "top.txt", MOST) == "a\nb\nc\ufffd"


def test_an_open_file_can_be_read_in_pieces(root):
    with opened(root, "top.txt") as file:
        assert file.read(1) == b"t"


@pytest.mark.parametrize("path", ["gone.txt", "gone/file.txt", "top.txt/file.txt", "folder", "", "."])
def test_what_is_no_file_is_refused(root, path):
    with pytest.raises(OSError, match=r".+"):
        read_file(root, path, MOST)


@pytest.mark.parametrize(
    "target", ["folder/inner/file.txt", "folder/../folder/inner/file.txt", "{root}/folder/inner/file.txt"]
)
def test_a_link_inside_is_followed_unless_none_is_wanted(root, target):
    (root / "link.txt").symlink_to(target.format(root=os.path.realpath(root)))

    assert read_file(root, "link.txt", MOST) == b"content"
    with pytest.raises(OSError, match=r".+"):
        read_file(root, "link.txt", MOST, follow_links=False)


def test_a_link_to_a_folder_inside_is_followed_unless_none_is_wanted(root):
    (root / "linked").symlink_to("folder/inner")
    (root / "folder" / "up").symlink_to("../linked")

    assert read_file(root, "linked/file.txt", MOST) == b"content"
    assert read_file(root, "folder/up/file.txt", MOST) == b"content"
    assert list_files(root, "linked") == ["file.txt"]
    with pytest.raises(OSError, match=r".+"):
        read_file(root, "linked/file.txt", MOST, follow_links=False)


@pytest.mark.parametrize(
    "target", ["../secret.txt", "{outside}/secret.txt", "folder/../../secret.txt", "/dev/zero", "/etc/passwd"]
)
def test_a_link_that_leads_out_is_refused(root, target):
    (root / "link.txt").symlink_to(target.format(outside=os.path.realpath(root.parent)))

    with pytest.raises(OSError, match="leads outside"):
        read_file(root, "link.txt", MOST)


def test_a_folder_that_leads_out_is_refused(root):
    (root / "linked").symlink_to("..")

    with pytest.raises(OSError, match="leads outside"):
        read_file(root, "linked/secret.txt", MOST)
    assert list_files(root, "linked") == []


def test_a_path_that_climbs_is_refused(root):
    with pytest.raises(OSError, match="leads outside"):
        read_file(root, "folder/../../secret.txt", MOST)


def test_links_in_a_circle_end(root):
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")

    for path in ("one", "one/file.txt"):
        with pytest.raises(OSError, match=r".+"):
            read_file(root, path, MOST)


def test_a_pipe_is_not_waited_for(root):
    os.mkfifo(root / "pipe")
    (root / "link").symlink_to("pipe")

    for path in ("pipe", "link"):
        with pytest.raises(OSError, match="not a regular file"):
            read_file(root, path, MOST)


def test_a_socket_is_refused(root, monkeypatch):
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        with pytest.raises(OSError, match=r".+"):
            read_file(root, "socket", MOST)


def test_a_root_that_is_reached_by_a_link_is_read(root):
    (root.parent / "alias").symlink_to(root)
    (root / "link.txt").symlink_to(f"{os.path.realpath(root)}/top.txt")

    assert read_file(root.parent / "alias", "top.txt", MOST) == b"top"
    assert read_file(root.parent / "alias", "link.txt", MOST) == b"top"


def test_names_of_files_are_listed_without_those_of_folders(root):
    assert list_files(root, "") == ["top.txt"]
    assert list_files(root, "folder/inner") == ["file.txt"]
    assert list_files(root, "gone") == []


def test_no_handle_is_left_open(root):
    before = len(list(Path("/dev/fd").iterdir()))

    with ProjectFiles(root) as files:
        files.read("folder/inner/file.txt", MOST)
        with pytest.raises(OSError, match=r".+"):
            files.read("folder/inner/gone.txt", MOST)
        with pytest.raises(OSError, match=r".+"):
            files.read("folder", MOST)

    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_folder_swapped_for_a_link_while_it_is_read_never_leads_out(tmp_path):
    outside, project = tmp_path / "outside", tmp_path / "project"
    (project / "folder").mkdir(parents=True)
    outside.mkdir()
    (project / "folder" / "file.txt").write_text("own")
    (outside / "file.txt").write_text("secret")
    (project / "link").symlink_to(outside)
    done = threading.Event()

    def swap():
        while not done.is_set():
            (project / "folder").rename(project / "aside")
            (project / "link").rename(project / "folder")
            (project / "folder").rename(project / "link")
            (project / "aside").rename(project / "folder")

    swapping = threading.Thread(target=swap)
    swapping.start()
    found = set()
    try:
        for _ in range(3_000):
            try:
                found.add(read_file(project, "folder/file.txt", MOST))
            except OSError:
                found.add(b"")
    finally:
        done.set()
        swapping.join()

    assert b"secret" not in found


def test_a_beginning_that_comes_in_pieces_is_put_together(root, monkeypatch):
    really_read = os.read
    monkeypatch.setattr(reading.os, "read", lambda descriptor, count: really_read(descriptor, min(count, 2)))

    assert read_beginning(root, "folder/inner/file.txt", 5) == b"conte"
    assert read_beginning(root, "folder/inner/file.txt", MOST) == b"content"


def test_without_handles_a_file_that_is_exchanged_while_it_is_opened_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "_HAS_HANDLES", False)
    (tmp_path / "secret.txt").write_text("secret")
    project = tmp_path / "project"
    project.mkdir()
    (project / "top.txt").write_text("top")
    really_open = os.open

    def open_after_exchange(path, *given, **named):
        if Path(path).name == "top.txt":
            (project / "top.txt").unlink()
            (project / "top.txt").symlink_to(tmp_path / "secret.txt")
        return really_open(path, *given, **named)

    monkeypatch.setattr(reading.os, "open", open_after_exchange)

    with pytest.raises(OSError, match=r"top\.txt"):
        read_file(project, "top.txt", MOST)


def test_without_handles_a_file_of_another_identity_than_was_looked_at_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "_HAS_HANDLES", False)
    (tmp_path / "top.txt").write_text("top")
    (tmp_path / "other.txt").write_text("other")
    really_open = os.open

    def open_before_exchange(path, *given, **named):
        descriptor = really_open(path, *given, **named)
        if Path(path).name == "top.txt":
            (tmp_path / "other.txt").replace(tmp_path / "top.txt")
        return descriptor

    monkeypatch.setattr(reading.os, "open", open_before_exchange)

    with pytest.raises(OSError, match=r"top\.txt"):
        read_file(tmp_path, "top.txt", MOST)
