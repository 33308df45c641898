"""Python: packages, namespace packages, source roots, relative imports."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Collection, Iterable
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import DerivedForm, Expression, MemberForm, NameForm
from drift.languages.facts import PROVIDING, SETTING, Call, FileFacts, Import
from drift.scan.link.analysis import Analysis
from drift.scan.link.destination_form import Destination
from drift.scan.link.folders import all_folders, folder_of, join, stem_of
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.implicit import RESUMING
from drift.scan.link.keys import made_key, part_key
from drift.scan.link.languages.python.class_calls import classes_made, made_parents
from drift.scan.link.languages.python.class_decorators import decorated_makers, decorated_values
from drift.scan.link.languages.python.descriptors import described, naming_hooks, read_values
from drift.scan.link.languages.python.exact_receivers import has_exact_receiver, is_exact
from drift.scan.link.languages.python.files import PythonFiles
from drift.scan.link.languages.python.fixture_members import fixture_values
from drift.scan.link.languages.python.fixtures import FixtureIndex
from drift.scan.link.languages.python.getattr_members import (
    GetattrMembers,
    answers_for,
    handed_on,
    may_answer,
)
from drift.scan.link.languages.python.known_results import elements_given, known_result
from drift.scan.link.languages.python.mapper_data import mapper
from drift.scan.link.languages.python.mixins import (
    WITHOUT_MEMBERS,
    late_members,
    methods_below,
    parent_members_beside,
)
from drift.scan.link.languages.python.models import (
    forwarding_methods,
    manager_values,
    mapped_result,
    mapped_values,
    may_be_mapped,
    passed_through,
    set_result,
    with_model,
)
from drift.scan.link.languages.python.module_names import module_names
from drift.scan.link.languages.python.named_paths import NamedPaths
from drift.scan.link.languages.python.providers import providers_of
from drift.scan.link.languages.python.settings_members import configured_values
from drift.scan.link.nearness import nearest
from drift.scan.link.outside_data import outside_names
from drift.scan.link.semantics import Semantics
from drift.scan.link.tables import FileTable
from drift.scan.link.undeclared_members import UndeclaredMembers
from drift.scan.link.values import SYMBOL_MASK, Arguments, MethodValue, Values

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_SUFFIXES: Final = (".py", ".pyi")
_SOURCE_FOLDERS: Final = ("", *PythonFiles.source_folders)
_PROJECT_FILES: Final = PythonFiles.root_markers


class PythonSemantics(Semantics):
    """Which file a dotted name means.

    A file is known by its name from the topmost folder that is a package, and by its name from each source
    root (the project, folders with a pyproject.toml or setup.py, and src, lib and python in those): that is
    how packages without `__init__.py` are found. Of several files with one name the nearest is meant.
    """

    are_class_bodies_apart = True
    has_remaking_decorators = True
    arguments_fit = "exact"
    has_outside_methods = False
    has_structural_types = True
    has_class_protocols = True
    has_mixins = True
    calls_properties = True
    calls_constants = True
    has_class_of_classes = True
    generic_element_methods = ("__iter__",)
    has_sure_element_methods = True
    has_method_families = True
    telling_words = 1
    names_objects_after_classes = True
    prefers_declared_to_many = True
    has_lazy_results = True
    stand_ins = MappingProxyType({"__bool__": "__len__"})
    class_member = "__class__"
    generic_bases = frozenset({"Generic", "Protocol"})
    builtin_prefix = "builtins."
    builtins = frozenset(dir(builtins))
    root_members = frozenset(dir(object))
    memberless = WITHOUT_MEMBERS
    constructors = ("__init__", "__new__")
    call_members = ("__call__",)

    def __init__(self, sources: WatchedSources) -> None:
        super().__init__("python")
        self.outside_names = outside_names("python", sys.stdlib_module_names)
        self.set_methods = mapper().methods
        self._sources = sources
        files = tuple(path for path in sources.paths() if path.endswith(_SUFFIXES))
        names = module_names(files, tuple(_source_roots(sources, files)))
        self._modules, self._folders = names.modules, names.folders
        self._packages, self._files_in, self._all_folders = names.packages, names.files_in, names.all_folders
        self._fixtures = FixtureIndex(sources)
        self._named = NamedPaths({*self._modules, *self._folders})

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        # A folder that becomes a package stands for itself, and changes the names of all that is in it.
        self._sources.note(part_key("__init__"))
        module = found.module
        if module.startswith("."):
            return self._relative(path, module)
        inside = self._inside(path, module)
        if inside is not None:
            return inside
        first = module.partition(".")[0]
        if first in self._modules or first in self._folders:
            return Destination(problem=f"the project has no module {module}")
        return Destination(external=module, external_package=first)

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:
        """Of a package's `__init__`, or of a folder without one."""
        if path is not None and stem_of(path) != "__init__":
            return None
        folder = folder_of(path) if path is not None else package
        return self._in_folder(folder or "", name)

    def provider(self, path: str, function: int, name: str) -> tuple[str, int] | None:
        return self._fixtures.find(path, function, name)

    def _relative(self, path: str, module: str) -> Destination:
        names = module.lstrip(".")
        folder = folder_of(path)
        for _ in range(len(module) - len(names) - 1):
            if not folder:
                return Destination(problem="the import leads out of the project")
            folder = folder_of(folder)
        if not names:
            self._note_folder(folder)
            self._note_folder(folder_of(folder))
            return self._as_folder(folder)
        *outer, last = names.split(".")
        folder = "/".join([folder, *outer] if folder else outer)
        return self._in_folder(folder, last) or Destination(problem=f"the project has no module {module}")

    def _inside(self, path: str, module: str) -> Destination | None:
        files = self._modules.get(module)
        if files:
            return Destination(file=nearest(path, files))
        folders = self._folders.get(module)
        return self._as_folder(nearest(path, sorted(folders))) if folders else None

    def _as_folder(self, folder: str) -> Destination:
        for suffix in _SUFFIXES:
            init = join(folder, f"__init__{suffix}")
            if folder in self._packages and init in self._files_in.get(folder, ()):
                return Destination(file=init)
        return Destination(package=folder)

    def _in_folder(self, folder: str, name: str) -> Destination | None:
        self._note_folder(folder)
        inside = self._files_in.get(folder, frozenset())
        for suffix in _SUFFIXES:
            if (found := join(folder, name + suffix)) in inside:
                return Destination(file=found)
        inner = join(folder, name)
        return self._as_folder(inner) if inner in self._all_folders else None

    def _note_folder(self, folder: str) -> None:
        """Note where something is looked for that its name alone would not tell from its namesakes elsewhere."""
        self._sources.note(part_key(folder.rpartition("/")[2]))

    def read_member(self, analysis: Analysis, owner: int, name: str, *, values: Values) -> Values:
        """What descriptors in the body of a class give; what its objects are given later is none."""
        is_in_body = name in analysis.program.table_of(owner).names[owner & SYMBOL_MASK]
        return read_values(analysis, values) if is_in_body else values

    def decorated_members(self, analysis: Analysis, owner: int, name: str) -> Values:
        return decorated_values(analysis, owner, name)

    def decorated_makers(self, analysis: Analysis, owner: int) -> tuple[int, ...]:
        return decorated_makers(analysis, owner, self.constructors)

    def mapped_values(self, analysis: Analysis, form: NameForm | DerivedForm, scope: int) -> Values:
        return mapped_values(analysis, form, scope)

    def path_values(self, analysis: Analysis, path: str, scope: int) -> Values:
        return self._named.values(analysis, path, scope=scope, inside=self._inside)

    def forwarding_methods(
        self, analysis: Analysis, callee: MemberForm, scope: int, methods: Collection[int]
    ) -> tuple[int, ...]:
        found = forwarding_methods(analysis, callee, scope, methods) if methods else ()
        if found or not may_answer(analysis, self.language):
            return found
        return answers_for(analysis, analysis.evaluate(callee[1], scope), callee[2])

    def passed_through(self, analysis: Analysis, function: int, call: Call) -> tuple[Expression, ...]:
        return made_parents(analysis, function, call) or passed_through(analysis, function, call)

    def lent_members(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        return fixture_values(analysis, line, name) or manager_values(analysis, line, name)

    def with_receiver(self, analysis: Analysis, receiver: int, *, values: Values) -> Values:
        return with_model(analysis, receiver, values)

    def set_result(self, analysis: Analysis, method: MethodValue, call: Call, scope: int) -> Values | None:
        return set_result(analysis, method, call, scope)

    def said_members(self, analysis: Analysis, owner: int, name: str) -> Values:
        return configured_values(analysis, line_of_descent(analysis, owner), name) if name.isupper() else ()

    def late_members(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        return (
            handed_on(analysis, line, name)
            or configured_values(analysis, line, name)
            or late_members(analysis, line, name)
        )

    def parent_members_beside(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        return parent_members_beside(analysis, line, name)

    def methods_below(self, analysis: Analysis, method: int) -> list[int]:
        return methods_below(analysis, method)

    def naming_hooks(self, analysis: Analysis, owner: int) -> tuple[int, ...]:
        return naming_hooks(analysis, owner)

    def constructed_beside(
        self, analysis: Analysis, scope: int, outside: Collection[str | None]
    ) -> tuple[int, ...]:
        return classes_made(analysis, scope, outside)

    def known_result(self, analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
        found = known_result(analysis, name, call, scope)
        return mapped_result(analysis, name, call, scope) if found is None else found

    def elements_given(self, name: str, call: Call) -> Iterable[tuple[int, Arguments]]:
        return elements_given(name, call)

    def has_exact_receiver(self, analysis: Analysis, call: Call, scope: int) -> bool:
        return has_exact_receiver(analysis, call, scope)

    def is_exact(self, analysis: Analysis, named: Expression, scope: int) -> bool:
        return is_exact(analysis, named, scope)

    def may_run(self, analysis: Analysis, name: str) -> bool:
        """A generator is resumed and a class that is raised is made by names of their own; a call may make a descriptor."""
        made = made_key(self.language, name.removesuffix(SETTING))
        is_own = name in RESUMING or name == PROVIDING or name == self.constructors[0]
        return is_own or analysis.program.is_provided(made) or may_be_mapped(analysis, name)

    def described(self, analysis: Analysis, values: Values, name: str) -> tuple[int, ...]:
        return providers_of(analysis, values) if name == PROVIDING else described(analysis, values, name)

    def undeclared_members(self, analysis: Analysis, table: FileTable) -> UndeclaredMembers | None:
        return GetattrMembers(analysis, table)


def _source_roots(sources: WatchedSources, files: Iterable[str]) -> list[str]:
    folders = all_folders(files)
    projects = [
        folder
        for folder in folders
        if not folder or any(sources.has_text(join(folder, name)) for name in _PROJECT_FILES)
    ]
    roots = {join(project, inner) if inner else project for project in projects for inner in _SOURCE_FOLDERS}
    return sorted(roots & folders)
