"""What C# files use without saying so: `global using` of another file, `<Using>` and `<ImplicitUsings>` of the build."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.languages import Import
from drift.manifests.dotnet import has_implicit_usings, implied_usings, read_usings
from drift.scan.link.keys import package_key, sharing_key

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_BUILD_OF_FOLDERS: Final = "Directory.Build.props"
_SETTINGS: Final = "/Properties"  # a folder for what is about the project as a whole


class GlobalUsings:
    """The usings of whole projects. A project is a folder with a project file that has the folder's name."""

    def __init__(self, sources: WatchedSources) -> None:
        self._sources = sources
        self._projects: dict[str, str | None] = {}
        self._builds: dict[str, tuple[Import, ...]] = {}
        self._implied: dict[str, tuple[str, ...]] = {}

    def holding_for(self, path: str) -> tuple[Import, ...]:
        """The usings that hold in a file and stand elsewhere."""
        project = self._project_of(_folder(path))
        found = [one for other in self._sharing(path, project) for one in self._written_in(other)]
        implied = [
            _using(name)
            for name in (self._implied_in(project) if project is not None else ())
            # All other names of these namespaces are the platform's, and known without.
            if self._sources.providing(package_key("csharp", name))
        ]
        return (*found, *self._build_of(_folder(path) if project is None else project), *implied)

    def _implied_in(self, project: str) -> tuple[str, ...]:
        """The namespaces that go with the kind of a project, where its build or one around it asks for them."""
        if project not in self._implied:
            own = self._text(f"{project}/{project.rpartition('/')[2]}.csproj")
            folders = [project]
            while folders[-1]:
                folders.append(_folder(folders[-1]))
            around = (self._text(f"{each}/{_BUILD_OF_FOLDERS}".lstrip("/")) for each in folders)
            is_asked = any(has_implicit_usings(text) for text in (own, *around))
            self._implied[project] = implied_usings(own) if is_asked else ()
        return self._implied[project]

    def _text(self, path: str) -> str:
        return (self._sources.text_of(path) if self._sources.has_text(path) else None) or ""

    def _sharing(self, path: str, project: str | None) -> Iterator[str]:
        for other in self._sources.providing(sharing_key("csharp")):
            folder = _folder(other)
            home = self._project_of(folder)
            around = folder.removesuffix(_SETTINGS)
            is_below = home is None and (not around or path.startswith(f"{around}/"))
            if other != path and (is_below or (home is not None and home == project)):
                yield other

    def _written_in(self, path: str) -> list[Import]:
        return [one for one in self._sources.facts_of(path).imports if one.is_reexport]

    def _project_of(self, folder: str) -> str | None:
        """The nearest folder around that has a project file; None where none has one of its own name."""
        if not folder:
            return None
        if folder not in self._projects:
            name = folder.rpartition("/")[2]
            is_project = self._sources.has_text(f"{folder}/{name}.csproj")
            self._projects[folder] = folder if is_project else self._project_of(_folder(folder))
        return self._projects[folder]

    def _build_of(self, folder: str) -> tuple[Import, ...]:
        """The usings of a folder's project file and of the builds of the folders around it."""
        if folder not in self._builds:
            name = folder.rpartition("/")[2]
            own = self._read_build(f"{folder}/{name}.csproj") if folder else []
            shared = self._read_build(f"{folder}/{_BUILD_OF_FOLDERS}" if folder else _BUILD_OF_FOLDERS)
            around = self._build_of(_folder(folder)) if folder else ()
            self._builds[folder] = (*own, *shared, *(one for one in around if one not in own))
        return self._builds[folder]

    def _read_build(self, path: str) -> list[Import]:
        return [_using(module, alias) for module, alias in read_usings(self._text(path))]


def _using(module: str, alias: str | None = None) -> Import:
    return Import(0, 0, module, None if alias else "*", alias, is_reexport=True)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
