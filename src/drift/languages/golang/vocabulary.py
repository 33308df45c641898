"""What Go's node types count for in the shared measures, and its predeclared names."""

from typing import Final

from drift.languages.vocabulary import Vocabulary

VOCABULARY: Final = Vocabulary(
    grammar="go",
    comments=frozenset({"comment"}),
    identifiers=frozenset(
        {
            "identifier",
            "field_identifier",
            "type_identifier",
            "package_identifier",
            "blank_identifier",
            "label_name",
        }
    ),
    literals=frozenset(
        {
            "interpreted_string_literal",
            "raw_string_literal",
            "rune_literal",
            "int_literal",
            "float_literal",
            "imaginary_literal",
            "true",
            "false",
            "nil",
            "iota",
        }
    ),
    functions=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    decisions=frozenset(
        {"if_statement", "for_statement", "expression_case", "type_case", "communication_case"}
    ),
    structures=frozenset(
        {
            "if_statement",
            "for_statement",
            "expression_switch_statement",
            "type_switch_statement",
            "select_statement",
        }
    ),
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"else"}),
    logical_expressions=frozenset({"binary_expression"}),
    logical_operators=frozenset({"&&", "||"}),
    jumps=frozenset({"goto_statement", "break_statement", "continue_statement"}),
)

# Predeclared types by the literal kind their values have; None where the facts have no word for it.
PREDECLARED_TYPES: Final[dict[str, str | None]] = {
    "any": None,
    "bool": "bool",
    "byte": "int",
    "comparable": None,
    "complex64": None,
    "complex128": None,
    "error": None,
    "float32": "float",
    "float64": "float",
    "int": "int",
    "int8": "int",
    "int16": "int",
    "int32": "int",
    "int64": "int",
    "rune": "int",
    "string": "str",
    "uint": "int",
    "uint8": "int",
    "uint16": "int",
    "uint32": "int",
    "uint64": "int",
    "uintptr": "int",
}
PREDECLARED_FUNCTIONS: Final = frozenset(
    {
        "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min",
        "new", "panic", "print", "println", "real", "recover",
    }
)  # fmt: skip
