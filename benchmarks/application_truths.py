"""Truths about applications that need no judge, read from the text alone with forms that share nothing with Drift.

    routes   every line that declares a route, by the forms below: it must be a route of the index, with the method
             and a path that ends in the one that is written there; what the index has beside is counted as extra
    tests    every test that names the path of a route whole, in a line that sends a request: it must be among the
             tests that are found for the route's handler
    renames  every identifier of a name that one symbol alone has: each is of that symbol, and the plan of a rename
             must have its line, and none beside

A framework's own printer tells more of routes than a line does, where the application can be run.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.suites import suites_of
from drift.analyses.usages.renaming import plan_rename
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord

VERBS = ("get", "post", "put", "patch", "delete")
_VERB = "get|post|put|patch|delete"
_TEXT = r"""["'`](?P<path>[^"'`\n]{0,200})["'`]"""
# By the ending of a file and a word that its framework leaves in it; `verb` is the method, `path` what is written.
FORMS: dict[str, tuple[str, str, re.Pattern[str]]] = {
    "Spring": (".java", "springframework", re.compile(rf"@(?P<verb>Get|Post|Put|Patch|Delete)Mapping\s*\(\s*(?:(?:value|path)\s*=\s*)?\{{?\s*{_TEXT}")),
    "ASP.NET": (".cs", "Http", re.compile(rf"\[Http(?P<verb>Get|Post|Put|Patch|Delete)\(\s*{_TEXT}|\.Map(?P<verb2>Get|Post|Put|Patch|Delete)\(\s*[\"'](?P<path2>[^\"'\n]{{0,200}})[\"']")),
    "Laravel": (".php", "Route::", re.compile(rf"^\s*(?:Route::|->)(?P<verb>{_VERB})\(\s*{_TEXT}\s*,", re.MULTILINE)),
    "Go": (".go", "", re.compile(r"(?<!http)\.(?P<verb>GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete)\(\s*(?:[\w.]{1,60}\s*\+\s*)?\"(?P<path>/[^\"\n]{0,200})\"\s*,")),
    "Nest": (".ts", "@nestjs", re.compile(rf"@(?P<verb>Get|Post|Put|Patch|Delete)\(\s*{_TEXT}")),
    "Express": (".js", "express", re.compile(rf"\b(?:app|router)\.(?P<verb>{_VERB})\(\s*{_TEXT}\s*,")),
    "FastAPI": (".py", "fastapi", re.compile(rf"@\w{{1,40}}\.(?P<verb>{_VERB})\(\s*{_TEXT}")),
    "Rails": (".rb", "Rails.application.routes", re.compile(rf"^\s*(?P<verb>{_VERB})\s+{_TEXT}", re.MULTILINE)),
}  # fmt: skip
_REQUEST = re.compile(
    r"(?:\b|_)(?:get|post|put|patch|delete|head|request|perform|call|inject|exchange|send)\w{0,30}\s*[(<]",
    re.IGNORECASE,
)
_STRING = re.compile(
    r"""["'`]((?:https?://[^/"'`\s]{1,80})?/?[\w{}$.:%/-]{2,200})(?:\?[^"'`\n]{0,200})?["'`]"""
)
_OPEN = re.compile(r"\{[^}]{0,60}\}|<[^>]{0,60}>|:\w{1,60}|\*\w{0,60}")
_QUOTED = r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'"
_SLASHED = re.compile(rf"//[^\n]*|/\*.*?\*/|{_QUOTED}", re.DOTALL)
_HASHED = re.compile(rf'#[^\n]*|""".*?"""|{_QUOTED}', re.DOTALL)
MOST_BYTES = 1_000_000
NEAR_LINES = 25  # a route may be written over several lines, and its function stand below other annotations
# Others have members of the same names, which the text alone cannot tell apart.
CODE_KINDS = frozenset({"function", "class", "interface", "struct", "enum", "trait"})


class Share(NamedTuple):
    """How much of the truth was found, and how much of what was found is true."""

    hits: int
    true: int
    found: int

    @property
    def recall(self) -> str:
        return f"{self.hits / self.true:.2f}" if self.true else "-"

    @property
    def precision(self) -> str:
        return f"{self.hits / self.found:.2f}" if self.found else "-"


class Declared(NamedTuple):
    framework: str
    path: str
    line: int
    verb: str
    route: str


def texts(root: Path, reader: IndexReader, role: str) -> dict[str, str]:
    """The texts of the application's files of a role."""
    found = {}
    for stamp in reader.files.stamps():
        file = root / stamp.path
        if stamp.role == role and stamp.language and file.is_file() and file.stat().st_size < MOST_BYTES:
            found[stamp.path] = file.read_text("utf-8", errors="replace")
    return found


def declared_routes(sources: dict[str, str]) -> list[Declared]:
    """Every route that a line of the text declares."""
    found = []
    for path, text in sources.items():
        for framework, (ending, sign, form) in FORMS.items():
            if not path.endswith(ending) or sign not in text:
                continue
            for match in form.finditer(text):
                groups = match.groupdict()
                verb = groups["verb"] or groups.get("verb2") or ""
                route = groups["path"] if groups["path"] is not None else groups.get("path2") or ""
                line = text.count("\n", 0, match.start("verb" if groups["verb"] else "verb2")) + 1
                if not text.splitlines()[line - 1].lstrip().startswith(("//", "*", "#")):
                    found.append(Declared(framework, path, line, verb.upper(), route))
    return found


def judge_routes(root: Path, reader: IndexReader) -> tuple[Share, str, list[str]]:
    """Routes of the text that the index has; the framework that has most; those that are missing."""
    declared = declared_routes(texts(root, reader, "source"))
    known: dict[str, list[tuple[int, str]]] = defaultdict(list)
    paths = {stamp.id: stamp.path for stamp in reader.files.stamps()}
    for point in reader.facts.entry_points("http", limit=1_000_000):
        known[paths.get(point.registered_at >> 16, "")].append((point.line, point.detail))  # type: ignore[call-overload]  # a file's number
    missing = [
        f"{one.path}:{one.line} {one.verb} {one.route}"
        for one in declared
        if not any(_is_declared(one, line, detail) for line, detail in known[one.path])
    ]
    frameworks = Counter(one.framework for one in declared)
    hits = len(declared) - len(missing)
    return Share(hits, len(declared), hits), frameworks.most_common(1)[0][0] if frameworks else "", missing


def _is_declared(one: Declared, line: int, detail: str) -> bool:
    methods, _, path = detail.partition(" -> ")[0].partition(" ")
    end = one.route.strip("/~^$ ").lower()
    plain = [each.strip("/ ").lower() for each in path.split(", ")]
    return (
        abs(line - one.line) <= NEAR_LINES
        and (one.verb in methods.split(",") or methods == "ANY")
        and any(each.endswith(end) or not end for each in plain)
    )


def judge_tests(root: Path, reader: IndexReader) -> tuple[Share, list[str]]:
    """Tests that name a route whole and are found for its handler."""
    suites = suites_of(reader)
    suites.read_all(reader)
    routes = _routes(reader)
    handlers = {handler for some in routes.values() for _, handler in some}
    languages = {one.id: one.language for one in reader.symbols.many(handlers)}
    case_languages = {stamp.path: stamp.language for stamp in reader.files.stamps()}
    named: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    lines = {path: text.splitlines() for path, text in texts(root, reader, "test").items()}
    ends = {one.id: one.end_line for one in reader.symbols.many(suites.cases)}
    for case in suites.cases.values():
        for text in lines.get(case.path, [])[case.line - 1 : ends.get(case.id, case.line)]:
            for asked in _STRING.findall(text) if _REQUEST.search(text) else ():
                for handler in _fitting(routes, asked, text):
                    if languages[handler] == case_languages.get(case.path):
                        named[handler].add(case.id)
    around = find_neighbourhood(reader, suites, list(named))
    found = reach_functions(around, suites)
    hits, missing = 0, []
    for handler, cases in named.items():
        hits += len(cases & set(found[handler]))
        place = reader.symbols.get(handler)
        missing += [
            f"{place.qualname if place else handler}: {suites.cases[one].title}"
            for one in cases - set(found[handler])
        ]
    true = sum(map(len, named.values()))
    return Share(hits, true, sum(len(found[one]) for one in named)), missing


def _routes(reader: IndexReader) -> dict[str, list[tuple[str, SymbolId]]]:
    """Handlers with their methods, by the pattern of their path, where it has more than one constant part."""
    found: dict[str, list[tuple[str, SymbolId]]] = defaultdict(list)
    for point in reader.facts.entry_points("http", limit=1_000_000):
        methods, _, path = point.detail.partition(" -> ")[0].partition(" ")
        for one in path.split(", "):
            plain = one.strip("/ ^$")
            if point.symbol.role == "source" and plain and "(" not in plain:
                found[_OPEN.sub("\0", plain)].append((methods, point.symbol.id))
    return found


def _fitting(routes: dict[str, list[tuple[str, SymbolId]]], asked: str, line: str) -> list[SymbolId]:
    """The handlers of the one route that a path is, by the method that stands in the line where it tells."""
    if "/" not in asked:  # a word may be anything
        return []
    plain = re.sub(r"^https?://[^/]+", "", asked).strip("/")
    exact = routes.get(plain)
    verbs = [verb.upper() for verb in VERBS if re.search(rf"(?:\b|_){verb}", line, re.IGNORECASE)]
    if exact is None or len(verbs) != 1:
        return []
    return [handler for methods, handler in exact if verbs[0] in methods.split(",")]


def judge_renames(root: Path, reader: IndexReader, count: int, seed: int) -> tuple[Share, list[str]]:
    """Lines with an identifier that is one symbol's alone, against the plan of its rename."""
    everything = {**texts(root, reader, "source"), **texts(root, reader, "test")}
    symbols = [
        one
        for kind in sorted(CODE_KINDS)
        for one in reader.symbols.of_kind(kind, limit=1_000_000)
        if one.role == "source" and one.name.isidentifier() and len(one.name) > 5
    ]
    times = Counter(one.name for one in symbols)
    alone = [one for one in symbols if times[one.name] == 1 and _is_alone(reader, one)]
    drawn = random.Random(seed).sample(alone, min(count, len(alone)))
    hits = true = planned = 0
    wrong = []
    for one in drawn:
        lines = _code_lines(everything, one.name)
        changed = plan_rename(reader, root, one, new_name=f"{one.name}Renamed").changed
        plan = {(use.path, use.line) for use in changed if use.path in everything}
        hits, true, planned = hits + len(lines & plan), true + len(lines), planned + len(plan)
        wrong += [f"{one.qualname}: missed {path}:{line}" for path, line in sorted(lines - plan)]
        wrong += [f"{one.qualname}: too much {path}:{line}" for path, line in sorted(plan - lines)]
    return Share(hits, true, planned), wrong


def _is_alone(reader: IndexReader, symbol: SymbolRecord) -> bool:
    return len(reader.symbols.named(symbol.name, limit=2)) == 1


def _code_lines(everything: dict[str, str], name: str) -> set[tuple[str, int]]:
    """The lines of code with a name as an identifier: comments and texts are none."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    found = set()
    for path, text in everything.items():
        if name in text:
            plain = _plain_code(text, path.rpartition(".")[2])
            found |= {(path, number) for number, line in enumerate(plain.split("\n"), 1) if word.search(line)}
    return found


def _plain_code(text: str, ending: str) -> str:
    """A text without its comments and strings, line by line as it was."""
    return (_HASHED if ending in {"py", "rb"} else _SLASHED).sub(
        lambda found: "\n" * found[0].count("\n"), text
    )
