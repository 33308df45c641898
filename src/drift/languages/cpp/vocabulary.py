"""What the node types of C and C++ count for in the shared measures."""

from typing import Final

from drift.languages.vocabulary import Vocabulary

_COMMENTS: Final = frozenset({"comment"})
_IDENTIFIERS: Final = frozenset({"field_identifier", "identifier", "statement_identifier", "type_identifier"})
_LITERALS: Final = frozenset(
    {
        "char_literal", "false", "number_literal", "preproc_arg", "string_literal", "system_lib_string",
        "true",
    }
)  # fmt: skip
_DECISIONS: Final = frozenset(
    {
        "case_statement", "conditional_expression", "do_statement", "for_statement", "if_statement",
        "while_statement",
    }
)  # fmt: skip
_STRUCTURES: Final = frozenset(
    {
        "conditional_expression", "do_statement", "for_statement", "if_statement", "switch_statement",
        "while_statement",
    }
)  # fmt: skip

C_VOCABULARY: Final = Vocabulary(
    grammar="c",
    comments=_COMMENTS,
    identifiers=_IDENTIFIERS,
    literals=_LITERALS,
    functions=frozenset({"function_definition"}),
    decisions=_DECISIONS,
    structures=_STRUCTURES,
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"else_clause"}),
    logical_expressions=frozenset({"binary_expression"}),
    logical_operators=frozenset({"&&", "||"}),
    jumps=frozenset({"goto_statement"}),
)
CPP_VOCABULARY: Final = Vocabulary(
    grammar="cpp",
    comments=_COMMENTS,
    identifiers=_IDENTIFIERS | {"namespace_identifier"},
    literals=_LITERALS | {"raw_string_literal", "user_defined_literal"},
    functions=frozenset({"function_definition", "lambda_expression"}),
    decisions=_DECISIONS | {"catch_clause", "for_range_loop"},
    structures=_STRUCTURES | {"catch_clause", "for_range_loop"},
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"else_clause"}),
    logical_expressions=frozenset({"binary_expression"}),
    logical_operators=frozenset({"&&", "and", "or", "||"}),
    jumps=frozenset({"goto_statement"}),
)
