"""How well weaknesses are told from their safe twins, on suites of known cases, beside bandit and semgrep.

    python benchmarks/security.py owasp DIRECTORY CSV [--language python|java] [--part N]
    python benchmarks/security.py annotated DIRECTORY LANGUAGE...
    python benchmarks/security.py noise DIRECTORY...

Suites are given by path and stay where they are: they are copied to a scratch folder and scanned there. `owasp` takes a
suite whose CSV says for each test file its category and whether it is vulnerable; `annotated` takes rule tests with
comments `ruleid:` and `ok:` above lines. Of each kind: true positive rate, false positive rate, and the difference.
With `--bandit PROGRAM` and `--semgrep PROGRAM --rules DIRECTORY` these run on the same copy.
"""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

# Categories of suites and what tools call them: our kinds, words in the CWE of others.
CATEGORIES = {
    "cmdi": ({"command"}, {78, 77, 88}),
    "sqli": ({"sql"}, {89, 564}),
    "pathtraver": ({"path"}, {22, 23, 36, 73}),
    "xss": ({"xss", "template"}, {79, 80, 116}),
    "codeinj": ({"code"}, {94, 95}),
    "deserialization": ({"deserialization"}, {502}),
    "ldapi": ({"ldap"}, {90}),
    "xpathi": ({"xpath"}, {643}),
    "xxe": ({"xxe", "xml-parser"}, {611, 776, 20}),
    "redirect": ({"redirect"}, {601}),
    "trustbound": ({"trust-boundary"}, {501}),
    "hash": ({"weak-hash"}, {328, 327, 326, 916}),
    "crypto": ({"weak-cipher"}, {327, 326}),
    "weakrand": ({"weak-random"}, {330, 338}),
    "securecookie": ({"insecure-cookie"}, {614, 1004}),
}


def scanned(directory):
    """Every finding as (path, line, kind, confidence), and the CPU seconds that following data took."""
    from drift.flow import find_flows
    from drift.index import IndexReader
    from drift.project import StateDir
    from drift.scan import scan

    scan(directory)
    state = StateDir(directory)
    with IndexReader(state.index_db) as reader, reader.snapshot():
        begun = time.process_time()
        flows = find_flows(reader, directory, state)
        took = time.process_time() - begun
    rows = [
        (flows.paths[place.file], place.line, each.kind.name, each.confidence)
        for each in flows.findings
        for place in each.path  # tests mark the source, the text put together or the sink
    ]
    return rows, took, flows


def rates(cases, flagged):
    """By category (tpr, fpr, number of cases); `cases` is {case: (category, is real)}."""
    counted = defaultdict(lambda: [0, 0, 0, 0])
    for case, (category, real) in cases.items():
        row = counted[category]
        row[1 if real else 3] += 1
        row[0 if real else 2] += case in flagged
    return {
        name: (
            hit / all_true if all_true else 0.0,
            wrong / all_false if all_false else 0.0,
            all_true + all_false,
        )
        for name, (hit, all_true, wrong, all_false) in sorted(counted.items())
    }


def show(title, table):
    print(f"\n{title}")
    print(f"{'kind':20} {'TPR':>6} {'FPR':>6} {'score':>7} {'cases':>6}")
    for name, (tpr, fpr, count) in table.items():
        print(f"{name:20} {tpr:6.2f} {fpr:6.2f} {tpr - fpr:7.2f} {count:6}")
    if table:
        print(f"{'average':20} {'':6} {'':6} {sum(t - f for t, f, _ in table.values()) / len(table):7.2f}")


def run_bandit(program, directory):
    done = subprocess.run(
        [program, "-q", "-r", str(directory), "-f", "json"], capture_output=True, text=True, check=False
    )
    for row in json.loads(done.stdout or '{"results": []}')["results"]:
        yield (
            Path(row["filename"]).resolve().relative_to(directory).as_posix(),
            row["line_number"],
            {row["issue_cwe"].get("id", 0)},
        )


def run_semgrep(program, rules, directory):
    command = [
        program,
        "scan",
        "--metrics=off",
        "--json",
        "-q",
        "--no-git-ignore",
        "--disable-version-check",
        "-j",
        "1",
    ]
    command += [part for rule in rules for part in ("--config", str(rule))]
    env = {
        **os.environ,
        "PATH": f"{Path(program).parent}:{os.environ.get('PATH', '')}",
        "SEMGREP_ENABLE_VERSION_CHECK": "0",
    }
    done = subprocess.run([*command, str(directory)], capture_output=True, text=True, check=False, env=env)
    for row in json.loads(done.stdout or '{"results": []}')["results"]:
        named = row["extra"]["metadata"].get("cwe", [])
        numbers = {
            int(found)
            for each in ([named] if isinstance(named, str) else named)
            for found in re.findall(r"CWE-(\d+)", each)
        }
        yield Path(row["path"]).resolve().relative_to(directory).as_posix(), row["start"]["line"], numbers


def owasp(arguments, scratch):
    suite = Path(arguments.directory)
    chosen = {}
    with Path(arguments.csv).open() as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    for number, row in enumerate(rows):
        if number % arguments.part == 0:
            chosen[row[0]] = (row[1].strip(), row[2].strip() == "true")
    target = scratch / "suite"
    shutil.copytree(suite, target, ignore=lambda _folder, names: unwanted(names, chosen))
    rows, took, _flows = scanned(target)
    kept = {level: flagged(rows, chosen, level) for level in ("low", "medium", "high")}
    for level, cases in kept.items():
        show(f"drift, confidence {level} and above ({took:.1f} CPU-s)", rates(chosen, cases))
    for title, found in peers(arguments, target):
        cases = {Path(path).stem for path, _line, cwes in found if is_of(chosen.get(Path(path).stem), cwes)}
        show(title, rates(chosen, cases))


def unwanted(names, chosen):
    """Cases that are not drawn, and whatever is not code."""
    return [
        name
        for name in names
        if name in {".git", ".drift", "results", "scorecard", "VMs", "tools"}
        or (
            re.fullmatch(r"BenchmarkTest\d+\.\w+", name)
            and (name.partition(".")[0] not in chosen or not name.endswith((".py", ".java")))
        )
    ]


def flagged(rows, chosen, level):
    order = ("high", "medium", "low")
    wanted = set(order[: order.index(level) + 1])
    found = set()
    for path, _line, kind, confidence in rows:
        case = Path(path).stem
        if case in chosen and confidence in wanted and kind in CATEGORIES[chosen[case][0]][0]:
            found.add(case)
    return found


def is_of(case, cwes):
    return case is not None and bool(CATEGORIES[case[0]][1] & cwes)


def peers(arguments, target):
    if arguments.bandit:
        yield "bandit", list(run_bandit(arguments.bandit, target))
    if arguments.semgrep:
        yield "semgrep", list(run_semgrep(arguments.semgrep, arguments.rules, target))


MARK = re.compile(r"(?:#|//|/\*|<!--)\s*(?:todo)?(ruleid|ok):\s*([\w.,\- ]+)", re.IGNORECASE)
SUFFIXES = {
    "python": ".py",
    "java": ".java",
    "javascript": ".js",
    "typescript": ".ts",
    "php": ".php",
    "go": ".go",
    "csharp": ".cs",
    "ruby": ".rb",
}


def annotated(arguments, scratch):
    """Lines below `ruleid:` are real, below `ok:` safe; a line of both counts for neither."""
    for language in arguments.languages:
        suite = Path(arguments.directory) / language
        target = scratch / language
        cases = {}
        for path in sorted(suite.rglob(f"*{SUFFIXES[language]}")):
            if "security" not in path.parts or path.name.endswith(f".fixed{SUFFIXES[language]}"):
                continue
            place = target / path.relative_to(suite)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
            category = category_of(path)
            name = place.relative_to(target).as_posix()
            for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
                if category and (found := MARK.search(line)):
                    cases[name, number + 1] = (category, found.group(1).lower() == "ruleid")
        if not cases:
            continue
        rows, took, _flows = scanned(target)
        for level in ("low", "medium"):
            show(
                f"{language}: drift, {level} and above ({took:.1f} CPU-s)",
                rates(cases, near(rows, cases, level)),
            )
        for title, found in peers(arguments, target):
            hits = {
                case
                for case, (category, _real) in cases.items()
                if any(
                    path == case[0] and abs(line - case[1]) <= 1 and cwes & CATEGORY_CWES[category]
                    for path, line, cwes in found
                )
            }
            show(f"{language}: {title}", rates(cases, hits))


CATEGORY_CWES = {
    "sql": {89}, "command": {78, 77}, "code": {94, 95}, "path": {22, 73, 23}, "xss": {79, 80, 116}, "template": {1336, 96},
    "ldap": {90}, "xpath": {643}, "xxe": {611, 776}, "deserialization": {502}, "redirect": {601}, "ssrf": {918},
    "weak-hash": {328, 327, 326, 916}, "weak-cipher": {327, 326}, "weak-random": {330, 338}, "key-size": {326},
    "tls-off": {295, 319}, "weak-tls": {326, 327}, "insecure-cookie": {614, 1004}, "cors": {942, 346, 183}, "debug": {489, 200, 215},
    "nosql": {943}, "log": {117, 532}, "header": {113}, "mass-assignment": {915}, "csrf-off": {352}, "permissions": {732, 276},
}  # fmt: skip


def category_of(path):
    """The kind a rule test is about, by the CWE its rule names."""
    rule = path.with_suffix(".yaml")
    if not rule.exists():
        return None
    numbers = [int(each) for each in re.findall(r"CWE-(\d+)", rule.read_text("utf-8"))]
    return next(
        (kind for number in numbers for kind, known in CATEGORY_CWES.items() if number in known), None
    )


ALIKE = {
    "xss": {"xss", "template"},
    "template": {"xss", "template"},
    "weak-cipher": {"weak-cipher", "weak-tls", "key-size", "weak-hash"},
    "weak-hash": {"weak-hash", "weak-cipher"},
    "xxe": {"xxe", "xml-parser"},
    "key-size": {"key-size", "weak-cipher", "weak-tls"},
    "weak-tls": {"weak-tls", "key-size", "weak-cipher"},
    "code": {"code", "template", "deserialization"},
    "log": {"log", "secret-exposure"},
}


def near(rows, cases, level):
    order = ("high", "medium", "low")
    wanted = set(order[: order.index(level) + 1])
    places = defaultdict(set)
    for path, line, kind, confidence in rows:
        if confidence in wanted:
            for each in (line - 1, line, line + 1):
                places[path, each].add(kind)
    return {
        case for case, (category, _real) in cases.items() if places[case] & ALIKE.get(category, {category})
    }


def noise(arguments, scratch):
    for directory in arguments.directories:
        target = scratch / Path(directory).name
        shutil.copytree(directory, target, ignore=shutil.ignore_patterns(".git", ".drift", "node_modules"))
        rows, took, flows = scanned(target)
        lines = sum(
            len(path.read_bytes().splitlines())
            for path in target.rglob("*")
            if path.is_file() and path.suffix in {*SUFFIXES.values(), ".tsx", ".jsx"}
        )
        sure = [each for each in flows.findings if each.confidence == "high"]
        print(f"{target.name}: {lines:,} lines, {took:.1f} CPU-s, {len(rows)} findings, {len(sure)} high")
        for each in sure:
            print(
                "   ",
                each.kind.name,
                f"{flows.paths[each.file]}:{each.line}",
                each.name,
                "|",
                " -> ".join(f"{step.line} {step.what}" for step in each.path),
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bandit")
    parser.add_argument("--semgrep")
    parser.add_argument("--rules", nargs="*", default=[])
    actions = parser.add_subparsers(dest="action", required=True)
    one = actions.add_parser("owasp")
    one.add_argument("directory")
    one.add_argument("csv")
    one.add_argument("--part", type=int, default=1, help="draw each nth case")
    two = actions.add_parser("annotated")
    two.add_argument("directory")
    two.add_argument("languages", nargs="+")
    three = actions.add_parser("noise")
    three.add_argument("directories", nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        os.environ["DRIFT_HOME"] = str(scratch / "home")
        {"owasp": owasp, "annotated": annotated, "noise": noise}[arguments.action](arguments, scratch)


if __name__ == "__main__":
    sys.exit(main())
