"""Guards of classes and functions that a route, of whichever file, may lead to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.call_sites import MOST_TEXT, call_at, flattened, keyed, positional
from drift.languages.facts import Guard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.facts import Call, FileFacts, Symbol
    from drift.languages.guards.words import GuardWords
    from drift.languages.syntax import SourceText

_CLASSES: Final = frozenset({"class", "interface", "struct", "trait"})
_METHODS: Final = frozenset({"function", "method"})
_NAMES: Final = re.compile(r"\w{1,80}[!?]?")


def symbol_guards(facts: FileFacts, words: GuardWords, *, root: Node, text: SourceText) -> Iterator[Guard]:
    """What classes and functions say of themselves beside their decorators."""
    if words.attributes or words.base_endings:
        for number, symbol in enumerate(facts.symbols):
            yield from _by_class(facts, words, number, symbol)
    if words.filters:
        for call in facts.calls:
            if call.text.rpartition(">")[2] in words.filters:
                yield from _by_filter(facts, call, root=root, text=text)
    if words.providers:
        for number, symbol in enumerate(facts.symbols):
            for parameter in symbol.parameters:
                said = parameter.default_text or parameter.type_text or ""
                if any(each in said for each in words.providers):
                    yield Guard(number, symbol.line, "parameter", said[:MOST_TEXT])


def _by_class(facts: FileFacts, words: GuardWords, number: int, symbol: Symbol) -> Iterator[Guard]:
    if symbol.name in words.attributes and facts.symbols[symbol.parent].kind in _CLASSES:
        value = symbol.signature.partition("=")[2].strip() or symbol.signature
        yield Guard(symbol.parent, symbol.line, "attribute", f"{symbol.name} = {value}"[:MOST_TEXT])
    for base in symbol.bases if words.base_endings else ():
        if base.text.endswith(words.base_endings):
            yield Guard(number, symbol.line, "base", base.text[:MOST_TEXT])


def _by_filter(facts: FileFacts, call: Call, *, root: Node, text: SourceText) -> Iterator[Guard]:
    """Filters of a class: of those of its methods that they are said to be of, else of all."""
    owner = call.scope
    while owner and facts.symbols[owner].kind not in _CLASSES:
        owner = facts.symbols[owner].parent
    site = call_at(root, text.line_start(call.line) + call.column, text)
    if not owner or site is None:
        return
    given = [each for node in positional(site.arguments) for each in flattened(node, text)]
    chosen = dict(keyed(site.arguments, text))
    only, but = (_names_in(chosen.get(each), text) for each in ("only", "except"))
    methods = {
        symbol.name: number
        for number, symbol in enumerate(facts.symbols)
        if symbol.parent == owner and symbol.kind in _METHODS and symbol.visibility == "public"
    }
    held = [methods[name] for name in only if name in methods] if only else [owner]
    if but and not only:
        held = [number for name, number in methods.items() if name not in but]
    how = "filter" if not site.name.startswith("skip") else "skipped filter"
    for number in held or [owner]:
        yield from (Guard(number, call.line, how, each) for each in given)


def _names_in(node: Node | None, text: SourceText) -> list[str]:
    return [] if node is None else _NAMES.findall(text.brief(node, 400))
