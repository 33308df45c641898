"""How far our measures agree with those of other tools, in one run over the same files.

    python benchmarks/quality.py PROJECT [--python PYTHON] [--npm FOLDER] [--satd CSV]

PROJECT is scanned first where it has no index. PYTHON is an interpreter that has `radon` and `lizard` (for Python and Go);
FOLDER has `eslint`, `eslint-plugin-sonarjs` and `@typescript-eslint/parser` in its node_modules (for TypeScript). CSV is the data
set of Maldonado and others (projectname, classification, commenttext). What is not given is left out. Prints one line for
each comparison: functions that both know, how many of them are equal, and the commonest differences.
"""

import argparse
import csv
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from drift.project import StateDir
from drift.quality.debt_words import admitted_debt
from drift.scan import ScanOptions, scan

PYTHON_TOOLS = r"""
import json, pathlib, sys
import lizard
from radon.visitors import ComplexityVisitor
root, found = pathlib.Path(sys.argv[1]), {"radon": {}, "lizard": {}}
def keep(one, path):
    found["radon"][f"{path}:{one.lineno}"] = one.complexity
    for inner in one.closures: keep(inner, path)
def keep_class(one, path):
    for method in one.methods: keep(method, path)
    for inner in one.inner_classes: keep_class(inner, path)
for file in root.rglob("*.py"):
    path = file.relative_to(root).as_posix()
    try: seen = ComplexityVisitor.from_code(file.read_text("utf-8"), no_assert=True)
    except Exception: continue  # what this Python cannot parse
    for one in seen.functions: keep(one, path)
    for one in seen.classes: keep_class(one, path)
# By name: its own walk reads every language, and ends with an error in some files of TypeScript.
named = [str(file) for ending in ("*.py", "*.go") for file in root.rglob(ending)]
for file in lizard.analyze_files(named, exts=lizard.get_extensions([])):
    path = pathlib.Path(file.filename).relative_to(root).as_posix()
    found["lizard"].update({f"{path}:{one.start_line}": one.cyclomatic_complexity for one in file.function_list})
print(json.dumps(found))
"""
NODE_TOOLS = r"""
import { Linter } from "eslint"; import fs from "fs"; import path from "path"; import { execFileSync } from "child_process";
import sonarjs from "eslint-plugin-sonarjs"; import parser from "@typescript-eslint/parser";
const root = process.argv[2];
const rules = { complexity: ["error", 0], "sonarjs/cognitive-complexity": ["error", 0] };
const config = [{ files: ["**/*.ts"], languageOptions: { parser }, linterOptions: { noInlineConfig: true }, plugins: { sonarjs }, rules }];
const linter = new Linter({ configType: "flat" }), found = {};
for (const file of execFileSync("git", ["-C", root, "ls-files", "*.ts"], { encoding: "utf8" }).split("\n")) {
  if (!file || file.endsWith(".d.ts")) continue;
  const text = fs.readFileSync(path.join(root, file), "utf8");
  found[file] = linter.verify(text, config, { filename: "x/" + path.basename(file) }).map((m) => [m.ruleId, m.line, m.message]);
}
console.log(JSON.stringify(found));
"""


def measured(root: Path) -> dict[str, list[tuple[int, int, int]]]:
    """Cyclomatic, cognitive and last line of our functions, by file and line."""
    found = defaultdict(list)
    with sqlite3.connect(StateDir(root).index_db) as index:
        rows = index.execute(
            "SELECT path, line, cyclomatic, cognitive, end_line FROM symbols JOIN files ON files.id = file_id"
            " WHERE cyclomatic IS NOT NULL AND kind <> 'module'"
        )
        for path, line, *measures in rows:
            found[f"{path}:{line}"].append(tuple(measures))
    return found


def compare(name: str, ours: dict[str, int], theirs: dict[str, int]) -> None:
    both = [place for place in theirs if place in ours]
    if not both:
        return
    differences = Counter(ours[place] - theirs[place] for place in both)
    equal = differences.pop(0, 0)
    told = ", ".join(f"{step:+} {count:,}x" for step, count in differences.most_common(4))
    print(
        f"{name}: {equal:,} of {len(both):,} functions equal, {100 * equal / len(both):.2f} %; ours differ by {told or 'nothing'}"
    )
    for place in [each for each in both if ours[each] != theirs[each]][:3]:
        print(f"    {place}: {ours[place]} here, {theirs[place]} there")


def compare_python(root: Path, python: str, ours: dict[str, int]) -> None:
    run = subprocess.run([python, "-c", PYTHON_TOOLS, str(root)], check=True, capture_output=True, text=True)
    for name, theirs in json.loads(run.stdout).items():
        compare(f"cyclomatic, {name}", ours, theirs)


def compare_typescript(root: Path, npm: Path, found: dict[str, list[tuple[int, int, int]]]) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".mjs", dir=npm) as script:
        script.write(NODE_TOOLS)
        script.flush()
        run = subprocess.run(["node", script.name, str(root)], check=True, capture_output=True, text=True)
    eslint, sonar, lines = defaultdict(list), {}, defaultdict(list)
    for path, messages in json.loads(run.stdout).items():
        for rule, line, message in messages:
            if rule == "complexity":
                eslint[f"{path}:{line}"].append(int(re.search(r"complexity of (\d+)", message)[1]))
                lines[path].append(line)
            elif rule:
                sonar[f"{path}:{line}"] = int(re.search(r"from (\d+)", message)[1])
    alone = {place for place, values in eslint.items() if len(values) == 1 == len(found.get(place, ()))}
    compare("cyclomatic, eslint", {p: found[p][0][0] for p in alone}, {p: eslint[p][0] for p in alone})
    # For functions with others inside or around them, the two rules mean different things.
    plain = {p for p in alone if is_plain(p, found, lines)}
    compare("cognitive, sonarjs", {p: found[p][0][1] for p in plain}, {p: sonar.get(p, 0) for p in plain})


def is_plain(place: str, found: dict[str, list[tuple[int, int, int]]], lines: dict[str, list[int]]) -> bool:
    path, _, text = place.rpartition(":")
    first, last = int(text), found[place][0][2]
    around = (
        line
        for line in lines[path]
        for one in found.get(f"{path}:{line}", ())
        if line < first and one[2] >= last
    )
    return not any(first < line <= last for line in lines[path]) and not any(around)


def compare_satd(path: Path) -> None:
    csv.field_size_limit(10**9)
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        rows = list(csv.reader(file))[1:]
    projects = sorted({row[0] for row in rows})
    keywords = re.compile(r"\b(?:todo|fixme|hack|xxx)\b", re.IGNORECASE)
    for name, wanted in (
        ("words chosen on", set(projects[::2])),
        ("held out", set(projects[1::2])),
        ("all", set(projects)),
    ):
        part = [row for row in rows if row[0] in wanted]
        truth = [row[1] != "WITHOUT_CLASSIFICATION" for row in part]
        plain = scores([keywords.search(row[2]) is not None for row in part], truth)
        ours = scores([admitted_debt(row[2]) is not None for row in part], truth)
        print(f"debt comments, {name}: F1 {ours[2]:.3f} (p {ours[0]:.3f}, r {ours[1]:.3f}); plain keywords {plain[2]:.3f} (p {plain[0]:.3f}, r {plain[1]:.3f})")  # fmt: skip


def scores(found: list[bool], truth: list[bool]) -> tuple[float, float, float]:
    right = sum(one and other for one, other in zip(found, truth, strict=True))
    return right / max(1, sum(found)), right / max(1, sum(truth)), 2 * right / max(1, sum(found) + sum(truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("project", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--npm", type=Path)
    parser.add_argument("--satd", type=Path)
    given = parser.parse_args()
    root = given.project.resolve()
    if not StateDir(root).index_db.exists():
        scan(root, ScanOptions())
    found = measured(root)
    compare_python(root, given.python, {place: one[0][0] for place, one in found.items() if len(one) == 1})
    if given.npm:
        compare_typescript(root, given.npm.resolve(), found)
    if given.satd:
        compare_satd(given.satd)


if __name__ == "__main__":
    main()
