"""Test files that may be about a file by their names or by the history of both."""

import subprocess

import pytest

from drift.analyses.testing.near_tests import find_near_tests, plain_stem
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_pay_all.py", "pay_all_test.go", "src/pay-all.spec.ts", "src/payAll.test.tsx", "PayAllTests.java",
        "PayAllTest.php", "pay_all.e2e-spec.ts", "PayAllIT.java", "pay_all.py",
    ],
)  # fmt: skip
def test_what_marks_a_test_is_no_part_of_its_name(path):
    assert plain_stem(path) == "payall"


def test_a_file_that_is_named_like_a_mark_keeps_its_name():
    assert plain_stem("src/test.py") == "test"
    assert plain_stem("Visit.java") == "visit"


def test_names_and_commits_tell_of_tests(tmp_path):
    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    def commit():
        for args in (
            ["add", "-A"],
            ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "change"],
        ):
            subprocess.run(["git", *args], cwd=tmp_path, check=True)

    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for number in range(3):
        write("shop/pay.py", f"def pay():\n    return {number}\n")
        write("tests/test_flows.py", f"def test_flow():\n    assert {number} >= 0\n")
        commit()
    write("tests/test_pay.py", "def test_nothing():\n    pass\n")
    write("tests/test_other.py", "def test_nothing():\n    pass\n")
    commit()
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = find_near_tests(reader, tmp_path, ["shop/pay.py"])

    assert [(one.path, one.why, one.confidence) for one in found] == [
        ("tests/test_flows.py", "changed with pay.py in 3 of 3 commits", 0.5),
        ("tests/test_pay.py", "named after pay.py", 0.4),
    ]
