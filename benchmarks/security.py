"""How well weaknesses are told from their safe twins, on suites of known cases, beside bandit and semgrep.

    python benchmarks/security.py owasp DIRECTORY CSV [--language python|java] [--part N]
    python benchmarks/security.py suite FORM DIRECTORY LANGUAGE [--half 0|1] [--most N] [--misses]
    python benchmarks/security.py noise DIRECTORY...

Suites are given by path and stay where they are: they are copied to a scratch folder and scanned there. `owasp` takes a
suite whose CSV says for each test file its category and whether it is vulnerable; `suite` takes those of benchmarks/security_suites.py
(marked, expected, gosec, twins, progpilot, brakeman, levels, listed). Of each kind: true positive rate, false positive
rate, and the difference. `--half` takes the files of one half: models are written with 0 alone, figures are told of 1.
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

from security_suites import SUFFIXES, alike, cwes_of, files, half_of, plain_name, read

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
        (flows.paths[place.file], place.line, each.kind.name, each.confidence, place is each.path[-1])
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
            row["line_range"][-1] if row.get("line_range") else row["line_number"],
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
        place = Path(row["path"]).resolve().relative_to(directory).as_posix()
        yield place, row["start"]["line"], row["end"]["line"], numbers


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
        cases = {
            Path(path).stem for path, _first, _last, cwes in found if is_of(chosen.get(Path(path).stem), cwes)
        }
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
    for path, _line, kind, confidence, _is_end in rows:
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


def suite(arguments, scratch):
    """Cases of one half of a suite; files of the other half are not even copied."""
    cases, folder = read(arguments.form, arguments.directory, arguments.language, scratch)
    wanted = [each for each in cases if arguments.half is None or half_of(each.path) == arguments.half]
    wanted = drawn(wanted, arguments.most)
    target = scratch / "suite"
    other = {each.path for each in cases} - {each.path for each in wanted}
    for path in files(folder, arguments.language):
        name = path.relative_to(folder).as_posix()
        if name not in other:
            place = target / plain_name(name)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    rows, took, _flows = scanned(target)
    known = {number: each._replace(path=plain_name(each.path)) for number, each in enumerate(wanted)}
    truth = {number: (each.kind, each.real) for number, each in known.items()}
    columns = [
        (f"drift {level}", {number for number, each in known.items() if is_told(each, rows, LEVELS[level])})
        for level in ("low", "medium", "high")
    ]
    for title, found in peers(arguments, target):
        columns.append((title, {number for number, each in known.items() if is_found(each, found)}))
    print(
        f"{arguments.form} {arguments.directory} {arguments.language}: {len(wanted)} cases, {took:.1f} CPU-s"
    )
    table([(title, rates(truth, told)) for title, told in columns])
    if arguments.misses:
        told = columns[arguments.misses - 1][1]
        for number, each in enumerate(wanted):
            if each.real != (number in told):
                print("missed" if each.real else "wrong ", each.kind, f"{each.path}:{each.line}")


def drawn(cases, most):
    """At most so many cases of each kind, real and safe alike, spread over the suite."""
    groups = defaultdict(list)
    for each in cases:
        groups[each.kind, each.real].append(each)
    return [
        each
        for group in groups.values()
        for each in (group if not most or len(group) <= most else group[:: -(-len(group) // most)])
    ]


LEVELS = {"low": {"low", "medium", "high"}, "medium": {"medium", "high"}, "high": {"high"}}


def is_told(case, rows, levels):
    """A real one at any step of the way, give or take a line; a safe one only where the way ends."""
    kinds = alike(case.kind)
    return any(
        path == case.path
        and kind in kinds
        and confidence in levels
        and (case.line is None or (abs(line - case.line) <= 1 if case.real else is_end and line == case.line))
        for path, line, kind, confidence, is_end in rows
    )


def is_found(case, found):
    numbers = cwes_of(case.kind)
    return any(
        path == case.path
        and cwes & numbers
        and (case.line is None or (first - case.real <= case.line <= last + case.real))
        for path, first, last, cwes in found
    )


def table(columns):
    """Rates of several tools beside each other: true positive rate / false positive rate by kind, and the average difference."""
    print(f"| kind | cases | {' | '.join(title for title, _ in columns)} |")
    for kind, (_tpr, _fpr, count) in columns[0][1].items():
        print(
            f"| {kind} | {count} | {' | '.join(f'{one[kind][0]:.2f} / {one[kind][1]:.2f}' for _, one in columns)} |"
        )
    means = [sum(t - f for t, f, _ in one.values()) / max(1, len(one)) for _, one in columns]
    print(
        f"| average | {sum(n for _, _, n in columns[0][1].values())} | {' | '.join(f'{each:.2f}' for each in means)} |"
    )


def noise(arguments, scratch):
    for directory in arguments.directories:
        target = scratch / Path(directory).name
        shutil.copytree(directory, target, ignore=shutil.ignore_patterns(".git", ".drift", "node_modules"))
        rows, took, flows = scanned(target)
        lines = sum(
            len(path.read_bytes().splitlines())
            for path in target.rglob("*")
            if path.is_file() and path.suffix in {suffix for each in SUFFIXES.values() for suffix in each}
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
    parser.add_argument("--rules", action="append", default=[])
    actions = parser.add_subparsers(dest="action", required=True)
    one = actions.add_parser("owasp")
    one.add_argument("directory")
    one.add_argument("csv")
    one.add_argument("--part", type=int, default=1, help="draw each nth case")
    two = actions.add_parser("suite")
    two.add_argument("form")
    two.add_argument("directory")
    two.add_argument("language")
    two.add_argument("--half", type=int, choices=(0, 1))
    two.add_argument("--most", type=int, default=0, help="cases of a kind that are drawn, real and safe each")
    two.add_argument(
        "--misses",
        action="count",
        default=0,
        help="tell what was missed or wrong; twice: with medium and high alone",
    )
    three = actions.add_parser("noise")
    three.add_argument("directories", nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        os.environ["DRIFT_HOME"] = str(scratch / "home")
        {"owasp": owasp, "suite": suite, "noise": noise}[arguments.action](arguments, scratch)


if __name__ == "__main__":
    sys.exit(main())
