"""Which repositories of a fleet follow a convention, which break it, and which have not decided.

What it does: counts by convention and variant; for one convention each repository with its share and places that do otherwise.
Why it matters: a convention of a team is one of all its repositories, and nobody sees them side by side.
Example: `drift_fleet(action="conventions", convention="errors/exception-suffix:python")`.
Known limits: conventions of whole repositories, without those of single folders; one that sees too few sites in a
repository is not told of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from drift.fleet.facts import Kept
from drift.fleet.store import FleetStore, VariantCount
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.similar import similar_names

Way = Literal["follows", "breaks", "undecided"]
_WAYS: Final = ("breaks", "undecided", "follows")


@dataclass(frozen=True, slots=True)
class FleetConventionRow:
    """A convention over all repositories; `rule` is what most of those that decide do."""

    convention: str
    rule: str
    variant: str
    follow: int
    break_: int
    undecided: int


@dataclass(frozen=True, slots=True)
class StandRow:
    """How a repository stands to a convention; places are those that do otherwise than it itself."""

    repository: str
    way: Way
    variant: str
    rule: str
    share: float
    sites: int
    outliers: int
    places: tuple[str, ...]


FLEET_CONVENTION_SORTS: Final[Mapping[str, Sort[FleetConventionRow]]] = {
    "split": Sort(lambda row: (-min(row.follow, row.break_), -row.break_, row.convention), "desc"),
    "name": Sort(lambda row: (row.convention,)),
}
STAND_SORTS: Final[Mapping[str, Sort[StandRow]]] = {
    "split": Sort(lambda row: (_WAYS.index(row.way), row.share, row.repository)),
    "name": Sort(lambda row: (row.repository,)),
}


def find_fleet_conventions(store: FleetStore) -> Ranked[FleetConventionRow]:
    """All conventions, those that repositories disagree most about first."""
    grouped: dict[str, list[VariantCount]] = {}
    for each in store.variants():
        grouped.setdefault(each.convention, []).append(each)
    rows = [row for found in grouped.values() if (row := _convention(found)) is not None]
    return Ranked(rows, FLEET_CONVENTION_SORTS)


def _convention(counts: list[VariantCount]) -> FleetConventionRow | None:
    decided = [each for each in counts if each.is_decided]
    if not decided:
        return None
    usual = max(decided, key=lambda each: (each.repositories, each.variant))
    follow = usual.repositories
    return FleetConventionRow(
        usual.convention,
        usual.rule,
        usual.variant,
        follow,
        sum(each.repositories for each in decided) - follow,
        sum(each.repositories for each in counts if not each.is_decided),
    )


def find_stands(store: FleetStore, convention: str, variant: str | None) -> Ranked[StandRow]:
    """How each repository stands to a convention; `variant` is what is wanted, else what most of them do."""
    found = store.conventions(convention)
    if not found:
        known = {each.convention for each in store.variants()}
        raise DriftError(
            ErrorCode.PATTERN_NOT_FOUND,
            f"No repository of the fleet has a convention {convention}",
            Recovery(similar=similar_names(convention, known)),
        )
    wanted = variant or _usual_variant([kept for _, kept in found])
    return Ranked([_stand(name, kept, wanted) for name, kept in found], STAND_SORTS)


def _usual_variant(found: list[Kept]) -> str | None:
    decided = [each.variant for each in found if each.is_decided]
    return max(sorted(set(decided)), key=decided.count) if decided else None


def _stand(repository: str, kept: Kept, wanted: str | None) -> StandRow:
    way: Way = "undecided" if not kept.is_decided else "follows" if kept.variant == wanted else "breaks"
    return StandRow(
        repository,
        way,
        kept.variant,
        kept.rule,
        kept.share,
        kept.sites,
        kept.outliers,
        tuple(kept.examples.splitlines()),
    )
