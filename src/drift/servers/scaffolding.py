"""Templates of drift-analysis as resources, and prompts that begin a new project."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import ServerRuntime
from drift.protocol.completions import Suggest
from drift.protocol.prompts import Argument, Prompt, user_text
from drift.protocol.resources import Template
from drift.protocol.sources import Content, Part
from drift.servers.assembly import ask_tool

if TYPE_CHECKING:
    from drift.templates import Library

_ADDRESS: Final = "template://{category}/{toolchain}/{variant}"
_SCHEMA: Final = "application/schema+json"
# As the toolchains are called in data; named here, so that a server starts without reading them.
_TOOLCHAINS: Final = {
    "rust": "Rust",
    "deno": "Deno",
    "python-uv": "Python",
    "node": "Node.js",
    "go": "Go",
    "java-maven": "Java",
    "php-composer": "PHP",
    "dotnet": ".NET",
    "cpp-cmake": "C++",
}
_BEGIN: Final = (
    "Set up a new {title} project called {name}.{about}\n\n"
    "1. Call scaffold_project with the arguments below. It writes {count} files into {name}/ and touches nothing that is there.\n"
    "2. In {name}/, run: {commands}. All of it has to pass before you go on.\n"
    "3. Put in place of the greeting what the project is for, its tests first; keep README.md and AGENTS.md true."
)


def project_template(runtime: ServerRuntime) -> Template:
    """A template as a resource: its text, and its parameters as JSON Schema."""

    async def read(address: str) -> Content:
        found = _library(runtime).find(f"template://{address}")
        return (
            Part(found.body, found.mime),
            Part(json.dumps(found.schema, ensure_ascii=False), _SCHEMA, "#parameters"),
        )

    return Template(
        "template://{address}",
        "Template",
        "A file for a new project, with its parameters",
        read,
        mime_type="text/plain",
        listed_as=_ADDRESS,
        may_have_slashes=True,
    )


def list_template_resources(runtime: ServerRuntime) -> Sequence[types.Resource]:
    return [
        types.Resource(
            uri=each.uri,
            name=f"{each.title} ({each.toolchain})",
            description=each.description,
            mime_type=each.mime,
        )
        for each in _library(runtime).templates.values()
    ]


def template_completions(runtime: ServerRuntime) -> dict[tuple[str, str], Suggest]:
    """What may be typed for the parts of a template's address."""
    return {
        (_ADDRESS, "category"): lambda: _library(runtime).categories,
        (_ADDRESS, "toolchain"): lambda: _library(runtime).toolchains,
        (_ADDRESS, "variant"): lambda: sorted(
            {each.variant for each in _library(runtime).templates.values()}
        ),
    }


def scaffold_prompts(runtime: ServerRuntime) -> tuple[Prompt, ...]:
    """A prompt for each toolchain that begins a new project."""
    return tuple(_scaffold_prompt(runtime, name, title) for name, title in _TOOLCHAINS.items())


def _library(runtime: ServerRuntime) -> "Library":
    from drift.templates import (
        load_library,
    )  # reads some hundred files, which a server that starts does not need

    return load_library(runtime.project.root)


def _scaffold_prompt(runtime: ServerRuntime, toolchain: str, title: str) -> Prompt:
    async def write(given: Mapping[str, str]) -> Sequence[types.PromptMessage]:
        parameters = {name: value for name, value in given.items() if value.strip()}
        if "project_name" not in parameters:
            raise DriftError(ErrorCode.MISSING_REQUIRED_PARAM, "project_name: is empty")
        arguments: dict[str, Any] = {"toolchain": toolchain, "parameters": parameters}
        planned = (await ask_tool(runtime, "scaffold_project", **arguments, maxTokens=100_000)).structured()[
            "data"
        ]
        begin = _BEGIN.format(
            title=title,
            name=planned["directory"],
            about=f" It is for this: {given['description']}" if parameters.get("description") else "",
            count=len(planned["files"]),
            commands=", ".join(f"`{each}`" for each in planned["commands"]),
        )
        call = json.dumps({**arguments, "write": True}, ensure_ascii=False)
        files = "\n".join(each["path"] for each in planned["files"])
        return [user_text(begin), user_text(f"scaffold_project {call}\n\nIt makes:\n{files}")]

    return Prompt(
        f"scaffold-{toolchain}-project",
        f"New {title} project",
        f"A {title} project that builds and tests at once, and what to do with it then",
        write,
        (
            Argument("project_name", "Name of the project, which is that of its folder", is_required=True),
            Argument("description", "What it is for, in one sentence"),
            Argument("author", "Who holds the copyright"),
            Argument("license", "SPDX name: MIT, Apache-2.0, BSD-3-Clause, ISC, Unlicense"),
        ),
    )
