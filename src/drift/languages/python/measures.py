"""Which Python node types count for complexity, tokens and comments."""

from typing import Final

from drift.languages.vocabulary import Vocabulary

VOCABULARY: Final = Vocabulary(
    grammar="python",
    comments=frozenset({"comment"}),
    identifiers=frozenset({"identifier"}),
    literals=frozenset({"string", "integer", "float", "true", "false", "none", "ellipsis"}),
    functions=frozenset({"function_definition"}),
    decisions=frozenset(
        {
            "if_statement", "elif_clause", "for_statement", "while_statement", "except_clause",
            "conditional_expression", "case_clause", "for_in_clause", "if_clause",
        }
    ),
    structures=frozenset(
        {
            "if_statement", "for_statement", "while_statement", "except_clause",
            "conditional_expression", "match_statement",
        }
    ),
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"elif_clause", "else_clause"}),
    logical_expressions=frozenset({"boolean_operator"}),
    logical_operators=frozenset({"and", "or"}),
    nesting=frozenset({"lambda"}),
    interpolations=frozenset({"interpolation"}),
    default_cases=frozenset({"_"}),
    cases=frozenset({"case_clause"}),
)  # fmt: skip
