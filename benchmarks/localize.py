"""How well drift_context finds the files a change will touch, beside a plain full-text search.

    python benchmarks/localize.py WORK GIT_DIR... [--cases N] [--no-history] [--subject-only] [--intent NAME] [--role ROLE]

A case is a commit that is no merge, touches one to five source files and says that it fixes or adds something.
The latest N of a repository are taken; the project is checked out below WORK as it was before the first of them
and scanned once, and files that did not exist then count for no case. The message is the focus, without what gives the
answer away: paths and names of the changed files, numbers and addresses of issues, trailers. The full-text search
is FTS5's bm25 with porter stems over the contents of the same source files, names split into their words.
`--intent` leans the search as drift_context does for that kind of task, `--role test` wants the tests that were
changed instead of the sources. `--no-history` takes the git directory away, as in an exported tree. Prints a table in Markdown.
"""

import argparse
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from drift.context.leaning import leaning_of
from drift.context.localize import Question, locate
from drift.index import IndexReader
from drift.project import StateDir

MOST_FILES = 5
FEWEST_WORDS = 4  # "fix for #12" tells nobody anything
CONSIDERED_COMMITS = 1_500
SHOWN = 10
CHANGE_WORD = re.compile(
    r"\b(fix|bug|regress|crash|error|wrong|incorrect|broken|fail|prevent|avoid|handle|correct|add|support|allow"
    r"|implement|feature|feat|introduce|improve|make|raise|ensure|missing|leak|race)", re.IGNORECASE
)  # fmt: skip
NOT_A_TASK = re.compile(
    r"typo|spelling|copyright|licen[cs]e|header|lint|^(merge|revert|bump|release|chore|docs?\b|version|ci\b|build\()",
    re.IGNORECASE,
)
TRAILER = re.compile(r"^(signed-off-by|co-authored-by|reviewed-by|acked-by|cc|thanks|pr-url|reported-by|change-id|closes|git-svn-id)\b.*$", re.IGNORECASE | re.MULTILINE)  # fmt: skip
ADDRESS = re.compile(r"https?://\S+")
NUMBER = re.compile(r"\(?(?:\bgh-|\bpr )?#\d+\)?|\(?\b[a-z0-9_.-]+/[a-z0-9_.-]+#\d+\)?", re.IGNORECASE)
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
WORD = re.compile(r"[^\W_]+")
SUFFIXES = frozenset(
    {".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".java", ".php", ".rs", ".cs", ".c", ".cc", ".cpp", ".h"}
)


class Commit(NamedTuple):
    id: str
    message: str
    files: list[str]


class Case(NamedTuple):
    commit: str
    focus: str
    files: tuple[str, ...]


class Score(NamedTuple):
    recall_1: float
    recall_5: float
    recall_10: float
    reciprocal_rank: float


class Row(NamedTuple):
    name: str
    cases: int
    files: int
    ours: Score
    plain: Score
    cpu_ms: float  # the 95th percentile of ours


def git(git_dir: Path, *words: str) -> str:
    done = subprocess.run(["git", f"--git-dir={git_dir}", *words], check=True, stdout=subprocess.PIPE)
    return done.stdout.decode("utf-8", "replace")


def commits(git_dir: Path, revisions: str) -> list[Commit]:
    """The latest commits, with the changed files that were there before."""
    text = git(
        git_dir, "log", "--no-merges", f"-n{CONSIDERED_COMMITS}", "--diff-filter=M", "--name-only", "--no-renames",
        "--format=%x01%H%x02%B%x03", revisions,
    )  # fmt: skip
    found = []
    for entry in text.split("\x01")[1:]:
        identifier, _, rest = entry.partition("\x02")
        message, _, names = rest.partition("\x03")
        found.append(Commit(identifier, message.strip(), names.split()))
    return found


def clean(message: str, files: Sequence[str], *, subject_only: bool) -> str:
    """The message without what would give the answer away."""
    text = message.partition("\n")[0] if subject_only else message
    for pattern in (TRAILER, ADDRESS, NUMBER):
        text = pattern.sub(" ", text)
    for file in files:
        text = text.replace(file, " ").replace(file.rpartition("/")[2], " ")
    return text.strip()


def looks_like_task(commit: Commit) -> bool:
    subject = commit.message.partition("\n")[0]
    sources = [file for file in commit.files if Path(file).suffix in SUFFIXES and "test" not in file.lower()]
    is_task = bool(CHANGE_WORD.search(subject)) and not NOT_A_TASK.search(subject)
    return is_task and 0 < len(sources) <= MOST_FILES


def check_out(git_dir: Path, commit: str, place: Path) -> None:
    """The project as it was at a commit, with the history up to there."""
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(git_dir), str(place)], check=True)
    here = ("git", "-C", str(place))
    subprocess.run([*here, "update-ref", "--no-deref", "HEAD", commit], check=True)
    subprocess.run([*here, "read-tree", "HEAD"], check=True)
    # A mirror may lack its largest files: what there is is checked out all the same.
    subprocess.run([*here, "checkout-index", "--all", "--quiet"], check=False, stderr=subprocess.DEVNULL)


def prepare(work: Path, git_dir: Path, wanted: int) -> tuple[Path, list[Commit]]:
    """The scanned snapshot and the commits that may be cases, none of which is in the snapshot's history."""
    root = work / (git_dir.parent.name if git_dir.name == "repo" else git_dir.name)
    if not root.exists():
        # Some of the commits will fall away: their files are new, or no source.
        latest = tasks(git_dir, "HEAD")[: wanted + wanted // 5]
        check_out(git_dir, f"{latest[-1].id}^", root)
        # In the home of whoever measures: an index is believed by those alone who made it.
        subprocess.run(
            [sys.executable, "-P", "-m", "drift", "scan"], cwd=root, check=True, stdout=subprocess.DEVNULL
        )
    snapshot = git(root / ".git", "rev-parse", "HEAD").strip()
    return root, tasks(git_dir, f"{snapshot}..HEAD")


def tasks(git_dir: Path, revisions: str) -> list[Commit]:
    return [each for each in commits(git_dir, revisions) if looks_like_task(each)]


def split(text: str) -> str:
    return " ".join(part for word in WORD.findall(text) for part in (word, *HUMP.split(word)))


class PlainSearch:
    """bm25 over the contents of the source files."""

    def __init__(self, root: Path, paths: Sequence[str]) -> None:
        self._store = sqlite3.connect(":memory:")
        self._store.execute(
            "CREATE VIRTUAL TABLE plain USING fts5(path UNINDEXED, body, tokenize='porter unicode61')"
        )
        for path in paths:
            text = (root / path).read_text(encoding="utf-8", errors="replace")
            self._store.execute("INSERT INTO plain VALUES (?, ?)", (path, split(text)))

    def ranked(self, focus: str) -> list[str]:
        words = dict.fromkeys(split(focus).lower().split())
        asked = " OR ".join(f'"{word}"' for word in words)
        query = "SELECT path FROM plain WHERE plain MATCH ? ORDER BY bm25(plain), rowid LIMIT ?"
        return [path for (path,) in self._store.execute(query, (asked, SHOWN))] if asked else []


def score(ranked: Sequence[str], wanted: Sequence[str]) -> Score:
    def recall(most: int) -> float:
        return len(set(ranked[:most]) & set(wanted)) / len(wanted)

    first = next((rank for rank, path in enumerate(ranked, 1) if path in wanted), None)
    return Score(recall(1), recall(5), recall(10), 1 / first if first else 0.0)


def average(scores: Sequence[Score]) -> Score:
    return Score(*(mean(column) for column in zip(*scores, strict=True)))


def measure(root: Path, likely: Sequence[Commit], options: argparse.Namespace) -> Row:
    state = StateDir(root)
    with IndexReader(state.index_db) as reader:
        source = {
            each.path for each in reader.files.page(limit=-1) if each.role == options.role and each.language
        }
        cases = [
            Case(commit, clean(message, files, subject_only=options.subject_only), tuple(hit))
            for commit, message, files in likely
            if 0 < len(hit := [file for file in files if file in source]) <= MOST_FILES
        ]
        cases = [case for case in cases if len(case.focus.split()) >= FEWEST_WORDS][: options.cases]
        plain = PlainSearch(root, sorted(source))
        ours, theirs, times = [], [], []
        for case in cases:
            started = time.process_time()
            found = locate(reader, state, Question(case.focus), leaning=leaning_of(options.intent))
            times.append((time.process_time() - started) * 1_000)
            ranked = [each.path for each in found.files][:SHOWN]
            ours.append(score(ranked, case.files))
            theirs.append(score(plain.ranked(case.focus), case.files))
            if options.misses and ours[-1].recall_10 < 1:
                print(f"{case.commit[:10]} {case.focus[:150]!r}\n  wanted {case.files}\n  got {ranked}")
    times.sort()
    return Row(
        root.name, len(cases), len(source), average(ours), average(theirs), times[int(len(times) * 0.95)]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("work", type=Path)
    parser.add_argument("git_dirs", type=Path, nargs="+")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--no-history", action="store_true")
    parser.add_argument("--subject-only", action="store_true")
    parser.add_argument("--intent", default="", help="the kind of task; without it none")
    parser.add_argument("--role", default="source", help="which of the changed files are wanted")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    print("| project | cases | files | R@1 | R@5 | R@10 | MRR | FTS R@1 | R@5 | R@10 | MRR | CPU p95 ms |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for git_dir in options.git_dirs:
        root, likely = prepare(options.work, git_dir, options.cases)
        hidden = root / ".git-hidden"
        if options.no_history:
            (root / ".git").rename(hidden)
        try:
            row = measure(root, likely, options)
        finally:
            if options.no_history:
                hidden.rename(root / ".git")
        numbers = " | ".join(f"{value:.2f}" for value in (*row.ours, *row.plain))
        print(f"| {row.name} | {row.cases} | {row.files} | {numbers} | {row.cpu_ms:.0f} |", flush=True)


if __name__ == "__main__":
    main()
