"""The files of a project's own packs: written whole, one per pack, and deleted only where they are its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.files import write_atomically
from drift.kernel.text import shorten
from drift.project import Project
from drift.registry.packs import Pack, Packs, parse_pack


def create_pack(project: Project, packs: Packs, document: Mapping[str, Any]) -> tuple[Pack, Path]:
    """Write a new pack's file; INVALID_ARGUMENT names what is wrong with the document."""
    try:
        pack = parse_pack(document)
    except ValueError as problem:
        raise invalid(
            "definition",
            shorten(str(problem), 300),
            hint="drift_pack(action=get, name=bug-fix) shows a whole one.",
        ) from problem
    folder = project.path_of("mcp.packs.custom_dir")
    path = folder / f"{pack.name}.json"
    known = packs.by_name.get(pack.name)
    if known is not None and known.is_custom:
        raise _taken(pack.name, known.file_name or path.name)
    project.prepare()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # A broken link counts as there: writing follows links, and this one may have come with the repository.
        if path.is_symlink() or path.exists():
            raise _taken(pack.name, path.name)
    except OSError as error:
        raise _unavailable(folder, error) from error
    write_atomically(path, orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    return pack, path


def pack_path(project: Project, pack: Pack) -> Path:
    """The file of a project's own pack; INVALID_ARGUMENT for a built-in one, which has none."""
    if pack.file_name is None:
        raise invalid(
            "name",
            f"{pack.name} is built in",
            hint=f'Switch it off instead: mcp.packs.disabled = ["{pack.name}"] in drift.toml.',
        )
    return project.path_of("mcp.packs.custom_dir") / pack.file_name


def delete_pack(path: Path) -> None:
    """Remove a pack's file; a link goes, not what it leads to."""
    try:
        path.unlink()
    except OSError as error:
        raise _unavailable(path, error) from error


def _taken(name: str, file_name: str) -> DriftError:
    return invalid(
        "definition.name",
        f"{file_name} in the folder of packs is in the way of {name}",
        hint="Choose another name, edit that file, or delete the pack first.",
    )


def _unavailable(path: Path, error: OSError) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"{path} could not be changed: {error.strerror}",
        Recovery(hint="Make the folder of packs one you may write to."),
    )
