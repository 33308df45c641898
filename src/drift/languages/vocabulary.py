"""What the node types of a grammar mean to the measures every language shares."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.syntax import load_grammar

if TYPE_CHECKING:
    from tree_sitter import Language

NODE_KINDS: Final = 1 << 16  # node kinds are 16-bit numbers; the last ones are ERROR's
ERROR_KIND: Final = NODE_KINDS - 1

_FIRST_OPERATOR_CODE: Final = 3
_OPERATOR_CODES: Final = 253
IDENTIFIER_CODE: Final = 1
LITERAL_CODE: Final = 2


class Role(IntEnum):
    """What the survey does at a node."""

    PLAIN = 0
    COMMENT = 1
    LITERAL = 2
    MEASURED = 3


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The node types of a language by what they count for. A type may be in several sets.

    Cyclomatic: 1, plus 1 for each of `decisions` and each logical operator, also one that assigns (`||=`). Of a
    match that always takes one of its cases the last decides nothing, and a guard decides once more. Cognitive,
    after the Sonar
    paper: `structures` cost 1 plus their nesting and nest what is in them, `continuations` cost 1,
    a run of equal logical operators, read from left to right, costs 1, a labelled jump costs 1. Operators that
    give a default (`??`) cost a reader nothing. An `ifs` node right after `else`
    (or right inside a continuation) is an `else if`: it costs nothing beside the else and nests no deeper.
    """

    grammar: str
    comments: frozenset[str]
    identifiers: frozenset[str]
    literals: frozenset[str]  # one token each, whatever is inside
    functions: frozenset[str]  # measured on their own; not counted in what surrounds them
    decisions: frozenset[str]  # nodes, or bare tokens: "??="
    structures: frozenset[str]
    ifs: frozenset[str]
    continuations: frozenset[str]  # else and elif clauses, or the bare token "else" where no clause has it
    logical_expressions: frozenset[str]
    logical_operators: frozenset[str]  # tokens: "&&", "and"
    default_operators: frozenset[str] = field(default_factory=frozenset)  # those that give a default: "??"
    nesting: frozenset[str] = field(default_factory=frozenset)  # lambdas: nest, cost nothing
    jumps: frozenset[str] = field(default_factory=frozenset)  # goto, break, continue: cost 1 with a label
    interpolations: frozenset[str] = field(default_factory=frozenset)  # code inside literals
    default_cases: frozenset[str] = field(
        default_factory=frozenset
    )  # a case that starts so decides nothing: "_"
    cases: frozenset[str] = field(
        default_factory=frozenset
    )  # the decisions `default_cases` speaks of; none: all
    exhaustive: frozenset[str] = field(default_factory=frozenset)  # around cases of which one is always taken
    # Node types that are a decision where they have the field beside them.
    decisions_with: frozenset[tuple[str, str]] = field(default_factory=frozenset)


class KindTable(NamedTuple):
    """A vocabulary by node kind number, each a list or set a walk can ask without hashing text."""

    outlook: list[int]  # above 0: the code of a token without parts; below: minus a role; 0: look closer
    wary_outlook: list[int]  # the same for a tree with errors, where such a token may be missing
    codes: list[int]
    functions: frozenset[int]
    decisions: frozenset[int]
    structures: frozenset[int]
    ifs: frozenset[int]
    continuations: frozenset[int]
    logical_expressions: frozenset[int]
    logical_operators: frozenset[int]
    default_operators: frozenset[int]
    transparent: frozenset[int]  # parentheses
    nesting: frozenset[int]
    jumps: frozenset[int]
    interpolations: frozenset[int]
    else_token: frozenset[int]
    default_token: frozenset[int]
    cases: frozenset[int]
    exhaustive: frozenset[int]
    decisions_with: dict[int, str]


@cache
def compile_kinds(vocabulary: Vocabulary) -> KindTable:
    """The vocabulary by the numbers its grammar gives to node types.

    Raises:
        ValueError: a type is not one of the grammar's, which would silently count nothing.
    """
    grammar = load_grammar(vocabulary.grammar)
    numbers = kind_numbers(vocabulary.grammar)

    def numbered(types: frozenset[str]) -> frozenset[int]:
        unknown = sorted(types - numbers.keys())
        if unknown:
            raise ValueError(f"{vocabulary.grammar} has no node types {unknown}")
        return frozenset(number for name in types for number in numbers[name])

    def noded(types: frozenset[str]) -> frozenset[int]:
        # Where a node is called like the keyword in it (`if` of Ruby), the node is meant.
        named = {name: tuple(filter(grammar.node_kind_is_named, numbers.get(name, ()))) for name in types}
        return numbered(types).difference(
            *(set(numbers[name]) - set(found) for name, found in named.items() if found)
        )

    measured = {
        name: noded(getattr(vocabulary, name))
        for name in (
            "functions", "decisions", "structures", "ifs", "continuations",
            "logical_expressions", "nesting", "jumps", "exhaustive",
        )
    }  # fmt: skip
    decisions_with = {
        number: name for kind, name in vocabulary.decisions_with for number in numbered(frozenset({kind}))
    }
    wary = [int(Role.PLAIN)] * NODE_KINDS
    wary[ERROR_KIND] = -int(Role.MEASURED)
    for group, role in (
        (frozenset(decisions_with).union(*measured.values()), Role.MEASURED),
        (numbered(vocabulary.literals), Role.LITERAL),
        (numbered(vocabulary.comments), Role.COMMENT),
    ):
        for number in group:
            wary[number] = -int(role)
    codes = _token_codes(grammar, numbered(vocabulary.identifiers), numbered(vocabulary.literals))
    return KindTable(
        outlook=_with_plain_tokens(wary, codes, grammar),
        wary_outlook=wary,
        codes=codes,
        logical_operators=numbered(vocabulary.logical_operators),
        default_operators=numbered(vocabulary.default_operators),
        transparent=frozenset(numbers.get("parenthesized_expression", ())),
        interpolations=numbered(vocabulary.interpolations),
        cases=noded(vocabulary.cases or vocabulary.decisions),
        else_token=frozenset(numbers.get("else", ())),
        default_token=frozenset(numbers.get("default", ())),
        decisions_with=decisions_with,
        **measured,
    )


def _with_plain_tokens(outlook: list[int], codes: list[int], grammar: Language) -> list[int]:
    """The outlook with the codes of punctuation and keywords, which are taken without a closer look.

    One with a space in its name may have parts (`not in`), and one of white space or control characters
    alone may be empty at the end of a file.
    """
    known = list(outlook)
    for number in range(grammar.node_kind_count):
        name = grammar.node_kind_for_id(number) or ""
        is_word = name.isprintable() and name != "" and " " not in name
        if is_word and not known[number] and not grammar.node_kind_is_named(number):
            known[number] = codes[number] if codes[number] > LITERAL_CODE else 0
    return known


@cache
def kind_numbers(language_name: str) -> dict[str, tuple[int, ...]]:
    """The numbers a grammar gives to each node type, for walks that dispatch on `Node.kind_id`.

    A type can have several (a keyword and a named node alike). Numbers are far cheaper to ask of a node
    than its type, which is a new string each time.
    """
    grammar = load_grammar(language_name)
    numbers: dict[str, tuple[int, ...]] = {}
    for number in range(grammar.node_kind_count):
        if name := grammar.node_kind_for_id(number):
            numbers[name] = (*numbers.get(name, ()), number)
    return numbers


def _token_codes(grammar: Language, identifiers: frozenset[int], literals: frozenset[int]) -> list[int]:
    """One byte for each token kind: all identifiers alike, all literals alike, the rest by their type.

    The rest wraps around beyond 253 kinds; two kinds that then share a code only make a clone a
    little likelier.
    """
    names = sorted({grammar.node_kind_for_id(number) or "" for number in range(grammar.node_kind_count)})
    place = {name: index for index, name in enumerate(names)}
    codes = [_FIRST_OPERATOR_CODE] * NODE_KINDS
    for number in range(grammar.node_kind_count):
        index = place[grammar.node_kind_for_id(number) or ""]
        codes[number] = _FIRST_OPERATOR_CODE + index % _OPERATOR_CODES
    for number in identifiers:
        codes[number] = IDENTIFIER_CODE
    for number in literals:
        codes[number] = LITERAL_CODE
    return codes
