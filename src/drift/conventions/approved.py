"""Approved conventions as lines for files that agents read as orders.

Decisions come with the repository, so nothing of their words gets into the lines: a rule is said by the dimension that Drift brings,
with a variant that it knows. Rules of the project itself are left out, for their words are of the repository, too.
"""

import re
from typing import Final

from drift.conventions.rulebook import DECISIONS as _DECISIONS
from drift.conventions.rulebook import Decision, read_decisions
from drift.dimensions import Dimension, shipped_dimensions
from drift.project import StateDir

_MOST_BYTES: Final = 1_000_000
_MOST_LINES: Final = 60
# A variant that is text of the code: a name, a suffix, a package.
_NAME: Final = re.compile(r"[\w@./*<>-]{1,60}")
_SCOPE: Final = re.compile(r"[\w@./-]{1,200}")


def approved_rules(state: StateDir) -> tuple[str, ...]:
    """A line for each approved convention: the rule, where it holds, and in how many places when it was approved."""
    try:
        decisions = read_decisions(state.read(state.rules / _DECISIONS, _MOST_BYTES).decode("utf-8"))
    except (OSError, TypeError, ValueError):
        return ()
    approved = [each for each in decisions.values() if each.status == "approved"]
    lines = (_line(each) for each in sorted(approved, key=lambda each: each.id))
    return tuple(line for line in lines if line is not None)[:_MOST_LINES]


def _line(decision: Decision) -> str | None:
    plain, _, scope = decision.id.partition("@")
    dimension = shipped_dimensions().get(plain.partition("#")[0].partition(":")[0])
    if dimension is None or decision.variant is None or not _is_known(dimension, decision.variant):
        return None
    if scope and not _SCOPE.fullmatch(scope):
        return None
    language = plain.partition("#")[0].partition(":")[2]
    where = [f"in {scope}"] if scope else []
    if language.isalnum():
        where.append(f"({language})")
    if plain.endswith("#tests"):
        where.append("in tests")
    counts = (
        f"{decision.followed} of {decision.sites} places"
        if decision.followed and decision.sites
        else "approved"
    )
    return f"{' '.join([dimension.sentence(decision.variant), *where])}: {counts} (`{dimension.id}`)"


def _is_known(dimension: Dimension, variant: str) -> bool:
    return bool(_NAME.fullmatch(variant)) if dimension.is_open else variant in dimension.variants
