"""Places where a project takes a decision that its syntax shows: the queries of dimensions, matched over a file's tree.

A pattern marks `@site`, and either `@variant.NAME` or the `@text` that the dimension classifies. Where several patterns of a
dimension mark the same site, the first of them counts, so that a general one may stand behind special ones.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.dimensions import queried_dimensions, read_dimension, variant_of
from drift.languages.facts import Site
from drift.languages.syntax import GRAMMARS, load_grammar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node, Query

    from drift.dimensions import Dimension, SiteRule
    from drift.languages.syntax import SourceText

# Grammars that are not called as their language is.
_LANGUAGES: Final = {"c": "cpp", "tsx": "typescript"}
_NAMED: Final = "variant."
_MOST_TEXT: Final = 300
_MOST_OWN_MATCHES: Final = 64  # in the making at once
MOST_SITES: Final = 4_000
"""Of one file; whatever has more of them is no work of hands."""


class SitePattern(NamedTuple):
    """A pattern of a dimension's query, by its place among all of them."""

    number: int
    dimension: str
    rule: SiteRule


@cache
def site_rules(grammar: str) -> tuple[tuple[str, SiteRule], ...]:
    """The queries of all shipped dimensions for a grammar, each with its dimension."""
    return queries_for(grammar, queried_dimensions(_LANGUAGES.get(grammar, grammar)))


class OwnQueries:
    """The queries of the project whose files this process reads, compiled for each grammar that is met."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.texts = texts
        self._dimensions = [read_dimension(text, is_own=True) for text in texts]
        self._compiled: dict[str, list[tuple[SitePattern, Query]]] = {}

    def note(self, grammar: str, root: Node, notes: SiteNotes) -> None:
        """Note the sites of a file. Each query runs by itself, so that one that is wrong spoils no other."""
        from tree_sitter import QueryCursor  # a worker loads only what its files need

        if grammar not in self._compiled:
            rules = queries_for(grammar, self._dimensions)
            self._compiled[grammar] = [
                (SitePattern(number, *rule), query)
                for number, rule in enumerate(rules)
                if not isinstance(query := compile_query(grammar, rule[1].query), str)
            ]
        for pattern, query in self._compiled[grammar]:
            cursor = QueryCursor(query, match_limit=_MOST_OWN_MATCHES)
            for number, captures in cursor.matches(root):
                if "site" in captures:
                    notes.note(pattern._replace(number=(pattern.number << 10) + number), captures)


_own = OwnQueries(())


def use_own_queries(texts: tuple[str, ...]) -> None:
    """Look for the sites of these dimensions, too, in all files from now on; a worker is told with its work."""
    global _own  # noqa: PLW0603 - one process reads the files of one project at a time
    if texts != _own.texts:
        _own = OwnQueries(texts)


def note_own_sites(grammar: str, root: Node, notes: SiteNotes) -> None:
    """Note the sites that the project itself looks for."""
    if _own.texts:
        _own.note(grammar, root, notes)


def compile_query(grammar: str, text: str) -> Query | str:
    """A query for a grammar, or why it is none."""
    from tree_sitter import Query, QueryError  # likewise

    try:
        return Query(load_grammar(grammar), text)
    except (QueryError, ValueError) as error:
        return str(error)


def find_query_problem(dimension: Dimension) -> str | None:
    """Why one of a dimension's queries does not compile for a grammar of its languages."""
    for grammar in GRAMMARS:
        for _, rule in queries_for(grammar, [dimension]):
            compiled = compile_query(grammar, rule.query)
            if isinstance(compiled, str):
                return f"the query for {grammar}: {compiled}"
    return None


def queries_for(grammar: str, dimensions: Iterable[Dimension]) -> tuple[tuple[str, SiteRule], ...]:
    """The queries of some dimensions for a grammar, each with its dimension."""
    language = _LANGUAGES.get(grammar, grammar)
    return tuple(
        (dimension.id, rule)
        for dimension in dimensions
        for rule in dimension.sites
        if rule.query and language in rule.languages and (not rule.grammars or grammar in rule.grammars)
    )


class SiteNotes:
    """The sites that were matched so far in one file."""

    def __init__(self, text: SourceText) -> None:
        self._text = text
        self._found: dict[tuple[str, int, int], tuple[SitePattern, str]] = {}

    def note(self, pattern: SitePattern, captures: dict[str, list[Node]]) -> None:
        site = captures["site"][0]
        key = (pattern.dimension, site.start_byte, site.end_byte)
        known = self._found.get(key)
        if known is not None and known[0].number <= pattern.number:
            return
        variant = self._variant(pattern.rule, captures)
        if variant is not None and (known is not None or len(self._found) < MOST_SITES):
            self._found[key] = (pattern, variant)

    def facts(self) -> tuple[Site, ...]:
        """The sites in the order of the text; of dimensions that count files, the first of each variant."""
        seen: set[tuple[str, str]] = set()
        line_of = self._text.line_of
        sites: list[Site] = []
        for (dimension, start, end), (pattern, variant) in sorted(
            self._found.items(), key=lambda each: (each[0][1], each[0][2], each[0][0])
        ):
            if pattern.rule.per == "file":
                if (dimension, variant) in seen:
                    continue
                seen.add((dimension, variant))
            sites.append(Site(line_of(start), line_of(max(start, end - 1)), dimension, variant))
        return tuple(sites)

    def _variant(self, rule: SiteRule, captures: dict[str, list[Node]]) -> str | None:
        for name in captures:
            if name.startswith(_NAMED):
                return name.removeprefix(_NAMED)
        if "text" not in captures:
            return variant_of(rule, "")
        return variant_of(rule, self._text.brief(captures["text"][0], _MOST_TEXT))
