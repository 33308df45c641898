"""The numbers the grammar gives to Python's node types: far cheaper to ask of a node than its type's name."""

from typing import Final

from drift.languages.syntax import load_grammar

_GRAMMAR: Final = load_grammar("python")  # this room is entered only to read a Python file


def _number(node_type: str, *, is_named: bool = True) -> int:
    number = _GRAMMAR.id_for_node_kind(node_type, is_named)
    if number is None:
        raise ValueError(f"the grammar has no node type {node_type!r}")
    return number


ARGUMENT_LIST: Final = _number("argument_list")
ASSIGNMENT: Final = _number("assignment")
ATTRIBUTE: Final = _number("attribute")
BINARY_OPERATOR: Final = _number("binary_operator")
BLOCK: Final = _number("block")
BOOLEAN_OPERATOR: Final = _number("boolean_operator")
CALL: Final = _number("call")
CLASS_DEFINITION: Final = _number("class_definition")
COMMENT: Final = _number("comment")
DECORATED_DEFINITION: Final = _number("decorated_definition")
DICTIONARY_SPLAT: Final = _number("dictionary_splat")
ELSE_CLAUSE: Final = _number("else_clause")
EXPRESSION_STATEMENT: Final = _number("expression_statement")
FLOAT: Final = _number("float")
FUNCTION_DEFINITION: Final = _number("function_definition")
GENERATOR_EXPRESSION: Final = _number("generator_expression")
IDENTIFIER: Final = _number("identifier")
INTEGER: Final = _number("integer")
INTERPOLATION: Final = _number("interpolation")
KEYWORD_ARGUMENT: Final = _number("keyword_argument")
KEYWORD_SEPARATOR: Final = _number("keyword_separator")
LAMBDA_PARAMETERS: Final = _number("lambda_parameters")
LIST_SPLAT: Final = _number("list_splat")
PAIR: Final = _number("pair")
PARAMETERS: Final = _number("parameters")
PARENTHESIZED: Final = _number("parenthesized_expression")
POSITIONAL_SEPARATOR: Final = _number("positional_separator")
SLICE: Final = _number("slice")
STRING: Final = _number("string")
SUBSCRIPT: Final = _number("subscript")
TYPE: Final = _number("type")
TYPE_CONVERSION: Final = _number("type_conversion")

ASYNC_TOKEN: Final = _number("async", is_named=False)
COLON_TOKEN: Final = _number(":", is_named=False)
IN_TOKEN: Final = _number("in", is_named=False)
