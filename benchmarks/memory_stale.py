"""Whether memories whose code changed later are marked, and those whose code did not are left alone.

    python benchmarks/memory_stale.py MIRROR … [--back 800] [--each 100]

MIRROR is a git directory of a project in Python. Functions are taken from the tree that many commits back, by Python's
own parser, and a memory is saved about each, in turn with its lines, with its file and its name in the text, and with
nothing but a text that names both. Then the tree is that of HEAD. A function that is gone, whose file is gone or whose
source reads otherwise has changed; one that reads the same in the same file has not, whatever else the file became.
Counts how many of each are marked in the answer. Prints a table in Markdown.
"""

import argparse
import ast
import io
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from drift.memory import Draft, Memory
from drift.memory.checks import checked
from drift.memory.citations import cite_named
from drift.memory.links import cite_files
from drift.memory.truth.staleness import find_stale
from drift.memory.work.code_changes import read_code_change

FORMS: Final = ("lines", "file and name", "text alone")
FEWEST_LINES, MOST_LINES = 3, 80


class Function(NamedTuple):
    """A function or method of a file, by its qualified name, with its source."""

    path: str
    name: str
    first: int
    last: int
    source: str


def check_out(mirror: Path, commit: str, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command = ["git", f"--git-dir={mirror}", "archive", commit]
    made = subprocess.run(command, capture_output=True, check=True, timeout=120).stdout
    with tarfile.open(fileobj=io.BytesIO(made)) as archive:
        archive.extractall(folder, filter="data")


def read_functions(folder: Path) -> Iterator[Function]:
    """The functions that a name tells apart within their file."""
    for path in sorted(folder.rglob("*.py")):
        try:
            text = path.read_text("utf-8")
            tree = ast.parse(text)
        except (SyntaxError, ValueError, OSError):
            continue
        lines = text.splitlines()
        found = list(_functions(tree, ""))
        names = Counter(name.rpartition(".")[2] for name, _node in found)
        for name, node in found:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            last = node.end_lineno or first
            if names[name.rpartition(".")[2]] == 1 and FEWEST_LINES <= last - first <= MOST_LINES:
                source = "\n".join(lines[node.lineno - 1 : last])
                yield Function(str(path.relative_to(folder)), name, node.lineno, last, source)


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{child.name}", child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def save(root: Path, one: Function, form: str, number: int) -> Memory:
    """The memory as the tools keep it."""
    text = f"`{one.name}` is where this is decided; see what it does before you change its callers."
    if form == "lines":
        files = cite_files(root, [f"{one.path}:{one.first}-{one.last}"]).links
    elif form == "file and name":
        files = cite_files(root, [one.path], said=text).links
    else:
        text = f"In {one.path}, {one.name}() decides this; see what it does before you change its callers."
        files = tuple(link for path in read_code_change(text).files for link in cite_named(root, path, text))
    draft = checked(Draft(type="insight", text=text, files=files))
    return Memory(
        id=f"m_{number:07}", type=draft.type, title=draft.title, text=draft.text, files=draft.files,
        recorded_at_ms=1, updated_at_ms=1,
    )  # fmt: skip


def measure(mirror: Path, *, back: int, each: int) -> None:
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "tree"
        check_out(mirror, "HEAD", root)
        # What is there twice under a name in a file is left out of the earlier tree, not of this one.
        now = {(one.path, one.name): one.source for one in read_functions(root)}
        texts = {path: (root / path).read_text("utf-8", "replace") for path, _name in now}
        check_out(mirror, f"HEAD~{back}", root)
        before = list(read_functions(root))
        same = [one for one in before if now.get((one.path, one.name)) == one.source]
        changed = [one for one in before if one.source not in texts.get(one.path, "")]
        drawn = {
            "changed": chance.sample(changed, min(each, len(changed))),
            "unchanged": chance.sample(same, min(each, len(same))),
        }
        saved = {
            kind: [save(root, one, FORMS[place % len(FORMS)], place) for place, one in enumerate(some)]
            for kind, some in drawn.items()
        }
        check_out(mirror, "HEAD", root)
        for kind, memories in saved.items():
            marked = find_stale(root, memories)
            # An answer shows few; here each is asked for by itself.
            marked = {one.id for one in memories if find_stale(root, [one])} | marked.keys()
            by_form = [
                f"{sum(one.id in marked for one in memories[place :: len(FORMS)])} of {len(memories[place :: len(FORMS)])}"
                for place in range(len(FORMS))
            ]
            print(
                f"| {mirror.parent.name} | {kind} | {len(marked)} of {len(memories)} | {' | '.join(by_form)} |"
            )


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("mirrors", nargs="+", type=Path)
    parser.add_argument("--back", type=int, default=800)
    parser.add_argument("--each", type=int, default=100)
    options = parser.parse_args(arguments)
    print(f"| project | code | marked | {' | '.join(FORMS)} |\n|---|---|---|---|---|---|")
    for mirror in options.mirrors:
        measure(mirror, back=options.back, each=options.each)


if __name__ == "__main__":
    main(sys.argv[1:])
