"""Which methods Python runs for its operators, statements and built-in functions."""

from typing import Final

_ARITHMETIC: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "@": "matmul", "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
# An operator to what it runs of the operand on its left and of the one on its right.
BINARY: Final = {sign: (f"__{word}__", f"__r{word}__") for sign, word in _ARITHMETIC.items()}
# In place first; where that is missing, the plain operator runs.
AUGMENTED: Final = {f"{sign}=": (f"__i{word}__", f"__{word}__") for sign, word in _ARITHMETIC.items()}
UNARY: Final = {"-": "__neg__", "~": "__invert__", "+": "__pos__"}
# The right operand is asked with the operator turned round; `!=` is, unless defined, the opposite of `==`.
COMPARISONS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "==": (("__eq__",), ("__eq__",)),
    "!=": (("__ne__", "__eq__"), ("__ne__", "__eq__")),
    "<": (("__lt__",), ("__gt__",)),
    "<=": (("__le__",), ("__ge__",)),
    ">": (("__gt__",), ("__lt__",)),
    ">=": (("__ge__",), ("__le__",)),
    "in": ((), ("__contains__",)),
    "not in": ((), ("__contains__",)),
}

TRUTH: Final = "__bool__"  # or `__len__`, where an object has no such method: linking sees to it
ITERATION: Final = ("__iter__", "__next__")
ASYNC_ITERATION: Final = ("__aiter__", "__anext__")
COMPARING: Final = frozenset({"max", "min"})
# A built-in function to what it runs of its first argument.
METHODS_RUN: Final[dict[str, tuple[str, ...]]] = {
    "abs": ("__abs__",),
    "bool": (TRUTH,),
    "float": ("__float__",),
    "hash": ("__hash__",),
    "int": ("__int__",),
    "iter": ("__iter__",),
    "len": ("__len__",),
    "next": ("__next__",),
    "repr": ("__repr__",),
    "reversed": ("__reversed__",),
    "str": ("__str__",),
    **dict.fromkeys(
        ("all", "any", "enumerate", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"),
        ITERATION,
    ),
}
