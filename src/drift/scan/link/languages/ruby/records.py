"""What the classes of object mappers are asked for: records, one by one or many, and their own kind again."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import Values, as_instance, is_instance, is_symbol, symbol_of

_RECORD_BASES: Final = ("Base", "Record", "Model", "Document")  # how the names of parents outside end
_ONE: Final = frozenset(
    {
        "build", "create", "create!", "create_or_find_by", "create_or_find_by!", "fifth", "find", "find_by",
        "find_by!", "find_by_id", "find_or_create_by", "find_or_create_by!", "find_or_initialize_by", "first",
        "first!", "first_or_create", "first_or_create!", "first_or_initialize", "forty_two", "fourth", "last",
        "last!", "second", "sole", "take", "take!", "third", "with_pk",
    }
)  # fmt: skip
_MANY: Final = frozenset(
    {
        "all", "and", "default_scoped", "distinct", "eager_load", "each", "except", "excluding", "extending",
        "find_each", "from", "group", "having", "in_batches", "in_order_of", "includes", "invert_where",
        "joins", "left_joins", "left_outer_joins", "limit", "load", "lock", "merge", "none", "not", "offset",
        "only", "or", "order", "preload", "readonly", "references", "reorder", "reselect", "reverse_order",
        "rewhere", "scoping", "select", "strict_loading", "unscope", "unscoped", "uniq", "where", "with",
    }
)  # fmt: skip
_FINDING: Final = (
    "find_by_",
    "find_or_create_by_",
    "find_or_initialize_by_",
)  # and the columns to find it by
_ITSELF: Final = frozenset({"becomes", "clone", "dup", "itself", "lock!", "reload", "tap", "freeze"})
_KNOWN: Final = _ONE | _MANY | _ITSELF


def record_values(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What a class of records, or many of its records, gives for a method of its mapper; None for other methods."""
    callee = call.callee
    if callee is None or callee[0] != "member":
        return None
    owner, _, method = name.rpartition(".")
    is_finder = method.startswith(_FINDING) and method != "find_by_sql"
    if not owner.endswith(_RECORD_BASES) or not (is_finder or method in _KNOWN):
        return None
    values = analysis.evaluate(callee[1], scope)
    if method in _ITSELF:
        return tuple(value for value in values if is_instance(value)) or None
    classes = tuple(
        value
        for value in values
        if is_symbol(value) and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS
    )
    return (tuple(map(as_instance, classes)) if is_finder or method in _ONE else classes) or None
