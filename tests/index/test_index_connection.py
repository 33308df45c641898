import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from drift.index.connection import open_for_update, open_readonly

_READ_AS_NOBODY = """
import os, sys
from contextlib import closing
from pathlib import Path
from drift.index.connection import open_readonly
os.setgid(65534), os.setuid(65534)
with closing(open_readonly(Path(sys.argv[1]))) as connection:
    print(connection.execute("SELECT count(*) FROM facts").fetchone()[0])
"""


@pytest.fixture
def db(tmp_path):
    path = tmp_path / "drift.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.execute("CREATE TABLE facts(name TEXT)")
        connection.execute("INSERT INTO facts VALUES ('one')")
    return path


@pytest.fixture
def public_directory():
    """A directory every user may enter, which pytest's own are not."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def test_it_reads_and_cannot_write(db):
    with closing(open_readonly(db)) as connection:
        assert connection.execute("SELECT name FROM facts").fetchone() == ("one",)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("DELETE FROM facts")


def test_an_update_holds_pages_in_memory_up_to_a_limit(db):
    with closing(open_for_update(db)) as connection:
        assert connection.execute("PRAGMA cache_size").fetchone() == (-16_000,)


def test_a_missing_file_is_an_error_and_is_not_made(tmp_path):
    with pytest.raises(FileNotFoundError):
        open_readonly(tmp_path / "none.db")

    assert not (tmp_path / "none.db").exists()


def test_the_schema_may_not_call_functions_with_effects(db):
    with closing(open_readonly(db)) as connection:
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to become nobody")
def test_an_index_in_a_directory_nobody_may_write_can_be_read(db, public_directory):
    shutil.copy(db, public_directory / "drift.db")

    shown = subprocess.run(
        [sys.executable, "-c", _READ_AS_NOBODY, str(public_directory / "drift.db")],
        capture_output=True,
        text=True,
        check=True,
    )

    assert shown.stdout.strip() == "1"
