"""Templates by words: which of them a query means, the likeliest first."""

from dataclasses import dataclass
from typing import Final

from drift.kernel.words import WORD, stem
from drift.templates.definition import Template
from drift.templates.library import Library

# What a word of the query is worth by the place it stands in: a part of the address tells most.
_ADDRESS, _NAME, _DESCRIPTION, _PARAMETER = 10, 5, 3, 1
# The words of people for what addresses call otherwise.
_SYNONYMS: Final = {
    "python": "python-uv", "uv": "python-uv", "pip": "python-uv", "javascript": "node", "js": "node", "npm": "node",
    "nodejs": "node", "golang": "go", "java": "java-maven", "maven": "java-maven", "php": "php-composer",
    "composer": "php-composer", "csharp": "dotnet", "net": "dotnet", "cpp": "cpp-cmake", "cmake": "cpp-cmake",
    "typescript": "deno", "cargo": "rust", "docker": "dockerfile", "container": "dockerfile", "image": "dockerfile",
    "license": "licence", "workflow": "ci", "github": "ci", "actions": "ci", "pipeline": "ci", "make": "makefile",
    "ignore": "gitignore", "hooks": "pre-commit", "hook": "pre-commit", "docs": "readme", "documentation": "readme",
    "tests": "test", "package": "manifest", "claude": "agents", "agent": "agents",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Match:
    """A template and how well it fits: every word of the query counts where it stands."""

    template: Template
    relevance: int


def search(library: Library, query: str, toolchain: str | None = None) -> list[Match]:
    """The templates that fit a query, by how many of its words they have, and where."""
    words = [word.lower() for word in WORD.findall(query)][:20]
    found: list[tuple[int, Match]] = []
    for template in library.select(toolchain):
        scores = [_score(template, word) for word in words]
        if any(scores):
            found.append((sum(map(bool, scores)), Match(template, sum(scores))))
    most = max((count for count, _match in found), default=0)
    # What lacks a word that others have is not what was meant.
    best = [match for count, match in found if count == most]
    return sorted(best, key=lambda match: -match.relevance)


def _score(template: Template, word: str) -> int:
    address = {template.category, template.toolchain, template.variant}
    if word in address or _SYNONYMS.get(word) in address:
        return _ADDRESS
    if _has(f"{template.category} {template.toolchain} {template.title} {template.filename}", word):
        return _NAME
    if _has(template.description, word):
        return _DESCRIPTION
    return _PARAMETER if any(_has(each.name, word) for each in template.parameters) else 0


def _has(text: str, word: str) -> bool:
    wanted = stem(word)
    return any(stem(each.lower()) == wanted for each in WORD.findall(text))
