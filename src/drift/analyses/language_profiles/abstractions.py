"""What types promise and who keeps it: interfaces of Go, traits of Rust and PHP.

Who satisfies an interface of Go is told from linking, which compares methods by name and signature; of interfaces without
methods, which every type satisfies, nobody is listed. Derived traits of Rust (`#[derive(Debug)]`) are of its library.
"""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from drift.analyses.language_profiles.rows import AbstractionRow, LanguageData
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.profile_queries import Declared
from drift.kernel.text import plural
from drift.languages.kinds import TYPE_KINDS

_MOST_METHODS: Final = 8
_MOST_IMPLEMENTERS: Final = 6
_NO_METHODS: Final = "no methods of its own: embeds others, lists types, or is any type at all"

_Implementers = Mapping[SymbolId, Sequence[str]]
"""Who keeps what a type promises, each with its place."""


class _Words(NamedTuple):
    """How answers speak of them."""

    one: str
    implementer: str


def find_interfaces(sources: Sources) -> Found:
    """Interfaces of Go, those that most types satisfy first."""
    every = sources.facts.of_kind(sources.ids, ("interface",))
    return _answer(sources, every, _satisfying(sources, every), _Words("interface", "type satisfies"))


def find_traits(sources: Sources) -> Found:
    """Traits of Rust or PHP with who implements or uses them."""
    every = sources.facts.of_kind(sources.ids, ("trait",))
    word = "type implements" if sources.profile.name == "rust" else "class uses"
    return _answer(sources, every, _naming(sources), _Words("trait", word))


def _answer(sources: Sources, every: list[Declared], by: _Implementers, words: _Words) -> Found:
    methods: dict[SymbolId, list[str]] = defaultdict(list)
    for one in sources.facts.of_kind(sources.ids, ("method",)):
        if one.parent_id is not None:
            methods[one.parent_id].append(one.name)
    rows = [
        AbstractionRow(
            one.qualname,
            sources.path(one.id),
            one.line,
            tuple(methods[one.id][:_MOST_METHODS]),
            len(by.get(one.id, ())),
            tuple(by.get(one.id, ())[:_MOST_IMPLEMENTERS]),
            _note(sources, one, methods[one.id], by),
        )
        for one in every
    ]
    unused = sum(not row.count and row.note != _NO_METHODS for row in rows)
    counts = {
        f"{words.one}s": len(rows),
        "implementers": sum(row.count for row in rows),
        "without": unused,
        **_outside(sources),
    }
    told = f"{plural(len(rows), words.one)}, {unused} that no {words.implementer} in the project"
    return Found(
        told,
        ranked(rows, lambda row: (-row.count, row.file, row.line, row.name)),
        lambda shown: LanguageData(counts=counts, interfaces=shown),
    )


def _note(sources: Sources, one: Declared, methods: list[str], by: _Implementers) -> str | None:
    if sources.profile.name == "go" and not methods:
        return _NO_METHODS
    if by.get(one.id):
        return None
    if "exported" in one.modifiers.split():
        return "exported: others may implement it"
    return None


def _satisfying(sources: Sources, every: list[Declared]) -> _Implementers:
    """The types whose methods run in the place of all of an interface's own.

    A type may have its methods in any file of its package, so that they tell it by its name and their folder.
    """
    wanted = Counter(
        one.parent_id for one in sources.facts.of_kind(sources.ids, ("method",)) if one.parent_id is not None
    )
    kept: dict[tuple[SymbolId, str, str], set[SymbolId]] = defaultdict(set)
    for above, method, overrider, qualname in sources.facts.overridden(one.id for one in every):
        file = sources.files.get(file_of_symbol(overrider))
        if file is not None:
            kept[above, posixpath.dirname(file.path), qualname.rpartition(".")[0]].add(method)
    found: dict[SymbolId, list[str]] = defaultdict(list)
    types = {
        (posixpath.dirname(sources.path(one.id)), one.qualname): one
        for one in sources.facts.of_kind(sources.ids, tuple(TYPE_KINDS - {"interface"}))
    }
    for (above, folder, name), methods in kept.items():
        below = types.get((folder, name))
        if below is not None and len(methods) == wanted[above]:
            found[above].append(f"{name} {sources.path(below.id)}:{below.line}")
    return found


def _naming(sources: Sources) -> _Implementers:
    """The types that name a trait: `impl Store for Memory`, `use LogsOrders;`."""
    found: dict[SymbolId, list[str]] = defaultdict(list)
    for parent in sources.facts.parents(sources.ids):
        if parent.target_id is not None and parent.kind in {"implements", "mixes", "prepends"}:
            found[parent.target_id].append(
                f"{parent.qualname} {sources.path(parent.symbol_id)}:{parent.line}"
            )
    return found


def _outside(sources: Sources) -> dict[str, int]:
    """How often traits from outside are implemented."""
    if sources.profile.name != "rust":
        return {}
    parents = sources.facts.parents(sources.ids)
    return {
        "implsOfOutsideTraits": sum(one.kind == "implements" and one.target_id is None for one in parents)
    }
