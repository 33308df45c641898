"""What linking says of each file: where its imports, parents, calls and references lead."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Outcome = Literal["resolved", "ambiguous", "external", "unknown"]

OVERRIDE_CONFIDENCE: Final = 0.3
"""What the overriders of a call's target share: one of them runs where the object is of its class.

Measured on traces, about one in three overriders of a resolved target is ever the one that runs.
"""


ABSTRACT_CONFIDENCE: Final = 0.9
"""What they share where the target has no body of its own, so that one of them must run."""


OUTSIDE_CONFIDENCE: Final = 0.7
"""That of the only method of the project below a type outside: other classes of the type may be outside as well."""


DISPATCH_CONFIDENCE: Final = 0.9
"""What the methods share that a framework runs for what it is handed: it may be set up otherwise."""


SIGNAL_CONFIDENCE: Final = 0.8
"""That of what is connected with a signal: another object of the class may be the one that is connected."""


class Place(NamedTuple):
    """A symbol of the project: the file and the symbol's number in its facts."""

    path: str
    symbol: int


class Target(NamedTuple):
    """One candidate, how sure it is, and the word for how it was found."""

    place: Place
    confidence: float
    reason: str


class ImportLink(NamedTuple):
    """Where the import of the same number leads; exactly one of file, package and problem is given.

    `symbols` are what the imported name stands for, several where it depends on a condition.
    """

    file: str | None = None
    symbols: tuple[Place, ...] = ()
    external_package: str | None = None
    problem: str | None = None


class BaseLink(NamedTuple):
    """Where one parent of a class leads."""

    symbol: int
    position: int
    targets: tuple[Place, ...] = ()
    external_name: str | None = None


class CallLink(NamedTuple):
    """Where the call of the same number leads.

    The confidences of `targets` sum to at most 1. `overriders` may run in the place of a target when the
    object is of a class below; they are extra, and share OVERRIDE_CONFIDENCE, as is what is read to make
    the call: a property, a constant. `reason` says how the first
    target was found, or why there is none.
    """

    outcome: Outcome
    targets: tuple[Target, ...] = ()
    overriders: tuple[Target, ...] = ()
    external_name: str | None = None
    reason: str = ""


class ReferenceLink(NamedTuple):
    """Where the reference of the same number leads; no targets where nothing in the project is meant."""

    targets: tuple[Target, ...] = ()


class MountLink(NamedTuple):
    """The router that the mount of the same number is about, and what it is mounted into, where they are known."""

    router: Place | None = None
    into: Place | None = None


class FileLinks(NamedTuple):
    """All links of one file. Imports, calls and references are in the order of the file's facts."""

    imports: tuple[ImportLink, ...] = ()
    bases: tuple[BaseLink, ...] = ()
    calls: tuple[CallLink, ...] = ()
    references: tuple[ReferenceLink, ...] = ()
    implicit: tuple[tuple[int, CallLink], ...] = ()  # accesses that run code, by their number in the facts
    handlers: tuple[tuple[int, Place], ...] = ()  # what entry points call that only register it, by number
    routers: tuple[tuple[int, Place], ...] = ()  # what routes are added to, by the number of the entry point
    mounts: tuple[MountLink, ...] = ()
