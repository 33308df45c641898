"""TypeScript and JavaScript: relative paths, mapped paths, packages; ES exports and CommonJS."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from drift.languages import Call, FileFacts, Import
from drift.languages.expressions import Expression
from drift.languages.kinds import MEMBER_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.destination_form import Destination
from drift.scan.link.folders import folder_of, resolve
from drift.scan.link.languages.script.bundlers import BundlerPaths
from drift.scan.link.languages.script.config import ConfigIndex
from drift.scan.link.languages.script.contexts import context_value
from drift.scan.link.languages.script.exports import ExportIndex
from drift.scan.link.languages.script.files import SUFFIXES, ScriptFiles
from drift.scan.link.languages.script.known_results import script_result
from drift.scan.link.languages.script.names import BUILTIN_METHODS, GLOBALS, NODE_MODULES, ROOT_MEMBERS
from drift.scan.link.languages.script.node_packages import PackageIndex
from drift.scan.link.languages.script.pass_through import passed_through
from drift.scan.link.languages.script.procedures import procedure_targets
from drift.scan.link.languages.script.shared_values import nuxt_roots, shared_values
from drift.scan.link.languages.script.typed_objects import typed_object_overrides
from drift.scan.link.links import Target
from drift.scan.link.made_objects import is_of_made_object
from drift.scan.link.outside_data import outside_names
from drift.scan.link.semantics import Semantics
from drift.scan.link.tables import Definition, FileTable
from drift.scan.link.values import Values

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_SCHEME: Final = re.compile(r"[a-z][a-z+.-]*:")
_DATA_SUFFIX: Final = re.compile(
    r"\.(?:json5?|css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|html?|mdx?|txt|ya?ml|graphql|gql|wasm|node)$"
)

# Where Vite, Vue CLI, Nuxt and SvelteKit look unless a project says otherwise, in this order.
_ALIASES: Final = {
    "@": ("src", "app", ""),
    "~": ("src", "app", ""),
    "@@": ("",),
    "~~": ("",),
    "$lib": ("src/lib",),
}


class ScriptSemantics(Semantics):
    """Which file the text of an import means, and what that file exports under a name.

    Relative texts are paths. All others are tried as mapped by the nearest tsconfig, as a package of the
    workspace, and are outside where neither knows them.
    """

    has_members_of_interfaces = False
    calls_constants = True
    has_object_literals = True
    has_structural_types = True
    class_member = "constructor"
    builtin_prefix = "globalThis."
    builtins = GLOBALS
    builtin_methods = BUILTIN_METHODS
    root_members = ROOT_MEMBERS
    constructors = ("constructor",)

    def __init__(self, sources: WatchedSources, *, language: str) -> None:
        super().__init__(language)
        self.outside_names = outside_names("typescript")
        self.languages = ("javascript", "typescript")
        self.has_contextual_types = language == "typescript"
        self._files = ScriptFiles(sources.paths(), sources.note, prefers_scripts=language == "javascript")
        self._configs = ConfigIndex(sources)
        self._bundlers = BundlerPaths(sources)
        self._packages = PackageIndex(sources, self._files)
        self._exports = ExportIndex(sources)
        self._nuxt = nuxt_roots(sources.paths())

    def has_exact_receiver(self, analysis: Analysis, call: Call, scope: int) -> bool:
        return is_of_made_object(analysis, call, scope)

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        module = found.module.partition("?")[0]
        folder = folder_of(path)
        if module in {".", ".."} or module.startswith(("./", "../")):
            destination = self._relative(folder, module)
        else:
            destination = self._named(folder, module)
        if destination.file is None or found.name is not None:
            return destination
        return destination._replace(value=self._exports.whole(destination.file))

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:
        """What a file exports under a name that none of its declarations has."""
        value = self._exports.named(path, name) if path is not None and path.endswith(SUFFIXES) else None
        return None if value is None else Destination(file=path, value=value)

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:
        """A CommonJS file calls what it exports `exports`."""
        return Destination(file=path, value=self._exports.whole(path)) if name == "exports" else None

    def _relative(self, folder: str, module: str) -> Destination:
        target = resolve(folder, module)
        if target is None:
            return Destination(problem="the import leads out of the project")
        found = self._at(target)
        if found is not None:
            return Destination(file=found)
        if _DATA_SUFFIX.search(module):
            return Destination(problem="the import is of data, not of code")
        return Destination(problem=f"the project has no module {module}")

    def _at(self, target: str) -> str | None:
        return (
            self._files.file_at(target) or self._packages.folder_entry(target) or self._files.index_of(target)
        )

    def _named(self, folder: str, module: str) -> Destination:
        if module.startswith("node:") or module.partition("/")[0] in NODE_MODULES:
            name = f"node:{module.removeprefix('node:')}"
            return Destination(external=name, external_package=name)
        if _SCHEME.match(module) or not module.strip("/"):
            return Destination(external=module, external_package=module)
        for candidate in self._configs.paths_for(folder).candidates(module):
            found = self._at(candidate)
            if found is not None:
                return Destination(file=found)
        own = self._packages.package_around(folder)
        for candidate in self._bundlers.candidates(own.folder if own else "", module):
            found = self._at(candidate)
            if found is not None:
                return Destination(file=found)
        return self._by_alias(folder, module) or self._in_package(folder, module)

    def _by_alias(self, folder: str, module: str) -> Destination | None:
        """What bundlers' usual short names mean; none of them can be the name of a package."""
        alias, _, rest = module.partition("/")
        if alias not in _ALIASES:
            return None
        own = self._packages.package_around(folder)
        for place in _ALIASES[alias]:
            target = resolve(own.folder if own else "", f"./{place}/{rest}")
            found = self._at(target) if target else None
            if found is not None:
                return Destination(file=found)
        return Destination(problem=f"the project has no module {module}")

    def _in_package(self, folder: str, module: str) -> Destination:
        if module.startswith("#"):
            own = self._packages.package_around(folder)
            found = self._packages.private_file_of(own, module) if own is not None else None
            return Destination(file=found) if found else Destination(problem=f"the package maps no {module}")
        if module.startswith("/"):
            return Destination(problem="an absolute path means nothing in the project")
        parts = module.split("/")
        name = "/".join(parts[: 2 if module.startswith("@") else 1])
        package = self._packages.member(name, folder)
        if package is None:
            return Destination(external=module, external_package=name)
        found = self._packages.file_of(package, module[len(name) + 1 :])
        if found is None:
            return Destination(
                problem=f"no source of {module} is evident in {package.folder or 'the project'}"
            )
        return Destination(file=found)

    def bare_definitions(
        self, analysis: Analysis, table: FileTable, scope: int, found: list[Definition]
    ) -> list[Definition] | None:
        symbols = table.symbols
        return [
            one for one in found if one.kind != "symbol" or symbols[one.number].kind not in MEMBER_KINDS
        ] or None

    def undefined_values(self, analysis: Analysis, name: str, scope: int) -> Values:
        return shared_values(analysis, name, self._nuxt, analysis.program.table_of(scope).path)

    def fitting_overrides(self, analysis: Analysis, table: FileTable) -> Iterator[tuple[int, int]]:
        return typed_object_overrides(analysis, table)

    def known_result(self, analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
        held = context_value(analysis, name, call, scope)
        return held if held is not None else script_result(analysis, name, call, scope) or None

    def run_outside(
        self, analysis: Analysis, call: Call, scope: int, outside: Iterable[str]
    ) -> tuple[Target, ...]:
        return procedure_targets(analysis, call, scope, outside)

    def passed_through(self, analysis: Analysis, function: int, call: Call) -> tuple[Expression, ...]:
        return tuple(passed_through(analysis, function, call))


def typescript_semantics(sources: WatchedSources) -> ScriptSemantics:
    return ScriptSemantics(sources, language="typescript")


def javascript_semantics(sources: WatchedSources) -> ScriptSemantics:
    return ScriptSemantics(sources, language="javascript")
