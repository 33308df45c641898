"""What PHP's node types count for in the shared measures."""

from typing import Final

from drift.languages.vocabulary import Vocabulary

VOCABULARY: Final = Vocabulary(
    grammar="php",
    comments=frozenset({"comment"}),
    identifiers=frozenset({"name"}),
    # A variable is `$` and a name to the grammar, one operand to a reader.
    literals=frozenset(
        {
            "boolean", "encapsed_string", "float", "heredoc", "integer", "nowdoc", "null",
            "shell_command_expression", "string", "string_content", "text", "variable_name",
        }
    ),
    functions=frozenset({"anonymous_function", "arrow_function", "function_definition", "method_declaration"}),
    decisions=frozenset(
        {
            "case_statement", "catch_clause", "conditional_expression", "do_statement", "else_if_clause",
            "for_statement", "foreach_statement", "if_statement", "match_conditional_expression",
            "while_statement", "??=",
        }
    ),
    structures=frozenset(
        {
            "catch_clause", "conditional_expression", "do_statement", "for_statement", "foreach_statement",
            "if_statement", "match_expression", "switch_statement", "while_statement",
        }
    ),
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"else_clause", "else_if_clause"}),
    logical_expressions=frozenset({"binary_expression"}),
    logical_operators=frozenset({"&&", "||", "and", "or", "xor", "??"}),
    default_operators=frozenset({"??"}),
    jumps=frozenset({"break_statement", "continue_statement", "goto_statement"}),
    interpolations=frozenset(
        {
            "heredoc_body", "member_access_expression", "member_call_expression",
            "nullsafe_member_access_expression", "nullsafe_member_call_expression",
            "scoped_call_expression", "function_call_expression", "subscript_expression",
        }
    ),
)  # fmt: skip
