"""All sites of a project: those that its scan noted, and those that finders see in the index.

After an edit only the files are looked at again that it may matter to: those that the index changed, for types also those whose
types descend from theirs, and all of them for places of files where other folders have code than before.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple, Protocol, get_args

from drift.conventions.finders import FINDERS, Finder, Source, fits
from drift.conventions.finders.files import product_folders
from drift.conventions.finders.form import Rests
from drift.dimensions import Dimension, SiteRule, variant_of
from drift.index import IndexReader
from drift.index.site_queries import WHOLE, Run, SiteQueries
from drift.index.site_records import SiteFile

COUNTED_ROLES: Final = frozenset({"source", "config", "test"})
"""Code that is generated or of others follows no convention of the project's."""
_MOST_SINGLE: Final = 64
"""Above it all files at once are quicker than each by itself."""
_MOST_KEPT: Final = 4


class Found(NamedTuple):
    """A site."""

    file_id: int
    line: int
    end_line: int
    dimension: str
    variant: str


Sites = Mapping[int, tuple[Found, ...]]
"""By file."""


class Gathered(NamedTuple):
    """The sites of one state of an index, by what they rest on."""

    generation: int
    files: Mapping[int, SiteFile]
    parts: Mapping[Rests, Sites]

    def sites(self) -> Iterator[Found]:
        for _, found in self.by_file():
            yield from found

    def by_file(self) -> Iterator[tuple[int, tuple[Found, ...]]]:
        """The files that decide something, each with its sites."""
        first, *others = self.parts.values()
        rest = [each for each in others if each]
        for file in self.files:
            found = first.get(file, ())
            for part in rest:
                if file in part:
                    found = (*found, *part[file])
            if found:
                yield file, found


_Key = tuple[Path, tuple[str, ...]]
_kept: dict[_Key, Gathered] = {}
_lock: Final = Lock()


class Keeping(Protocol):
    """Where sites are kept between processes."""

    def read(self) -> Gathered | None: ...

    def keep(self, gathered: Gathered) -> None: ...


def gather(
    reader: IndexReader, dimensions: Iterable[Dimension], *, keeping: Keeping | None = None
) -> Gathered:
    """The sites of the dimensions in the state of the index that is read."""
    chosen = tuple(dimensions)
    key = (reader.path, tuple(each.id for each in chosen))
    with _lock:
        known = _kept.get(key)
        if known is not None and known.generation == reader.generation():
            return known
        before = known if known is not None or keeping is None else keeping.read()
        found = _bring_up_to_date(reader, chosen, before)
        # What is kept may be older: it is written anew where bringing it up to date takes long.
        if (
            keeping is not None
            and known is None
            and (before is None or _differ(before, found) > _MOST_SINGLE)
        ):
            keeping.keep(found)
        _kept.pop(key, None)
        while len(_kept) >= _MOST_KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[key] = found
        return found


def _differ(before: Gathered, found: Gathered) -> int:
    return sum(before.files.get(each.id) != each for each in found.files.values())


def counted_files(sites: SiteQueries) -> dict[int, SiteFile]:
    """The files whose code follows conventions of the project."""
    return {each.id: each for each in sites.files() if each.role in COUNTED_ROLES}


def _bring_up_to_date(
    reader: IndexReader, dimensions: tuple[Dimension, ...], known: Gathered | None
) -> Gathered:
    generation, files = reader.generation(), counted_files(reader.sites)
    if known is None:
        finding = Finding(reader.sites, files, dimensions=dimensions)
        return Gathered(generation, files, {part: _find_all(finding, part) for part in get_args(Rests)})
    changed = [each.id for each in files.values() if known.files.get(each.id) != each]
    if not changed and len(files) == len(known.files):
        return known._replace(generation=generation)
    finding = Finding(reader.sites, files, dimensions=dimensions, around=reader.sites)
    below = [file for file in reader.sites.files_below(changed) if file in files]
    has_same_folders = product_folders(files.values()) == product_folders(known.files.values())
    again: dict[Rests, Collection[int]] = {
        "file": changed,
        "ancestors": {*changed, *below},
        "folders": changed if has_same_folders else files,
    }
    parts = {
        part: _find_again(finding, part, chosen, known=known, files=files) for part, chosen in again.items()
    }
    return Gathered(generation, files, parts)


def _find_all(finding: "Finding", part: Rests) -> Sites:
    found: dict[int, list[Found]] = {}
    for site in finding.find(WHOLE, part):
        found.setdefault(site.file_id, []).append(site)
    return {file: tuple(sites) for file, sites in found.items()}


def _find_again(
    finding: "Finding",
    part: Rests,
    chosen: Collection[int],
    *,
    known: Gathered,
    files: Mapping[int, SiteFile],
) -> Sites:
    if len(chosen) > _MOST_SINGLE:
        return _find_all(finding, part)
    kept = {file: found for file, found in known.parts[part].items() if file in files}
    for file in chosen:
        kept[file] = tuple(finding.find((file, file), part))
    return kept


class _Rule(NamedTuple):
    """A rule of a dimension, with what it asks of a row made ready."""

    number: int
    dimension: str
    rule: SiteRule
    finder: Finder
    tests: tuple[tuple[Any, tuple[str, ...]], ...]


class Finding:
    """Looks for the sites of some dimensions, in an index or in a text that stands in one."""

    def __init__(
        self,
        sites: SiteQueries,
        files: Mapping[int, SiteFile],
        *,
        dimensions: tuple[Dimension, ...],
        around: SiteQueries | None = None,
    ) -> None:
        self._sites = sites
        self._files = files
        self._around = around
        self._ids = frozenset(each.id for each in dimensions)
        self._rules: dict[str, list[_Rule]] = {}
        for dimension in dimensions:
            for rule in dimension.sites:
                if rule.finder:
                    own = self._rules.setdefault(rule.finder, [])
                    own.append(_prepared(len(own), dimension.id, rule))

    def find(self, run: Run, part: Rests) -> Iterator[Found]:
        """The sites of the files of a run that rest on this."""
        if part == "file":
            for site in self._sites.noted(run):
                if site.dimension in self._ids and site.file_id in self._files:
                    yield Found(*site)
        for name, rules in self._rules.items():
            finder = FINDERS[name]
            if finder.rests_on == part:
                yield from self._run(finder, rules, run)

    def find_in(self, file: int) -> list[Found]:
        """All sites of one file."""
        return [site for part in get_args(Rests) for site in self.find((file, file), part)]

    def _run(self, finder: Finder, rules: list[_Rule], run: Run) -> Iterator[Found]:
        around = None if run == WHOLE else self._around
        source = Source(self._sites, self._files, tuple(each.rule for each in rules), around)
        fitting: dict[tuple[str | None, str], list[_Rule]] = {}
        once: set[tuple[str, int, str]] = set()
        places: dict[tuple[int, int], bool] = {}
        for row in finder.rows(source, run):
            file = self._files.get(row.file_id)
            if file is None:
                continue
            key = (file.language, finder.kind_of(row) if finder.kind_of else "")
            if key not in fitting:
                fitting[key] = [each for each in rules if _is_for(each.rule, *key)]
            for each in fitting[key]:
                fits_row = all(test(row, values) for test, values in each.tests)
                if fits_row and _is_in_place(each, file, places):
                    yield from _sites(each, row, once)


def _prepared(number: int, dimension: str, rule: SiteRule) -> _Rule:
    finder = FINDERS[rule.finder]
    tests = tuple((finder.tests[key], values) for key, values in rule.where.items() if key in finder.tests)
    return _Rule(number, dimension, rule, finder, tests)


def _is_for(rule: SiteRule, language: str | None, kind: str) -> bool:
    if rule.languages and language not in rule.languages:
        return False
    return not kind or kind in rule.where.get("kinds", (kind,))


def _is_in_place(each: _Rule, file: SiteFile, known: dict[tuple[int, int], bool]) -> bool:
    where = each.rule.where
    if "paths" not in where and "not_paths" not in where:
        return True
    key = (each.number, file.id)
    if key not in known:
        wanted, unwanted = where.get("paths", ("*",)), where.get("not_paths", ())
        known[key] = fits(wanted, file.path) and not fits(unwanted, file.path)
    return known[key]


def _sites(each: _Rule, row: Any, once: set[tuple[str, int, str]]) -> Iterator[Found]:
    text = each.finder.texts[each.rule.text](row)
    for one in (text,) if isinstance(text, str) else text or ():
        variant = variant_of(each.rule, one)
        if variant is None:
            continue
        if each.rule.per == "file":
            key = (each.dimension, row.file_id, variant)
            if key in once:
                continue
            once.add(key)
        yield Found(row.file_id, row.line, row.end_line, each.dimension, variant)
