"""Which facts are found in which language: by reading the probes of the tests, not by what anybody says."""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from drift.languages.facts import CallTrait, FileFacts, HandlingTrait, Reference
from drift.languages.fields import type_fields
from drift.languages.table import language_of
from drift.scan.extractors import READABLE, extractor_of
from writers.markdown import WARNING, codes, page, table

PROBES: Final = Path(__file__).parent.parent.parent / "tests" / "projects"
DOCUMENTS: Final = Path(__file__).parent.parent.parent / "tests" / "documents" / "cases"
_CHECKED: Final = Path(__file__).with_name("facts_checked.txt")
_REASONS: Final = Path(__file__).with_name("missing_facts.toml")

_Probe = Callable[[FileFacts], object]
FACTS: Final[Mapping[str, _Probe]] = {
    "symbols": lambda facts: len(facts.symbols) > 1,
    "types of parameters": lambda facts: any(p.type_text for s in facts.symbols for p in s.parameters),
    "return types": lambda facts: any(symbol.return_text for symbol in facts.symbols),
    "doc comments": lambda facts: any(symbol.doc for symbol in facts.symbols),
    "decorators": lambda facts: any(symbol.decorators for symbol in facts.symbols),
    "parents": lambda facts: any(symbol.bases for symbol in facts.symbols),
    "complexity": lambda facts: any(symbol.complexity for symbol in facts.symbols),
    "imports": lambda facts: facts.imports,
    "calls": lambda facts: facts.calls,
    "use of a call's result": lambda facts: _has_trait(
        facts, CallTrait.DROPPED | CallTrait.BOUND | CallTrait.RETURNED
    ),
    "calls in loops": lambda facts: _has_trait(facts, CallTrait.LOOPED),
    "awaited calls": lambda facts: _has_trait(facts, CallTrait.AWAITED),
    "members that are read": lambda facts: facts.accesses or any(map(_is_member_read, facts.references)),
    "members that are written": lambda facts: facts.stores,
    "literals": lambda facts: facts.constants,
    "members of constants": lambda facts: facts.members,
    "environment variables": lambda facts: facts.environment_reads,
    "settings": lambda facts: facts.setting_reads,
    "comments": lambda facts: facts.comments,
    "handlers of errors": lambda facts: any(each.kind in {"catch", "check"} for each in facts.handlings),
    "what handlers do": lambda facts: any(each.traits & ~HandlingTrait.RETURNS for each in facts.handlings),
    "throws": lambda facts: any(each.kind == "throw" for each in facts.handlings),
    "loops, regions and other constructs": lambda facts: facts.constructs,
    "elements of pages": lambda facts: facts.elements,
    "bindings of markup": lambda facts: facts.markup_bindings,
    "style sheets in components": lambda facts: facts.styles,
    "entry points": lambda facts: facts.entry_points,
    "routes": lambda facts: any(each.kind == "http" for each in facts.entry_points),
    "prefixes of routes": lambda facts: facts.mounts,
    "guards of routes": lambda facts: facts.guards,
    "fields of types": lambda facts: any(type_fields(facts)),
    "fingerprints of clones": lambda facts: facts.fingerprints,
}
"""A fact and how a file shows it."""


def write_facts() -> str:
    """The page of facts: what is found in which language, and why not elsewhere."""
    seen = facts_seen(PROBES)
    languages = sorted(seen)
    reasons = _read_reasons()
    rows = [[fact, *(_mark(seen[each], fact) for each in languages)] for fact in FACTS]
    missing = [
        [
            fact,
            codes(gap),
            "; ".join(dict.fromkeys(reasons.get((fact, each)) or _default(each) for each in gap)),
        ]
        for fact in FACTS
        if (gap := [each for each in languages if fact not in seen[each]])
    ]
    return page(
        WARNING,
        "# Facts by language",
        "What a scan keeps of code, found by reading the probes in `tests/projects`: yes where a probe of the language "
        "shows the fact.",
        table(["Fact", *languages], rows),
        "## What is not there",
        table(["Fact", "Languages", "Why"], missing),
        "## Documents",
        "What is kept of [documents](documents.md), by the cases in `tests/documents/cases`.",
        table(
            ["Kind", "Items"], [[kind, codes(sorted(items))] for kind, items in sorted(_items_seen().items())]
        ),
        "## How well",
        _CHECKED.read_text("utf-8").strip(),
    )


def facts_seen(probes: Path) -> dict[str, set[str]]:
    """The facts that the probes of each language show."""
    seen: dict[str, set[str]] = defaultdict(set)
    for path in sorted(probes.rglob("*")):
        language = language_of(path.name)
        if language not in READABLE or not path.is_file():
            continue
        facts = extractor_of(language)(path.read_bytes(), path.relative_to(probes).as_posix())
        seen[language] |= {name for name, shows in FACTS.items() if shows(facts)}
    return seen


def _items_seen() -> dict[str, set[str]]:
    """The kinds of items that the cases of each kind of document are to give."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(DOCUMENTS.glob("*/expected.txt")):
        kind = ""
        for line in path.read_text("utf-8").splitlines():
            if line.startswith(" "):
                found[kind].add(line.split()[1])
            else:
                kind = line.partition(": ")[2].partition(" (")[0]
    return found


def _default(language: str) -> str:
    return "markup has none" if language == "wpf" else "no probe shows it yet"


def _mark(shown: Iterable[str], fact: str) -> str:
    return "yes" if fact in shown else "no"


def _has_trait(facts: FileFacts, wanted: int) -> bool:
    return any(each.traits & wanted for each in facts.call_details)


def _is_member_read(reference: Reference) -> bool:
    target = reference.target
    return reference.kind == "value" and target is not None and target[0] == "member"


def _read_reasons() -> dict[tuple[str, str], str]:
    rows = tomllib.loads(_REASONS.read_text("utf-8"))["missing"]
    return {(row["fact"], language): row["why"] for row in rows for language in row["languages"]}
