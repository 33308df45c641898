"""Questions of every read tool about a scanned application, drawn at random with real arguments from its index.

Each is printed with its answer and with what a person needs to judge it: the code that was asked about and every
other line that bears its name. `applications.py draw` is the way in.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from drift.index import IndexReader
from drift.index.records import SymbolRecord
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry, StateDir, registry_path
from drift.registry import ServerName, Surface
from drift.tools import all_tools

FUNCTIONS = frozenset({"function", "method", "constructor"})
TYPES = frozenset({"class", "interface", "struct", "enum", "trait"})
INTENTS = ("add_feature", "fix_bug", "refactor", "security_audit", "understand_code", "add_test")
WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]{1,60}")
BODY_LINES = 18  # of the code asked about
MOST_MENTIONS = 15
MOST_FILE_BYTES = 1_000_000
MOST_ENTRIES = 100_000


class Question(NamedTuple):
    tool: str
    arguments: dict[str, Any]
    about: SymbolRecord | None


class Material:
    """What of an application can be asked about, and the draws from it."""

    def __init__(self, reader: IndexReader, seed: int, language: str | None) -> None:
        self.draw = random.Random(seed)
        stamps = [
            stamp
            for stamp in reader.files.stamps()
            if stamp.role == "source" and stamp.language and language in {None, stamp.language}
        ]
        self.files = [stamp.path for stamp in stamps]
        self.packages = sorted(reader.facts.external_packages())
        symbols = [
            symbol
            for stamp in stamps
            for symbol in reader.symbols.of_file(stamp.id)
            if symbol.name.isidentifier()
        ]
        self.functions = [one for one in symbols if one.kind in FUNCTIONS]
        self.types = [one for one in symbols if one.kind in TYPES]
        self.entries = [
            point.symbol
            for kind in ("http", "cli", "job", "event")
            for point in reader.facts.entry_points(kind, limit=MOST_ENTRIES)
            if point.symbol.role == "source" and language in {None, point.symbol.language}
        ]
        self.errors = sorted({name for row in reader.listings.handled_types() for name in row.types})

    def function(self) -> SymbolRecord:
        return self.draw.choice(self.functions)

    def type(self) -> SymbolRecord:
        return self.draw.choice(self.types or self.functions)

    def entry(self) -> SymbolRecord:
        return self.draw.choice(self.entries or self.functions)

    def either(self) -> SymbolRecord:
        return self.function() if self.draw.random() < 0.6 else self.type()

    def named(self, symbol: SymbolRecord) -> str:
        """A symbol as people name it: by its place in one case of four, else by its qualified name."""
        by_place = self.draw.random() < 0.25 or not symbol.name.isidentifier()
        return f"{symbol.path}:{symbol.line}" if by_place else symbol.qualname

    def file(self) -> str:
        return self.draw.choice(self.files)

    def folder(self) -> str:
        path = self.file()
        return path.rpartition("/")[0] or path


def words_of(symbol: SymbolRecord) -> str:
    return " ".join(word.lower() for word in WORD.findall(symbol.qualname)[-6:])


Form = Callable[[Material], Question]


def _about(tool: str, argument: str, pick: Callable[[Material], SymbolRecord], **more: Any) -> Form:
    def ask(material: Material) -> Question:
        symbol = pick(material)
        return Question(tool, {argument: material.named(symbol), **more}, symbol)

    return ask


def _task(material: Material) -> Question:
    symbol = material.either()
    arguments = {"intent": material.draw.choice(INTENTS), "focus": words_of(symbol)}
    return Question("drift_context", arguments, symbol)


def _rename(material: Material) -> Question:
    symbol = material.either()
    arguments = {"symbol": material.named(symbol), "newName": f"{symbol.name}Renamed"}
    return Question("drift_rename", arguments, symbol)


def _words(material: Material) -> Question:
    symbol = material.either()
    mode = material.draw.choice(("literal", "identifier"))
    query = symbol.name if mode == "literal" else words_of(symbol)
    return Question("drift_search", {"query": query, "mode": mode}, symbol)


def _like(material: Material) -> Question:
    symbol = material.function()
    if material.draw.random() < 0.5:
        return Question("drift_similar", {"description": words_of(symbol)}, symbol)
    return Question("drift_similar", {"symbol": material.named(symbol)}, symbol)


def _affected(material: Material) -> Question:
    symbol = material.function() if material.draw.random() < 0.6 else material.entry()
    return Question("drift_test_topology", {"action": "affected", "files": [material.named(symbol)]}, symbol)


def _affected_file(material: Material) -> Question:
    return Question("drift_test_topology", {"action": "affected", "files": [material.file()]}, None)


def _imports(material: Material) -> Question:
    symbol = material.type()
    return Question("drift_imports", {"symbols": [symbol.name], "targetFile": material.file()}, symbol)


def _paths(material: Material) -> Question:
    source, target = material.entry(), material.function()
    arguments = {"action": "paths", "source": material.named(source), "target": material.named(target)}
    return Question("drift_graph", arguments, target)


def _dead(material: Material) -> Question:
    return Question("drift_dead_code", {"path": material.folder(), "minLevel": "medium"}, None)


def _dependency(material: Material) -> Question:
    if not material.packages or material.draw.random() < 0.3:
        return Question("drift_dependencies", {}, None)
    return Question("drift_dependencies", {"search": material.draw.choice(material.packages)}, None)


def _error(material: Material) -> Question:
    action = material.draw.choice(("types", "places", "ignored")) if material.errors else "types"
    if action == "places":
        return Question(
            "drift_errors", {"action": action, "type": material.draw.choice(material.errors)}, None
        )
    return Question("drift_errors", {"action": action}, None)


def _plain(tool: str, **arguments: Any) -> Form:
    return lambda _: Question(tool, dict(arguments), None)


def _of_file(tool: str, argument: str, **more: Any) -> Form:
    return lambda material: Question(tool, {argument: material.file(), **more}, None)


# A form stands as often as its kind of question is asked by agents.
FORMS: tuple[Form, ...] = (
    _about("drift_callers", "symbol", Material.function),
    _about("drift_callers", "symbol", Material.function),
    _about("drift_callers", "symbol", Material.either),
    _about("drift_callees", "symbol", Material.function),
    _about("drift_callees", "symbol", Material.function),
    _about("drift_impact_analysis", "target", Material.either),
    _about("drift_impact_analysis", "target", Material.function),
    _of_file("drift_impact_analysis", "target"),
    _affected,
    _affected,
    _affected_file,
    _about("drift_references", "symbol", Material.either),
    _about("drift_references", "symbol", Material.either),
    _rename,
    _rename,
    _words,
    _about("drift_reachability", "location", Material.entry, direction="forward"),
    _about("drift_reachability", "location", Material.function, direction="inverse"),
    _about("drift_explain", "target", Material.either),
    _about("drift_explain", "target", Material.entry),
    _of_file("drift_explain", "target"),
    _about("drift_analyze_function", "function", Material.function),
    _about("drift_signature", "symbol", Material.either),
    _about("drift_type", "type", Material.type),
    _about("drift_type", "type", Material.type),
    _like,
    _task,
    _task,
    _imports,
    _paths,
    _dead,
    _dead,
    _dependency,
    _error,
    _of_file("drift_test_template", "targetFile"),
    _of_file("drift_test_topology", "file", action="coverage"),
    _plain("drift_test_topology", action="uncovered"),
    _plain("drift_middleware"),
    _plain("drift_package_context", list=True),
    _plain("drift_graph", action="central"),
)


class Application:
    """A scanned application that is asked as a client would ask."""

    def __init__(self, root: Path) -> None:
        limits = {"DRIFT_MCP_RATE_LIMIT": "0", "DRIFT_MCP_EXPENSIVE_RATE_LIMIT": "0"}
        environ = {**os.environ, **limits, "DRIFT_MCP_CALL_TIMEOUT_SECONDS": "600"}
        registry = ProjectRegistry(registry_path(environ), lambda: datetime.now(UTC))
        at = Environment(root, registry, environ)
        server = ServerName.ANALYSIS
        self._runtime = ServerRuntime(server, all_tools().of_server(server), Surface("full"), at=at)

    def ask(self, question: Question) -> tuple[str, bool]:
        """The text of the answer, and whether it is a refusal."""
        outcome = asyncio.run(self._runtime.call(question.tool, question.arguments))
        return outcome.full_text, outcome.is_error

    def close(self) -> None:
        self._runtime.close()


def questions(reader: IndexReader, count: int, *, seed: int, language: str | None) -> list[Question]:
    """So many questions, no two alike; the forms come in turns, so that every tool has its share."""
    material = Material(reader, seed, language)
    turns: list[Form] = []
    found: list[Question] = []
    for _ in range(count * 20):
        if len(found) == count:
            break
        if not turns:
            turns = material.draw.sample(FORMS, len(FORMS))
        question = turns.pop()(material)
        if question not in found:
            found.append(question)
    return found


def mentions(root: Path, reader: IndexReader, name: str) -> Iterator[str]:
    """Every line of the application's files that bears a name as a whole word."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    for stamp in reader.files.stamps():
        path = root / stamp.path
        if not path.is_file() or path.stat().st_size > MOST_FILE_BYTES:
            continue
        text = path.read_text("utf-8", errors="replace")
        if name in text:
            for number, line in enumerate(text.splitlines(), 1):
                if word.search(line):
                    yield f"{stamp.path}:{number}: {line.strip()[:150]}"


def to_read(root: Path, reader: IndexReader, symbol: SymbolRecord) -> Iterator[str]:
    """The code that was asked about, and where else its name stands."""
    lines = (root / symbol.path).read_text("utf-8", errors="replace").splitlines()
    end = min(symbol.end_line, symbol.line + BODY_LINES)
    yield f"  code of {symbol.qualname} ({symbol.kind}) at {symbol.path}:{symbol.line}-{symbol.end_line}"
    yield from (f"    {number:5} {lines[number - 1][:160]}" for number in range(symbol.line, end + 1))
    found = list(mentions(root, reader, symbol.name))
    yield f"  {len(found)} lines with {symbol.name}"
    yield from (f"    {line}" for line in found[:MOST_MENTIONS])


def draw(root: Path, *, count: int, seed: int, language: str | None, most_characters: int) -> Iterator[str]:
    """The drawn questions as texts: question, answer, and what to read."""
    with IndexReader(StateDir(root).index_db) as reader:
        drawn = questions(reader, count, seed=seed, language=language)
        application = Application(root)
        try:
            for number, question in enumerate(drawn, 1):
                answer, is_refused = application.ask(question)
                said = " ".join(f"{name}={value}" for name, value in question.arguments.items())
                yield f"\n=== {number}. {question.tool} {said}{'  [refused]' if is_refused else ''}"
                yield answer[:most_characters]
                if question.about is not None:
                    yield "--- to read"
                    yield from to_read(root, reader, question.about)
        finally:
            application.close()
