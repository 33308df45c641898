"""One file of the catalog from all sides, for whoever asks why it is not as expected."""

from typing import Any, NamedTuple

from drift.catalog.files import InstructionFiles, Stamp, UnreadableFileError
from drift.catalog.ids import ENDING
from drift.catalog.reading import load
from drift.kernel.text import shorten

_LONGEST_SHOWN = 20_000


class Inspection(NamedTuple):
    """What there is to see. `raw` is the file's text as far as it is shown; None where it cannot be read."""

    id: str
    raw: str | None
    normalized: dict[str, Any] | None
    problem: str | None
    line: int | None
    warnings: tuple[str, ...]
    is_normal: bool  # writing it again would change nothing but its layout
    stored_hash: str | None
    path: str
    stamp: Stamp | None


def inspect_file(files: InstructionFiles, instruction_id: str) -> Inspection:
    """The file of an id as it is now."""
    name = instruction_id + ENDING
    nothing = Inspection(
        instruction_id,
        raw=None,
        normalized=None,
        problem=None,
        line=None,
        warnings=(),
        is_normal=False,
        stored_hash=None,
        path=str(files.directory / name),
        stamp=files.stamp(name),
    )
    try:
        content, _ = files.read(name)
    except FileNotFoundError:
        return nothing._replace(problem="there is no such file")
    except UnreadableFileError as error:
        return nothing._replace(problem=error.reason)
    seen = nothing._replace(raw=shorten(content.decode("utf-8", "replace"), _LONGEST_SHOWN))
    try:
        loaded = load(name, content)
    except UnreadableFileError as error:
        return seen._replace(problem=error.reason, line=error.line)
    return seen._replace(
        normalized=loaded.instruction.as_wire(),
        warnings=loaded.warnings,
        is_normal=loaded.is_normal,
        stored_hash=loaded.stored_hash,
    )
