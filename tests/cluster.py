"""A PostgreSQL of the tests' own: made once in a session, on a socket in a folder of theirs, and ended with it."""

import contextlib
import itertools
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from drift.kernel.sharing import place_of

ROLES = ("alpha", "beta")
_numbers = itertools.count(1)


def find_programs():
    """Where initdb and postgres are: Debian puts them in no folder of PATH. None where there are none."""
    found = shutil.which("initdb") and shutil.which("postgres")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda each: int(each.parts[4]))
    return Path(found).resolve().parent if found else folders[-1].parent if folders else None


class Cluster:
    """The running server. It refuses to run as root, so somebody else's rights are taken where the tests have those."""

    def __init__(self, programs, *, is_durable=False):
        self.programs = programs
        self.is_durable = is_durable  # a benchmark wants what a disk costs, a test does not
        self.folder = Path(tempfile.mkdtemp(prefix="pg-"))
        self.user = None
        if os.geteuid() == 0:
            names = {each.pw_name for each in pwd.getpwall()}
            self.user = "postgres" if "postgres" in names else "nobody"
            os.chown(self.folder, pwd.getpwnam(self.user).pw_uid, -1)
        self._run("initdb", "-D", self.data, "-U", "admin", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        self.process = None
        self.start()
        grants = [f"CREATE ROLE {role} LOGIN; GRANT CREATE ON DATABASE postgres TO {role};" for role in ROLES]
        self.ask("".join(grants))

    @property
    def data(self):
        return self.folder / "data"

    def _options(self):
        return {} if self.user is None else {"user": self.user, "group": pwd.getpwnam(self.user).pw_gid}

    def _run(self, name, *words):
        command = [str(self.programs / name), *map(str, words)]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, **self._options()
        )
        assert done.returncode == 0, done.stderr

    def start(self):
        settings = {
            "listen_addresses": "", "unix_socket_directories": self.folder, "fsync": "on" if self.is_durable else "off", "max_connections": 60,
            "autovacuum": "off", "shared_buffers": "16MB", "logging_collector": "off",
        }  # fmt: skip
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.data, *words],
                cwd=self.folder, stdout=log, stderr=log, **self._options(),
            )  # fmt: skip
        deadline = time.monotonic() + 60
        while not self._answers():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def _answers(self):
        import psycopg

        try:
            self.ask("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how=signal.SIGINT):
        self.process.send_signal(how)
        self.process.wait(60)

    def address(self, role="alpha"):
        return f"postgresql://{role}:s3cr%40t@/postgres?host={self.folder}"

    def ask(self, sql, role="admin"):
        """Run SQL past Drift."""
        import psycopg

        with psycopg.connect(self.address(role), autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


# What a program that a test starts begins with, to keep the store at a path where the test keeps it.
SHARE = """
import json, os
from drift.kernel.sharing import Place, share
def share_as_told(path):
    if "DRIFT_TEST_PLACE" in os.environ:
        share(path, Place(*json.loads(os.environ["DRIFT_TEST_PLACE"])))
"""


def environ_of(path):
    """The environment for such a program."""
    place = place_of(path)
    told = (
        {} if place is None else {"DRIFT_TEST_PLACE": json.dumps([place.address, place.schema, place.store])}
    )
    return {**os.environ, **told}


def make_cluster():
    programs = find_programs()
    if programs is None:
        if os.environ.get("DRIFT_REQUIRE_POSTGRES"):
            pytest.fail("PostgreSQL is required here, and not installed")
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    return Cluster(programs)


def fresh_schema():
    """A name no other test has."""
    return f"drift_team_t{next(_numbers)}"
