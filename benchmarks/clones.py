"""How many clones that were put into repositories are found, beside jscpd in the same run.

    python benchmarks/clones.py REPOSITORY... [--clones 60] [--jscpd PATH] [--show N] [--seed 1]

Functions of each repository are copied into files of their own: word for word, with every local name and number
changed throughout, and with one to three lines put in, left out or changed. A clone is found where a tool reports two
places of which one holds half of the copy and the other lies in half of the original. jscpd runs twice: as it comes,
and with all it has for renamed and gapped clones (--ignore-identifiers --ignore-literals --max-gap-lines 3), with the
same least size (5 lines, 50 tokens). `--show` prints what is reported of the untouched code, to be judged by reading.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from drift.analyses.usages.keywords import keywords_of
from drift.index import IndexReader
from drift.index.file_queries import FileFilter
from drift.project import StateDir
from drift.quality.duplicates import find_duplicates
from drift.quality.scope import choose_scope
from drift.scan import ScanOptions, scan

FOLDER = "injected"
WORD = re.compile(r"(?<![\w.\"'$@>:])[a-z_][a-zA-Z_0-9]*(?![\w\"'])")
LOCAL = re.compile(r"(?<![\w.\"'$@>:])[a-z_][a-zA-Z_0-9]*(?=\s*(?:[=,;)]|in\b|\+=))")
NUMBER = re.compile(r"(?<![\w.\"'])\d+(?![\w.\"'])")
FULL = ("--ignore-identifiers", "--ignore-literals", "--max-gap-lines", "3")
LEAST_LINES, MOST_LINES, LEAST_TOKENS = 9, 40, 80


class Place(NamedTuple):
    file: str
    first: int
    last: int


class Injected(NamedTuple):
    kind: str
    original: Place
    copy: Place


def functions(reader: IndexReader, root: Path) -> Iterator[tuple[Place, list[str], str]]:
    for file in reader.files.page(FileFilter(role="source"), limit=-1):
        lines = (root / file.path).read_text("utf-8", "replace").splitlines()
        sizes = {one.symbol_id: one for one in reader.symbols.complexities(file.id)}
        for one in reader.symbols.of_file(file.id):
            size = sizes.get(one.id)
            length = one.end_line - one.line + 1
            if (
                size is None
                or one.kind not in {"function", "method"}
                or not LEAST_LINES <= length <= MOST_LINES
            ):
                continue
            if size.operators + size.operands >= LEAST_TOKENS and size.code_lines >= LEAST_LINES:
                yield (
                    Place(file.path, one.line, one.end_line),
                    lines[one.line - 1 : one.end_line],
                    file.language or "",
                )


def renamed(lines: list[str], language: str) -> list[str]:
    """Every local name, as far as a pattern tells, and every number changed throughout; names after a dot stay."""
    keywords = keywords_of(language) | {
        "self",
        "cls",
        "this",
        "super",
        "string",
        "number",
        "boolean",
        "int",
        "long",
    }
    local = {name for line in lines for name in LOCAL.findall(line)} - keywords

    def name(found: re.Match[str]) -> str:
        return f"{found[0]}_other" if found[0] in local else found[0]

    return [NUMBER.sub(lambda one: str(int(one[0]) + 7), WORD.sub(name, line)) for line in lines]


def simple_lines(lines: list[str], language: str) -> list[int]:
    """Lines in the body that are whole statements."""
    ends = (";",) if language in {"java", "csharp", "cpp", "php"} else (")", ";")
    return [
        at
        for at in range(2, len(lines) - 2)
        if lines[at].strip().endswith(ends)
        and lines[at].count("(") == lines[at].count(")")
        and not lines[at].strip().startswith((")", "}", "]", ".", "return", "@", "if", "for"))
        and (language != "python" or not lines[at - 1].rstrip().endswith((",", "(", "\\", "[", "{")))
    ]


def gapped(lines: list[str], language: str, chance: random.Random) -> list[str] | None:
    """One to three lines put in, left out or changed."""
    places = simple_lines(lines, language)
    count = min(chance.randint(1, 3), len(places))
    if not count:
        return None
    changed = dict(enumerate(lines))
    end = ";" if any(line.rstrip().endswith(";") for line in lines) else ""
    for number, at in enumerate(chance.sample(places, count)):
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        new = f'{indent}audit.record(step_{number}, "{chance.random()}", [{number}, {number}]){end}'
        way = chance.choice(("put in", "left out", "changed"))
        changed[at] = {"put in": f"{lines[at]}\n{new}", "left out": "", "changed": new}[way]
    return [line for at in sorted(changed) for line in changed[at].split("\n") if line or not lines[at]]


def inject(root: Path, chosen: list[tuple[Place, list[str], str]], chance: random.Random) -> list[Injected]:
    folder = root / FOLDER
    folder.mkdir()
    found = []
    kinds = ("exact", "renamed", "gapped")
    for number, (place, lines, language) in enumerate(chosen):
        kind = kinds[number % 3]
        made: list[str] | None = lines
        if kind == "renamed":
            made = renamed(lines, language)
        elif kind == "gapped":
            made = gapped(lines, language, chance)
        if made is None:
            continue
        extension = Path(place.file).suffix
        before = [f"class Holder{number} {{"] if language in {"java", "csharp"} else []
        after = ["}"] if before else []
        name = f"{FOLDER}/{kind}_{number}{extension}"
        (root / name).write_text("\n".join([*before, *made, *after]) + "\n")
        found.append(Injected(kind, place, Place(name, 1 + len(before), len(before) + len(made))))
    return found


def ours(root: Path) -> tuple[list[list[Place]], float]:
    with IndexReader(StateDir(root).index_db) as reader:
        began = time.process_time()
        found = find_duplicates(reader, root, choose_scope(reader))
        took = time.process_time() - began
        clusters = []
        for cluster in found.clusters:
            places = [
                (found.corpus.file_of(one.first).path, *found.corpus.lines(one)) for one in cluster.fragments
            ]
            clusters.append([Place(*one) for one in places])
        return clusters, took


def jscpd(program: str, root: Path, extra: tuple[str, ...]) -> list[list[Place]]:
    with tempfile.TemporaryDirectory() as out:
        options = ("-l", "5", "-k", "50", "--reporters", "json", "--output", out, "--silent", *extra)
        subprocess.run((program, *options, "."), cwd=root, check=False, capture_output=True)
        report = json.loads((Path(out) / "jscpd-report.json").read_text())
    clusters = []
    for one in report["duplicates"]:
        sides = one["firstFile"], one["secondFile"]
        clusters.append(
            [Place(side["name"].removeprefix("./"), side["start"], side["end"]) for side in sides]
        )
    return clusters


def overlap(one: Place, other: Place) -> float:
    """How much of the first place lies in the second."""
    if one.file != other.file:
        return 0.0
    return max(0, min(one.last, other.last) - max(one.first, other.first) + 1) / (one.last - one.first + 1)


def is_found(one: Injected, clusters: list[list[Place]]) -> bool:
    # Parts of one clone that are reported apart count together.
    copied = {line for c in clusters if any(overlap(p, one.original) > 0 or overlap(one.original, p) > 0 for p in c)
              for p in c if p.file == one.copy.file for line in range(p.first, p.last + 1)}  # fmt: skip
    wanted = set(range(one.copy.first, one.copy.last + 1))
    return len(copied & wanted) >= len(wanted) / 2


def show(root: Path, name: str, clusters: list[list[Place]], count: int, chance: random.Random) -> None:
    # jscpd names code inside of documents as `guide.md:python`, which is no file.
    outside = [
        c for c in clusters if all(not p.file.startswith(FOLDER) and (root / p.file).is_file() for p in c)
    ]
    for cluster in chance.sample(outside, min(count, len(outside))):
        print(f"\n=== {name}")
        for place in cluster[:2]:
            lines = (root / place.file).read_text("utf-8", "replace").splitlines()
            print(f"--- {place.file}:{place.first}-{place.last}")
            print("\n".join(lines[place.first - 1 : place.last][:25]))


def run(repository: Path, arguments: argparse.Namespace) -> dict[str, Counter[str]]:
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / repository.name
        shutil.copytree(
            repository, root, ignore=shutil.ignore_patterns(".git", ".drift", "node_modules"), symlinks=True
        )
        scan(root, ScanOptions(jobs=0))
        with IndexReader(StateDir(root).index_db) as reader:
            every = list(functions(reader, root))
        injected = inject(root, chance.sample(every, min(arguments.clones, len(every))), chance)
        scan(root, ScanOptions(jobs=0))
        clusters, took = ours(root)
        reports = {"drift": clusters}
        if arguments.jscpd:
            reports |= {
                "jscpd": jscpd(arguments.jscpd, root, ()),
                "jscpd, all on": jscpd(arguments.jscpd, root, FULL),
            }
        totals = Counter(one.kind for one in injected)
        print(f"{repository.name}: {dict(totals)}, drift {took:.1f} CPU-s")
        counted = {"all": totals}
        for name, found in reports.items():
            counted[name] = Counter(one.kind for one in injected if is_found(one, found))
            shares = ", ".join(f"{kind} {counted[name][kind] / totals[kind]:.2f}" for kind in totals)
            print(f"  {name:14} {shares}; {len(found):,} reported")
            missed = [f"{one.copy.file} of {one.original}" for one in injected if not is_found(one, found)]
            if name == "drift":
                print(*(f"    missed {one}" for one in missed), sep="\n")
            if arguments.show:
                show(root, name, found, arguments.show, chance)
        return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--clones", type=int, default=60)
    parser.add_argument("--jscpd")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sums: dict[str, Counter[str]] = {}
    for repository in arguments.repositories:
        for name, counts in run(repository, arguments).items():
            sums.setdefault(name, Counter()).update(counts)
    for name, counts in sums.items():
        print(
            f"{name:14}", {kind: round(counts[kind] / sums["all"][kind], 3) for kind in sorted(sums["all"])}
        )


if __name__ == "__main__":
    main()
