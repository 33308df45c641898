"""The places that a rename leaves to a person: which of them tell something, and how many are of which kind."""

import re
from collections import Counter
from typing import Final, NamedTuple

from drift.analyses.usages.certainty import CERTAINTIES
from drift.analyses.usages.listing import lines_of
from drift.analyses.usages.references import Use
from drift.analyses.usages.renaming import RenamePlan
from drift.analyses.usages.strings import is_telling

_MOST_SHOWN: Final = 20
_MOST_OTHERWISE: Final = 3
_OTHERWISE: Final = "possible, on an object named otherwise"
_PROSE: Final = frozenset({"comment", "doc", "config", "string", "template", "other"})


class Left(NamedTuple):
    """Each line once, those that are worth a look first; how many there are of each kind, and those to show."""

    lines: tuple[Use, ...]
    counts: dict[str, int]
    shown: tuple[Use, ...]


def sort_left(plan: RenamePlan) -> Left:
    """What the plan leaves, in the order in which a person should look at it."""
    changed = {use.path for use in plan.changed}
    name = plan.references.family.symbol.name
    groups = {use: _group(plan, use) for use in lines_of(plan.left)}

    def order(use: Use) -> tuple[int, bool, bool, int, str, int]:
        is_other = groups[use] == _OTHERWISE
        certainty = CERTAINTIES.index(use.certainty)
        return certainty, is_other, use.path not in changed, use.rank, use.path, use.line

    lines = sorted(groups, key=order)
    otherwise = [use for use in lines if groups[use] == _OTHERWISE][_MOST_OTHERWISE:]
    prose = [use for use in lines if _is_prose(use, name) and use.path not in changed]
    hidden = {*otherwise, *prose}
    shown = tuple(use for use in lines if use not in hidden)[:_MOST_SHOWN]
    return Left(tuple(lines), dict(Counter(groups[use] for use in lines)), shown)


def _group(plan: RenamePlan, use: Use) -> str:
    family = plan.references.family
    if use.certainty != "possible" or not family.is_member:
        return use.certainty
    said = re.search(
        rf"(?<![\w$])([\w$]+)(?:\(\))?(?:\?\.|&\.|\.|->|::){re.escape(family.symbol.name)}(?!\w)", use.text
    )
    if said is None or family.is_named_alike(said[1].lstrip("$@")):
        return "possible"
    return _OTHERWISE


def _is_prose(use: Use, name: str) -> bool:
    """Whether a word of a text is one that people write anyhow."""
    return use.certainty == "text" and use.kind in _PROSE and not is_telling(name)
