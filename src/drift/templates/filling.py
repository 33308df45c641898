"""A template filled in: the file that it makes, and where that belongs."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import shorten
from drift.templates.checking import PROJECT_NAME, fill_in
from drift.templates.definition import FACTS, Template
from drift.templates.engine import TemplateError, Values, render
from drift.templates.toolchains import describe_toolchain

# Also refused: a tilde, which Windows takes for a short name, and a dot or blank at the end, which it drops.
_PATH_PART: Final = re.compile(r"[A-Za-z0-9_@+-][A-Za-z0-9_.@+-]{0,99}|\.[A-Za-z0-9_-][A-Za-z0-9_.-]{0,98}")
UNNAMED: Final = "app"
_MOST_PARTS: Final = 12
# What git and Drift themselves act on: no template writes there.
_PRIVATE: Final = frozenset({".git", ".drift"})


@dataclass(frozen=True, slots=True)
class FilledTemplate:
    """A file that a template made."""

    template: str
    filename: str
    content: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the content."""
        return hashlib.sha256(self.content.encode()).hexdigest()


def fill(
    template: Template, given: Mapping[str, Any], *, year: int, project: Values | None = None
) -> FilledTemplate:
    """The file of a template with these values, which have been checked; `project` is what is known of the scanned one.

    Raises PARAMETER_VALIDATION_FAILED where it cannot be rendered or its file would lie where none may.
    """
    filled = fill_in(template, given)
    try:
        about = describe_toolchain(template.toolchain, project_name=str(given.get(PROJECT_NAME) or UNNAMED))
        values = {**filled, "toolchain": about, "year": year, FACTS: project or {}}
        filename, body = template.read()
        path = render(filename, values)
        content = render(body, values)
    except TemplateError as error:
        raise DriftError(ErrorCode.PARAMETER_VALIDATION_FAILED, f"{template.uri}: {error}") from error
    check_place(path, what=template.uri)
    return FilledTemplate(template.uri, path, content.rstrip("\n") + "\n")


def check_place(path: str, *, what: str) -> None:
    """Refuse a path that is not plainly below the folder of the new project."""
    parts = path.split("/")
    is_plain = len(parts) <= _MOST_PARTS and all(
        _PATH_PART.fullmatch(part) and part[-1] != "." for part in parts
    )
    if not is_plain or any(part.lower() in _PRIVATE for part in parts):
        raise DriftError(
            ErrorCode.PARAMETER_VALIDATION_FAILED, f"{what}: no file may be called {shorten(repr(path), 120)}"
        )
