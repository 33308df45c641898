"""What is found out about packages and workspaces, in one form for all package managers."""

from typing import NamedTuple

from drift.manifests.contents import Declared, Ecosystem, Manager, Scope


class Workspace(NamedTuple):
    """Packages that one file holds together; `members` are their folders."""

    manager: Manager
    path: str
    file: str
    members: tuple[str, ...]


class Declaration(NamedTuple):
    """That a package asks for another of the project, and the place that says so."""

    source: int  # this and the target are places in the list of packages
    target: int
    scope: Scope | None  # None: by its path, not by its name
    version: str | None
    file: str
    line: int


class Package(NamedTuple):
    """A package: what its manifests say, and where it belongs. The path of the root is empty."""

    name: str
    path: str
    manager: Manager
    ecosystem: Ecosystem
    manifests: tuple[str, ...]
    version: str | None
    description: str | None
    is_root: bool
    workspace: str | None  # the file that makes it a member of one
    is_named: bool  # else the name is that of its folder
    managers: tuple[Manager, ...]  # all that can build it, the one above first
    declared: tuple[tuple[Declared, str], ...]  # with the file that declares it
    local_paths: tuple[tuple[str, str], ...]  # folder or manifest it takes, and the file that says so


class Detected(NamedTuple):
    """All packages and workspaces of a project, by path, and what could not be read or is not allowed."""

    packages: tuple[Package, ...]
    declarations: tuple[Declaration, ...]
    workspaces: tuple[Workspace, ...]
    problems: tuple[str, ...]
