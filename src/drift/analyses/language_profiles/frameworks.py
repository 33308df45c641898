"""Which frameworks a language's files use, by what they import."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from drift.analyses.file_globs import PathGlob
from drift.analyses.language_profiles.rows import FrameworkRow
from drift.analyses.language_profiles.sources import Sources
from drift.index.ids import FileId, file_of_symbol
from drift.index.profile_queries import RouteEntry
from drift.languages.profiles import Framework


def used_frameworks(sources: Sources, routes: Mapping[str | None, int]) -> tuple[FrameworkRow, ...]:
    """The known frameworks that the language's files import, most imports first."""
    found: dict[str, FrameworkRow] = {}
    for use in sources.reader.listings.package_uses():
        if use.language not in sources.profile.languages or (use.is_test and not sources.asked.with_tests):
            continue
        framework = _of_package(sources.profile.frameworks, use.package)
        if framework is None:
            continue
        before = found.get(framework.name)
        count = use.times + (before.imports if before else 0)
        place = min((use.path, use.line), (before.file, before.line)) if before else (use.path, use.line)
        told = routes.get(framework.name, 0) if framework.routes else None
        found[framework.name] = FrameworkRow(framework.name, count, *place, told)
    return tuple(sorted(found.values(), key=lambda row: (-row.imports, row.framework)))


def frameworks_of_routes(sources: Sources, routes: Sequence[RouteEntry]) -> dict[RouteEntry, str | None]:
    """The framework of each route: by what is called there, by what its file imports or is called, or as the only one."""
    files = sorted({file_of_symbol(route.registered_at) for route in routes})
    called: dict[tuple[FileId, int], list[str]] = defaultdict(list)
    for file, line, name in sources.facts.named_at(files):
        called[file, line].append(name)
    imported: dict[FileId, set[str]] = defaultdict(set)
    for file, package in sources.facts.packages_of(files):
        imported[file].add(package)
    only = _only_one(sources)
    return {
        route: _named(sources, called[file, route.line])
        or _named(sources, imported[file])
        or _by_path(sources, sources.files[file].path)
        or only
        for route in routes
        for file in (file_of_symbol(route.registered_at),)
    }


def _named(sources: Sources, names: Iterable[str]) -> str | None:
    every = list(names)
    return next((each.name for each in sources.profile.routed if any(map(each.is_given_away, every))), None)


def _by_path(sources: Sources, path: str) -> str | None:
    return next(
        (
            each.name
            for each in sources.profile.frameworks
            if any(PathGlob(pattern).matches(path) for pattern in each.paths)
        ),
        None,
    )


def _only_one(sources: Sources) -> str | None:
    """The framework with routes that the files use, where there is one alone."""
    packages = {
        use.package
        for use in sources.reader.listings.package_uses()
        if use.language in sources.profile.languages
    }
    known = [each.name for each in sources.profile.routed if any(map(each.is_given_away, packages))]
    return known[0] if len(known) == 1 else None


def _of_package(frameworks: Sequence[Framework], package: str) -> Framework | None:
    return next((each for each in frameworks if each.is_given_away(package)), None)
