import os
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drift.kernel import paths
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.paths import is_inside, resolve_inside

OUTSIDE = ErrorCode.PATH_OUTSIDE_PROJECT
INVALID = ErrorCode.INVALID_ARGUMENT
MISSING = ErrorCode.FILE_NOT_FOUND


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A project with links of every kind, beside a folder whose name begins like its own."""
    base = tmp_path_factory.mktemp("paths")
    root = base / "proj"
    (root / "src" / "app").mkdir(parents=True)
    (root / "src" / "app" / "main.py").write_text("x = 1\n")
    (root / "aux.c").write_text("int x;\n")
    (root / "foo~").write_text("")
    (root / "ünïcode 漢.py").write_text("")
    (base / "proj-evil").mkdir()
    (base / "proj-evil" / "secret").write_text("s")
    links = {
        "inner": root / "src" / "app",
        "relative": Path("src/app/main.py"),
        "out": base / "proj-evil",
        "out_file": base / "proj-evil" / "secret",
        "up": Path(".."),
        "dangling_out": base / "nowhere",
        "dangling_in": root / "nowhere",
        "loop_a": root / "loop_b",
        "loop_b": root / "loop_a",
        "itself": root / "itself" / "x",
        "etc": Path("/etc"),
        "slash": Path("/"),
        "missing_then_up": Path("nowhere/../../proj-evil"),
        "chain": root / "out",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    (base / "alias").symlink_to(root)
    return root


def refused_as(root, given_path, **options):
    with pytest.raises(DriftError) as caught:
        resolve_inside(root, given_path, **options)
    return caught.value.code


@pytest.mark.parametrize(
    ("given_path", "expected"),
    [
        (".", "."),
        ("./", "."),
        ("src", "src"),
        ("src/", "src"),
        ("./src//app/./main.py", "src/app/main.py"),
        ("src\\app\\main.py", "src/app/main.py"),
        ("new/file.py", "new/file.py"),
        ("inner/main.py", "inner/main.py"),
        ("relative", "relative"),
        ("dangling_in", "dangling_in"),
        ("foo~", "foo~"),
        ("a~b/c", "a~b/c"),
        (".hidden", ".hidden"),
        ("..hidden", "..hidden"),
        ("a..b/c...", "a..b/c..."),
        ("aux.c", "aux.c"),
        ("%2e%2e/x", "%2e%2e/x"),
        ("ünïcode 漢.py", "ünïcode 漢.py"),
        ("src/app/main.py/x", "src/app/main.py/x"),
        ("x" * 255, "x" * 255),
    ],
)
def test_a_path_inside_is_given_relative_to_the_root(root, given_path, expected):
    assert resolve_inside(root, given_path) == expected


def test_an_absolute_path_inside_is_made_relative(root):
    assert resolve_inside(root, str(root / "src" / "app" / "main.py")) == "src/app/main.py"
    assert resolve_inside(root, str(root)) == "."
    assert resolve_inside(root, f"{root}/") == "."


def test_an_absolute_path_that_reaches_the_root_through_a_link_is_made_relative(root):
    alias = root.parent / "alias"

    assert resolve_inside(root, str(alias / "src" / "app")) == "src/app"
    assert resolve_inside(alias, str(root / "src" / "app")) == "src/app"
    assert resolve_inside(alias, str(alias / "src")) == "src"


@pytest.mark.parametrize(
    "given_path",
    [
        "..",
        "../x",
        "src/..",
        "src/../src/app",
        "a/b/../../..",
        "..\\x",
        "src\\..\\..\\x",
        ".. /x",
        "...",
        ". ./../x",
        "/etc/passwd",
        "/",
        "//server/share",
        "\\\\server\\share",
        "\\\\?\\C:\\x",
        "\\\\.\\nul",
        "\\etc",
        "C:\\x",
        "c:/x",
        "C:x",
        "~",
        "~/x",
        "~root/x",
        "./~/x",
        "./C:x",
        "out",
        "out/secret",
        "out_file",
        "up",
        "up/proj-evil/secret",
        "dangling_out",
        "dangling_out/x",
        "etc/passwd",
        "slash",
        "slash/etc",
        "missing_then_up",
        "chain/secret",
    ],
)
def test_a_path_that_leads_outside_is_refused(root, given_path):
    assert refused_as(root, given_path) is OUTSIDE


def test_a_folder_whose_name_begins_like_the_root_is_outside(root):
    assert refused_as(root, f"{root}-evil/secret") is OUTSIDE


def test_an_absolute_path_with_a_way_up_is_refused_even_if_it_stays_inside(root):
    assert refused_as(root, f"{root}/src/../src") is OUTSIDE
    assert refused_as(root, f"{root}/../proj-evil/secret") is OUTSIDE


@pytest.mark.parametrize(
    "given_path",
    [
        "",
        "a\0b",
        "a\nb",
        "a\x7f",
        "a\x85b",
        "a\u2028b",
        "\ud800",
        "loop_a",
        "loop_a/x",
        "itself",
        "x" * 256,
        "é" * 200,
        "x/" * 2100,
        "nul",
        "src/COM1",
        "Aux.py",
        "lpt9.txt",
        *[f"..{look_alike}x" for look_alike in "\u2044\u2215\u29f8\uff0f\uff3c\ufe68\u2216"],
        *[f"{look_alike}/x" for look_alike in ("\u2024\u2024", "\u2025", "\u2026", "\uff0e\uff0e", "\ufe52")],
        "\u2105",
    ],
)
def test_a_path_that_is_no_plain_name_is_refused(root, given_path):
    assert refused_as(root, given_path) is INVALID


def test_a_path_that_must_exist_is_looked_for(root):
    assert resolve_inside(root, "src/app/main.py", must_exist=True) == "src/app/main.py"
    for absent in ("nope.py", "dangling_in", "src/app/main.py/x"):
        assert refused_as(root, absent, must_exist=True) is MISSING


def test_a_refusal_shows_only_what_the_caller_sent(root):
    with pytest.raises(DriftError) as caught:
        resolve_inside(root, "out/secret")

    assert str(root) not in caught.value.message
    assert "proj-evil" not in caught.value.message


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read any folder")
def test_a_folder_that_may_not_be_entered_is_refused(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0)
    try:
        assert refused_as(tmp_path, "closed/x") is INVALID
    finally:
        closed.chmod(0o700)


WAYS_UP_AND_OUT = [
    "..",
    ".",
    "/",
    "//",
    "\\",
    "~",
    "C:",
    "\0",
    " ",
    "\u2044",
    "\u2025",
    "\uff0f",
    "nul",
    "%2e",
]
ENTRIES = [
    "src",
    "app",
    "main.py",
    "out",
    "up",
    "inner",
    "loop_a",
    "itself",
    "etc",
    "slash",
    "dangling_out",
    "chain",
]
PIECES = st.sampled_from(WAYS_UP_AND_OUT + ENTRIES)


@settings(max_examples=150)
@given(st.lists(PIECES | st.text(max_size=4), max_size=8).map("".join) | st.text(max_size=40))
@example("up/proj/src")
@example("slash/tmp")
def test_whatever_is_given_the_result_stays_inside(root, text):
    for given_path in (text, f"{root}/{text}", f"{root}{text}"):
        try:
            resolved = resolve_inside(root, given_path)
        except DriftError as error:
            assert error.code in {OUTSIDE, INVALID}
        else:
            real = os.path.realpath(root / resolved)
            assert real == str(root) or real.startswith(f"{root}/")
            assert ".." not in resolved.split("/")
            assert not resolved.startswith("/")
            assert resolve_inside(root, resolved) == resolved


def test_is_inside_follows_links(root):
    assert is_inside(root, root)
    assert is_inside(root, root / "src" / "new.py")
    assert is_inside(root, root.parent / "alias" / "src")
    assert is_inside(root, root / "inner" / "main.py")
    assert not is_inside(root, root.parent)
    assert not is_inside(root, Path(f"{root}-evil"))
    assert not is_inside(root, root / "out" / "secret")
    assert not is_inside(root, root / "dangling_out")
    assert not is_inside(root, root / "loop_a")
    assert not is_inside(root, root / "a\0b")


@pytest.mark.parametrize("path", ["src/app/main.py:stream", "con", "src/LPT1.txt", "src/app.", "src/app /x"])
def test_on_windows_streams_devices_and_cut_names_are_refused(root, monkeypatch, path):
    monkeypatch.setattr(paths, "_ON_WINDOWS", True)

    with pytest.raises(DriftError) as refused:
        resolve_inside(root, path)

    assert refused.value.code == INVALID
