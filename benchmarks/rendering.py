"""How many tokens the text of an answer saves against the same answer as compact JSON.

    python benchmarks/rendering.py

Both forms are what a client gets of one call: `structuredContent` with its `meta`, and the text, which has no
`meta` while all is well. The rows are real: functions, imports and docstrings of installed packages, read with `ast`. Three savings: of a
whole answer that ends here, of its list alone, and of the answer when it goes on and carries a cursor, which
costs the same in both forms. Then, of every reviewed answer in tests/golden, what the model gets of it from each kind
of client, and what part of its JSON (without `meta`) the text is, by tool. Exits with 1 when a whole answer of ten rows
or more saves less than 40 %, a shorter one being perhaps a single long cell, which no format makes shorter; and when
any reviewed answer's text is longer than its JSON.
"""

import ast
import asyncio
import importlib.metadata
import importlib.util
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import splintr
from model_view import CLIENTS, answer_seen

from drift.kernel.render import render_answer, render_value
from drift.protocol.registry_tools import wire_result
from drift.registry import Outcome, sends_structured

GOLDEN = Path(__file__).parent.parent / "tests" / "golden"
ROW_COUNTS = (5, 10, 20, 50, 100)
LEAST_SAVING_PERCENT = 40
LEAST_ROWS_JUDGED = 10
PACKAGES = ("hypothesis", "mcp", "starlette")
CURSOR = "AWjWLQBx1nq0hTQkWyJzcmMvYXBwLnB5Iiw0Ml0.q2VZ8nXo1c5WzJ0m4l8s3A"
META = {
    "requestId": "analysis-1042",
    "durationMs": 3.41,
    "tokenEstimate": 812,
    "cached": False,
    "freshness": "fresh",
    "dataAge": "2026-11-14T09:30:00+00:00",
    "truncated": False,
}

Sources = list[tuple[str, ast.Module]]


def read_sources(package_name: str) -> Sources:
    spec = importlib.util.find_spec(package_name)
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    files = sorted(package.rglob("*.py"))
    return [
        (f"src/{file.relative_to(package.parent).as_posix()}", ast.parse(file.read_text("utf-8")))
        for file in files
    ]


def methods(sources: Sources) -> Iterator[tuple[str, str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for file, tree in sources:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                for child in node.body:
                    if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        yield file, f"{node.name}.{child.name}", child


def caller_rows(sources: Sources) -> list[dict[str, Any]]:
    return [
        {
            "function": name,
            "file": file,
            "line": node.lineno,
            "callSite": node.lineno + index % 9 + 1,
            "depth": 1 + index % 2,
            "resolvedBy": ("import", "receiver", "name")[index % 3],
            "confidence": (1.0, 0.9, 0.6)[index % 3],
        }
        for index, (file, name, node) in enumerate(methods(sources))
    ]


def pattern_rows(sources: Sources) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{('api', 'errors', 'auth', 'logging')[index % 4]}/{node.name.strip('_')}",
            "name": (ast.get_docstring(node) or f"Methods named {node.name}").split("\n")[0],
            "category": ("api", "errors", "auth", "logging")[index % 4],
            "confidence": {"score": round(0.5 + index % 50 / 100, 2), "level": ("high", "medium")[index % 2]},
            "locationCount": 3 + index * 7 % 40,
            "outlierCount": index % 3,
            "status": ("approved", "discovered")[index % 2],
        }
        for index, (_, _, node) in enumerate(methods(sources))
    ]


def file_rows(sources: Sources) -> list[dict[str, Any]]:
    return [
        {
            "file": file,
            "language": "python",
            "patternCount": len(tree.body) % 17,
            "categories": ["api", "errors", "auth"][: 1 + len(tree.body) % 3],
        }
        for file, tree in sources
    ]


def dependency_rows(_: Sources) -> list[dict[str, Any]]:
    installed = sorted(importlib.metadata.distributions(), key=lambda distribution: distribution.name)
    return [
        {
            "name": distribution.name,
            "version": distribution.version,
            "type": ("prod", "dev")[index % 2],
            "category": ("framework", "testing", None)[index % 3],
            "language": "python",
            "source": "pyproject.toml",
        }
        for index, distribution in enumerate(installed)
    ]


def gap_rows(sources: Sources) -> list[dict[str, Any]]:
    """Rows that are mostly prose, which costs the same in both forms."""
    suggestions = ("Re-raise or log the error", "Catch ValueError where the input is read")
    return [
        {
            "function": name,
            "file": file,
            "line": node.lineno,
            "gapType": ("swallowed", "unhandled")[index % 2],
            "severity": ("high", "low")[index % 2],
            "suggestion": suggestions[index % 2],
        }
        for index, (file, name, node) in enumerate(methods(sources))
    ]


def import_rows(sources: Sources) -> list[dict[str, Any]]:
    return [
        {"from": file, "to": node.module, "line": node.lineno, "names": [alias.name for alias in node.names]}
        for file, tree in sources
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    ]


LISTS = {
    "callers": caller_rows,
    "patterns": pattern_rows,
    "files": file_rows,
    "dependencies": dependency_rows,
    "gaps": gap_rows,
    "imports": import_rows,
}


def sample_answers(package_name: str, *, has_more: bool = False) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Whole answers as tools give them: name, number of rows, body; with a cursor where the list goes on."""
    sources = read_sources(package_name)
    for name, rows_of in LISTS.items():
        rows = rows_of(sources)
        for count in ROW_COUNTS:
            if count <= len(rows):
                yield name, count, answer(name, rows[:count], total=len(rows) if has_more else count)


def answer(name: str, page: list[dict[str, Any]], *, total: int) -> dict[str, Any]:
    has_more = total > len(page)
    return {
        "summary": f"{total} {name}",
        "data": {name: page},
        "pagination": {
            "total": total,
            "hasMore": has_more,
            "nextCursor": CURSOR if has_more else None,
            "pageSize": len(page),
        },
        "nextActions": [
            {
                "tool": "drift_impact_analysis",
                "args": {"target": "Request.json"},
                "reason": "see what a change would break",
                "priority": "medium",
            }
        ],
    }


def main() -> int:
    tokenizer = splintr.Tokenizer.from_pretrained("cl100k_base")
    columns = ("JSON", "text", "whole", "list only", "cursor")
    print(f"{'package':<12}{'answer':<14}{'rows':>5}" + "".join(f"{column:>11}" for column in columns))
    below = dict.fromkeys(columns[2:], 0)
    measured = 0
    for package in PACKAGES:
        going_on = sample_answers(package, has_more=True)
        for (name, count, body), (_, _, longer) in zip(sample_answers(package), going_on, strict=True):
            spent = count_both(tokenizer, {**body, "meta": META}, render_answer(body))
            of_list = count_both(tokenizer, body["data"], render_value(body["data"]))
            with_cursor = count_both(tokenizer, {**longer, "meta": META}, render_answer(longer))
            savings = [100 - 100 * text / as_json for as_json, text in (spent, of_list, with_cursor)]
            measured += 1
            for column, saving in zip(below, savings, strict=True):
                below[column] += saving < LEAST_SAVING_PERCENT and count >= LEAST_ROWS_JUDGED
            figures = "".join(f"{saving:>10.1f}%" for saving in savings)
            print(f"{package:<12}{name:<14}{count:>5}{spent[0]:>11}{spent[1]:>11}{figures}")
    print(
        f"below {LEAST_SAVING_PERCENT} % with {LEAST_ROWS_JUDGED} rows or more, of {measured} lists: {below}"
    )
    too_long = report_reviewed(tokenizer)
    return int(below["whole"] > 0 or too_long > 0)


def reviewed_outcomes() -> Iterator[tuple[str, Outcome]]:
    """Every answer in tests/golden, by tool, as the server gives it; errors are left out."""
    sys.path.insert(0, str(GOLDEN))
    golden = importlib.import_module("golden_answers")
    shops: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in golden.CASES:
            project = path.parent.name
            if project not in shops:
                shops[project] = golden.Shop(
                    golden.write_project(project, Path(folder, project)), Path(folder)
                )
            case = golden.read_case(path)
            outcome = asyncio.run(shops[project].runtime.call(case.tool, case.arguments))
            if not outcome.is_error:
                yield case.tool, outcome
        for shop in shops.values():
            shop.close()


def report_reviewed(tokenizer: splintr.Tokenizer) -> int:
    """Print what reviewed answers cost by tool; how many of them are longer than their JSON."""
    seen: dict[str, list[list[int]]] = defaultdict(list)
    shares: dict[str, list[float]] = defaultdict(list)
    for tool, outcome in reviewed_outcomes():
        seen[tool].append(
            [
                len(tokenizer.encode_ordinary(answer_seen(sent, client)))
                for client in CLIENTS
                for sent in (wire_result(outcome, is_structured=sends_structured("auto", client)),)
            ]
        )
        as_json, text = count_both(tokenizer, outcome.body, outcome.text)
        shares[tool].append(text / as_json)
    print(
        f"{'reviewed':<26}{'answers':>8}"
        + "".join(f"{name:>13}" for name in CLIENTS)
        + "   text of JSON, worst"
    )
    for tool, rows in sorted(seen.items()):
        costs = "".join(f"{sum(column) / len(rows):>13.0f}" for column in zip(*rows, strict=True))
        mean = sum(shares[tool]) / len(rows)
        print(f"{tool:<26}{len(rows):>8}{costs}{mean:>15.0%}{max(shares[tool]):>7.0%}")
    return sum(share > 1 for each in shares.values() for share in each)


def count_both(tokenizer: splintr.Tokenizer, value: Any, text: str) -> tuple[int, int]:
    as_json = orjson.dumps(value).decode()
    return len(tokenizer.encode_ordinary(as_json)), len(tokenizer.encode_ordinary(text))


if __name__ == "__main__":
    sys.exit(main())
