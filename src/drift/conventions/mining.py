"""From sites to conventions: what each dimension comes to, in which scope, and where it is undecided.

A site is governed by the nearest scope that speaks for itself, and counts there alone, so that the counts of all
conventions of a dimension add up to its sites. A scope speaks where it has sites enough and decides otherwise than
what is around it, or decides the same with clearly more certainty.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from drift.analyses.prominence import is_showing
from drift.conventions.gathering import Found, Gathered
from drift.conventions.scopes import WHOLE_PROJECT, scopes_of
from drift.conventions.statistics import (
    LEAST_FILES,
    LEAST_FREQUENCY,
    Measures,
    Tally,
    least_sites,
    measure,
    wilson,
)
from drift.dimensions import Dimension
from drift.index.site_records import SiteFile

Part = Literal["product", "test"]

_LEAST_IN_SCOPE: Final = 8
_SURER_BY: Final = 0.1


class Area(NamedTuple):
    """Where sites are counted together."""

    dimension: str
    language: str | None
    part: Part
    scope: str


class Convention(NamedTuple):
    """What the sites of a dimension come to in a part of the project; `measures` is None where they are undecided."""

    id: str
    dimension: Dimension
    area: Area
    variant: str
    tallies: Mapping[str, Tally]
    sites: tuple[Found, ...]
    files: int
    measures: Measures
    days: float | None
    same_as: tuple[str, ...] = ()

    @property
    def followed(self) -> int:
        return self.tallies[self.variant].sites

    @property
    def is_decided(self) -> bool:
        return self.measures.frequency >= LEAST_FREQUENCY

    @property
    def is_claimed(self) -> bool:
        return self.variant not in self.dimension.unclaimed


class Mined(NamedTuple):
    """The conventions of a project, and the dimensions that it decides in several ways."""

    conventions: tuple[Convention, ...]
    undecided: tuple[Convention, ...]
    files: Mapping[int, SiteFile]
    scopes: Mapping[int, tuple[str, ...]]

    def by_id(self) -> dict[str, Convention]:
        return {each.id: each for each in self.conventions}


def mine(
    gathered: Gathered,
    dimensions: Mapping[str, Dimension],
    ages: Mapping[int, float] | None = None,
    seen: Mapping[str, float] | None = None,
) -> Mined:
    """What the sites come to.

    `ages` are the days that files have been there, those left out longest of all; where git does not tell, `seen` are
    the days since each convention was seen first.
    """
    mining = _Mining(gathered, dimensions, ages=ages, seen=seen or {})
    found = [one for area, sites in mining.governed().items() if (one := mining.convention(area, sites))]
    found.sort(key=lambda each: each.id)
    decided = _said_once([each for each in found if each.is_decided and each.is_claimed])
    undecided = tuple(each for each in found if not each.is_decided)
    return Mined(tuple(decided), undecided, gathered.files, mining.scopes)


def convention_id(dimension: Dimension, area: Area) -> str:
    """The name of a convention, the same on every machine: errors/exception-suffix:python@packages/api."""
    language = "" if area.language is None else f":{area.language}"
    part = "#tests" if area.part == "test" and dimension.code == "both" else ""
    return f"{dimension.id}{language}{part}" + (f"@{area.scope}" if area.scope else "")


def counted_part(file: SiteFile, dimension: Dimension, *, has_product: bool) -> Part | None:
    """Whether a site in the file counts as product code or as a test; None where it counts as neither."""
    part: Part = "test" if file.role == "test" else "product"
    if dimension.code not in {part, "both"}:
        return None
    return None if has_product and is_showing(file.path) else part


def area_language(dimension: Dimension, file: SiteFile) -> str | None:
    """The language by which sites are counted apart; None for dimensions of one language or across all."""
    return None if dimension.is_across or len(dimension.languages) == 1 else file.language


class _Mining:
    def __init__(
        self,
        gathered: Gathered,
        dimensions: Mapping[str, Dimension],
        *,
        ages: Mapping[int, float] | None,
        seen: Mapping[str, float],
    ) -> None:
        self._gathered = gathered
        self._dimensions = dimensions
        self._ages = ages
        self._seen = seen
        files = gathered.files
        self.scopes = scopes_of(files)
        self._has_product = any(not is_showing(each.path) for each in files.values() if each.role == "source")
        self._code_files = sum(1 for each in files.values() if each.language)

    def governed(self) -> dict[Area, list[Found]]:
        """The sites of each area that speaks for itself, and of the whole project those that none governs."""
        grouped: dict[tuple[str, str | None, Part], list[Found]] = {}
        places: dict[tuple[int, str], tuple[str, str | None, Part] | None] = {}
        files = self._gathered.files
        for site in self._gathered.sites():
            place = (site.file_id, site.dimension)
            if place not in places:
                places[place] = self._place(files[site.file_id], site.dimension)
            key = places[place]
            if key is not None:
                grouped.setdefault(key, []).append(site)
        found: dict[Area, list[Found]] = {}
        for (dimension, language, part), sites in grouped.items():
            speaking = self._speaking(sites)
            for site in sites:
                chain = self.scopes[site.file_id]
                scope = next((each for each in reversed(chain) if each in speaking), WHOLE_PROJECT)
                found.setdefault(Area(dimension, language, part, scope), []).append(site)
        return found

    def _place(self, file: SiteFile, dimension_id: str) -> tuple[str, str | None, Part] | None:
        dimension = self._dimensions[dimension_id]
        part = counted_part(file, dimension, has_product=self._has_product)
        return (dimension_id, area_language(dimension, file), part) if part else None

    def _speaking(self, sites: Sequence[Found]) -> frozenset[str]:
        """The scopes below the whole project that decide for themselves."""
        if len(sites) < 2 * _LEAST_IN_SCOPE:
            return frozenset()
        counts: dict[str, Counter[str]] = {}
        files: dict[str, set[int]] = {}
        around: dict[str, str] = {}
        for site in sites:
            chain = self.scopes[site.file_id]
            for place, scope in enumerate(chain):
                counts.setdefault(scope, Counter())[site.variant] += 1
                files.setdefault(scope, set()).add(site.file_id)
                if place:
                    around[scope] = chain[place - 1]
        speaking: set[str] = set()
        for scope in sorted(around, key=lambda each: (each.count("/"), each)):
            total = counts[scope].total()
            if total < _LEAST_IN_SCOPE or len(files[scope]) < LEAST_FILES or total == len(sites):
                continue
            wider = around[scope]
            while wider not in speaking and wider != WHOLE_PROJECT:
                wider = around[wider]
            if _speaks(counts[scope], counts[wider]):
                speaking.add(scope)
        return frozenset(speaking)

    def convention(self, area: Area, sites: list[Found]) -> Convention | None:
        """What the sites of an area come to; None where there are too few to say."""
        dimension = self._dimensions[area.dimension]
        by_variant = Counter(each.variant for each in sites)
        pairs = {(each.variant, each.file_id) for each in sites}
        in_files = Counter(variant for variant, _ in pairs)
        all_files = {each.file_id for each in sites}
        least = least_sites(dimension.least_sites, project_files=self._code_files)
        if len(sites) < least or len(all_files) < LEAST_FILES:
            return None
        ordered = sorted(by_variant.items(), key=lambda each: (-each[1], each[0]))
        tallies = {variant: Tally(times, in_files[variant]) for variant, times in ordered}
        dominant = ordered[0][0]
        id_ = convention_id(dimension, area)
        days = self._days(id_, (file for variant, file in pairs if variant == dominant))
        measures = measure(tallies, dominant, files_with_any=len(all_files), days=days)
        return Convention(
            id_, dimension, area, dominant, tallies, tuple(sites), len(all_files), measures, days
        )  # fmt: skip

    def _days(self, id_: str, files: Iterable[int]) -> float | None:
        if self._ages is None:
            return self._seen.get(id_)
        return max((self._ages.get(file, float("inf")) for file in files), default=None)


def _speaks(own: Counter[str], wider: Counter[str]) -> bool:
    (dominant, times), (usual, usual_times) = own.most_common(1)[0], wider.most_common(1)[0]
    if times / own.total() < LEAST_FREQUENCY:
        return False
    if dominant != usual:
        return True
    return wilson(times, own.total()) >= wilson(usual_times, wider.total()) + _SURER_BY


def _said_once(conventions: list[Convention]) -> list[Convention]:
    """Of conventions that part the same lines in the same way, the project's own or the first, which names the others."""
    firsts: dict[tuple[object, ...], Convention] = {}
    for each in sorted(conventions, key=lambda one: (not one.dimension.is_own, one.id)):
        following = frozenset((one.file_id, one.line) for one in each.sites if one.variant == each.variant)
        others = frozenset((one.file_id, one.line) for one in each.sites if one.variant != each.variant)
        key = (following, others) if len(following) + len(others) > 1 else (each.id,)
        first = firsts.get(key)
        firsts[key] = each if first is None else first._replace(same_as=(*first.same_as, each.id))
    return sorted(firsts.values(), key=lambda each: each.id)
