"""Where the text of an import leads."""

from __future__ import annotations

from typing import NamedTuple

from drift.languages.expressions import Expression


class Destination(NamedTuple):
    """Where an import text leads: to a file, a package, outside, or nowhere that is known.

    `path` names members to follow from there, for texts that name more than a module (`crate::a::Type`).
    `value` is what stands for the file where that is not its names: an expression in the file's own scope.
    """

    file: str | None = None
    package: str | None = None
    external: str | None = None  # the full name outside, as members are appended to it
    external_package: str | None = None  # what one would install or find in the standard library
    problem: str | None = None
    path: tuple[str, ...] = ()
    value: Expression = None
