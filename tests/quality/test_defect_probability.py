"""Chances of fixes: the past of files, the order the model puts them in, and what each probability is made of."""

import json
import math
import subprocess

import pytest

from drift.index import IndexReader
from drift.project import StateDir
from drift.quality.defect_probability import find_defects, risk_of
from drift.quality.defects import FEATURES, FileFeatures, load_model, measure_features, predict
from drift.quality.defects.features import is_worded
from drift.quality.reporters import write_report
from drift.quality.scope import choose_scope
from drift.scan import ScanOptions, scan

HARD = """
def settle(order, rows):
    for row in rows:
        if row.open and not row.paid:
            while row.parts:
                if row.parts.pop() is None:
                    return None
    return order
"""


def git(root, *arguments):
    settings = ("-c", "user.name=A", "-c", f"user.mail={arguments[0]}@a", "-c", "user.email=a@a")
    subprocess.run(("git", *settings, *arguments), cwd=root, check=True, capture_output=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("past")
    git(root, "init", "-q")
    for number in range(25):
        (root / f"part_{number}.py").write_text(f"def part_{number}():\n    return {number}\n")
    (root / "old.py").write_text(HARD)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Add parts")
    git(root, "mv", "old.py", "hard.py")
    git(root, "commit", "-qm", "Rename it")
    for number in range(4):
        with (root / "hard.py").open("a") as file:
            file.write(f"\n\nx{number} = {number}\n")
        git(root, "commit", "-qam", f"Fix rounding {number}")
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        yield root, reader


def test_what_is_hard_and_was_mended_often_comes_first(project):
    root, reader = project
    found = find_defects(reader, root, choose_scope(reader))

    first = found.predictions[0]
    assert first.path == "hard.py"
    assert first.probability > 3 * found.predictions[-1].probability
    assert found.summary.endswith("most likely: hard.py")


def test_every_probability_is_the_sum_of_its_parts(project):
    root, reader = project
    found = find_defects(reader, root, choose_scope(reader))

    model = load_model()
    parts = [sum(part.contribution for part in one.contributions) for one in found.predictions]
    logits = [math.log(one.probability / (1 - one.probability)) for one in found.predictions]
    base = {round(logit - part, 2) for logit, part in zip(logits, parts, strict=True)}
    assert len(base) == 1, "what is not of a feature is the same for all files"
    assert model.weights.keys() == FEATURES.keys()
    row = found.data("detailed", found.predictions[:1], explain=True, write=None).predictions[0]
    assert {one.feature for one in row.features} == set(FEATURES)
    assert row.features[0].contribution == max(abs(one.contribution) for one in row.features)
    assert (
        found.data("detailed", found.predictions[:1], explain=False, write=None).predictions[0].features
        is None
    )


def test_the_past_of_a_file_goes_on_under_its_new_name(project):
    root, reader = project
    scope = choose_scope(reader)
    measured = {one.path: one for one in measure_features(reader, root, scope.files, None).files}

    values = dict(zip(FEATURES, measured["hard.py"].values, strict=True))
    assert values["churn"] == pytest.approx(math.log1p(6))
    assert values["fixes"] == pytest.approx(math.log1p(4))
    assert measured["hard.py"].fixes_last_year == 4
    assert values["duplication"] is None
    assert values["test_reach"] == 0
    assert values["name_quality"] < 1
    assert measured["part_1.py"].fixes_last_year == 0


def test_without_history_the_code_alone_speaks_and_that_is_said(tmp_path):
    for number in range(22):
        (tmp_path / f"part{number}.py").write_text(HARD if number == 3 else f"a{number} = {number}\n")
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = find_defects(reader, tmp_path, choose_scope(reader))
        sure = find_defects(reader, tmp_path, choose_scope(reader), min_confidence=0.95)

    assert found.predictions[0].path == "part3.py"
    assert any("no git history" in note for note in found.notes)
    assert sure.predictions == ()
    assert sure.left_out == 22


def test_a_report_names_the_files_of_high_risk(project):
    root, reader = project
    found = find_defects(reader, root, choose_scope(reader))
    log = json.loads(write_report(found.report(), "sarif"))

    risky = [one.path for one in found.predictions if risk_of(one.probability) == "high"]
    assert len(log["runs"][0]["results"]) == len(risky)
    assert (
        write_report(found.report(), "csv")
        .splitlines()[0]
        .startswith("file,probability,risk,confidence,size")
    )


def test_all_alike_are_equally_likely():
    files = [FileFeatures(f"{number}.py", (1.0,) * len(FEATURES), 0) for number in range(5)]

    assert len({one.probability for one in predict(files, load_model())}) == 1


@pytest.mark.parametrize(
    ("name", "is_good"), [("total_price", True), ("x", False), ("part2", False), ("ok", False)]
)
def test_names_made_of_words_are_told_from_others(name, is_good):
    assert is_worded(name) is is_good
