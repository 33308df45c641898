"""What manifests and lock files say of packages, dependencies and workspaces, in one form for all ecosystems."""

import re
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

Scope = Literal["prod", "dev", "peer", "optional", "build"]

Ecosystem = Literal["python", "node", "go", "rust", "jvm", "php", "dotnet", "cpp", "ruby"]

Manager = Literal[
    "pnpm", "yarn", "npm", "bun", "lerna", "uv", "poetry", "pipenv", "pip", "cargo", "go", "maven", "gradle",
    "composer", "bundler", "nuget", "cmake",
]  # fmt: skip

_SEPARATORS: Final = re.compile(r"[-_.]+")


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


class Described(NamedTuple):
    """What a manifest says of its package. `local_paths` are folders or manifests it takes other packages from."""

    name: str | None = None
    version: str | None = None
    description: str | None = None
    manager: Manager | None = None
    declared: tuple[Declared, ...] = ()
    local_paths: tuple[str, ...] = ()


class Membership(NamedTuple):
    """What a file says of the packages that belong together: patterns of folders, and what they leave out.

    `names` are members known by name only; `labels` are the names a build gives its folders.
    """

    manager: Manager
    patterns: tuple[str, ...]
    excluded: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    labels: tuple[tuple[str, str], ...] = ()


def plain_name(ecosystem: Ecosystem, name: str) -> str:
    """The name as the ecosystem compares it."""
    match ecosystem:
        case "python" | "rust":
            return _SEPARATORS.sub("-", name).lower()
        case "php" | "dotnet":
            return name.lower()
        case _:
            return name
