"""Packages: which a project consists of, and one of them from all sides."""

from dataclasses import dataclass, replace
from typing import Annotated

from drift.analyses.workspaces.choice import choose_package
from drift.analyses.workspaces.description import describe_package
from drift.analyses.workspaces.fitting import fit_context
from drift.analyses.workspaces.listing import describe_cycles, list_packages, list_undeclared, list_workspaces
from drift.analyses.workspaces.relations import Landscape, survey_packages
from drift.analyses.workspaces.rows import PackageContext, PackageRow, UndeclaredUseRow, WorkspaceRow
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, Recovery, invalid
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import Sort, sort_page

_SORTS: dict[str, Sort[PackageRow]] = {
    "path": Sort(lambda row: (row.path, row.name, row.manager)),
    "name": Sort(lambda row: (row.name,)),
    "files": Sort(lambda row: (-row.files,), "desc"),
    "symbols": Sort(lambda row: (-row.symbols,), "desc"),
}
_MOST_TOKENS = 8_000
_FOR_THE_FRAME = 400  # tokens of the summary, warnings and next actions around the data
_MOST_FINDINGS = 10
_MOST_PROBLEMS = 5
_MOST_CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class PackagesData:
    """The packages by path with what holds them together, or `package` alone.

    `undeclared` are up to ten uses that no manifest declares, most first.
    """

    is_monorepo: bool
    package_managers: tuple[str, ...]
    workspaces: tuple[WorkspaceRow, ...] | None = None
    packages: tuple[PackageRow, ...] | None = None
    undeclared_count: int | None = None
    undeclared: tuple[UndeclaredUseRow, ...] | None = None
    package: PackageContext | None = None


@tool(
    category="orchestration",
    title="Package context",
    tokens=(300, 8000),
    ttl=60,  # manifests change without a change of the index
    needs=Layer.CALLS,
    max_tokens=_MOST_TOKENS,
    examples=({}, {"list": True, "limit": 20}),
)
def drift_package_context(
    call: Call,
    package: Annotated[str | None, Length(1000), "Name, its last part, or path"] = None,
    list: Annotated[bool, "List even a single package"] = False,  # noqa: A002 - the word agents use
    include_snippets: Annotated[bool, "Signatures of the API"] = True,
    include_dependencies: bool = True,
    page: Page = Page(limit=25, sorts=tuple(_SORTS)),
) -> Answer[PackagesData]:
    """Packages of all workspaces, declared against real use; or one: API in use, entry points, dependents, tests."""
    with opened_index(call) as reader:
        landscape = survey_packages(reader, call.project.root)
        if not landscape.packages:
            return _nothing(call, landscape)
        if package is None and (list or len(landscape.packages) > 1):
            return _listed(call, reader, landscape, page)
        number = _choose(landscape, package) if package is not None else 0
        return _described(
            call,
            _context(
                call, reader, landscape, number, snippets=include_snippets, dependencies=include_dependencies
            ),
            landscape,
            number,
        )


def _nothing(call: Call, landscape: Landscape) -> Answer[PackagesData]:
    return Answer(
        f"No package: no manifest names one in the folders of {plural(len(landscape.files), 'indexed file')}",
        PackagesData(is_monorepo=False, package_managers=()),
        next=(call.suggest("drift_files_list", "see what is in the index"),),
        warnings=_problems(landscape),
    )


def _listed(call: Call, reader: IndexReader, landscape: Landscape, page: Page) -> Answer[PackagesData]:
    rows = list_packages(reader, landscape)
    shown, pagination = sort_page(call, page, rows, sorts=_SORTS)
    workspaces = list_workspaces(landscape)
    undeclared = list_undeclared(landscape)
    managers = _managers(landscape)
    held = sum(row.in_workspace for row in rows)
    joined = (
        f", {held} held by {plural(len(workspaces), 'workspace')}" if workspaces else ", none in a workspace"
    )
    largest = max(range(len(rows)), key=lambda number: rows[number].symbols)
    return Answer(
        f"{plural(len(rows), 'package')} ({', '.join(managers)}){joined}; "
        f"{plural(len(undeclared), 'undeclared use')} between them",
        PackagesData(
            _is_monorepo(landscape), managers, workspaces, shown, len(undeclared), undeclared[:_MOST_FINDINGS]
        ),
        pagination=pagination,
        next=(
            call.suggest(
                drift_package_context, "the largest package from all sides", package=landscape.label(largest)
            ),
        ),
        warnings=(*describe_cycles(landscape), *_problems(landscape)),
    )


def _context(
    call: Call,
    reader: IndexReader,
    landscape: Landscape,
    number: int,
    *,
    snippets: bool,
    dependencies: bool,
) -> PackageContext:
    context = describe_package(reader, call.project.root, landscape, number)
    if not snippets:
        context = replace(
            context, public_api=tuple(replace(each, signature=None) for each in context.public_api)
        )
    if not dependencies:
        context = replace(context, dependencies=(), externals=())
    return fit_context(context, (call.max_tokens or _MOST_TOKENS) - _FOR_THE_FRAME)


def _described(
    call: Call, context: PackageContext, landscape: Landscape, number: int
) -> Answer[PackagesData]:
    tests = context.tests.files_inside + context.tests.files_elsewhere
    offered = (
        f"{plural(context.api_count, 'symbol')} used by {plural(context.dependent_count, 'other package')}"
        if context.dependent_count
        else "no other package depends on it"
    )
    summary = (
        f"{context.name} ({context.manager}, {context.language or 'no code'}): {plural(context.files, 'file')}, "
        f"{plural(context.symbols, 'symbol')}; {offered}; {plural(tests, 'test file')}"
    )
    actions: tuple[NextAction, ...] = ()
    if context.public_api:
        at = context.public_api[0].at
        actions = (
            call.suggest("drift_impact_analysis", "what a change of its most used symbol reaches", target=at),
        )
    elif context.key_files:
        file = context.key_files[0].file
        actions = (call.suggest("drift_explain", "its most used file", target=file),)
    return Answer(
        summary,
        PackagesData(_is_monorepo(landscape), _managers(landscape), package=context),
        next=(*actions, call.suggest(drift_package_context, "all packages", list=True, priority="low")),
        warnings=(*_doubts(landscape, number), *_problems(landscape)),
    )


def _doubts(landscape: Landscape, number: int) -> tuple[str, ...]:
    """What is wrong with a package, and what may mislead about it."""
    each = landscape.packages[number]
    own = landscape.label(number)
    told = [
        f"uses {one.uses} undeclared in {plural(one.places, 'place')}"
        f"{' of tests' if one.only_in_tests else ''}, first {one.file}:{one.line}: {one.reason}"
        for one in list_undeclared(landscape)
        if one.package == own
    ]
    told = told[:_MOST_FINDINGS]
    if any(number in group for group in landscape.cycles):
        told += describe_cycles(
            landscape._replace(cycles=tuple(one for one in landscape.cycles if number in one))
        )
    if not each.is_named:
        told.append(f"{each.manifests[0]} gives no name; this is the one of the folder")
    alike = [
        landscape.label(at)
        for at, one in enumerate(landscape.packages)
        if at != number and (one.name == each.name or one.path == each.path)
    ]
    if alike:
        told.append(
            f"not to be confused with the other of this name or folder: {', '.join(alike[:_MOST_CANDIDATES])}"
        )
    return tuple(told)


def _choose(landscape: Landscape, wanted: str) -> int:
    found = choose_package(landscape, wanted)
    if len(found.packages) == 1:
        return found.packages[0]
    if not found.packages:
        raise invalid(
            "package",
            f"the project has no package {wanted!r}",
            hint="Call with list=true for all packages.",
            similar=found.similar,
        )
    candidates = [landscape.label(each) for each in found.packages]
    error = invalid("package", f"{wanted!r} means {len(candidates)} packages", hint="Give one of these.")
    recovery = Recovery(
        error.recovery.hint,
        similar=tuple(candidates[:_MOST_CANDIDATES]),
        details={**error.recovery.details, "count": len(candidates)},
    )
    raise DriftError(error.code, error.message, recovery)


def _is_monorepo(landscape: Landscape) -> bool:
    """Whether packages are held together, by a workspace or by asking for each other; one beside its tools is not."""
    inner = [
        each
        for each in landscape.detected.declarations
        if not (landscape.packages[each.source].is_root or landscape.packages[each.target].is_root)
    ]
    return bool(landscape.detected.workspaces or inner)


def _managers(landscape: Landscape) -> tuple[str, ...]:
    holding = [each.manager for each in landscape.detected.workspaces]
    return tuple(dict.fromkeys((*holding, *(one for each in landscape.packages for one in each.managers))))


def _problems(landscape: Landscape) -> tuple[str, ...]:
    return tuple(f"not read: {each}" for each in landscape.detected.problems[:_MOST_PROBLEMS])
