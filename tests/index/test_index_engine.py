"""An index names the engine that built it: by what the code says, wherever it lies and whenever it was installed."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from drift import __version__
from drift.index import read_index_state
from drift.index.engine import digest_code, engine_digest, stamp_code
from drift.scan import ScanOptions, scan, update

ROOMS = ("scan",)
ONE_PROCESS = ScanOptions(jobs=0)


@pytest.fixture
def package(tmp_path):
    package = tmp_path / "site" / "drift"
    (package / "scan/link").mkdir(parents=True)
    (package / "scan/a.py").write_text("A = 1\n")
    (package / "scan/link/b.toml").write_text("b = 1\n")
    return package


def test_the_same_code_elsewhere_and_later_is_the_same_engine(package, tmp_path):
    other = tmp_path / "other" / "drift"
    shutil.copytree(package, other)
    os.utime(other / "scan/a.py", (1, 1))

    assert digest_code(other, ROOMS, None) == digest_code(package, ROOMS, None)
    assert stamp_code(other, ROOMS, None) != stamp_code(package, ROOMS, None)


@pytest.mark.parametrize("path", ["scan/a.py", "scan/link/b.toml", "scan/new.py"])
def test_another_file_is_another_engine(package, path):
    digest, stamp = digest_code(package, ROOMS, None), stamp_code(package, ROOMS, None)

    (package / path).write_text("changed = 1\n")

    assert digest_code(package, ROOMS, None) != digest
    assert stamp_code(package, ROOMS, None) != stamp


def test_what_python_compiled_and_other_rooms_say_nothing(package):
    digest, stamp = digest_code(package, ROOMS, None), stamp_code(package, ROOMS, None)

    (package / "scan/__pycache__").mkdir()
    (package / "scan/__pycache__/a.pyc").write_bytes(b"x")
    (package / "cli").mkdir()
    (package / "cli/a.py").write_text("x")

    assert digest_code(package, ROOMS, None) == digest
    assert stamp_code(package, ROOMS, None) == stamp


def test_another_grammar_is_another_engine(package, tmp_path):
    grammars = tmp_path / "grammars"
    grammars.mkdir()
    digest, stamp = digest_code(package, ROOMS, grammars), stamp_code(package, ROOMS, grammars)

    (grammars / "tree_sitter_go-9.9.dist-info").mkdir()
    os.utime(grammars, (1, 1))

    assert digest_code(package, ROOMS, grammars) != digest
    assert stamp_code(package, ROOMS, grammars) != stamp


def test_of_an_installed_package_the_installer_s_folder_tells(package):
    (package.parent / f"drift_mcp-{__version__}.dist-info").mkdir()
    stamp = stamp_code(package, ROOMS, None)
    assert stamp_code(package, ROOMS, None) == stamp

    os.utime(package.parent, (1, 1))  # as by any installer

    assert stamp_code(package, ROOMS, None) != stamp


def claim_other_engine(root):
    with closing(sqlite3.connect(root / ".drift/drift.db")) as index, index:
        index.execute("UPDATE meta SET value = 'another' WHERE key = 'engine'")


def engine_of(root):
    with closing(sqlite3.connect(root / ".drift/drift.db")) as index:
        return index.execute("SELECT value FROM meta WHERE key = 'engine'").fetchone()[0]


def test_a_scan_builds_an_index_of_another_engine_anew(tmp_path):
    (tmp_path / "a.py").write_text("def first(): pass\n")
    scan(tmp_path, ONE_PROCESS)
    assert engine_of(tmp_path) == engine_digest()
    assert read_index_state(tmp_path / ".drift/drift.db").is_of_this_engine
    claim_other_engine(tmp_path)
    assert not read_index_state(tmp_path / ".drift/drift.db").is_of_this_engine

    report = scan(tmp_path, ONE_PROCESS)

    assert report.mode == "full"
    assert engine_of(tmp_path) == engine_digest()


def test_an_update_leaves_the_engine_that_built_the_rest(tmp_path):
    (tmp_path / "a.py").write_text("def first(): pass\n")
    scan(tmp_path, ONE_PROCESS)
    claim_other_engine(tmp_path)
    (tmp_path / "b.py").write_text("def second(): pass\n")

    update(tmp_path, ONE_PROCESS)

    assert engine_of(tmp_path) == "another"
    assert read_index_state(tmp_path / ".drift/drift.db").file_count == 2


def test_an_index_that_names_no_engine_is_that_of_another(tmp_path):
    (tmp_path / "a.py").write_text("def first(): pass\n")
    scan(tmp_path, ONE_PROCESS)
    with closing(sqlite3.connect(tmp_path / ".drift/drift.db")) as index, index:
        index.execute("DELETE FROM meta WHERE key = 'engine'")

    state = read_index_state(tmp_path / ".drift/drift.db")

    assert state.is_usable
    assert not state.is_of_this_engine
