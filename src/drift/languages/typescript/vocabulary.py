"""The node types of the three grammars by what they count for in the measures all languages share."""

from dataclasses import replace
from typing import Final

from drift.languages.vocabulary import Vocabulary

FUNCTION_EXPRESSIONS: Final = frozenset({"arrow_function", "function_expression", "generator_function"})

_JAVASCRIPT: Final = Vocabulary(
    grammar="javascript",
    comments=frozenset({"comment", "html_comment"}),
    identifiers=frozenset(
        {
            "identifier",
            "property_identifier",
            "private_property_identifier",
            "statement_identifier",
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
        }
    ),
    literals=frozenset({"string", "template_string", "number", "regex", "jsx_text"}),
    functions=FUNCTION_EXPRESSIONS
    | {"function_declaration", "generator_function_declaration", "method_definition"},
    decisions=frozenset(
        {
            "if_statement",
            "for_statement",
            "for_in_statement",
            "while_statement",
            "do_statement",
            "switch_case",
            "catch_clause",
            "ternary_expression",
            "&&=",
            "||=",
            "??=",
        }
    ),
    structures=frozenset(
        {
            "if_statement",
            "for_statement",
            "for_in_statement",
            "while_statement",
            "do_statement",
            "switch_statement",
            "catch_clause",
            "ternary_expression",
        }
    ),
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"else_clause"}),
    logical_expressions=frozenset({"binary_expression"}),
    logical_operators=frozenset({"&&", "||", "??"}),
    # As SonarSource measures these languages: `||` gives a default as often as it decides.
    default_operators=frozenset({"||", "??"}),
    jumps=frozenset({"break_statement", "continue_statement"}),
    interpolations=frozenset({"template_substitution"}),
)
_TYPESCRIPT: Final = replace(
    _JAVASCRIPT,
    grammar="typescript",
    identifiers=_JAVASCRIPT.identifiers | {"type_identifier"},
    literals=_JAVASCRIPT.literals - {"jsx_text"},
)

VOCABULARIES: Final = {
    "javascript": _JAVASCRIPT,
    "typescript": _TYPESCRIPT,
    "tsx": replace(_TYPESCRIPT, grammar="tsx", literals=_JAVASCRIPT.literals),
}

ALL_MEMBERS: Final = "*"
"""The key under which an object holds another, all members of which it has: one spread in it, its prototype."""

TYPE_STOOD_FOR: Final = "<type>"
"""The keyword under which the call that makes a token of injection has the type that the token stands for."""
