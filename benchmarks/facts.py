"""The facts of one language in a project beside those of the tools people trust, with every kind of difference.

    python benchmarks/facts.py PROJECT --language go [--under src] [--show 20] [--lizard PATH] [--radon PATH]

Needs universal-ctags and cloc (Debian: universal-ctags cloc), lizard (PyPI), and for Python radon (PyPI); what is not
found is left out and said so. PROJECT is only read, and need not be scanned: files go straight to the extractor.

Prints, for functions and for types, how many names both have at the same line, how many only one of them has, and how
many both have but at another line or as another kind; then in how many of the functions that both know the
cyclomatic complexity, the parameters, the last line and the lines of code differ; then lines of code, comment and
blank lines. `--show` lists that many of each difference. No tool is the truth: a difference is a place to read.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from drift.languages.facts import FileFacts, Symbol
from drift.languages.table import LANGUAGES
from drift.scan.extractors import extractor_of

SKIPPED = {"node_modules", "vendor", "third_party", "dist", "build", ".git"}
FUNCTION_KINDS = {"function", "method", "constructor"}
TYPE_KINDS = {"class", "interface", "trait", "struct", "enum"}
CTAGS_FUNCTIONS = {
    "function",
    "method",
    "member",
    "func",
    "generator",
    "prototype",
    "methodSpec",
    "getter",
    "setter",
}
CTAGS_TYPES = {"class", "interface", "struct", "enum", "trait", "union"}
CTAGS_LANGUAGES = {
    "cpp": "C,C++", "csharp": "C#", "go": "Go", "java": "Java", "javascript": "JavaScript", "php": "PHP",
    "python": "Python", "rust": "Rust", "typescript": "TypeScript",
}  # fmt: skip

MACRO = re.compile(r"[A-Z][A-Z0-9_]+")


class ToolError(Exception):
    """A tool gave nothing that can be compared."""


class Named(NamedTuple):
    """A function or a type as a tool sees it."""

    path: str
    name: str
    line: int
    kind: str
    family: str


class Measured(NamedTuple):
    """What a tool counts in a function."""

    cyclomatic: int
    parameters: int | None
    end_line: int
    code_lines: int | None


def files_of(root: Path, language: str) -> list[str]:
    extensions = next(each.extensions for each in LANGUAGES if each.name == language)
    found = []
    for directory, below, names in os.walk(root):
        below[:] = sorted(name for name in below if name not in SKIPPED)
        found.extend(
            str(Path(directory, name))
            for name in sorted(names)
            if name.endswith(extensions) and not name.endswith((".min.js", ".d.ts"))
        )
    return found


def run(command: Sequence[str], paths: Iterable[str], directory: str = ".") -> str:
    done = subprocess.run(
        command,
        check=False,
        input="\n".join(paths),
        capture_output=True,
        text=True,
        errors="replace",
        cwd=directory,
    )
    # lizard ends with 1 where a function is too complex for its taste, and ctags where a file cannot be read.
    if done.returncode and (not done.stdout or "Traceback" in done.stderr):
        raise ToolError(f"{command[0]} failed: {done.stderr.strip()[-400:]}")
    return done.stdout


def tagged(paths: list[str], language: str) -> list[Named]:
    """What universal-ctags finds, without the names that it makes up for what has none."""
    command = [
        "ctags", "--output-format=json", "--fields=+neK", f"--languages={CTAGS_LANGUAGES[language]}",
        "--kinds-C=+p", "--kinds-C++=+p", "--sort=no", "-f", "-", "-L", "-",
    ]  # fmt: skip
    if language == "cpp" and any(path.endswith((".cc", ".cpp", ".hpp")) for path in paths):
        command.append("--langmap=C++:+.h")  # a header is of C to ctags, whatever is in it
    found = []
    for line in run(command, paths).splitlines():
        tag = json.loads(line)
        kind, name = tag.get("kind", ""), tag.get("name", "")
        family = "function" if kind in CTAGS_FUNCTIONS else "type" if kind in CTAGS_TYPES else ""
        if kind == "member" and language != "python":  # a field, where it is no method
            continue
        if language == "cpp" and MACRO.fullmatch(name):  # `TEST(Suite, name) {` defines no TEST
            continue
        if family and not name.startswith(("__anon", "anonymous", "AnonymousFunction", "AnonymousClass")):
            found.append(Named(tag["path"], short(name), tag["line"], kind, family))
    return found


def short(name: str) -> str:
    """A name without what a tool writes around it: a scope, white space, an operator's spaces."""
    name = name.replace(" ", "")
    if name.startswith("operator") or "::operator" in name:
        return "operator" + name.partition("operator")[2]
    return name.rpartition("::")[2].rpartition(".")[2] or name


def ours(facts: dict[str, FileFacts]) -> list[Named]:
    return [
        Named(
            path,
            short(symbol.name),
            symbol.line,
            symbol.kind,
            "function" if symbol.kind in FUNCTION_KINDS else "type",
        )
        for path, file in facts.items()
        for symbol in file.symbols
        if symbol.kind in FUNCTION_KINDS | TYPE_KINDS and symbol.name and symbol.name[0] not in "<("
    ]


def compare_names(
    mine: list[Named], theirs: list[Named], everything: dict[str, FileFacts], show: int
) -> None:
    here = {(each.path, each.name, each.line): each for each in mine}
    there = {(each.path, each.name, each.line): each for each in theirs}
    any_kind = {
        (path, short(symbol.name), symbol.line): symbol.kind
        for path, file in everything.items()
        for symbol in file.symbols
    }
    lines = defaultdict(list)
    for each in mine:
        lines[each.path, each.name].append(each.line)
    for family in ("function", "type"):
        both = [key for key, each in here.items() if each.family == family and key in there]
        kinds = Counter((here[key].kind, there[key].kind) for key in both)
        lacking = [each for key, each in there.items() if each.family == family and key not in here]
        extra = [each for key, each in here.items() if each.family == family and key not in there]
        as_other = [each for each in lacking if each[:3] in any_kind]
        elsewhere = [each for each in lacking if each[:3] not in any_kind and lines.get(each[:2])]
        known = {*as_other, *elsewhere}
        unknown = [each for each in lacking if each not in known]
        print(
            f"{family}s: both {len(both)}, ctags only {len(unknown)}, only ours {len(extra)},"
            f" at another line {len(elsewhere)}, as another kind {len(as_other)}"
        )
        print("   kinds, ours/theirs:", ", ".join(f"{a}/{b} {n}" for (a, b), n in kinds.most_common()))
        report("ctags only", unknown, show)
        report("at another line", [(each, lines[each[:2]][:4]) for each in elsewhere], show)
        report("as another kind", [(each, any_kind[each[:3]]) for each in as_other], show)
        report("only ours", extra, show)


def report(title: str, differences: Sequence[object], show: int) -> None:
    """A sample spread over all of them, so that one file does not fill it."""
    if show and differences:
        step = max(1, len(differences) // show)
        print(f"   {title}:")
        for each in list(differences)[::step][:show]:
            print("     ", plain(each))


def plain(value: object) -> str:
    if isinstance(value, Named):
        return f"{value.path}:{value.line} {value.kind} {value.name}"
    return " ".join(plain(part) for part in value) if isinstance(value, tuple) else str(value)


def measured_here(facts: dict[str, FileFacts]) -> dict[tuple[str, str, int], Measured]:
    return {
        (path, short(symbol.name), symbol.line): Measured(
            symbol.complexity.cyclomatic,
            count_parameters(symbol, file.language),
            symbol.end_line,
            symbol.complexity.code_lines,
        )
        for path, file in facts.items()
        for symbol in file.symbols
        if symbol.complexity is not None
    }


def count_parameters(symbol: Symbol, language: str) -> int:
    """As lizard counts them: `self` is one where it is written among the others."""
    is_written_among = language in {"python", "rust"}
    return sum(is_written_among or parameter.kind != "receiver" for parameter in symbol.parameters)


def measured_by_lizard(lizard: str, paths: list[str], scratch: str) -> dict[tuple[str, str, int], Measured]:
    """What lizard counts. One file that it fails at fails its whole run, so it is asked for ever fewer of them."""
    Path(scratch).write_text("\n".join(paths))
    try:
        rows = list(csv.reader(run([lizard, "--csv", "-f", scratch], ()).splitlines()))
    except ToolError:
        if len(paths) == 1:
            print(f"lizard: fails at {paths[0]}")
            return {}
        middle = len(paths) // 2
        return {
            **measured_by_lizard(lizard, paths[:middle], scratch),
            **measured_by_lizard(lizard, paths[middle:], scratch),
        }
    found = {}
    for row in rows:
        code_lines, cyclomatic, _tokens, parameters, _length, _where, path, name, _long, line, end_line = row[
            :11
        ]
        found[path, short(name), int(line)] = Measured(
            int(cyclomatic), int(parameters), int(end_line), int(code_lines)
        )
    return found


def measured_by_radon(radon: str, paths: list[str]) -> dict[tuple[str, str, int], Measured]:
    found = {}
    pending = []
    full = {str(Path(path).resolve()): path for path in paths}
    every = list(full)
    for start in range(0, len(every), 500):
        # Away from the project: radon reads the settings it finds there, and fails on those of others.
        answer = json.loads(run([radon, "cc", "-j", "--no-assert", *every[start : start + 500]], (), "/"))
        pending += [
            (full[path], block)
            for path, blocks in answer.items()
            if isinstance(blocks, list)
            for block in blocks
        ]
    while pending:
        path, block = pending.pop()
        pending += [(path, inner) for inner in (*block.get("closures", ()), *block.get("methods", ()))]
        if block["type"] != "class":
            found[path, block["name"], block["lineno"]] = Measured(
                block["complexity"], None, block["endline"], None
            )
    return found


def compare_measures(
    tool: str,
    mine: dict[tuple[str, str, int], Measured],
    theirs: dict[tuple[str, str, int], Measured],
    show: int,
) -> None:
    both = [key for key in mine if key in theirs]
    print(f"{tool}: {len(both)} functions that both know, of our {len(mine)} and its {len(theirs)}")
    for field in Measured._fields:
        pairs = [(key, getattr(mine[key], field), getattr(theirs[key], field)) for key in both]
        differing = [(key, a, b) for key, a, b in pairs if b is not None and a != b]
        more = sum(a > b for _, a, b in differing)
        print(f"   {field}: {len(differing)} differ (ours more {more}, less {len(differing) - more})")
        report(f"{field}, ours and theirs", [(f"{k[0]}:{k[2]} {k[1]}", a, b) for k, a, b in differing], show)


def compare_lines(facts: dict[str, FileFacts], paths: list[str], scratch: str, show: int) -> None:
    Path(scratch).write_text("\n".join(paths))
    rows = csv.reader(
        run(
            ["cloc", "--by-file", "--csv", "--quiet", "--skip-uniqueness", f"--list-file={scratch}"], ()
        ).splitlines()
    )
    counted = {
        row[1]: (int(row[4]), int(row[3]), int(row[2])) for row in rows if len(row) >= 5 and row[1] in facts
    }
    mine = {
        path: (facts[path].code_lines, facts[path].comment_lines, facts[path].blank_lines) for path in counted
    }
    for place, title in enumerate(("code", "comment", "blank")):
        print(
            f"{title} lines: ours {sum(each[place] for each in mine.values())},"
            f" cloc {sum(each[place] for each in counted.values())}"
        )
    differing = [(path, mine[path], counted[path]) for path in counted if mine[path] != counted[path]]
    print(f"   files that differ: {len(differing)} of {len(counted)}")
    report("ours and cloc's (code, comment, blank)", differing, show)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("--language", required=True, choices=sorted(CTAGS_LANGUAGES))
    parser.add_argument("--under", default="", help="a folder of the project to look at, instead of all")
    parser.add_argument("--show", type=int, default=0, help="how many of each difference to list")
    parser.add_argument("--lizard", default="lizard")
    parser.add_argument("--radon", default="radon")
    parser.add_argument(
        "--scratch", default="/tmp/drift-facts.txt", help="a file that lists of files may go to"
    )
    asked = parser.parse_args()
    os.chdir(asked.project)
    paths = files_of(Path(asked.under), asked.language)
    extract = extractor_of(asked.language)
    facts = {path: extract(Path(path).read_bytes(), path) for path in paths}
    broken = sum(1 for file in facts.values() if file.problems)
    print(f"{asked.project.name}: {len(paths)} files of {asked.language}, {broken} with syntax problems")
    compare_names(ours(facts), tagged(paths, asked.language), facts, asked.show)
    mine = measured_here(facts)
    if shutil.which(asked.lizard):
        compare_measures("lizard", mine, measured_by_lizard(asked.lizard, paths, asked.scratch), asked.show)
    else:
        print("lizard: not found")
    if asked.language == "python" and shutil.which(asked.radon):
        compare_measures("radon", mine, measured_by_radon(asked.radon, paths), asked.show)
    if shutil.which("cloc"):
        compare_lines(facts, paths, asked.scratch, asked.show)
    else:
        print("cloc: not found")


if __name__ == "__main__":
    main()
