"""Queries of tree-sitter in a project's own rules, as dimensions that scans look for: their sites are where a rule may fire."""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

_COMPOSITES: Final = ("all", "any", "not")
_MOST_DEEP: Final = 10


def query_site_id(query: str, languages: Collection[str]) -> str:
    """What the index keeps the sites of a query under."""
    said = json.dumps([query, sorted(languages)])
    return f"structural/rule-{hashlib.blake2b(said.encode(), digest_size=8).hexdigest()}"


def query_dimensions(tables: Mapping[str, Any]) -> Iterator[str]:
    """The texts of dimensions for the queries of the rules in a file; what is no rule has none."""
    listed = tables.get("rule")
    for rule in listed if isinstance(listed, list) else ():
        where = rule.get("where") if isinstance(rule, dict) else None
        languages = where.get("languages") if isinstance(where, dict) else None
        if isinstance(languages, list) and all(isinstance(each, str) for each in languages):
            for query in _queries(rule.get("when"), 0):
                yield _dimension(query, languages)


def _queries(condition: Any, depth: int) -> Iterator[str]:
    if not isinstance(condition, dict) or depth > _MOST_DEEP:
        return
    query = condition.get("query")
    if isinstance(query, str) and "@site" in query:
        yield query
    for key in _COMPOSITES:
        inner = condition.get(key)
        for each in [inner] if isinstance(inner, dict) else inner if isinstance(inner, list) else ():
            yield from _queries(each, depth + 1)


def _dimension(query: str, languages: list[str]) -> str:
    """A dimension with one variant; JSON's strings and lists are TOML's, too."""
    texts = {
        "id": query_site_id(query, languages),
        "title": "A rule of the project",
        "looks_at": "What a query of the project marks.",
        "why": "The project says so.",
        "claim": "There is {variant}",
        "example": "none",
        "limits": "None.",
        "severity": "hint",
    }
    head = "".join(f"{key} = {json.dumps(value)}\n" for key, value in texts.items())
    marked = query.replace("@site", "@site @variant.match")
    return (
        f'{head}code = "both"\n[variants]\nmatch = "what a query marks"\n'
        f"[[sites]]\nlanguages = {json.dumps(sorted(languages))}\nquery = {json.dumps(marked)}\n"
    )
