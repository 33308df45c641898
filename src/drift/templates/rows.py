"""What answers tell of templates and of the files they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drift.kernel.ranking import Ranked, Sort, as_found
from drift.templates.checking import PROJECT_NAME
from drift.templates.definition import Template
from drift.templates.filling import UNNAMED, FilledTemplate, check_place
from drift.templates.library import Library
from drift.templates.search import Match
from drift.templates.toolchains import describe_toolchain

_MOST_PROBLEMS = 10


@dataclass(frozen=True, slots=True)
class GeneratedTemplate:
    """The file that a template made; `checksum` is SHA-256 of its content."""

    filename: str
    content: str
    checksum: str


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A template; required parameters have a star behind their names. `origin` is told of the project's own."""

    uri: str
    name: str
    description: str
    parameters: tuple[str, ...]
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class TemplateList:
    """Templates by category and toolchain."""

    templates: tuple[TemplateRow, ...]
    count: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A template that fits; a higher relevance fits better."""

    uri: str
    name: str
    description: str
    relevance: int


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The templates that fit, the likeliest first."""

    results: tuple[MatchRow, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ScaffoldedFile:
    """A file of the new project; its content is left out once it is written."""

    path: str
    content: str | None = None


@dataclass(frozen=True, slots=True)
class ScaffoldData:
    """The files of a new project, whether they were written, and the commands to go on with."""

    directory: str
    written: bool
    files: tuple[ScaffoldedFile, ...]
    commands: tuple[str, ...]


def rank_rows(found: Sequence[Template]) -> Ranked[TemplateRow]:
    """Templates in the order of their addresses."""
    return Ranked(tuple(map(_row, found)), {"address": Sort(as_found)}, identity=lambda row: row.uri)


def _row(template: Template) -> TemplateRow:
    return TemplateRow(
        template.uri,
        template.title,
        template.description,
        tuple(f"{each.name}*" if each.is_required else each.name for each in template.parameters),
        None if template.origin == "drift" else template.origin,
    )


def match_row(match: Match) -> MatchRow:
    template = match.template
    return MatchRow(template.uri, template.title, template.description, match.relevance)


def describe_scaffold(
    toolchain: str, place: str, made: Sequence[FilledTemplate], *, given: Mapping[str, Any], is_written: bool
) -> ScaffoldData:
    """The files below their folder; those that are written are told by their paths."""
    files = tuple(
        ScaffoldedFile(
            each.filename if place == "." else f"{place}/{each.filename}",
            None if is_written else each.content,
        )
        for each in made
    )
    return ScaffoldData(place, is_written, files, _commands(toolchain, given))


def choose_directory(directory: str | None, given: Mapping[str, Any]) -> str:
    """Where a scaffold goes: below the project's root, in a folder of the new project's name where none is named."""
    place = directory or str(given.get(PROJECT_NAME) or ".")
    if place != ".":
        check_place(place, what="directory")
    return place


def _commands(toolchain: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    about = describe_toolchain(toolchain, project_name=str(given.get(PROJECT_NAME) or UNNAMED))
    rows = about.get("commands", ())
    assert isinstance(rows, list | tuple)
    return tuple(str(row["run"]) for row in rows if isinstance(row, Mapping))


def describe_library(library: Library) -> str:
    """What lists can be narrowed to."""
    return f"toolchains: {', '.join(library.toolchains)}; categories: {', '.join(library.categories)}"


def say_problems(library: Library) -> tuple[str, ...]:
    """What is wrong with the project's own templates."""
    return tuple(f"{each.file}: {each.problem}" for each in library.problems[:_MOST_PROBLEMS])
