"""Errors that a test expects: `with pytest.raises(Fault) as caught` makes `caught.value` a Fault."""

from __future__ import annotations

from typing import Final

from drift.scan.link.values import RaisedValue, Values, as_instance, external_member, is_symbol

EXPECTING: Final = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
"""How names of functions outside end that are given the class of the error which is to come."""

_KEEPING: Final = frozenset({"exception", "value"})
_ENTERING: Final = "__enter__"


def expected_errors(classes: Values, name: str) -> Values:
    """What a function outside of that name gives that is given these classes; itself where none is of the project."""
    found: Values = tuple(("raised", as_instance(one), name) for one in classes if is_symbol(one))
    return found or (name,)


def raised_member(value: RaisedValue, name: str) -> Values:
    """The error that was raised, what `with` gives, or something outside."""
    if name in _KEEPING:
        return (value[1],)
    return (value,) if name == _ENTERING else external_member(value[2], name)
