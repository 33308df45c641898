import os
import subprocess
from datetime import UTC, datetime

import pytest

from drift.decisions import dependencies
from drift.decisions.asking import DecisionWish, answer
from drift.decisions.book import read_book
from drift.decisions.migrations import _change_point, _Dated
from drift.decisions.records import read_record
from drift.decisions.signs import clean_subject, is_telling
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import open_project
from drift.scan import ScanOptions, scan

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
RECORD = """# 3. Keep orders in PostgreSQL

Date: 2026-01-05

## Status

Accepted

## Context

Files were too slow.

## Decision

Orders are kept in PostgreSQL.

## Consequences

- A server has to run.
"""


def package(*names):
    listed = ",\n".join(f'    "{name}": "^1.0.0"' for name in names)
    return '{\n  "name": "shop",\n  "dependencies": {\n' + listed + "\n  }\n}\n"


class Repository:
    """A repository to which commits are added, a day after the other."""

    def __init__(self, root):
        self.root = root
        self.days = 0
        self.git("init", "-q", "-b", "main")

    def git(self, *words, **environ):
        command = ["git", "-C", str(self.root), "-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
        subprocess.run([*command, *words], check=True, env={**os.environ, **environ})

    def commit(self, subject, files=(), moved=()):
        for path, text in dict(files).items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
        for old, new in moved:
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).rename(self.root / new)
        self.days += 1
        when = f"2026-0{1 + self.days // 28}-{1 + self.days % 28:02}T12:00:00Z"
        self.git("add", "-A")
        self.git(
            "commit", "-q", "--allow-empty", "-m", subject, GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when
        )


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    found = Repository(tmp_path_factory.mktemp("past"))
    found.commit(
        "Begin",
        {"package.json": package("moment", "axios"), "old/index.js": "1;\n", ".gitignore": ".drift\n"},
    )
    found.commit(
        "Write parts", {f"old/part{number}.js": f"export const a{number} = 1;\n" for number in range(9)}
    )
    found.commit("chore: Replace moment with dayjs (#12)", {"package.json": package("dayjs", "axios")})
    found.commit("wip", {"package.json": package("dayjs", "ky")})
    found.commit("Bump axios", {"package.json": package("dayjs", "ky", "left-pad")})
    found.commit("feat(api)!: drop the XML answers", {"old/index.js": "2;\n"})
    found.commit(
        "Sort things out",
        moved=[(f"old/part{number}.js", f"src/core/part{number}.js") for number in range(9)],
    )
    found.commit("Write the record", {"docs/adr/0003-postgres.md": RECORD})
    scan(found.root, ScanOptions(jobs=0))
    return found


@pytest.fixture
def ask(repository):
    project = open_project(repository.root, os.environ)

    def asked(action, **rest):
        with IndexReader(project.state.index_db) as reader:
            return answer(reader, project, DecisionWish(action, **rest), by="agent", now=NOW)

    yield asked
    (project.state.rules / "decisions.toml").unlink(missing_ok=True)


def test_single_commits_make_decisions_with_titles_that_people_would_write(ask):
    rows = {each.title: each for each in ask("list", most=50).data.decisions}

    assert rows.keys() == {
        "Replace moment with dayjs",
        "Replace axios with ky",
        "Drop the XML answers",
        "Move old to src/core",
        "Keep orders in PostgreSQL",
    }
    assert rows["Replace moment with dayjs"].confidence > rows["Replace axios with ky"].confidence
    assert rows["Keep orders in PostgreSQL"].status == "confirmed"
    assert "9 files from old to src/core" in rows["Move old to src/core"].shows


def test_evidence_leads_to_the_commit_and_the_manifest(ask):
    chosen = ask("search", query="dayjs").data.decisions[0]

    found = ask("get", id=chosen.id).data.decision

    said = {(each.kind, each.says) for each in found.evidence}
    assert said == {("dependency added", "dayjs (prod)"), ("dependency removed", "moment (prod)")}
    assert all(each.source == f"{found.commits[0].commit}:package.json" for each in found.evidence)


def test_manifests_of_new_commits_alone_are_read(ask, repository, monkeypatch):
    ask("status")
    read = []
    real = dependencies._diffs
    monkeypatch.setattr(
        dependencies, "_diffs", lambda root, commits: read.extend(commits) or real(root, commits)
    )

    repository.commit("Swap ky for undici", {"package.json": package("dayjs", "undici", "left-pad")})
    found = ask("list", category="technology-swap").data

    assert [each.subject for each in read] == ["Swap ky for undici"]
    # Two swaps about ky within a month are one.
    assert "Swap ky for undici" in {each.title for each in found.decisions}


def test_what_is_confirmed_is_a_file_and_what_is_rejected_is_no_longer_told(ask, repository):
    rows = {each.title: each.id for each in ask("list", most=50).data.decisions}
    ask("confirm", id=rows["Drop the XML answers"], reason="Clients moved on")
    ask("confirm", id=rows["Move old to src/core"], verdict="rejected")

    listed = {each.title: each for each in ask("list", most=50).data.decisions}
    book, problems = read_book(open_project(repository.root, os.environ).state)

    assert listed["Drop the XML answers"].status == "confirmed"
    assert listed["Drop the XML answers"].confidence == 1
    assert "Move old to src/core" not in listed
    assert not problems
    assert book[rows["Drop the XML answers"]].reason == "Clients moved on"
    with pytest.raises(DriftError, match="its status stands in docs/adr/0003"):
        ask("confirm", id=rows["Keep orders in PostgreSQL"])


def test_files_and_months_lead_to_decisions(ask):
    about = ask("for-file", file="src/core/part1.js").data.decisions
    months = ask("timeline", most=50).data

    assert [each.title for each in about] == ["Move old to src/core"]
    assert sum(len(each.decisions) for each in months.months) == months.total


@pytest.mark.parametrize(
    ("subject", "title", "tells"),
    [
        ("feat(ui)!: replace moment with dayjs (#1234)", "Replace moment with dayjs", True),
        (":sparkles: [WEB-12] Use Saloon for Last.fm.", "Use Saloon for Last.fm", True),
        ("✨ add a cache for orders", "Add a cache for orders", True),
        ("SHOP-7: Move carts to Redis", "Move carts to Redis", True),
        ("wip", "Wip", False),
        ("update package.json", "Update package.json", False),
    ],
)
def test_a_subject_becomes_a_title(subject, title, tells):
    assert clean_subject(subject) == title
    assert is_telling(subject) is tells


def test_a_file_without_the_parts_of_a_record_is_none():
    assert read_record("docs/adr/README.md", "# Records\n\nHow we write them.\n") is None
    record = read_record("docs/adr/0002-old.md", RECORD.replace("Accepted", "Superseded by 3"))
    assert (record.id, record.status, record.since) == ("ADR-0002", "superseded", "2026-01-05")


def test_a_convention_changed_where_new_files_do_otherwise():
    old = [_Dated(day, f"a{day}.py", "any") for day in range(40)]
    new = [_Dated(day, f"a{day}.py", "unknown") for day in range(40, 80)]

    found = _change_point(old + new)

    assert (found.at, found.before, found.after) == (40, "any", "unknown")
    assert _change_point([_Dated(day, "a.py", "any" if day % 2 else "unknown") for day in range(80)]) is None
