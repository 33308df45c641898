"""The sections of the page, one function each."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from drift.kernel.text import plural
from drift.quality.findings import count_severities
from drift.quality.page.charts import draw_hotspots, draw_trend, hotspots
from drift.quality.page.markup import Content, Markup, element, join
from drift.quality.page.treemap import STEPS, draw_map
from drift.quality.rules import rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drift.quality.findings import Finding
    from drift.quality.health import HealthPart
    from drift.quality.page.content import PageContent

_MOST_HOTSPOTS: Final = 15
_MOST_OF_A_RULE: Final = 8
_MOST_OF_A_CATEGORY: Final = 6
_GOOD: Final = 80
_FAIR: Final = 60


def section(title: str, name: str, *content: Content) -> Markup:
    return element("section", element("h2", title, id=name), *content, aria_labelledby=name)


def scorecard(page: PageContent) -> Markup:
    """The health with its parts and their inputs, and what is known at a glance."""
    health = page.health
    score = "?" if health.score is None else f"{health.score:g}"
    told = f"of 100: the mean of {health.measured} of {len(health.parts)} parts that could be measured"
    whole = element("p", element("strong", score, class_=f"score {_tone(health.score)}"), " ", told)
    figures = join(
        [join([element("dt", name), element("dd", value)]) for name, value in page.figures]
    )  # fmt: skip
    table = _table(
        ("part", "score", "", "what it is", "from"), [_part(one) for one in health.parts], numbers=(1,)
    )
    return section("Health", "health", whole, table, element("dl", figures))


def _part(one: HealthPart) -> tuple[Content, ...]:
    inputs = ", ".join(f"{name.replace('_', ' ')} {value:,.0f}" for name, value in one.inputs.items())
    if one.score is None:
        return one.part, "not measured", "", one.reason, ""
    bar = element(
        "svg", element("rect", width=100, height=8, class_="track"),
        element("rect", width=one.score, height=8, class_=f"bar {_tone(one.score)}"),
        class_="part", viewBox=Markup("0 0 100 8"), preserveAspectRatio="none", aria_hidden="true",
    )  # fmt: skip
    return one.part, one.score, bar, one.reason, inputs


def treemap(page: PageContent) -> Markup:
    """The map of files and what its colours mean."""
    if not any(one.code_lines for one in page.files):
        return section("Files", "files", element("p", "No file has code.", class_="quiet"))
    legend = join([element("span", class_=f"swatch s{each}") for each in range(STEPS)])
    switch = element(
        "p",
        element("button", "debt", type="button", data_colour="debt", aria_pressed="true"), " ",
        element("button", "complexity", type="button", data_colour="complexity", aria_pressed="false"),
        element("span", " little ", legend, " much", class_="quiet"),
        class_="switch",
    )  # fmt: skip
    told = element(
        "p",
        "Area is lines of code. Debt is the gradient from 0 to 5; complexity is cognitive. Rest on a file to read its figures.",
        class_="quiet",
    )
    return section("Files", "files", switch, draw_map(page.files), told)


def churn(page: PageContent) -> Markup:
    """What changes often and is hard to follow."""
    if all(one.commits is None for one in page.files):
        return section("Hotspots", "hotspots", element("p", "The history could not be read.", class_="quiet"))
    found = hotspots(page.files)
    if not found:
        return section("Hotspots", "hotspots", element("p", "No file with conditions changed within a year."))
    rows = [
        (one.path, one.commits or 0, one.cognitive, (one.commits or 0) * one.cognitive, one.code_lines)
        for one in found[:_MOST_HOTSPOTS]
    ]
    head = ("file", "commits in a year", "cognitive complexity", "product", "lines of code")
    return section(
        "Hotspots", "hotspots", draw_hotspots(page.files), _table(head, rows, numbers=(1, 2, 3, 4))
    )


def trends(page: PageContent) -> Markup:
    return section("Trends", "trends", element("div", join([draw_trend(one) for one in page.trends]), class_="trends"))  # fmt: skip


def findings(page: PageContent) -> Markup:
    """What was found by each rule: how often, and the gravest with what they were made from."""
    counts = ", ".join(
        plural(count, name) if name != "info" else f"{count:,} info"
        for name, count in count_severities(page.findings).items()
    )
    missed = [f"{one.part} was not run: {one.reason}" for one in page.parts if one.findings is None]
    by_rule = sorted(page.findings, key=lambda one: one.rule)
    groups = [_rule(rule, list(found)) for rule, found in groupby(by_rule, key=lambda one: one.rule)]
    return section(
        "Findings", "findings", element("p", counts), *(element("p", each) for each in missed), join(groups)
    )


def _rule(rule: str, found: Sequence[Finding]) -> Markup:
    known = rules()[rule]
    gravest = sorted(found, key=lambda one: (*_gravity(one), one.file, one.line))[:_MOST_OF_A_RULE]
    rows = [(one.severity, f"{one.file}:{one.line}", one.message, _evidence(one)) for one in gravest]
    more = f", {_MOST_OF_A_RULE} of them below" if len(found) > _MOST_OF_A_RULE else ""
    head = element("summary", element("b", known.title), f": {plural(len(found), 'finding')}{more}")
    why = element("p", f"{known.why} {known.help}", class_="quiet")
    return element("details", head, why, _table(("severity", "place", "what", "evidence"), rows))


def _gravity(one: Finding) -> tuple[int, float]:
    """Errors before warnings, and of these what takes longest to mend."""
    measured = one.evidence or {}
    weight = next((measured[name] for name in ("minutes", "hours", "tokens", "score") if name in measured), 0)
    return ("error", "warning", "info").index(one.severity), -float(weight) if not isinstance(
        weight, str
    ) else 0.0


def _evidence(one: Finding) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in (one.evidence or {}).items())


def conventions(page: PageContent) -> Markup:
    """What the project decides how, in short."""
    if not page.conventions:
        return section("Conventions", "conventions", element("p", "None was found.", class_="quiet"))
    rows: list[tuple[Content, ...]] = []
    for category, found in groupby(page.conventions, key=lambda one: one.category):
        rows += [
            (category, one.rule, one.followed, one.outliers, one.status)
            for one in list(found)[:_MOST_OF_A_CATEGORY]
        ]
    told = element("p", f"{plural(len(page.conventions), 'convention')}, {len(rows)} of them below", class_="quiet")  # fmt: skip
    head = ("category", "rule", "followed", "otherwise", "status")
    return section("Conventions", "conventions", told, _table(head, rows, numbers=(2, 3)))


def _table(head: Sequence[str], rows: Iterable[Sequence[Content]], *, numbers: Sequence[int] = ()) -> Markup:
    titles = element("thead", element("tr", *(element("th", each, scope="col") for each in head)))
    lines = [
        element("tr", *(element("td", cell, class_="number" if at in numbers else None) for at, cell in enumerate(row)))
        for row in rows
    ]  # fmt: skip
    return element("div", element("table", titles, element("tbody", join(lines))), class_="scroll")


def _tone(score: float | None) -> str:
    if score is None:
        return "unknown"
    return "good" if score >= _GOOD else "fair" if score >= _FAIR else "poor"
