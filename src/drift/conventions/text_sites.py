"""Which conventions apply to a text in a place, and where it does otherwise: of a text that is not in the index.

    text = sites_of_text(reader, project, picture, path="shop/cart.py", content=draft)
    for placed in deviations(text):
        print(placed.site.line, placed.site.variant, "but", placed.convention.variant)

The text is parsed and linked as a scan would (`scan.drafts`), so all dimensions are looked for: queries over its tree, finders
over its facts, with imports, calls and parents resolved against the index. What could not be looked for is named in `missing`.
"""

from posixpath import dirname
from typing import Final, NamedTuple

from drift.analyses.prominence import is_showing
from drift.conventions.excuses import MARK, Excuses
from drift.conventions.gathering import COUNTED_ROLES, Finding, Found
from drift.conventions.mining import Convention, counted_part
from drift.conventions.picture import Picture
from drift.conventions.places import applying
from drift.conventions.rulebook import is_excepted
from drift.conventions.scopes import scopes_of
from drift.index import IndexReader
from drift.index.one_file import facts_of_one
from drift.index.path_text import path_to_text, text_to_path
from drift.index.site_queries import SiteQueries
from drift.index.site_records import SiteFile
from drift.project import Project
from drift.scan.drafts import Draft, Linking, linked_drafts
from drift.scan.routes import join_routes

_MOUNTS: Final = "routes are taken without the prefixes that other files mount them under"


class PlacedSite(NamedTuple):
    """A site of the text, and the convention that governs it; None where the project has none there."""

    site: Found
    convention: Convention | None
    is_excused: bool = False
    """A comment of the text, or an exception that was decided, lets it do otherwise."""

    @property
    def follows(self) -> bool | None:
        """Whether it chose what the convention says; None without one."""
        return None if self.convention is None else self.site.variant == self.convention.variant


class TextSites(NamedTuple):
    """What a text decides, in the order of its lines."""

    file: SiteFile
    """Its place as conventions see it; `id` is that of the file that stands there, else one that no file has."""
    sites: tuple[PlacedSite, ...]
    applying: tuple[Convention, ...]
    """All conventions of the place, also those that the text has nothing to decide by."""
    status: str
    """ok, partial or failed: how much of it could be read."""
    missing: tuple[str, ...] = ()
    """What was not looked for, and why."""


def sites_of_text(
    reader: IndexReader, project: Project, picture: Picture, *, path: str, content: bytes | str
) -> TextSites:
    """The sites of a text that is to stand at `path` (relative to the root), each with the convention that governs it there.

    The index is read and not changed. Costs one parse in a worker process and the linking of one file.
    """
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    with linked_drafts(project.root, reader, {text_to_path(path): data}) as linking:
        return sites_of_draft(reader, picture, linking, path=text_to_path(path))


def sites_of_draft(reader: IndexReader, picture: Picture, linking: Linking, *, path: str) -> TextSites:
    """The same of a draft that is read and linked already."""
    draft = linking.drafts[path]
    row = draft.rows.file
    file = SiteFile(row.id, path_to_text(path), row.language, row.role, 0, row.code_lines or 0)
    missing = (row.problem,) if row.problem else ()
    if file.role not in COUNTED_ROLES:
        return TextSites(file, (), (), row.status, (*missing, f"{file.role} files are not counted"))
    files = {**picture.mined.files, file.id: file}
    with facts_of_one(draft.rows, linking.rows_of(path), complete=join_routes) as one:
        return _placed(reader, picture, draft, file=file, files=files, facts=one.sites, missing=missing)


def deviations(text: TextSites) -> tuple[PlacedSite, ...]:
    """The sites that do otherwise than the project and that nothing excuses, the surest convention first."""
    found = [each for each in text.sites if each.follows is False and not each.is_excused]
    return tuple(sorted(found, key=lambda each: (-_score(each), each.site.line)))


def _placed(
    reader: IndexReader,
    picture: Picture,
    draft: Draft,
    *,
    file: SiteFile,
    files: dict[int, SiteFile],
    facts: SiteQueries,
    missing: tuple[str, ...],
) -> TextSites:
    dimensions = picture.rulebook.dimensions
    run = (file.id, file.id)
    finding = Finding(facts, files, dimensions=tuple(dimensions.values()), around=reader.sites)
    found = finding.find_in(file.id)
    has_product = any(not is_showing(each.path) for each in files.values() if each.role == "source")
    counted = [
        each for each in found if counted_part(file, dimensions[each.dimension], has_product=has_product)
    ]
    governing = applying(picture, file, scopes=_scopes(picture, file, files))
    by_dimension = {each.dimension.id: each for each in governing}
    excuses = Excuses(facts.comments_with(run, MARK))
    placed = tuple(
        _place(picture, each, by_dimension.get(each.dimension), path=file.path, excuses=excuses)
        for each in sorted(counted, key=lambda each: (each.line, each.dimension))
    )
    has_routes = any(entry[2] == "http" for entry in draft.rows.entry_points)
    return TextSites(
        file,
        placed,
        tuple(governing),
        draft.rows.file.status,
        (*missing, _MOUNTS) if has_routes else missing,
    )


def _place(
    picture: Picture, site: Found, convention: Convention | None, *, path: str, excuses: Excuses
) -> PlacedSite:
    if convention is None:
        return PlacedSite(site, None)
    decision = picture.rulebook.decision_on(convention.id)
    return PlacedSite(site, convention, excuses.excuse(site) or is_excepted(decision, path))


def _scopes(picture: Picture, file: SiteFile, files: dict[int, SiteFile]) -> tuple[str, ...]:
    known = picture.mined.scopes.get(file.id)
    if known is not None:
        return known
    folder = dirname(file.path)
    beside = next((each.id for each in picture.mined.files.values() if dirname(each.path) == folder), None)
    return scopes_of(files)[file.id] if beside is None else picture.mined.scopes[beside]


def _score(placed: PlacedSite) -> float:
    return 0.0 if placed.convention is None else placed.convention.measures.score
