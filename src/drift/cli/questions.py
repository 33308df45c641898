"""The questions people ask, as short commands: one table. Every tool is a command by its own name as well."""

from collections.abc import Mapping
from typing import Final

from drift.cli.verbs import Verb

QUESTIONS: Final[Mapping[str, Verb]] = {
    "find": Verb(
        "drift_context",
        "files and symbols for some words, best first",
        "focus",
        {"intent": "understand_code", "depth": "overview"},
    ),
    "search": Verb("drift_search", "lines with a text, a pattern, or words of a name", "query"),
    "context": Verb(
        "drift_context", "where to act for a task, a bug report or a question", "focus", leading="intent"
    ),
    "explain": Verb("drift_explain", "what a file or symbol is, and who uses it", "target", joins=False),
    "show": Verb("drift_signature", "the code of a symbol", "symbol", {"includeBody": True}, joins=False),
    "callers": Verb("drift_callers", "who calls a function", "symbol", joins=False),
    "callees": Verb("drift_callees", "what a function calls", "symbol", joins=False),
    "references": Verb(
        "drift_references", "every use of a symbol: code, tests, templates, docs", "symbol", joins=False
    ),
    "rename": Verb(
        "drift_rename",
        "what a new name changes and what is in its way; --patch gives the diff",
        "symbol",
        joins=False,
        second="newName",
    ),
    "impact": Verb(
        "drift_impact_analysis",
        "what a change of a symbol or file may break; alone: of your uncommitted changes",
        "target",
        is_operand_needed=False,
        usual={"target": "diff"},
        joins=False,
    ),
    "tests": Verb(
        "drift_test_topology",
        "the tests to run for files or symbols; alone: for your uncommitted changes",
        "files",
        {"action": "affected"},
        is_operand_needed=False,
        joins=False,
    ),
    "uncovered": Verb(
        "drift_test_topology",
        "functions no test runs, the riskiest first",
        "file",
        {"action": "uncovered"},
        is_operand_needed=False,
        joins=False,
    ),
    "routes": Verb(
        "drift_entry_points",
        "routes with their handlers and guards; --kind page, cli, job, event for others",
        "search",
        is_operand_needed=False,
        joins=False,
    ),
    "dead": Verb("drift_dead_code", "code with no known use", "path", is_operand_needed=False, joins=False),
    "security": Verb(
        "drift_security_summary", "sensitive data, open routes, secrets and flows, the worst first", None
    ),
    "cycles": Verb("drift_graph", "files or packages that depend on each other", None, {"action": "cycles"}),
    "constraints": Verb(
        "drift_constraints",
        "invariants that the code holds to, and what breaks them",
        "action",
        is_operand_needed=False,
        joins=False,
    ),
    "decisions": Verb(
        "drift_decisions",
        "what was decided in the past, with its commits",
        "action",
        is_operand_needed=False,
        joins=False,
    ),
    "simulate": Verb("drift_simulate", "ways to do a task, by what the project has", "task"),
    "similar": Verb("drift_similar", "code like what you describe", "description", is_operand_needed=False),
    "recent": Verb(
        "drift_recent",
        "what changed lately, here or in one place",
        "area",
        is_operand_needed=False,
        joins=False,
    ),
    "why": Verb("drift_why", "why code is as it is: memories, commits, callers", "focus"),
}
"""In the order of the help page."""

SYNONYMS: Final[Mapping[str, str]] = {
    "grep": "search",
    "ask": "context",
    "refs": "references",
    "test": "tests",
    "unused": "dead",
    "endpoints": "routes",
}
"""Other words for the same question."""


def find_question(name: str) -> Verb | None:
    """The question of that name or of another word for it."""
    return QUESTIONS.get(SYNONYMS.get(name, name))
