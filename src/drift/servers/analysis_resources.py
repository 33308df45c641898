"""Resources of drift-analysis about single files and packages, and what may be typed for them."""

from collections.abc import Sequence

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.paths import resolve_inside
from drift.kernel.similar import similar_names
from drift.pipeline import ServerRuntime
from drift.protocol.completions import Suggest
from drift.protocol.resources import Template
from drift.protocol.sources import Content
from drift.servers.assembly import ask_tool

_FILES = "drift://files/{path}"
_PACKAGES = "drift://packages/{name}"
_BOUNDARIES = "drift://boundaries/{module}"
_MOST_SIMILAR = 5


def place_templates(runtime: ServerRuntime) -> tuple[Template, ...]:
    """Templates for a file by its path and for a package by its name."""

    async def read_file(path: str) -> Content:
        return await _explain_file(runtime, path)

    async def read_package(name: str) -> Content:
        return await _describe_package(runtime, name)

    async def read_boundaries(module: str) -> Content:
        path = resolve_inside(runtime.project.root, module)
        outcome = await ask_tool(runtime, "drift_boundaries", module=path)
        return orjson.dumps(outcome.structured()).decode()

    return (
        Template(
            _BOUNDARIES,
            "Boundaries",
            "Which tables the files below a path touch, and who comes to them",
            read_boundaries,
            may_have_slashes=True,
            tool="drift_boundaries",
        ),
        Template(
            _FILES,
            "File",
            "What is in a file, who uses it, what it uses",
            read_file,
            may_have_slashes=True,
        ),
        Template(
            _PACKAGES,
            "Package",
            "A package: API in use, dependents, dependencies, tests",
            read_package,
            may_have_slashes=True,
        ),
    )


def place_completions(runtime: ServerRuntime) -> dict[tuple[str, str], Suggest]:
    """The paths and the package names of the server's own project; none before it is scanned."""
    return {
        (_FILES, "path"): lambda: _paths(runtime),
        (_BOUNDARIES, "module"): lambda: _folders(runtime),
        (_PACKAGES, "name"): lambda: _package_names(runtime),
    }


async def _explain_file(runtime: ServerRuntime, given: str) -> Content:
    path = resolve_inside(runtime.project.root, given)
    try:
        # With a folder before it, so that a name without an ending is not taken for a symbol's.
        outcome = await ask_tool(runtime, "drift_explain", target=f"./{path}")
    except DriftError as error:
        if error.code not in {ErrorCode.FILE_NOT_FOUND, ErrorCode.SYMBOL_NOT_FOUND}:
            raise
        raise _no_file(runtime, path, error.recovery.similar) from error
    found = outcome.structured()["data"].get("file")
    # The tool takes the end of a path, too; an address means one file.
    if not found or found["file"] != path:
        raise _no_file(runtime, path, (found["file"],) if found else ())
    return orjson.dumps(outcome.structured()).decode()


def _no_file(runtime: ServerRuntime, path: str, ending_so: Sequence[str]) -> DriftError:
    known = _paths(runtime)
    alike = [one for one in ending_so if one in known] or similar_names(path, known, limit=_MOST_SIMILAR)
    return DriftError(
        ErrorCode.FILE_NOT_FOUND,
        f"The index has no file {path!r}.",
        Recovery(
            hint="Give the path from the project's root; completion offers those there are.",
            similar=tuple(alike[:_MOST_SIMILAR]),
        ),
    )


async def _describe_package(runtime: ServerRuntime, name: str) -> Content:
    try:
        outcome = await ask_tool(runtime, "drift_package_context", package=name)
    except DriftError as error:
        if error.code is not ErrorCode.INVALID_ARGUMENT:
            raise
        raise DriftError(
            ErrorCode.RESOURCE_NOT_FOUND,
            error.message,
            Recovery(hint="Completion offers the names there are.", similar=error.recovery.similar),
        ) from error
    if outcome.structured()["data"].get("package") is None:
        raise DriftError(ErrorCode.RESOURCE_NOT_FOUND, "No manifest of the project names a package.")
    return orjson.dumps(outcome.structured()).decode()


def _paths(runtime: ServerRuntime) -> list[str]:
    state = runtime.index_state(runtime.project)
    if not state.is_usable:
        return []
    # Bring SQLite, which a project without an index does not need.
    from drift.index import IndexReader
    from drift.index.listing_queries import PathFilter

    with IndexReader(state.path) as reader:
        return reader.listings.paths(PathFilter())


def _package_names(runtime: ServerRuntime) -> list[str]:
    state = runtime.index_state(runtime.project)
    if not state.is_usable:
        return []
    # Bring SQLite and readers of many formats, which a project without an index does not need.
    from drift.analyses.workspaces.relations import name_packages
    from drift.index import IndexReader

    with IndexReader(state.path) as reader:
        return name_packages(reader, runtime.project.root)


def _folders(runtime: ServerRuntime) -> Sequence[str]:
    """The folders that hold files of the project."""
    return sorted({path.rpartition("/")[0] for path in _paths(runtime) if "/" in path})
