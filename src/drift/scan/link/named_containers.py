"""Containers that are kept under a name."""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import Value

CONTAINER_LITERALS: Final = frozenset({"list", "dict", "set", "tuple"})


def named_container(
    analysis: Analysis, value: Expression, scope: int, *, key: tuple[int, str]
) -> Value | None:
    """The container that is kept under a name, so that what is put in later finds it; None for other values."""
    if value is None or not (
        value[0] in {"list", "dict"} or (value[0] == "literal" and value[1] in CONTAINER_LITERALS)
    ):
        return None
    found, made = analysis.container(
        (key, value, scope), value[1] if value[0] == "literal" else value[0], scope
    )
    if made is not None:
        made.name = key[1]
        if value[0] == "list":
            made.fill(value[1:], scope)
        elif value[0] == "dict":
            made.entries.extend((word, element, scope) for word, element in value[1:] if element is not None)
    return found
