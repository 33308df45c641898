"""Charts of the page: files by how often they change and how hard they are to follow, and measures over time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from drift.quality.page.markup import Markup, element, join, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drift.quality.page.content import FileCell, TrendLine

_WIDTH: Final = 720
_HEIGHT: Final = 360
_LEFT: Final = 56
_BOTTOM: Final = 36
_MOST_DOTS: Final = 400
_NAMED: Final = 8
_TREND_WIDTH: Final = 360
_TREND_HEIGHT: Final = 90
_FEWEST_POINTS: Final = 2


def hotspots(files: Sequence[FileCell]) -> list[FileCell]:
    """Files that changed in the last year and are hard to follow: by the product of both, the highest first."""
    found = [one for one in files if one.commits and one.cognitive]
    return sorted(found, key=lambda one: (-(one.commits or 0) * one.cognitive, one.path))


def draw_hotspots(files: Sequence[FileCell]) -> Markup:
    """Each file as a dot: commits to the right, complexity upwards, both by their logarithms; the worst by name."""
    found = hotspots(files)[:_MOST_DOTS]
    most_commits = max(one.commits or 0 for one in found)
    most_cognitive = max(one.cognitive for one in found)
    dots, names = [], []
    for number, one in enumerate(found):
        x = _LEFT + _log_share(one.commits or 0, most_commits) * (_WIDTH - _LEFT - 120)
        y = _HEIGHT - _BOTTOM - _log_share(one.cognitive, most_cognitive) * (_HEIGHT - _BOTTOM - 24)
        told = f"{one.path}: {one.commits} commits in a year, cognitive complexity {one.cognitive:,}"
        radius = 3 + min(9.0, math.sqrt(one.code_lines) / 6)
        dots.append(
            element("circle", element("title", told), class_="dot hot" if number < _NAMED else "dot",
                    cx=round(x, 1), cy=round(y, 1), r=round(radius, 1))
        )  # fmt: skip
        if number < _NAMED:
            name = one.path.rpartition("/")[2]
            names.append(
                element("text", name[:40], class_="dotname", x=round(x + radius + 3, 1), y=round(y + 4, 1))
            )
    axes = (
        element("line", x1=_LEFT, y1=_HEIGHT - _BOTTOM, x2=_WIDTH, y2=_HEIGHT - _BOTTOM, class_="axis"),
        element("line", x1=_LEFT, y1=0, x2=_LEFT, y2=_HEIGHT - _BOTTOM, class_="axis"),
        element("text", f"commits in a year, 1 to {most_commits:,} →", x=_LEFT + 6, y=_HEIGHT - 12, class_="axisname"),
        element("text", f"↑ cognitive complexity, 1 to {most_cognitive:,}", x=_LEFT + 6, y=14, class_="axisname"),
    )  # fmt: skip
    return element(
        "svg", join([*axes, *reversed(dots), *names]), class_="chart", viewBox=Markup(f"0 0 {_WIDTH} {_HEIGHT}"),
        role="img", aria_label=f"{len(found)} files by commits and complexity",
    )  # fmt: skip


def draw_trend(line: TrendLine) -> Markup:
    """A measure over time, with its first and last value; a single one is said, since it makes no line."""
    if not line.points:
        return element("p", f"{line.title}: nothing was kept yet.", class_="quiet")
    (first_day, first), (last_day, last) = line.points[0], line.points[-1]
    if len(line.points) < _FEWEST_POINTS:
        return element("p", f"{line.title}: {_value(last, line)} on {last_day}, the first time it was kept.")
    values = [value for _, value in line.points]
    low, high = min(values), max(values)
    places = [
        f"{6 + (_TREND_WIDTH - 12) * at / (len(values) - 1):.1f},"
        f"{_TREND_HEIGHT - 8 - (_TREND_HEIGHT - 16) * ((value - low) / (high - low) if high > low else 0.5):.1f}"
        for at, value in enumerate(values)
    ]
    drawing = element(
        "svg", element("polyline", points=Markup(" ".join(places)), class_="line"), class_="trend",
        viewBox=Markup(f"0 0 {_TREND_WIDTH} {_TREND_HEIGHT}"), role="img", aria_label=line.title,
    )  # fmt: skip
    told = f"{_value(first, line)} on {first_day}, {_value(last, line)} on {last_day}; between {_value(low, line)} and {_value(high, line)}"
    return element("figure", element("figcaption", element("b", line.title), " ", told), drawing)


def _value(value: float, line: TrendLine) -> str:
    number = text(int(value)) if value == int(value) else f"{value:.1f}"
    return f"{number}{line.unit}"


def _log_share(value: int, most: int) -> float:
    return math.log(value) / math.log(most) if most > 1 else 0.5
