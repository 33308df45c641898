"""What is known of things outside the project: which of them give and hold nothing of the project's own.

A function outside may give back anything: what it was given, what a container made, what a model is. So it is not
known of what class its result is, and what is called on that may be the project's. Known are objects of a class
that is called or declared, things of packages that know nothing of others (the standard library, but for what hands
on what it was given), and members of which a language's data says what they hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from drift.scan.link.values import is_unsure, plain_name

_MEMBER: Final = 2  # a class and a member of it


@dataclass(frozen=True, slots=True)
class OutsideNames:
    """What one language knows of names outside; by default that nothing outside gives anything of the project."""

    is_closed: bool = True
    has_capital_types: bool = False  # whether classes are told from all else by a capital
    closed: tuple[str, ...] = ()  # beginnings of names, each with a dot at its end
    opened: tuple[str, ...] = ()  # those of them that hand on what they are given, or hold it
    held: Mapping[str, str] = field(default_factory=dict)
    """The class of what a member holds, or of what a call of it gives, by full names."""
    extended: tuple[str, ...] = ()
    """Beginnings of names of collections, with a dot, which packages outside extend by methods."""
    own_members: frozenset[str] = frozenset()  # those that collections have without
    extensions: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """Of the name of such a method the namespaces that bring it in, each with the class that has it."""

    def result_of(self, name: str) -> str | None:
        """The class outside of what calling a name gives; None where that is not known."""
        plain = self._resolved(name)
        known = self.held.get(plain)
        if known is not None:
            return known
        if is_unsure(plain):
            return None
        if self.is_closed or self._is_of_closed(plain):
            return plain
        is_type = self.has_capital_types and is_capital(plain.rpartition(".")[2])
        return plain if is_type else None

    def is_known(self, name: str) -> bool:
        """Whether what a member is called of is known to be outside, so that the member is, too."""
        if self.is_closed:
            return not is_unsure(name)
        plain = self._resolved(name)
        if is_unsure(plain):
            return False
        if not self.has_capital_types or self._is_of_closed(plain):
            return True
        parts = plain.split(".")
        last = max((place for place, part in enumerate(parts) if is_capital(part)), default=None)
        return last is None or len(parts) - last <= _MEMBER

    def _resolved(self, name: str) -> str:
        """A name with the class of what a member holds in the place of the path to it."""
        plain = plain_name(name)
        end = len(plain)
        while (end := plain.rfind(".", 0, end)) > 0:
            known = self.held.get(plain[:end])
            if known is not None:
                return self._resolved(known + plain[end:])
        return name

    def _is_of_closed(self, name: str) -> bool:
        whole = f"{name}."
        return whole.startswith(self.closed) and not whole.startswith(self.opened)


def is_capital(part: str) -> bool:
    """Whether a part of a name is written as a class is; constants are written in capitals throughout."""
    return part[:1].isupper() and (not part.isupper() or len(part) == 1)
