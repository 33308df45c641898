"""Tags that bind an instruction to files: apart from the rest, so that naming them loads no catalog."""

from collections.abc import Iterable
from typing import Final

PATH_TAG: Final = "path:"


def globs_of(tags: Iterable[str]) -> tuple[str, ...]:
    """The globs that tags bind an instruction to."""
    return tuple(tag.removeprefix(PATH_TAG) for tag in tags if tag.startswith(PATH_TAG))
