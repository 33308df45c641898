"""Go: modules by go.mod, a package for each folder, names shared by its files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.languages import FileFacts, Import
from drift.languages.golang.vocabulary import PREDECLARED_TYPES
from drift.languages.kinds import TYPE_KINDS
from drift.manifests.go import read_go_module
from drift.scan.link.analysis import Analysis
from drift.scan.link.destination_form import Destination
from drift.scan.link.folders import all_folders, folder_of, folders_above, join, resolve
from drift.scan.link.keys import part_key, space_key
from drift.scan.link.languages.go.elements import type_elements
from drift.scan.link.languages.go.implementations import implementing_pairs
from drift.scan.link.semantics import Semantics
from drift.scan.link.tables import Definition, FileTable
from drift.scan.link.values import Values, symbol_of

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_HOST_PARTS: Final = 3  # host, owner, repository
_FUNCTIONS: Final = frozenset(
    {
        "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min",
        "new", "panic", "print", "println", "real", "recover",
    }
)  # fmt: skip


class GoSemantics(Semantics):
    """Which folder an import path means.

    A path is one of the project's if it begins with the path of a module that a go.mod names (or replaces by
    a folder); else it may be vendored, or below `src` in a project from before modules. Test files see the
    names of their package's other files, but no one sees theirs.
    """

    has_members_of_interfaces = False
    has_constructors = False  # a method may have the name of its type
    has_settled_types = True
    has_nameless_structs = True
    are_functions_indexed = True
    builtin_prefix = "builtin."
    builtins = _FUNCTIONS | frozenset(PREDECLARED_TYPES)
    constructors = ()

    def __init__(self, sources: WatchedSources) -> None:
        super().__init__("go")
        self._sources = sources
        self._files_in: dict[str, list[str]] = {}
        for path in sorted(sources.paths()):
            if path.endswith(".go"):
                self._files_in.setdefault(folder_of(path), []).append(path)
        self._modules = _find_modules(sources, [path for paths in self._files_in.values() for path in paths])

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        module = found.module
        is_own = False
        for name, folder in self._modules:
            if module == name or module.startswith(f"{name}/"):
                is_own = True
                inner = module[len(name) + 1 :]
                package = join(folder, inner) if inner else folder
                self._sources.note(part_key(package.rpartition("/")[2]))
                if package in self._files_in:
                    return Destination(package=package)
        self._sources.note(part_key(module.rpartition("/")[2]))
        vendored = self._vendored(path, module)
        if vendored is not None:
            return Destination(package=vendored)
        if is_own:
            return Destination(problem=f"the project has no package {module}")
        return Destination(external=module, external_package=_installed(module))

    def files_with(self, package: str, name: str) -> tuple[str, ...]:
        """Without tests, which nobody can import."""
        found = self._sources.providing(space_key("go", package, name))
        return tuple(path for path in found if not _is_test(path))

    def neighbours_with(self, path: str, facts: FileFacts, name: str) -> tuple[str, ...]:
        """Of one folder, the files that say they are of the same package."""
        return tuple(
            other
            for other in self._sources.providing(space_key("go", folder_of(path), name))
            if other != path
            and (_is_test(path) or not _is_test(other))
            and self._sources.package_of(other) == facts.package
        )

    def _vendored(self, path: str, module: str) -> str | None:
        for folder in folders_above(path):
            for shelf in ("vendor", "src"):
                if (candidate := join(folder, f"{shelf}/{module}")) in self._files_in:
                    return candidate
        return None

    def bare_definitions(
        self, analysis: Analysis, table: FileTable, scope: int, found: list[Definition]
    ) -> list[Definition] | None:
        return None if analysis.program.symbol(table.first + scope).kind in TYPE_KINDS else found

    def overridable(self, analysis: Analysis, ancestors: list[int]) -> list[int]:
        """A method of an embedded struct runs for itself, whatever the struct around it has of that name."""
        return [one for one in ancestors if analysis.program.symbol(one).kind == "interface"]

    def fitting_overrides(self, analysis: Analysis, table: FileTable) -> Iterator[tuple[int, int]]:
        """A type fits an interface by having its methods."""
        return implementing_pairs(analysis, table)

    def object_elements(self, analysis: Analysis, value: int) -> Values | None:
        return type_elements(analysis, symbol_of(value))


def _find_modules(sources: WatchedSources, files: list[str]) -> list[tuple[str, str]]:
    """The paths of modules and their folders, the longest path first."""
    found: dict[str, str] = {}
    for folder in sorted(all_folders(files), reverse=True):
        text = sources.text_of(join(folder, "go.mod"))
        if text is None:
            continue
        module = read_go_module(text)
        for name, place in module.replaced:
            target = resolve(folder, place)
            if target is not None:
                found.setdefault(name, target)
        if module.path:
            found[module.path] = folder
    return sorted(found.items(), key=lambda entry: (-len(entry[0]), entry))


def _is_test(path: str) -> bool:
    return path.endswith("_test.go")


def _installed(module: str) -> str:
    """The module one would get: the standard library's packages stand for themselves."""
    parts = module.split("/")
    return "/".join(parts[:_HOST_PARTS]) if "." in parts[0] else module
