"""The names of attributes, whose end C# lets one leave out: `[Guarded]` is of the class `GuardedAttribute`."""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression, last_name

ATTRIBUTE: Final = "Attribute"
"""What the name of an attribute's class ends in, and need not where it is used."""


def whole_name(attribute: Expression) -> Expression:
    """The class that an attribute is of by the convention."""
    if attribute is None or last_name(attribute).endswith(ATTRIBUTE):
        return attribute
    match attribute[0]:
        case "name":
            return ("name", f"{attribute[1]}{ATTRIBUTE}")
        case "member":
            return ("member", attribute[1], f"{attribute[2]}{ATTRIBUTE}")
        case _:
            return attribute


def short_name(name: str) -> str:
    """The name of a class as its attributes may say it."""
    return name.removesuffix(ATTRIBUTE) or name
