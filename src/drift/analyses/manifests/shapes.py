"""What manifests and lock files say, in one form for all ecosystems."""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

Scope = Literal["prod", "dev", "peer", "optional", "build"]
Ecosystem = Literal["python", "node", "go", "rust", "jvm", "php", "dotnet", "cpp"]


class Declared(NamedTuple):
    """A dependency that a manifest names, with the version it asks for."""

    name: str
    version: str | None = None
    scope: Scope = "prod"


class Locked(NamedTuple):
    """The version of a package that a lock file settled on, and the prefixes of names that it provides."""

    name: str
    version: str | None
    provides: tuple[str, ...] = ()


class Contents(NamedTuple):
    """What one file says: dependencies, settled versions, and what the project itself is called there."""

    declared: tuple[Declared, ...] = ()
    locked: tuple[Locked, ...] = ()
    own_names: tuple[str, ...] = ()


Parser = Callable[[str], Contents]

MOST_ENTRIES: Final = 50_000


class UnreadableManifestError(ValueError):
    """A manifest that is not what its name promises."""


def text_of(value: object) -> str | None:
    """The value where it is a text."""
    return value if isinstance(value, str) else None


def table_of(value: object) -> dict[str, object]:
    """The value where it is a table with text keys; an empty one for anything else."""
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def list_of(value: object) -> list[object]:
    """The value where it is a list, up to a length no honest file has."""
    return value[:MOST_ENTRIES] if isinstance(value, list) else []
