import os
import shutil
import sqlite3
from contextlib import closing, contextmanager
from datetime import date

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import usage as usage_module
from drift.pipeline.usage import UsageLog
from drift.project import open_project
from drift.registry import Outcome

ENDLESS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS enabled FROM n WHERE x < 0"
)


@pytest.fixture
def usage():
    return UsageLog(lambda: date(2026, 6, 1))


@pytest.fixture
def project(root):
    (root / ".drift").mkdir()
    return open_project(root, {}).prepare()


def test_calls_are_added_up_once_people_agreed(usage, project, request_for):
    usage.observe(request_for(), Outcome({}, "", tokens=7), 2.0)
    usage.switch(project, enabled=True)
    for _ in range(2):
        usage.observe(request_for(), Outcome({}, "", tokens=7), 2.0)

    (row,) = usage.status(project).tools

    assert (row.tool, row.calls, row.average_ms, row.tokens) == ("drift_sample", 2, 2.0, 14)


def test_what_threads_count_and_write_at_once_is_counted_once(usage, project, request_for, monkeypatch):
    usage.switch(project, enabled=True)
    usage.observe(request_for(), Outcome({}, ""), 1.0)
    open_file = usage_module._open

    @contextmanager
    def while_others_count(path):
        """The store, opened while another thread counts one more and writes, too."""
        with monkeypatch.context() as patch:
            patch.setattr(usage_module, "_open", open_file)
            usage.observe(request_for(), Outcome({}, ""), 1.0)
            usage.flush()
        with open_file(path) as connection:
            yield connection

    monkeypatch.setattr(usage_module, "_open", while_others_count)
    usage.flush()
    monkeypatch.setattr(usage_module, "_open", open_file)

    assert [row.calls for row in usage.status(project).tools] == [2]


def test_a_store_of_other_tables_cannot_hang_a_call(usage, project, request_for, caplog):
    with closing(sqlite3.connect(project.stores.usage_db)) as connection:
        connection.executescript(f"CREATE VIEW consent AS {ENDLESS}; CREATE TABLE usage (x);")

    usage.observe(request_for(), Outcome({}, ""), 1.0)

    assert "usage is not counted" in caplog.text


def test_a_pipe_in_the_place_of_the_store_is_refused(usage, project):
    os.mkfifo(project.stores.usage_db)

    with pytest.raises(DriftError) as refused:
        usage.status(project)

    assert refused.value.code is ErrorCode.STORE_UNAVAILABLE


def test_days_without_a_call_do_not_break_the_averages(usage, project):
    usage.switch(project, enabled=True)
    with closing(sqlite3.connect(project.stores.usage_db)) as connection, connection:
        connection.execute("INSERT INTO usage VALUES ('2026-05-31', 'drift_sample', 0, 0, 0, 0.0, 0)")

    assert usage.status(project).tools == ()


def test_a_consent_that_came_with_a_copy_of_the_project_counts_for_nothing(usage, project, tmp_path):
    usage.switch(project, enabled=True)
    copy = tmp_path / "copy"
    shutil.copytree(project.root, copy)

    assert usage.status(project).enabled
    assert not usage.status(open_project(copy, {})).enabled


def test_counts_older_than_the_kept_days_are_deleted(usage, project, request_for):
    usage.switch(project, enabled=True)
    with closing(sqlite3.connect(project.stores.usage_db)) as connection, connection:
        connection.execute("INSERT INTO usage VALUES ('2026-01-01', 'drift_old', 1, 0, 0, 1.0, 1)")

    usage.observe(request_for(), Outcome({}, ""), 1.0)
    usage.flush()

    with closing(sqlite3.connect(project.stores.usage_db)) as connection:
        assert connection.execute("SELECT tool FROM usage").fetchall() == [("drift_sample",)]
