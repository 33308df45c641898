"""What `drift check` would have said of real commits: each of the last ones of a repository against its parent, as CI would.

    python benchmarks/replay.py REPOSITORY... [--commits 200] [--policy default strict] [--out findings.jsonl]

A repository is a clone or a bare mirror; it is cloned with shared objects into a temporary place, so nothing of it is
changed. Each commit is checked out, the index is brought up to date once, and each policy judges what the commit
changed. Printed are findings for each commit (mean, median), which of them were gone at the last commit, and
how many processor seconds the update and the judging took. `--out` writes every finding with the line it is about, to be read.
"""

import argparse
import gc
import json
import os
import statistics
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from drift.guards.gating.answers import GateWish, Surroundings, judge
from drift.index import IndexReader
from drift.project import open_project
from drift.quality.findings import Finding
from drift.scan import ScanOptions, scan
from drift.scan.engine import update


class Judged(NamedTuple):
    """What was said of one commit."""

    commit: str
    policy: str
    status: str
    findings: tuple[Finding, ...]
    update_seconds: float
    judge_seconds: float


def cpu_seconds() -> float:
    """Processor time of this process and of those it started; wall time says more of who else is on the machine."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, text=True, errors="replace"
    )
    return done.stdout.strip()


def commits_of(root: Path, count: int) -> list[str]:
    """The last commits that are no merges and have a parent, the oldest first."""
    listed = git(root, "rev-list", "--no-merges", "--min-parents=1", f"--max-count={count}", "HEAD").split()
    return listed[::-1]


def judge_commit(root: Path, commit: str, policies: list[str]) -> Iterator[Judged]:
    git(root, "checkout", "-q", "--detach", "--force", commit)
    day = datetime.fromtimestamp(int(git(root, "show", "-s", "--format=%ct", commit)), UTC).date()
    project = open_project(root, os.environ)
    started = cpu_seconds()
    update(root, ScanOptions(jobs=1))
    updated = cpu_seconds()
    for policy in policies:
        begun = cpu_seconds()
        with IndexReader(project.state.index_db) as reader, reader.snapshot():
            run = judge(reader, project, GateWish(policy, against=f"{commit}^"), Surroundings(day, {}))
        yield Judged(commit, policy, run.status, run.findings, updated - started, cpu_seconds() - begun)


def replay(source: Path, count: int, policies: list[str]) -> Iterator[tuple[Path, Judged]]:
    with tempfile.TemporaryDirectory(prefix="drift-replay-") as place:
        root = Path(place) / "tree"
        subprocess.run(
            ["git", "clone", "-q", "--shared", "--no-checkout", str(source), str(root)], check=True
        )
        commits = commits_of(root, count)
        git(root, "checkout", "-q", "--detach", "--force", f"{commits[0]}^")
        scan(root, ScanOptions(jobs=2))
        for commit in commits:
            for judged in judge_commit(root, commit, policies):
                yield root, judged
            gc.collect()


def line_of(root: Path, finding: Finding) -> str:
    try:
        lines = (root / finding.file).read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return lines[finding.line - 1].strip()[:200] if finding.line <= len(lines) else ""


def gone_at_end(root: Path, told: list[dict[str, Any]]) -> int:
    """How many findings are about a line that the last commit does not have in that file any more."""
    count = 0
    for row in told:
        try:
            text = (root / row["file"]).read_text("utf-8", "replace")
        except OSError:
            text = ""
        lines = {" ".join(line.split()) for line in text.splitlines()}
        count += " ".join(str(row["text"]).split()) not in lines
    return count


def name_of(source: Path) -> str:
    return source.parent.name if source.name == "repo" else source.name


def run_one(source: Path, count: int, policies: list[str], out: Path | None) -> Iterator[str]:
    judged: list[Judged] = []
    told: dict[str, list[dict[str, Any]]] = {policy: [] for policy in policies}
    gone: dict[str, int] = {}
    for root, each in replay(source, count, policies):
        judged.append(each)
        rows = [
            {"repository": name_of(source), "policy": each.policy, "commit": each.commit, "rule": one.rule,
             "severity": one.severity, "file": one.file, "line": one.line, "message": one.message, "text": line_of(root, one)}
            for one in each.findings
        ]  # fmt: skip
        told[each.policy] += rows
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(row)}\n" for row in rows)
        gone[each.policy] = gone_at_end(root, told[each.policy])
    for policy in policies:
        rows = told[policy]
        yield summary(name_of(source), [one for one in judged if one.policy == policy], rows, gone[policy])


def summary(name: str, judged: list[Judged], told: list[dict[str, Any]], gone: int) -> str:
    counts = [len(each.findings) for each in judged]
    seconds = sorted(each.update_seconds + each.judge_seconds for each in judged)
    judging = sorted(each.judge_seconds for each in judged)
    statuses = Counter(each.status for each in judged)
    worst = int(0.95 * (len(seconds) - 1))
    rules = ", ".join(
        f"{rule} {times}" for rule, times in Counter(row["rule"] for row in told).most_common(6)
    )
    return (
        f"{name}: policy {judged[0].policy}, {len(judged)} commits, findings mean {statistics.mean(counts):.2f}"
        f" median {statistics.median(counts):g} max {max(counts)}; {dict(statuses)}; gone at the end {gone} of {len(told)};"
        f" seconds p50 {statistics.median(seconds):.2f} p95 {seconds[worst]:.2f} (judging p95 {judging[worst]:.2f}); {rules}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--policy", nargs="+", default=["default"])
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    print(f"{datetime.now(UTC):%Y-%m-%d}")
    for source in given.repositories:
        for line in run_one(source, given.commits, given.policy, given.out):
            print(line, flush=True)


if __name__ == "__main__":
    main()
