"""Packages: which a project consists of, and one of them from all sides."""

from dataclasses import replace
from typing import Annotated

from drift.analyses.workspaces.choice import require_package
from drift.analyses.workspaces.description import describe_package
from drift.analyses.workspaces.fitting import fit_context
from drift.analyses.workspaces.listing import (
    PACKAGE_SORTS,
    PackagesData,
    describe_cycles,
    find_doubts,
    is_monorepo,
    list_all,
    list_managers,
    say_problems,
)
from drift.analyses.workspaces.relations import Landscape, survey_packages
from drift.analyses.workspaces.rows import PackageContext
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer, NextAction
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer

_MOST_TOKENS = 8_000
_FOR_THE_FRAME = 400  # tokens of the summary, warnings and next actions around the data


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
    page: Page = Page(limit=25, sorts=tuple(PACKAGE_SORTS)),
) -> Answer[PackagesData]:
    """Packages of all workspaces, declared against real use; or one: API in use, entry points, dependents, tests."""
    with opened_index(call) as reader:
        landscape = survey_packages(reader, call.project.root)
        if not landscape.packages:
            return _nothing(call, landscape)
        if package is None and (list or len(landscape.packages) > 1):
            return _listed(call, reader, landscape, page)
        number = require_package(landscape, package) if package is not None else 0
        wanted = {"snippets": include_snippets, "dependencies": include_dependencies}
        return _described(call, _context(call, reader, landscape, number, **wanted), landscape, number)


def _nothing(call: Call, landscape: Landscape) -> Answer[PackagesData]:
    return Answer(
        f"No package: no manifest names one in the folders of {plural(len(landscape.files), 'indexed file')}",
        PackagesData(is_monorepo=False, package_managers=()),
        next=(call.suggest("drift_files_list", "see what is in the index"),),
        warnings=say_problems(landscape),
    )


def _listed(call: Call, reader: IndexReader, landscape: Landscape, page: Page) -> Answer[PackagesData]:
    found, why = list_all(reader, landscape), "the largest package from all sides"
    largest = call.suggest(drift_package_context, why, package=found.largest)
    told = (*describe_cycles(landscape), *say_problems(landscape))
    return list_answer(
        call, page, found.ranked(), found.data, summary=found.summary, next=(largest,), warnings=told
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
        PackagesData(is_monorepo(landscape), list_managers(landscape), package=context),
        next=(*actions, call.suggest(drift_package_context, "all packages", list=True, priority="low")),
        warnings=(*find_doubts(landscape, number), *say_problems(landscape)),
    )
