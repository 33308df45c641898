"""The examples a maintainer would point at: typical, whole, of files that conform, of many files, and well rated."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drift.analyses.source_text import read_lines
from drift.conventions.feedback import Likings
from drift.conventions.gathering import Found
from drift.conventions.mining import Convention
from drift.conventions.picture import Picture
from drift.kernel.text import plural

_MOST_LINES: Final = 40
_FIT_LINES: Final = 12  # an example of so many lines shows most for what it costs
_MOST_JUDGED: Final = 400


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """A place that shows a convention, with its code."""

    pattern_id: str
    rule: str
    category: str
    file: str
    line: int
    code: str
    why: str


@dataclass(frozen=True, slots=True)
class ExamplesData:
    """Examples, and how many conventions they are of."""

    examples: tuple[ExampleRow, ...]
    patterns: int


class Conformity:
    """How much of what each file decides goes with the conventions."""

    def __init__(self, picture: Picture) -> None:
        self._followed: Counter[int] = Counter()
        self._sites: Counter[int] = Counter()
        for convention in picture.mined.conventions:
            for site in convention.sites:
                self._sites[site.file_id] += 1
                self._followed[site.file_id] += site.variant == convention.variant

    def of(self, file: int) -> float:
        return self._followed[file] / self._sites[file] if self._sites[file] else 1.0


def find_examples(
    picture: Picture, root: Path, conventions: list[Convention], likings: Likings, *, most: int, context: int
) -> ExamplesData:
    """Up to so many examples of each convention, one of a file."""
    conformity = Conformity(picture)
    rows: list[ExampleRow] = []
    for convention in conventions:
        for site in best_sites(picture, convention, likings, conformity)[:most]:
            row = _row(picture, root, convention, site=site, context=context, conformity=conformity)
            if row is not None:
                rows.append(row)
    return ExamplesData(tuple(rows), len({row.pattern_id for row in rows}))


def best_sites(
    picture: Picture, convention: Convention, likings: Likings, conformity: Conformity
) -> list[Found]:
    """The sites that follow, the most worth to be shown first, one of a file."""
    following = [each for each in convention.sites if each.variant == convention.variant]
    in_file = Counter(each.file_id for each in following)
    deviating = {each.file_id for each in convention.sites if each.variant != convention.variant}

    def worth(site: Found) -> float:
        lines = site.end_line - site.line + 1
        whole = 1 - min(1.0, abs(lines - _FIT_LINES) / _MOST_LINES)
        typical = min(1.0, in_file[site.file_id] / 4) if site.file_id not in deviating else 0.0
        base = 0.4 * conformity.of(site.file_id) + 0.35 * typical + 0.25 * whole
        return base * likings.of(picture.path_of(site)).multiplier

    shown = [each for each in following if not likings.of(picture.path_of(each)).is_excluded]
    ranked = sorted(
        shown[:_MOST_JUDGED], key=lambda site: (-round(worth(site), 6), picture.path_of(site), site.line)
    )
    first_of_file: dict[int, Found] = {}
    for site in ranked:
        first_of_file.setdefault(site.file_id, site)
    return list(first_of_file.values())


def _row(
    picture: Picture, root: Path, convention: Convention, *, site: Found, context: int, conformity: Conformity
) -> ExampleRow | None:
    first = max(1, site.line - (context // 4 if site.end_line > site.line else context // 2))
    last = min(
        max(site.end_line, site.line + context // 2), site.line + _MOST_LINES, first + context + _MOST_LINES
    )
    lines = read_lines(root, picture.path_of(site), first=first, count=last - first + 1)
    if not lines:
        return None
    times = sum(1 for each in convention.sites if each.file_id == site.file_id)
    why = f"{plural(times, 'place')} of the file follow it" if times > 1 else "follows it"
    share = conformity.of(site.file_id)
    return ExampleRow(
        convention.id,
        convention.rule,
        convention.dimension.category,
        picture.path_of(site),
        site.line,
        "\n".join(lines),
        f"{why}; {share:.0%} of all that the file decides goes with the project's conventions",
    )
