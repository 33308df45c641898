"""The kinds of symbols, and the sets of them that more than one room asks for."""

from typing import Final, Literal, get_args

SymbolKind = Literal[
    "module", "namespace", "class", "interface", "trait", "struct", "enum", "type",
    "function", "method", "constructor", "property", "field", "constant", "variable", "macro",
]  # fmt: skip
SYMBOL_KINDS: Final[tuple[SymbolKind, ...]] = get_args(SymbolKind)

CONNECTING: Final = "connect"
"""The kind of a reference that registers a function to be run by something else, and runs nothing itself."""

Kinds = frozenset[SymbolKind]

SPACE_KINDS: Final[Kinds] = frozenset({"module", "namespace"})
CLASS_KINDS: Final[Kinds] = frozenset({"class", "interface", "trait", "struct", "enum"})
TYPE_KINDS: Final[Kinds] = frozenset({*CLASS_KINDS, "type"})
FUNCTION_KINDS: Final[Kinds] = frozenset({"function", "method", "constructor"})
CODE_KINDS: Final[Kinds] = frozenset({*FUNCTION_KINDS, "property", "macro"})
"""What runs: a property and a macro do without looking like a call."""

FIELD_KINDS: Final[Kinds] = frozenset({"field", "property"})
MEMBER_KINDS: Final[Kinds] = frozenset({*FIELD_KINDS, "method", "constructor"})
VALUE_KINDS: Final[Kinds] = frozenset({"field", "constant", "variable"})

EXPECTED: Final = "expected"
"""The kind of a call that a mock is told of, and that does not run."""

ROUTE_NAME: Final = "route-name"
"""The kind of a constant that is a route's name, with its methods where its file says them, and its path."""

PREPENDS: Final = "prepends"
"""The kind of a parent of a class of Ruby whose methods run in the place of the class's own."""
ANY_EDITION: Final = "*::"
"""The beginning of a path of constants in whichever outermost module has the rest: that of an edition of the product."""
