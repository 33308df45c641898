"""References and renames against plain text search and a compiler, on any project.

    python benchmarks/references.py PROJECT [--symbols 10] [--seed 1] [--check COMMAND] [--verbose]

Draws symbols at random. For each it compares the lines that `drift_references` lists with those of a whole-word text
search over the same files: every line of the search is listed, or left out as something else of the same name (with
--verbose these are printed where they are few enough to be judged by reading). Then it applies the patch
of a rename to a copy of the project and counts what COMMAND complains of that it did not complain of before. COMMAND
runs in the copy and prints a line for each complaint, such as

    ruff check --select F821,E9 --output-format concise --no-cache .
    sh -c 'javac -proc:none -Xmaxerrs 9999 -d /tmp/out $(find . -name "*.java") 2>&1'
    tsc --noEmit --skipLibCheck -p .

The project is scanned into a copy of its own; nothing is written into it.
"""

import argparse
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from drift.analyses.usages.patching import make_patch
from drift.analyses.usages.references import find_references
from drift.analyses.usages.renaming import plan_rename
from drift.index import IndexReader
from drift.kernel.tokens import estimate_tokens
from drift.scan import ScanOptions, scan

KINDS = (
    "function",
    "method",
    "class",
    "interface",
    "struct",
    "enum",
    "trait",
    "field",
    "constant",
    "property",
)
MOST_SECONDS = 300
MOST_READ = 80  # lines that somebody would judge by reading
NEW_NAME = {True: "RenamedForTrial", False: "renamed_for_trial"}


def draw(reader, count, seed):
    """Symbols of the product by chance, none with a name that a language gives."""
    known = [
        symbol
        for kind in KINDS
        for symbol in reader.symbols.of_kind(kind, limit=-1)
        if symbol.role == "source"
        and "/migrations/" not in symbol.path
        and re.fullmatch(r"[A-Za-z]\w{2,}", symbol.name)
        and "<" not in symbol.qualname
    ]
    return random.Random(seed).sample(known, min(count, len(known)))


def text_lines(texts, name):
    """The lines that a search for whole words finds."""
    word = re.compile(rb"(?<![\w])" + re.escape(name.encode()) + rb"(?![\w])")
    return {
        (text.path, number): line.decode("utf-8", "replace").strip()
        for text in texts
        for number, line in enumerate(text.content.split(b"\n"), 1)
        if name.encode() in line and word.search(line)
    }


def complaints(command, root, renamed):
    """What a command says of the project, without line numbers, and with the old name for the new."""
    if not command:
        return Counter()
    done = subprocess.run(
        shlex.split(command), cwd=root, capture_output=True, text=True, timeout=MOST_SECONDS, check=False
    )
    said = re.sub(r":\d+(:\d+)?|\(\d+,\d+\)", "", done.stdout + done.stderr)
    for new, old in renamed.items():
        said = said.replace(new, old)
    return Counter(
        line.strip() for line in said.splitlines() if re.search(r"error|F\d{3}|E\d{3}|undefined", line)
    )


def measure(copy, arguments):
    """A line for each symbol, and the sums."""
    sums = Counter()
    before = complaints(arguments.check, copy, {})
    with IndexReader(copy / ".drift/drift.db") as reader:
        for symbol in draw(reader, arguments.symbols, arguments.seed):
            found = find_references(reader, copy, symbol)
            ours = {(use.path, use.line) for use in found.uses}
            theirs = text_lines(found.texts, symbol.name)
            left_out = {place: line for place, line in theirs.items() if place not in ours}
            unseen = max(len(left_out) - found.elsewhere, 0)
            row = Counter(
                symbols=1, searched=len(theirs), listed=len(ours), left_out=len(left_out), unseen=unseen
            )
            row += Counter(use.certainty for use in found.uses)
            searched = "\n".join(f"{path}:{line}:{text}" for (path, line), text in theirs.items())
            row["search_tokens"] += estimate_tokens(searched)
            rename(copy, reader, symbol, arguments, before, row)
            sums += row
            print(f"{symbol.qualname} {symbol.path}:{symbol.line}", dict(row), flush=True)
            if arguments.verbose and len(theirs) <= MOST_READ:
                for (path, line), text in sorted(left_out.items()):
                    print(f"    left out {path}:{line} {text[:110]}")
                for use in found.uses:
                    print(f"    {use.certainty:9}{use.kind:12}{use.path}:{use.line} {use.text[:110]}")
    print("sum", dict(sums))


def plan_text(changed):
    """The lines that change, by file, as the tool lists them."""
    by_file = {}
    for use in changed:
        by_file.setdefault(use.path, {})[use.line] = use.kind
    return "\n".join(
        "\n".join((f"{path}:", *(f" {line},{kind}" for line, kind in lines.items())))
        for path, lines in by_file.items()
    )


def rename(copy, reader, symbol, arguments, before, row):
    """Add to the row what a rename of the symbol comes to."""
    new = NEW_NAME[symbol.name[0].isupper()]
    plan = plan_rename(reader, copy, symbol, new)
    patch = make_patch(reader, plan)
    row["patched_files"] += patch.files
    row["refused_files"] += len(patch.refused)
    row["patch_tokens"] += estimate_tokens(patch.diff)
    row["plan_tokens"] += estimate_tokens(plan_text(plan.changed))
    applied = git(copy, "apply", "--whitespace=nowarn", "-", given=patch.diff)
    row["not_applied"] += applied.returncode != 0
    after = complaints(arguments.check, copy, {new: symbol.name})
    worse = after - before
    row["new_complaints"] += worse.total()
    for line, times in list(worse.items())[:5]:
        print(f"    complaint {times}x {line[:200]}")
    git(copy, "checkout", "-q", ".")
    git(copy, "clean", "-fdq", "-e", ".drift")


def git(root, *words, given=None):
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@x"}
    own |= {"GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x@x"}
    return subprocess.run(
        ["git", *words],
        cwd=root,
        input=given,
        capture_output=True,
        text=True,
        env={**os.environ, **own},
        check=False,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("--symbols", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", default="")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        shutil.copytree(
            arguments.project, copy, ignore=shutil.ignore_patterns(".drift", ".git", "node_modules")
        )
        with (copy / ".gitignore").open("a") as ignores:
            ignores.write("\n.drift/\n")
        git(copy, "init", "-q")
        git(copy, "add", "-A")
        git(copy, "commit", "-qm", "as it was")
        scan(copy, ScanOptions(jobs=0))
        measure(copy, arguments)


if __name__ == "__main__":
    sys.exit(main())
