"""Findings of real files through drift_suggest_changes: does every edit apply, parse and remove what it is for?

    python benchmarks/suggested_edits.py ROOT ... [--most 60] [--seed 1] [--tests "python -m pytest -q"] [--show]

ROOT are scanned projects in git. Files are drawn until `--most` edits were offered. Each patch is applied with `git apply`
in a copy of the project, the changed files are parsed and checked again there, and the finding has to be gone. With
`--tests` the command is run in the copy before and after all edits that do not touch the same lines: it must end as before.
"""

import argparse
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from drift.conventions.picture import look
from drift.guards.mending.suggesting import SuggestionRow, suggest_changes
from drift.guards.overlay import overlaid
from drift.guards.text_checks import Subject, check_text
from drift.index import IndexReader
from drift.index.path_text import text_to_path
from drift.project import open_project

MOST_FILES = 400


def applies(copy: Path, patch: str) -> bool:
    done = subprocess.run(
        ["git", "-C", str(copy), "apply", "-"], input=patch, text=True, capture_output=True, check=False
    )
    return done.returncode == 0


def changed_paths(patch: str) -> list[str]:
    return [line[6:] for line in patch.split("\n") if line.startswith("+++ b/")]


def judge(root: Path, copy: Path, reader: IndexReader, row: SuggestionRow) -> str:
    """What is wrong with an edit; nothing where it applies, parses and removes the finding."""
    project = open_project(root, os.environ)
    picture = look(reader, project, datetime.now(UTC).date())
    if not row.patch or not applies(copy, row.patch):
        return "does not apply"
    texts = {path: (copy / path).read_text("utf-8", "replace") for path in changed_paths(row.patch)}
    subprocess.run(["git", "-C", str(copy), "checkout", "-q", "--", "."], check=True)
    with overlaid(root, reader, dict(texts)) as overlay:
        for path in texts:
            found = check_text(Subject(root, overlay, overlay.files[path], project, picture))
            if any(one.rule == "text/syntax" for one in found):
                return "does not parse"
            if any(one.id == row.id for one in found):
                return "the finding is still there"
    return ""


def copy_of(root: Path, place: Path) -> Path:
    copy = place / root.name
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".drift", "node_modules"), symlinks=True)
    return copy


def run_tests(copy: Path, command: str) -> str:
    done = subprocess.run(shlex.split(command), cwd=copy, capture_output=True, text=True, check=False)
    lines = (done.stdout or done.stderr).strip().splitlines()
    return f"exit {done.returncode}, {lines[-1] if lines else 'nothing said'}"


def suggestions_of(
    root: Path, reader: IndexReader, dice: random.Random, most: int
) -> tuple[list[SuggestionRow], int]:
    project = open_project(root, os.environ)
    picture = look(reader, project, datetime.now(UTC).date())
    stamps = [one for one in reader.files.stamps() if one.language and one.status == "ok"]
    dice.shuffle(stamps)
    rows: list[SuggestionRow] = []
    advice = 0
    for stamp in stamps[:MOST_FILES]:
        if len(rows) >= most:
            break
        if stamp.role not in {"source", "test"}:
            continue
        data = suggest_changes(
            reader, project, picture, target=text_to_path(stamp.path), issue=None, pattern=None, most=20
        )
        rows += [row for row in data.suggestions if row.is_edit]
        advice += sum(not row.is_edit for row in data.suggestions)
    return rows[:most], advice


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    dice = random.Random(asked.seed)
    totals: Counter[str] = Counter()
    for given in asked.roots:
        root = given.absolute()
        with tempfile.TemporaryDirectory(prefix="drift-edits-") as place:
            copy = copy_of(root, Path(place))
            with IndexReader(open_project(root, os.environ).state.index_db) as reader:
                rows, advice = suggestions_of(root, reader, dice, asked.most)
                wrong = {row.id: why for row in rows if (why := judge(root, copy, reader, row))}
            before = run_tests(copy, asked.tests) if asked.tests else ""
            applied = sum(applies(copy, row.patch or "") for row in rows if row.id not in wrong)
            after = run_tests(copy, asked.tests) if asked.tests else ""
        totals.update(edits=len(rows), wrong=len(wrong), advice=advice)
        kinds = Counter(row.category for row in rows)
        print(f"{root.name}: {len(rows)} edits {dict(kinds)}, {advice} advice, wrong {list(wrong.values())}")
        if asked.tests:
            print(f"  tests before: {before}\n  tests after {applied} edits: {after}")
        if asked.show:
            print("\n".join(f"  {row.location} {row.title}" for row in rows))
        sys.stdout.flush()
    print(
        f"all: {totals['edits'] - totals['wrong']} of {totals['edits']} edits apply, parse and remove the finding"
    )


if __name__ == "__main__":
    main()
