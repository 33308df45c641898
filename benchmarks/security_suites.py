"""Readers of suites of known weaknesses, for benchmarks/security.py.

Each reader takes the folder of a suite and a language and yields `Case`s: where something is, of which kind, and whether it
is real. Nothing of a suite is executed. What marks a case is what the suite itself says: comments, lists of expected
alerts, names of folders.
"""

import ast
import re
import zlib
from pathlib import Path
from typing import NamedTuple

SUFFIXES = {
    "python": (".py",),
    "java": (".java",),
    "javascript": (".js", ".ts", ".jsx", ".tsx", ".mjs", ".cjs"),
    "php": (".php",),
    "go": (".go",),
    "csharp": (".cs",),
    "ruby": (".rb", ".erb"),
}

# What others call a kind, as numbers of the CWE.
KIND_CWES = {
    "sql": {89, 564}, "command": {78, 77, 88}, "code": {94, 95}, "path": {22, 73, 23, 36}, "xss": {79, 80}, "template": {1336, 96},
    "ldap": {90}, "xpath": {643, 91}, "xxe": {611, 776}, "deserialization": {502}, "redirect": {601}, "ssrf": {918},
    "weak-hash": {328, 916}, "weak-cipher": {327}, "weak-random": {330, 338}, "key-size": {326},
    "tls-off": {295, 297, 322}, "insecure-cookie": {614, 1004}, "cors": {942}, "debug": {489, 215},
    "nosql": {943}, "log": {117}, "secret-exposure": {532, 312}, "header": {113}, "mass-assignment": {915}, "csrf-off": {352},
    "permissions": {732, 276}, "trust-boundary": {501},
}  # fmt: skip

# Kinds that suites and tools do not tell apart.
ALIKE = (
    {"xss", "template"},
    {"weak-cipher", "weak-tls", "key-size", "weak-hash"},
    {"xxe", "xml-parser"},
    {"code", "template", "deserialization"},
    {"log", "secret-exposure"},
    {"sql", "nosql"},
    {"path", "code"},  # a file that is included
    {"header", "redirect"},  # a header that redirects
)


def alike(kind):
    """The kinds that a finding of a kind may have."""
    return {kind}.union(*(each for each in ALIKE if kind in each))


def kind_of(cwes):
    """The first kind that one of these numbers names."""
    return next((kind for number in cwes for kind, known in KIND_CWES.items() if number in known), None)


def cwes_of(kind):
    """The numbers a tool may give a finding of a kind."""
    return set().union(*(KIND_CWES.get(each, set()) for each in alike(kind)))


class Case(NamedTuple):
    """A place that is weak or that only looks so."""

    path: str  # in the suite
    line: int | None  # none: the file is one case
    kind: str
    real: bool


def half_of(path):
    """In which half a file of a suite is: 0 is read by who writes models, 1 is not."""
    return zlib.crc32(path.encode()) % 2


def plain_name(path):
    """The name a file gets in the copy: one that does not say test, for tests are not looked at."""
    return re.sub(r"(?i)tests?|specs?|examples?|fixtures?|samples?", "case", path)


def files(folder, language):
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in SUFFIXES[language] and path.is_file() and "node_modules" not in path.parts
    )


def lines_of(path):
    return path.read_text("utf-8", "replace").splitlines()


MARK = re.compile(r"(?:#|//|/\*|<!--|\{/\*)\s*(ruleid|ok):\s*([\w.,\- ]+)", re.IGNORECASE)


def marked(suite, language):
    """Rule tests of semgrep's form: lines below `ruleid:` are real, those below `ok:` safe."""
    kinds = rule_kinds(suite)
    for path in files(suite, language):
        if path.stem.endswith(".fixed"):
            continue
        name = path.relative_to(suite).as_posix()
        for number, line in enumerate(lines_of(path), 1):
            found = MARK.search(line)
            rules = re.split(r"[,\s]+", found.group(2).strip()) if found else ()
            kind = next((kinds[each] for each in rules if kinds.get(each)), None)
            if found and kind:
                yield Case(name, number + 1, kind, found.group(1).lower() == "ruleid")


def rule_kinds(suite):
    """Kinds of rules by their ids, after the CWE that each names."""
    found = {}
    for path in sorted(suite.rglob("*.y*ml")):
        for block in re.split(r"^\s*- id:", path.read_text("utf-8", "replace"), flags=re.MULTILINE)[1:]:
            identity = block.split("\n", 1)[0].strip().strip("\"'")
            found[identity] = kind_of(map(int, re.findall(r"CWE-0*(\d+)", block, re.IGNORECASE)))
    return found


# Queries that ask for none of Drift's kinds, whatever CWE their folder has.
_OTHER_QUERIES = ("UselessUseOfCat", "PrototypePollut", "BadRandomness", "MissingJWT")
ALERT = re.compile(r"^\| ([^|:]+):(\d+):\d+:\d+:\d+ \|")
SAFE = re.compile(r"(?://|#|/\*|<%#)[\s\-]*(?:OK|GOOD|SAFE)\b")


def expected(suite, language):
    """Tests of CodeQL's queries: alerts stand in `.expected`, safe lines have `OK` or `GOOD` as comment.

    Folders are named after the CWE.
    """
    for path, (kind, told) in sorted(expected_alerts(suite, language).items()):
        if path.suffix not in SUFFIXES[language]:
            continue
        name = path.relative_to(suite).as_posix()
        yield from (Case(name, number, found, real=True) for number, found in told.items())
        for number in safe_lines(lines_of(path)):
            if number not in told:
                yield Case(name, number, kind, real=False)


def expected_alerts(suite, language):
    """By file the kind its folder is about, and alerts by line."""
    alerts = {}
    for path in sorted(suite.rglob("*.expected")):
        kind = kind_of([int(each) for each in re.findall(r"CWE-(\d+)", path.as_posix(), re.IGNORECASE)])
        if kind is None or path.stem.startswith(_OTHER_QUERIES):
            continue
        for each in files(path.parent, language):
            alerts.setdefault(each, (kind, {}))
        rows = path.read_text("utf-8", "replace").split("#select")[-1]
        for line in re.split(r"^(?:edges|nodes|subpaths|models)$", rows, maxsplit=1, flags=re.MULTILINE)[
            0
        ].splitlines():
            if (found := ALERT.match(line)) and (path.parent / found.group(1)).is_file():
                alerts.setdefault(path.parent / found.group(1), (kind, {}))[1][int(found.group(2))] = kind
    return alerts


def safe_lines(lines):
    """Lines that a comment calls safe: behind the code, or above it."""
    is_comment = re.compile(r"\s*(//|#|/\*|<%#)")
    for number, line in enumerate(lines, 1):
        if not SAFE.search(line):
            continue
        if not is_comment.match(line):
            yield number
        elif number < len(lines) and lines[number].strip() and not is_comment.match(lines[number]):
            yield number + 1


GOSEC = {
    "107": "ssrf", "111": "path", "106": "tls-off", "124": "insecure-cookie", "201": "sql", "202": "sql", "203": "xss", "204": "command",
    "301": "permissions", "302": "permissions", "306": "permissions", "304": "path", "305": "path", "401": "weak-hash",
    "402": "tls-off", "403": "key-size", "404": "weak-random", "405": "weak-cipher", "406": "weak-hash",
    "501": "weak-hash", "502": "weak-cipher", "503": "weak-cipher", "505": "weak-hash", "506": "weak-hash", "507": "weak-hash",
    "701": "sql", "702": "command", "703": "path", "704": "ssrf", "705": "xss", "706": "log", "708": "template", "709": "deserialization",
    "710": "redirect",
}  # fmt: skip
SAMPLE = re.compile(r"\{\[\]string\{\s*((?:`[^`]*`\s*,?\s*)+)\},\s*(\d+),")


def gosec(suite, scratch):
    """Samples of gosec's tests, written into a folder: each with how many findings it must have."""
    for path in sorted((suite / "testutils").glob("g[0-9]*_samples.go")):
        kind = GOSEC.get(path.stem[1:4])
        for number, found in enumerate(SAMPLE.finditer(path.read_text("utf-8")) if kind else ()):
            name = f"{path.stem[:4]}_{number}/main.go"
            parts = re.findall(r"`([^`]*)`", found.group(1))
            for place, text in enumerate(parts):
                file = scratch / f"{path.stem[:4]}_{number}" / ("main.go" if not place else f"part{place}.go")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            yield Case(name, None, kind, real=found.group(2) != "0")


def twins(suite, language):
    """Files in folders `safe` and `unsafe` below one that is named after the CWE."""
    for path in files(suite, language):
        numbers = [int(each) for each in re.findall(r"CWE_(\d+)", path.as_posix())]
        kind = "code" if 98 in numbers else kind_of(numbers)
        if kind and {"safe", "unsafe"} & set(path.parts):
            yield Case(path.relative_to(suite).as_posix(), None, kind, real="unsafe" in path.parts)


PROGPILOT = {
    "xss": "xss", "sql_injection": "sql", "command_injection": "command", "code_injection": "code", "file_inclusion": "path",
    "file_disclosure": "path", "ldap_injection": "ldap", "xpath_injection": "xpath", "header_injection": "header",
    "xml_injection": "xxe",
}  # fmt: skip


def progpilot(suite, _language):
    """Lists of progpilot's tests: files with the kinds that must be found in them, or none."""
    row = re.compile(r"\[\s*\"\./(tests/[^\"]+\.php)\",\s*(\[.*?\])\s*\]\s*(?:,|\]|/\*)", re.DOTALL)
    for listed in sorted(suite.glob("*test.php")):
        for path, told in row.findall(re.sub(r"/\*.*?\*/", "", listed.read_text("utf-8"), flags=re.DOTALL)):
            if not (suite / path).is_file():
                continue
            kinds = {PROGPILOT[each] for each in re.findall(r"\"(\w+)\"", told) if each in PROGPILOT}
            for kind in kinds:
                yield Case(path, None, kind, real=True)
            if told.strip() in {"[]", "[[]]"} or "/negative/" in path:
                yield Case(path, None, "xss", real=False)


BRAKEMAN = {
    "SQL Injection": "sql", "Command Injection": "command", "Cross-Site Scripting": "xss", "Redirect": "redirect", "File Access": "path",
    "Dangerous Eval": "code", "Remote Code Execution": "code", "Mass Assignment": "mass-assignment", "Dynamic Render Path": "template",
    "Dangerous Send": "code", "Unsafe Deserialization": "deserialization", "SSL Verification Bypass": "tls-off",
    "Weak Hash": "weak-hash", "Template Injection": "template", "Weak Cryptography": "weak-cipher",
}  # fmt: skip


def brakeman(suite, language):
    """Warnings that brakeman's tests ask of its applications, and those that must not be."""
    said = re.compile(r"(assert_warning|assert_no_warning)\b(.*?)(?=\n\s*(?:end|assert_\w+)\b)", re.DOTALL)
    for test in sorted((suite / "test/tests").glob("rails*.rb")):
        app = (
            suite
            / "test/apps"
            / test.stem.replace("rails52", "rails5.2")
            .replace("rails31", "rails3.1")
            .replace("rails32", "rails3.2")
        )
        for how, text in said.findall(test.read_text("utf-8")):
            kind = re.search(r"warning_type(?: =>|:) \"([^\"]+)\"", text)
            line = re.search(r"\bline(?: =>|:) (\d+)", text)
            path = re.search(r"(?:relative_path|file)(?: =>|:) \"([^\"]+)\"", text)
            if not (kind and line and path and kind.group(1) in BRAKEMAN):
                continue
            place = app / path.group(1)
            if place.is_file() and place.suffix in SUFFIXES[language]:
                yield Case(
                    place.relative_to(suite).as_posix(),
                    int(line.group(1)),
                    BRAKEMAN[kind.group(1)],
                    how == "assert_warning",
                )


LEVELS = {
    "exec": "command", "sqli": "sql", "sqli_blind": "sql", "brute": "sql", "fi": "path", "xss_r": "xss", "xss_s": "xss",
    "open_redirect": "redirect", "weak_id": "weak-random",
}  # fmt: skip


def levels(suite, _language):
    """An application whose weaknesses come in levels, of which `impossible` is safe."""
    for folder, kind in LEVELS.items():
        for path in sorted((suite / "vulnerabilities" / folder / "source").glob("*.php")):
            if path.stem in {"low", "medium", "high", "impossible"}:
                yield Case(path.relative_to(suite).as_posix(), None, kind, path.stem != "impossible")


def listed(suite, _language):
    """A list `cases.txt` beside a suite: path, line, kind, `real` or `safe`, apart by spaces."""
    for row in (suite.parent / f"{suite.name}.cases").read_text("utf-8").splitlines():
        if row.strip() and not row.startswith("#"):
            path, line, kind, real = row.split()
            yield Case(path, ast.literal_eval(line), kind, real == "real")


READERS = {
    "marked": marked,
    "expected": expected,
    "twins": twins,
    "progpilot": progpilot,
    "brakeman": brakeman,
    "levels": levels,
    "listed": listed,
}


def read(form, suite, language, scratch):
    """Every case of a suite, and the folder its paths are in."""
    if form == "gosec":
        folder = scratch / "gosec"
        return list(gosec(Path(suite), folder)), folder
    return list(READERS[form](Path(suite), language)), Path(suite)
