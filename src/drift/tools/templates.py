"""Templates: files for new projects, listed, searched, checked, filled in, and written where that is asked for."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import plural
from drift.registry import Call, Effect, Length, Page, ProjectFile, Range, Scope, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer
from drift.templates import (
    Match,
    Validation,
    choose_templates,
    fill,
    load_library,
    make_files,
    require_valid,
    search,
    validate,
    write_files,
)
from drift.templates.engine import Values
from drift.templates.knowledge import describe_project
from drift.templates.rows import (
    GeneratedTemplate,
    ScaffoldData,
    SearchResults,
    TemplateList,
    choose_directory,
    describe_library,
    describe_scaffold,
    match_row,
    rank_rows,
    say_problems,
)

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})
_MOST_TOKENS: Final = 20_000  # files are of no use cut
_URI: Final = "template://CATEGORY/TOOLCHAIN/VARIANT"

ResourceUri = Annotated[str, Length(300), _URI]
Parameters = Annotated[Mapping[str, Any], "Values by name, as list_templates names them"]
Toolchain = Annotated[
    str | None, Length(60), "rust, deno, python-uv, node, go, java-maven, php-composer, dotnet, cpp-cmake"
]


@tool(
    category="generation",
    title="Generate a file from a template",
    tokens=(200, 1500),
    ttl=0,
    max_tokens=_MOST_TOKENS,
    is_method=True,
    examples=({"resource_uri": "template://makefile/rust/cli", "parameters": {"project_name": "my-app"}},),
)
async def generate_template(
    call: Call, resource_uri: ResourceUri, parameters: Parameters = _NONE
) -> Answer[GeneratedTemplate]:
    """One file from a template: Makefile, README, CI, Dockerfile, … template://agents/any/project writes AGENTS.md of this project from the index."""
    template = load_library(call.project.root).find(resource_uri)
    require_valid([template], parameters)
    facts, notes = await _facts(call) if template.uses_project else (None, ())
    made = fill(template, parameters, year=call.runtime.today().year, project=facts)
    data = GeneratedTemplate(made.filename, made.content, made.checksum)
    return Answer(f"{made.filename} from {made.template}", data, warnings=notes)


async def _facts(call: Call) -> tuple[Values, tuple[str, ...]]:
    """What is known of the project, and what has to be said of the index: a call that needs its imports sees to them."""
    looked = await call.dispatch("drift_dependencies", {"limit": 1}, is_for_client=False)
    if looked.is_error:
        raise DriftError(ErrorCode(str(looked.code)), str(looked.body["message"]))
    return await asyncio.to_thread(_describe, call), tuple(looked.body.get("warnings", ()))


def _describe(call: Call) -> Values:
    with opened_index(call) as reader:
        return describe_project(reader, call.project.root, name=call.project.name)


@tool(
    category="generation",
    title="List templates",
    tokens=(300, 2500),
    ttl=0,
    is_method=True,
    examples=({"toolchain": "python-uv"}, {"category": "ci"}),
)
def list_templates(
    call: Call,
    toolchain: Toolchain = None,
    category: Annotated[
        str | None, Length(60), "makefile, readme, gitignore, ci, dockerfile, agents, …"
    ] = None,
    page: Page = Page(limit=40),
) -> Answer[TemplateList]:
    """Templates of files for new projects, by toolchain and category, with their parameters."""
    library = load_library(call.project.root)
    found = library.select(toolchain, category)
    is_all = toolchain is None and category is None
    return list_answer(
        call,
        page,
        rank_rows(found),
        lambda shown: TemplateList(shown, len(found)),
        summary=plural(len(found), "template") + (f"; {describe_library(library)}" if is_all else ""),
        next=(call.suggest(list_templates, "those of one toolchain", toolchain="rust"),) if is_all else (),
        warnings=say_problems(library),
    )


@tool(
    category="generation",
    title="Search templates",
    tokens=(100, 800),
    ttl=0,
    is_method=True,
    examples=({"query": "docker python"},),
)
def search_templates(
    call: Call,
    query: Annotated[str, Length(200), "Words: docker python, licence mit"],
    toolchain: Toolchain = None,
    limit: Annotated[int, Range(1, 100)] = 10,
) -> Answer[SearchResults]:
    """Templates that fit words, by address, name, description and parameters, the likeliest first."""
    library = load_library(call.project.root)
    found = search(library, query, toolchain)
    rows = tuple(map(match_row, found[:limit]))
    return Answer(
        f"{plural(len(found), 'template')} for {query!r}",
        SearchResults(rows, len(found)),
        next=_after_search(call, found),
        warnings=say_problems(library),
    )


def _after_search(call: Call, found: list[Match]) -> tuple[NextAction, ...]:
    if not found:
        return (call.suggest(list_templates, "see all templates"),)
    best = found[0].template
    wanted = {each.name: "my-app" for each in best.parameters if each.is_required}
    return (call.suggest(generate_template, "make the file", resource_uri=best.uri, parameters=wanted),)


@tool(
    category="generation",
    title="Check parameters of a template",
    tokens=(50, 300),
    ttl=0,
    is_method=True,
    examples=({"resource_uri": "template://readme/go/cli", "parameters": {"project_name": "../etc"}},),
)
def validate_template(
    call: Call, resource_uri: ResourceUri, parameters: Parameters = _NONE
) -> Answer[Validation]:
    """Whether parameters fit a template, without making anything: wrong values, missing and unknown names."""
    template = load_library(call.project.root).find(resource_uri)
    found = validate([template], parameters)
    faults = len(found.errors) + len(found.missing_required) + len(found.unknown)
    return Answer("The parameters fit" if found.valid else plural(faults, "fault"), found)


@tool(
    category="generation",
    title="Scaffold a project",
    tokens=(500, 9000),
    effect=Effect.WRITES,
    is_idempotent=False,
    action_scopes={"write": frozenset({Scope.WRITE})},
    max_tokens=_MOST_TOKENS,
    is_method=True,
    examples=(
        {"toolchain": "python-uv", "parameters": {"project_name": "my-app"}, "write": True},
        {
            "toolchain": "rust",
            "templates": ["makefile", "readme", "gitignore"],
            "parameters": {"project_name": "my-app"},
        },
    ),
)
def scaffold_project(
    call: Call,
    toolchain: Annotated[
        str, Length(60), "rust, deno, python-uv, node, go, java-maven, php-composer, dotnet, cpp-cmake"
    ],
    templates: Annotated[
        tuple[str, ...], Length(50), "Categories, CATEGORY/VARIANT or addresses; default: a whole project"
    ] = (),
    parameters: Annotated[Mapping[str, Any], "Shared by all; project_name is needed"] = _NONE,
    write: Annotated[bool, "Write them below the project; else they are only shown"] = False,
    directory: Annotated[ProjectFile | None, "Where to; default: the project's name, . is the root"] = None,
) -> Answer[ScaffoldData]:
    """The files of a new project that builds and tests at once. write=true puts them on disk, over nothing that is there."""
    chosen = choose_templates(load_library(call.project.root), toolchain, templates, given=parameters)
    made = make_files(chosen, parameters, year=call.runtime.today().year)
    place = choose_directory(directory, parameters)
    if write:
        write_files(call.project.root, place, made)
    data = describe_scaffold(toolchain, place, made, given=parameters, is_written=write)
    said = "written" if write else "not written; write=true does"
    return Answer(f"{plural(len(made), 'file')} below {place}/, {said}", data)
