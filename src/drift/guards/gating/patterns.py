"""Pattern compliance: new code does what the project does.

What it does: takes the conventions that are approved, or sure and grave enough, and names each site of the change that
chose otherwise.
Why it matters: one exception is copied by the next reader.
Known limits: a line that was only moved or edited is not new, nor one more in a file that mostly does so; a file that
was taken over from elsewhere is, and so are choices on edited lines of a file that was renamed in the same change.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

from drift.conventions.gathering import Found as Site
from drift.conventions.mining import Convention
from drift.conventions.picture import Picture
from drift.conventions.rows import nearest_example
from drift.dimensions import SEVERITIES, Dimension
from drift.guards.gating.form import Found, Settings, Subject, new_ones, number, words
from drift.guards.gating.past_sites import Choices, choices_before
from drift.index.ids import FileId
from drift.kernel.text import plural
from drift.quality import Finding, Rule, Severity, finding

PATTERNS: Final = "pattern-compliance"
SETTINGS: Final[Settings] = {
    "min_rate": 80,
    "new_outliers": 0,
    "min_confidence": 0.9,
    "min_share": 0.9,
    "min_sites": 20,
    "severities": ("error", "warning"),
    "approved": True,
}
_PERCENT: Final = 100
_LEAST_OWN: Final = 3  # places in which a file does something its own way


class Judged(NamedTuple):
    """A convention, and how the sites of a change stand to it."""

    convention: Convention
    followed: tuple[Site, ...]
    outliers: tuple[Site, ...]


def judge(subject: Subject, picture: Picture, settings: Settings) -> Iterator[Judged]:
    """The conventions that count, with their sites that this run is about."""
    paths = picture.mined.files
    for convention in picture.mined.conventions:
        if not counts(picture, convention, settings):
            continue
        subject.check_cancelled()
        sites = [each for each in convention.sites if subject.is_wanted(paths[each.file_id].path, each.line)]
        if not sites:
            continue
        wanted = set(sites)
        followed = tuple(each for each in sites if each.variant == convention.variant)
        outliers = tuple(each for each in picture.outliers(convention) if each in wanted)
        yield Judged(convention, followed, outliers)


def counts(picture: Picture, convention: Convention, settings: Settings) -> bool:
    """Whether a convention may refuse a change: people approved it, or it is sure, frequent and grave enough."""
    status = picture.status_of(convention)
    if status == "approved" and settings["approved"]:
        return True
    return (
        status == "discovered"
        and convention.measures.score >= number(settings, "min_confidence")
        and convention.measures.frequency >= number(settings, "min_share")
        and len(convention.sites) >= number(settings, "min_sites")
        and convention.dimension.severity in words(settings, "severities")
    )


def check_patterns(subject: Subject, settings: Settings) -> Found:
    """The gate."""
    picture = subject.picture()
    judged = list(judge(subject, picture, settings))
    before = cache(lambda path: choices_before(subject, picture, path))
    findings: list[Finding] = []
    for each in judged:
        findings += _findings(subject, picture, each, before)
    told = subject.told(findings)
    followed = sum(len(each.followed) for each in judged)
    new = new_ones(told)
    sites = followed + len(new)
    rate = round(_PERCENT * followed / sites, 1) if sites else float(_PERCENT)
    most, least = number(settings, "new_outliers"), number(settings, "min_rate")
    what = "changed lines" if subject.change else "all code"
    message = (
        f"{plural(len(new), 'new outlier')} among {plural(sites, 'site')} of {plural(len(judged), 'convention')}"
        f" in {what}, {rate:g} % follow"
        if sites
        else f"no site of a sure convention in {what}"
    )
    return Found(
        len(new) <= most and rate >= least,
        message,
        told,
        {"compliance": rate, "sites": sites, "newOutliers": len(new), "conventions": len(judged)},
        tuple(
            {each.convention.dimension.id: rule_for(each.convention.dimension) for each in judged}.values()
        ),
    )


def _findings(
    subject: Subject, picture: Picture, judged: Judged, before: Callable[[str], Choices]
) -> Iterator[Finding]:
    convention = judged.convention
    dimension = convention.dimension
    for site in new_outliers(subject, picture, judged, before):
        path = picture.path_of(site)
        text = _text_at(subject, path, site.line)
        symbol = subject.reader.symbols.at_line(FileId(site.file_id), site.line)
        example = nearest_example(picture, convention, site)
        yield finding(
            dimension.id,
            f"{convention.rule}: here {dimension.phrase(site.variant)};"
            f" {convention.followed} of {len(convention.sites)} places do otherwise",
            file=path,
            lines=(site.line, site.line),
            symbol=symbol.qualname if symbol is not None and symbol.kind != "module" else None,
            snippet=f"{site.variant} {text}",
            severity=severity_of(dimension),
            evidence={
                "followed": convention.followed,
                "sites": len(convention.sites),
                "confidence": round(convention.measures.score, 3),
                "convention": convention.id,
            },
            suggestion=f"See {picture.path_of(example)}:{example.line}." if example else None,
        )


def new_outliers(
    subject: Subject, picture: Picture, judged: Judged, before: Callable[[str], Choices]
) -> Iterator[Site]:
    """The outliers of new lines, as many in each file as it has more of than before: an edited line may be an old choice."""
    convention, change = judged.convention, subject.change
    by_file: dict[int, list[Site]] = {}
    for site in judged.outliers:
        by_file.setdefault(site.file_id, []).append(site)
    for file, sites in by_file.items():
        path = picture.path_of(sites[0])
        now = Counter(each.variant for each in convention.sites if each.file_id == file)
        had = before(path) if change is not None else Counter()
        for variant in sorted({each.variant for each in sites}):
            if _has_own_way(had, convention.dimension.id, variant):
                continue
            more = now[variant] - had[convention.dimension.id, variant]
            for each in [one for one in sites if one.variant == variant][: max(0, more)]:
                if change is None or _text_at(subject, path, each.line) not in change.moved:
                    yield each


def _has_own_way(had: Choices, dimension: str, variant: str) -> bool:
    """Whether a file mostly did so before: who adds to it does as the lines around."""
    same = had[dimension, variant]
    others = sum(times for (known, _), times in had.items() if known == dimension) - same
    return same >= _LEAST_OWN and same > others


def _text_at(subject: Subject, path: str, line: int) -> str:
    lines = subject.lines_of(path)
    return " ".join(lines[line - 1].split()) if line <= len(lines) else ""


def severity_of(dimension: Dimension) -> Severity:
    """How grave an outlier is; a hint is worth knowing."""
    return "info" if dimension.severity == SEVERITIES[-1] else dimension.severity  # type: ignore[return-value]  # without the last


def rule_for(dimension: Dimension) -> Rule:
    """A dimension as a rule of reports."""
    help_ = "Do as the others do, or say why not in a comment: drift-ignore " + dimension.id
    return Rule(dimension.id, severity_of(dimension), dimension.title, dimension.why, help_)
