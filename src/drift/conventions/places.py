"""What holds in one file: the conventions that apply there, what it follows, and where it does otherwise."""

from dataclasses import dataclass
from typing import Literal

from drift.conventions.gathering import Found
from drift.conventions.mining import Convention
from drift.conventions.picture import Picture
from drift.conventions.rows import OutlierRow, outlier_row
from drift.index.site_records import SiteFile
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import plural

Compliance = Literal["follows", "partial", "deviates", "applies"]


@dataclass(frozen=True, slots=True)
class FilePatternRow:
    """A convention in a file; `applies` where the file has had nothing to decide yet."""

    id: str
    rule: str
    category: str
    compliance: Compliance
    score: float
    followed: int
    lines: tuple[int, ...] | None
    outliers: tuple[OutlierRow, ...] | None


@dataclass(frozen=True, slots=True)
class FilePatternsData:
    """The conventions of a file: those it decides by, and how many more apply there."""

    file: str
    patterns: tuple[FilePatternRow, ...]
    also_applying: tuple[str, ...] | None


def require_place(picture: Picture, path: str) -> SiteFile:
    """The file of a path; FILE_NOT_FOUND where its code is not counted."""
    found = next((each for each in picture.mined.files.values() if each.path == path), None)
    if found is None:
        said = f"{path} is not among the files whose conventions are counted: it is generated, of others, or not indexed"
        raise DriftError(ErrorCode.FILE_NOT_FOUND, said)
    return found


def applying(picture: Picture, file: SiteFile, *, scopes: tuple[str, ...] | None = None) -> list[Convention]:
    """The conventions that code in the file is to follow: of its language and part, each in the nearest scope.

    `scopes` are those that the file is in, widest first, where the picture does not know the file.
    """
    chain = picture.mined.scopes.get(file.id, ("",)) if scopes is None else scopes
    part = "test" if file.role == "test" else "product"
    found: dict[str, Convention] = {}
    for each in picture.mined.conventions:
        dimension = each.dimension
        is_language = each.area.language in (None, file.language) and (
            not dimension.languages or file.language in dimension.languages
        )
        if each.area.scope not in chain or each.area.part != part or not is_language:
            continue
        known = found.get(dimension.id)
        if known is None or chain.index(known.area.scope) < chain.index(each.area.scope):
            found[dimension.id] = each
    return [each for each in found.values() if picture.status_of(each) != "ignored"]


def describe_file(picture: Picture, file: SiteFile, *, category: str | None = None) -> FilePatternsData:
    """What a file follows and where it does otherwise."""
    rows: list[FilePatternRow] = []
    applies: list[str] = []
    for convention in sorted(applying(picture, file), key=lambda each: -each.measures.score):
        if category not in (None, convention.dimension.category):
            continue
        sites = [each for each in convention.sites if each.file_id == file.id]
        if sites:
            rows.append(_row(picture, convention, sites))
        else:
            applies.append(f"{convention.id}: {convention.rule}")
    rows.sort(key=lambda row: (row.compliance == "follows", -row.score, row.id))
    return FilePatternsData(file.path, tuple(rows), tuple(applies) or None)


def file_summary(data: FilePatternsData) -> str:
    """A line on a file."""
    deviating = [row for row in data.patterns if row.outliers]
    times = sum(len(row.outliers or ()) for row in deviating)
    told = f"{data.file} decides by {plural(len(data.patterns), 'convention')}"
    return (
        f"{told}; {plural(times, 'outlier')} from {len(deviating)}"
        if deviating
        else f"{told}, and follows all"
    )


def _row(picture: Picture, convention: Convention, sites: list[Found]) -> FilePatternRow:
    following = [each for each in sites if each.variant == convention.variant]
    ids = {(each.file_id, each.line) for each in sites}
    outliers = [each for each in picture.outliers(convention) if (each.file_id, each.line) in ids]
    compliance: Compliance = "follows" if not outliers else "partial" if following else "deviates"
    return FilePatternRow(
        convention.id,
        convention.rule,
        convention.dimension.category,
        compliance,
        round(convention.measures.score, 3),
        len(following),
        tuple(sorted({each.line for each in following})[:20]) or None,
        tuple(outlier_row(picture, convention, each) for each in outliers[:20]) or None,
    )
