"""What answers whether a user may do something: the policy that goes by the name of a model, or what a gate defines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from drift.languages.facts import Access
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members
from drift.scan.link.implicit import implicit_link
from drift.scan.link.keys import type_key
from drift.scan.link.languages.php.global_variables import global_values
from drift.scan.link.links import CallLink
from drift.scan.link.values import is_instance, is_reference, is_symbol, symbol_of

_LANGUAGE: Final = "php"
_JOINT: Final = re.compile(r"[-_ .:]([a-zA-Z])")
_MOST_POLICIES: Final = 3  # of one name; of more it is not known which is meant


@cache
def _words() -> tuple[str, tuple[str, ...], str]:
    # Only projects with PHP pay for reading the words.
    from drift.languages.frameworks import load_frameworks
    from drift.languages.php.abilities import ABILITY

    words = load_frameworks(_LANGUAGE).words["abilities"]
    return str(words["suffix"]), tuple(words["first"]), ABILITY


def asks_ability(name: str) -> bool:
    """Whether an access asks for an ability; asked of each name of a file."""
    return name.startswith("@") and name.startswith(_words()[2])


def ability_link(analysis: Analysis, access: Access, scope: int) -> CallLink | None:
    """What runs where an ability is asked for."""
    ability = access.name.removeprefix(_words()[2])
    answering = dict.fromkeys(
        (*_policy_methods(analysis, access, scope, ability), *_gates(analysis, ability))
    )
    return implicit_link(analysis, tuple(answering), is_virtual=False) if answering else None


def _policy_methods(analysis: Analysis, access: Access, scope: int, ability: str) -> Iterator[int]:
    suffix, first, _ = _words()
    program = analysis.program
    method = _JOINT.sub(lambda found: found[1].upper(), ability)
    for value in analysis.evaluate(access.receiver, scope):
        if (
            not (is_instance(value) or is_symbol(value))
            or program.symbol(symbol_of(value)).kind not in TYPE_KINDS
        ):
            continue
        name = f"{program.symbol(symbol_of(value)).name}{suffix}"
        paths = program.providing(type_key(_LANGUAGE, name))
        for table in program.tables_at(paths) if len(paths) <= _MOST_POLICIES else ():
            for number, symbol in enumerate(table.symbols):
                if symbol.name == name and symbol.kind in TYPE_KINDS:
                    for asked in (method, *first):
                        yield from declared_members(analysis, table.first + number, asked)


def _gates(analysis: Analysis, ability: str) -> Iterator[int]:
    # Only files that ask for abilities come here, and their words are read.
    from drift.languages.php.abilities import ability_variable

    for value in global_values(analysis, ability_variable(ability)):
        inner = value[1] if isinstance(value, tuple) and value[0] == "partial" else value
        if is_reference(inner) and analysis.program.symbol(symbol_of(inner)).kind not in TYPE_KINDS:
            yield symbol_of(inner)
