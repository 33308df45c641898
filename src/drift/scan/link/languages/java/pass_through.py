"""Functions of libraries that give back the object they are given, on which a call of the project's own is then written."""

from __future__ import annotations

from typing import Final

from drift.languages import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import Values

# By the first parts of their names and the last: `verify(store).save(cart)`, `doReturn(1).when(store).save(cart)`.
_PASSING: Final = (
    ("org.mockito.", frozenset({"verify", "spy", "when"})),
    ("java.util.Objects.", frozenset({"requireNonNull", "requireNonNullElse"})),
    ("com.google.common.base.Preconditions.", frozenset({"checkNotNull"})),
    (
        "org.springframework.test.util.AopTestUtils.",
        frozenset({"getTargetObject", "getUltimateTargetObject"}),
    ),
)
# What these give is what was called, and no object to call more of.
_NOT_PASSING: Final = (
    "org.mockito.Mockito.when",
    "org.mockito.BDDMockito.when",
    "org.mockito.BDDMockito.given",
)


def passed_on(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What a call gives that hands on its first argument; None for all others."""
    last = name.rpartition(".")[2]
    if not call.arguments or name in _NOT_PASSING:
        return None
    if not any(last in names and name.startswith(prefix) for prefix, names in _PASSING):
        return None
    return analysis.evaluate(call.arguments[0][1], scope) or None
