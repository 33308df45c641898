"""From sites to conventions: what each dimension comes to, in which scope, and where it is undecided.

A site is governed by the nearest scope that speaks for itself, and counts there alone, so that the counts of all
conventions of a dimension add up to its sites. A scope speaks where it has sites enough and decides otherwise than
what is around it, or decides the same with clearly more certainty.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
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
    def rule(self) -> str:
        """The convention as a sentence, with where it holds."""
        where = f" in {self.area.scope}" if self.area.scope else ""
        tests = " in tests" if self.area.part == "test" and self.dimension.code == "both" else ""
        return f"{self.dimension.sentence(self.variant)}{tests}{where}"

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


_Group = tuple[str, str | None, Part]
"""Dimension, language and part: what is counted together where no scope speaks for itself."""


class _Bundle(NamedTuple):
    """The sites of one dimension in one file; sites are counted by file, since most files hold several."""

    file_id: int
    variants: dict[str, int]
    sites: list[Found]


def _by_dimension(found: Iterable[Found]) -> dict[str, list[Found]]:
    grouped: dict[str, list[Found]] = {}
    for site in found:
        grouped.setdefault(site.dimension, []).append(site)
    return grouped


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
        self._showing: dict[int, bool] = {}

    def governed(self) -> dict[Area, list[_Bundle]]:
        """What each area that speaks for itself governs, and of the whole project what none governs."""
        grouped: dict[_Group, list[_Bundle]] = {}
        for file, found in self._gathered.by_file():
            for dimension, sites in _by_dimension(found).items():
                key = self._place(self._gathered.files[file], dimension)
                if key is not None:
                    variants: dict[str, int] = {}
                    for site in sites:
                        variants[site.variant] = variants.get(site.variant, 0) + 1
                    grouped.setdefault(key, []).append(_Bundle(file, variants, sites))
        governed: dict[Area, list[_Bundle]] = {}
        for key, bundles in grouped.items():
            speaking = self._speaking(bundles)
            for bundle in bundles:
                chain = self.scopes[bundle.file_id] if speaking else ()
                scope = next((each for each in reversed(chain) if each in speaking), WHOLE_PROJECT)
                governed.setdefault(Area(*key, scope), []).append(bundle)
        return governed

    def _place(self, file: SiteFile, dimension_id: str) -> _Group | None:
        dimension = self._dimensions.get(dimension_id)
        if dimension is None:  # switched off
            return None
        if dimension.code != "both" and (dimension.code == "test") != (file.role == "test"):
            return None
        if file.id not in self._showing:
            self._showing[file.id] = self._has_product and is_showing(file.path)
        part: Part = "test" if file.role == "test" else "product"
        return None if self._showing[file.id] else (dimension_id, area_language(dimension, file), part)

    def _speaking(self, bundles: Sequence[_Bundle]) -> frozenset[str]:
        """The scopes below the whole project that decide for themselves."""
        total = sum(len(each.sites) for each in bundles)
        if total < 2 * _LEAST_IN_SCOPE:
            return frozenset()
        counts: dict[str, dict[str, int]] = {}
        files: dict[str, int] = {}
        around: dict[str, str] = {}
        for bundle in bundles:
            chain = self.scopes[bundle.file_id]
            for place, scope in enumerate(chain):
                own = counts.setdefault(scope, {})
                for variant, times in bundle.variants.items():
                    own[variant] = own.get(variant, 0) + times
                files[scope] = files.get(scope, 0) + 1
                if place:
                    around[scope] = chain[place - 1]
        speaking: set[str] = set()
        for scope in sorted(around, key=lambda each: (each.count("/"), each)):
            inside = sum(counts[scope].values())
            if inside < _LEAST_IN_SCOPE or files[scope] < LEAST_FILES or inside == total:
                continue
            wider = around[scope]
            while wider not in speaking and wider != WHOLE_PROJECT:
                wider = around[wider]
            if _speaks(counts[scope], counts[wider]):
                speaking.add(scope)
        return frozenset(speaking)

    def convention(self, area: Area, bundles: Sequence[_Bundle]) -> Convention | None:
        """What the sites of an area come to; None where there are too few to say."""
        dimension = self._dimensions[area.dimension]
        count = sum(len(each.sites) for each in bundles)
        if (
            count < least_sites(dimension.least_sites, project_files=self._code_files)
            or len(bundles) < LEAST_FILES
        ):
            return None
        by_variant: Counter[str] = Counter()
        in_files: Counter[str] = Counter()
        for bundle in bundles:
            in_files.update(bundle.variants.keys())
            for variant, times in bundle.variants.items():
                by_variant[variant] += times
        ordered = sorted(by_variant.items(), key=lambda each: (-each[1], each[0]))
        tallies = {variant: Tally(times, in_files[variant]) for variant, times in ordered}
        dominant = ordered[0][0]
        id_ = convention_id(dimension, area)
        days = self._days(id_, (each.file_id for each in bundles if dominant in each.variants))
        measures = measure(tallies, dominant, files_with_any=len(bundles), days=days)
        sites = tuple(site for bundle in bundles for site in bundle.sites)
        return Convention(id_, dimension, area, dominant, tallies, sites, len(bundles), measures, days)

    def _days(self, id_: str, files: Iterable[int]) -> float | None:
        if self._ages is None:
            return self._seen.get(id_)
        return max((self._ages.get(file, float("inf")) for file in files), default=None)


def _speaks(own: Mapping[str, int], wider: Mapping[str, int]) -> bool:
    # Of variants that are as common, the one that was met first.
    (dominant, times), (usual, usual_times) = (max(each.items(), key=itemgetter(1)) for each in (own, wider))
    total, around = sum(own.values()), sum(wider.values())
    if times / total < LEAST_FREQUENCY:
        return False
    if dominant != usual:
        return True
    return wilson(times, total) >= wilson(usual_times, around) + _SURER_BY


def _said_once(conventions: list[Convention]) -> list[Convention]:
    """Of conventions that part the same lines in the same way, the project's own or the first, which names the others."""
    alike: dict[tuple[object, ...], list[Convention]] = {}
    for each in sorted(conventions, key=lambda one: (not one.dimension.is_own, one.id)):
        # Those that part the same lines have as many files: all others need no look at their lines.
        key = (each.files, each.tallies[each.variant].files) if len(each.sites) > 1 else (each.id,)
        alike.setdefault(key, []).append(each)
    firsts: dict[tuple[object, ...], Convention] = {}
    for group in alike.values():
        for each in group:
            same = _lines(each) if len(group) > 1 else (each.id,)
            first = firsts.get(same)
            firsts[same] = each if first is None else first._replace(same_as=(*first.same_as, each.id))
    return sorted(firsts.values(), key=lambda each: each.id)


def _lines(convention: Convention) -> tuple[object, ...]:
    """The lines that follow, and the others."""
    following = frozenset(
        (one.file_id, one.line) for one in convention.sites if one.variant == convention.variant
    )
    others = frozenset(
        (one.file_id, one.line) for one in convention.sites if one.variant != convention.variant
    )
    return following, others
