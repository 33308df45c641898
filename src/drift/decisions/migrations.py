"""Conventions that changed: what files from before a day do in one way, and files added since in another.

What a file does is read as it is now; when it came is what git says. So a file that was rewritten counts for the new way,
and a migration that was carried out everywhere leaves nothing to see.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.conventions.statistics import wilson
from drift.decisions.finding import day_of, describe_commit
from drift.decisions.form import Decision, Evidence
from drift.decisions.signs import limit
from drift.kernel.text import plural

if TYPE_CHECKING:
    from drift.conventions.mining import Convention
    from drift.conventions.picture import Picture
    from drift.history import Commit

_MOST_COMMITS: Final = 5
_MOST_FILES: Final = 20


class _Dated(NamedTuple):
    time: int
    path: str
    variant: str


def find_migrations(picture: "Picture", born: Mapping[str, "Commit"]) -> Iterator[Decision]:
    """The dimensions whose new files decide otherwise than the old ones do."""
    for convention in (*picture.mined.conventions, *picture.mined.undecided):
        if convention.area.scope or len(convention.tallies) < 2:  # noqa: PLR2004 - one way never changed
            continue
        dated = sorted(
            _Dated(born[path].time, path, site.variant)
            for site in convention.sites
            if (path := picture.path_of(site)) in born
        )
        found = _change_point(dated)
        if found is not None:
            yield _decision(convention, dated, found, born)


class _Change(NamedTuple):
    at: int
    before: str
    after: str
    confidence: float


def _change_point(dated: list[_Dated]) -> _Change | None:
    """The place in time that parts one variant from another best, if it does so well."""
    least_before, least_after, share = limit("least_before"), limit("least_after"), limit("least_share")
    variants = sorted({each.variant for each in dated})
    best: _Change | None = None
    for old in variants:
        for new in variants:
            if old != new:
                found = _best_split(dated, old, new, least=(least_before, least_after), share=share)
                if found is not None and (best is None or found.confidence > best.confidence):
                    best = found
    return best


def _best_split(
    dated: list[_Dated], old: str, new: str, *, least: tuple[int, int], share: float
) -> _Change | None:
    total = len(dated)
    news = sum(each.variant == new for each in dated)
    olds_before = news_before = 0
    best: _Change | None = None
    for number, each in enumerate(dated):
        is_border = number and each.time != dated[number - 1].time
        if is_border and number >= least[0] and total - number >= least[1]:
            before, after = olds_before / number, (news - news_before) / (total - number)
            if before >= share and after >= share:
                sure = min(wilson(olds_before, number), wilson(news - news_before, total - number))
                if best is None or sure > best.confidence:
                    best = _Change(number, old, new, sure)
        olds_before += each.variant == old
        news_before += each.variant == new
    return best


def _decision(
    convention: "Convention", dated: list[_Dated], change: _Change, born: Mapping[str, "Commit"]
) -> Decision:
    before, after = dated[: change.at], dated[change.at :]
    old, new = (convention.dimension.phrase(each) for each in (change.before, change.after))
    kept = [each for each in after if each.variant == change.after]
    commits = _first_commits((born[each.path] for each in kept), _MOST_COMMITS)
    since = day_of(after[0].time)
    olds = sum(each.variant == change.before for each in before)
    return Decision(
        f"DEC-{convention.id}",
        convention.dimension.sentence(change.after).rstrip("."),
        "pattern-migration",
        round(change.confidence, 2),
        since,
        day_of(dated[-1].time),
        tuple(describe_commit(each) for each in commits),
        tuple(dict.fromkeys(each.path for each in kept))[:_MOST_FILES],
        (
            Evidence("sites", f"{olds} of {len(before)} in files from before {since}: {old}", convention.id),
            Evidence("sites", f"{len(kept)} of {len(after)} in files added since: {new}", convention.id),
        ),
        f"Before {since}: {convention.dimension.sentence(change.before)}",
        f"Since {since}: {convention.dimension.sentence(change.after)}",
        (f"{plural(sum(each.variant == change.before for each in dated), 'place')} still have {old}",),
        keys=(convention.dimension.id,),
    )


def _first_commits(commits: "Iterable[Commit]", most: int) -> "list[Commit]":
    ordered = sorted({each.hash: each for each in commits}.values(), key=lambda each: each.time)
    return ordered[:most]
