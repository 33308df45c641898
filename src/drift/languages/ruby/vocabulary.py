"""What Ruby's node types count for in the shared measures."""

from typing import Final

from drift.languages.vocabulary import Vocabulary

VOCABULARY: Final = Vocabulary(
    grammar="ruby",
    comments=frozenset({"comment"}),
    identifiers=frozenset(
        {
            "class_variable", "constant", "global_variable", "hash_key_symbol", "identifier",
            "instance_variable", "self", "super",
        }
    ),
    literals=frozenset(
        {
            "character", "complex", "delimited_symbol", "false", "float", "heredoc_beginning", "heredoc_body",
            "integer", "nil", "rational", "regex", "simple_symbol", "string", "string_array", "subshell",
            "symbol_array", "true", "uninterpreted",
        }
    ),
    functions=frozenset({"method", "singleton_method"}),
    decisions=frozenset(
        {
            "conditional", "elsif", "for", "if", "if_guard", "if_modifier", "in_clause", "rescue",
            "rescue_modifier", "unless", "unless_guard", "unless_modifier", "until", "until_modifier",
            "when", "while", "while_modifier", "||=", "&&=",
        }
    ),
    structures=frozenset(
        {
            "case", "case_match", "conditional", "for", "if", "if_modifier", "rescue", "rescue_modifier",
            "unless", "unless_modifier", "until", "until_modifier", "while", "while_modifier",
        }
    ),
    ifs=frozenset({"if"}),
    continuations=frozenset({"else", "elsif"}),
    logical_expressions=frozenset({"binary"}),
    logical_operators=frozenset({"&&", "||", "and", "or"}),
    nesting=frozenset({"block", "do_block", "lambda"}),
    interpolations=frozenset({"interpolation"}),
)  # fmt: skip
