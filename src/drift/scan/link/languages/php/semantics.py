"""PHP: namespaces by declaration, names imported with `use`, functions that fall back to the global ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages import Access, Call, FileFacts, Import
from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS
from drift.manifests.php import read_autoload
from drift.scan.link.analysis import Analysis
from drift.scan.link.declared_spaces import DeclaredSpaces
from drift.scan.link.destination_form import Destination
from drift.scan.link.folders import folder_of, resolve
from drift.scan.link.keys import GLOBAL_FUNCTIONS
from drift.scan.link.languages.php.aliases import PATH as ALIASES
from drift.scan.link.languages.php.aliases import read_aliases
from drift.scan.link.languages.php.global_variables import global_values
from drift.scan.link.languages.php.implementations import (
    methods_below_receiver,
    trait_methods,
)
from drift.scan.link.languages.php.made_records import made_values
from drift.scan.link.languages.php.magic_methods import (
    access_link,
    magic_call_values,
    may_have_actions_outside,
    may_run_magic,
)
from drift.scan.link.languages.php.names import PHP_NAMES, PHP_NAMES_BY_CASE
from drift.scan.link.languages.php.policies import ability_link, asks_ability
from drift.scan.link.languages.php.records import (
    ATTRIBUTE_METHODS,
    RECORD_PACKAGES,
    record_elements,
    record_values,
    scope_members,
    with_related,
)
from drift.scan.link.languages.php.subclass_members import late_members
from drift.scan.link.links import CallLink
from drift.scan.link.outside_data import outside_names
from drift.scan.link.overloads import methods_among
from drift.scan.link.semantics import Semantics
from drift.scan.link.values import Values

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources
    from drift.scan.link.tables import Definition, FileTable

_QUOTED: Final = re.compile(r"""["']([^"'$]+)["']""")
_FUNCTION: Final = re.compile(r"[a-z_]\w*\Z")  # classes and constants begin with capitals
_NOT_IN_NAMES: Final = re.compile(r"\W|_")
_MOST_NAMESAKES: Final = 5  # in the global namespace of a project, of which a run loads one
_LIBRARY_PARTS: Final = 2  # Symfony\Console: who made it, and what


class PhpSemantics(Semantics):
    """Which declaration a qualified name means.

    Where a class stands is what the files declare, not what an autoloader would guess. composer.json only says
    which missing names are the project's own: those are problems, all others are external.
    """

    has_members_of_interfaces = False
    enum_members = frozenset({"cases", "from", "name", "tryFrom", "value"})
    has_asked_objects = True
    names_objects_after_classes = True
    has_spaces_named_as_classes = True  # `Stmt\If_`, where `Stmt` is a class as well
    prefers_included_names = True  # of several scripts the one that is included
    keeps_private = True
    arguments_fit = "least"
    has_outside_methods = False
    parent_passes_traits = True
    has_traits_of_any_class = True
    has_nominal_results = True
    follows_results_outside = True
    gives_copies_of_itself = True
    has_own_accesses = True
    element_methods = ("offsetGet", "current")
    iterator_methods = ("getIterator",)
    step_methods = element_methods
    builtin_prefix = "php."
    builtins = PHP_NAMES
    constructors = ("__construct",)
    call_members = ("__invoke",)

    def __init__(self, sources: WatchedSources) -> None:
        super().__init__("php")
        self.outside_names = outside_names("php")
        self._paths = frozenset(sources.paths())
        self._spaces = DeclaredSpaces(sources, "php", "\\")
        composer = read_autoload(sources.text_of("composer.json") or "")
        self._own_prefixes = composer.prefixes
        self._has_records = any(name.startswith(RECORD_PACKAGES) for name in composer.required)
        self._aliases = read_aliases(sources.text_of(ALIASES) or "", self._own_prefixes)
        # By their own names as a namespace would spell them.
        libraries = {name.rpartition("/")[2] for name in composer.required}
        self._libraries = tuple(sorted(_NOT_IN_NAMES.sub("", name).lower() for name in libraries))

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        if found.name is None or found.name == "*":
            return self._included(path, found.module)
        space = found.module.strip("\\")
        if not space:
            # `use Money;` of a class that has its own name for an alias
            space = next((one.module for one in self._aliases if one.name == one.alias == found.name), "")
        whole = f"{space}\\{found.name}" if space else found.name
        if self._spaces.files_with(space, found.name) or self._spaces.is_known(whole):
            return Destination(package=space)
        if whole.startswith(self._own_prefixes) and not self._is_of_library(whole):
            return Destination(problem=f"the project has no {whole}")
        if not space:
            is_builtin = found.name in PHP_NAMES
            return Destination(
                external="php" if is_builtin else "\\",
                external_package="php" if is_builtin else found.name,
            )
        return Destination(
            external=space,
            external_package="\\".join(whole.split("\\")[:_LIBRARY_PARTS]),
        )

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:
        if package is None:
            return None
        inner = f"{package}\\{name}" if package else name
        if self._spaces.is_known(inner):
            return Destination(package=inner)
        if not package and name in PHP_NAMES:
            return Destination(external=f"php.{name}", external_package="php")
        return self._outside(inner) if not package or self._own_prefixes else None

    def _outside(self, whole: str) -> Destination | None:
        """What the project has not, where nothing says that it should."""
        is_around_own = any(prefix.startswith(f"{whole}\\") for prefix in self._own_prefixes)
        is_own = is_around_own or whole.startswith(self._own_prefixes)
        if is_own and not self._is_of_library(whole):
            return None
        return Destination(
            external=whole,
            external_package="\\".join(whole.split("\\")[:_LIBRARY_PARTS]),
        )

    def _is_of_library(self, whole: str) -> bool:
        r"""Whether a name under a prefix of the project is one of a library that it requires.

        Libraries of one maker share their first namespace: `GuzzleHttp\Psr7` is of guzzlehttp/psr7, also where
        the project itself is `GuzzleHttp\`.
        """
        own = max(
            (prefix for prefix in self._own_prefixes if whole.startswith(prefix)),
            key=len,
            default="",
        )
        part = whole.removeprefix(own).partition("\\")[0].lower()
        return bool(part) and any(library.startswith(part) for library in self._libraries)

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:
        """The global namespace, or the one that a relative name begins."""
        if name == "\\":
            return Destination(package="")
        inner = f"{facts.package}\\{name}" if facts.package else name
        if self._spaces.is_known(inner):
            return Destination(package=inner)
        builtin = PHP_NAMES_BY_CASE.get(name.lower())
        if builtin is not None:
            return Destination(external=f"php.{builtin}", external_package="php")
        # All functions of the project are known, so that any other is one of a library.
        if _FUNCTION.match(name) and not self._spaces.files_with("", name):
            return Destination(external=name, external_package=name)
        is_foreign = not name.startswith("$") and (not facts.package or self._is_of_library(inner))
        return self._outside(inner) if is_foreign else None

    def files_with(self, package: str, name: str) -> tuple[str, ...]:
        return self._spaces.files_with(package, name)

    def neighbours_with(self, path: str, facts: FileFacts, name: str) -> tuple[str, ...]:
        """Of the namespace, or else of the global functions; of many of one name none is meant more than others."""
        seen = self._spaces.files_with(facts.package, name)
        if not facts.package:
            # One file may open several namespaces, and each sees the global functions of the file itself.
            return seen if len(seen) <= _MOST_NAMESAKES else ()
        own = tuple(other for other in seen if other != path)
        return own or self._spaces.files_with(GLOBAL_FUNCTIONS, name)

    def _included(self, path: str, written: str) -> Destination:
        """An included file, where the path is constant."""
        # What is one string and nothing else comes without its quotes.
        named = ("".join(_QUOTED.findall(written)) or written).lstrip("/")
        for folder in (folder_of(path), ""):
            found = resolve(folder, named) if named else None
            if found in self._paths:
                return Destination(file=found)
        return Destination(problem="the included path is not a file of the project")

    def bare_definitions(
        self, analysis: Analysis, table: FileTable, scope: int, found: list[Definition]
    ) -> list[Definition] | None:
        """Members are never bare names, also in the body of their class: `private Mailer $Mailer`."""
        return None if table.symbols[scope].kind in TYPE_KINDS else found

    def shared_imports(self, path: str) -> tuple[Import, ...]:
        return self._aliases

    def package_of_namespace(self, name: str) -> str | None:
        return name.strip("\\")

    def shared_variables(self, analysis: Analysis, name: str) -> Values:
        return global_values(analysis, name)

    def may_have_more_members(self, analysis: Analysis, owner: int) -> bool:
        return may_have_actions_outside(analysis, owner)

    def lent_members(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        return scope_members(analysis, line, name)

    def read_member(self, analysis: Analysis, owner: int, name: str, *, values: Values) -> Values:
        return with_related(analysis, owner, values)

    def known_result(self, analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
        made = made_values(analysis, name, call, scope)
        return record_values(analysis, name, call, scope) if made is None else made

    def object_elements(self, analysis: Analysis, value: int) -> Values | None:
        return record_elements(analysis, value)

    def late_members(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        return late_members(analysis, line, name)

    def mixed_overriders(self, analysis: Analysis, owner: int, method: int) -> tuple[int, ...]:
        return trait_methods(analysis, owner, analysis.program.symbol(method).name)

    def magic_call_values(self, analysis: Analysis, call: Call, scope: int) -> Values:
        return magic_call_values(analysis, call, scope)

    def chosen_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        """`$x->f()` never calls what a property holds."""
        return methods_among(analysis, call, values)

    def methods_below_outside(
        self, analysis: Analysis, receiver: Expression, scope: int, name: str
    ) -> tuple[int, ...]:
        return methods_below_receiver(analysis, receiver, scope, name)

    def may_run(self, analysis: Analysis, name: str) -> bool:
        is_known = (self._has_records and name in ATTRIBUTE_METHODS) or asks_ability(name)
        return is_known or may_run_magic(analysis, name)

    def access_link(self, analysis: Analysis, access: Access, scope: int) -> CallLink | None:
        find = ability_link if asks_ability(access.name) else access_link
        return find(analysis, access, scope)
