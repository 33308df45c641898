"""What a language's rules answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from drift.languages.expressions import Expression
from drift.languages.facts import FileFacts, Import


class Destination(NamedTuple):
    """Where an import text leads: to a file, a package, outside, or nowhere that is known.

    `path` names members to follow from there, for texts that name more than a module (`crate::a::Type`).
    `value` is what stands for the file where that is not its names: an expression in the file's own scope.
    """

    file: str | None = None
    package: str | None = None
    external: str | None = None  # the full name outside, as members are appended to it
    external_package: str | None = None  # what one would install or find in the standard library
    problem: str | None = None
    path: tuple[str, ...] = ()
    value: Expression = None


class Rules(Protocol):
    """One language in one project."""

    @property
    def language(self) -> str:
        """The name of the language."""

    @property
    def has_implicit_this(self) -> bool:
        """Whether a bare name in a method may be a member of its class."""

    @property
    def has_object_literals(self) -> bool:
        """Whether the members of a dict literal are its keys."""

    @property
    def has_open_namespaces(self) -> bool:
        """Whether namespaces of one name, in whatever files, are one."""

    @property
    def has_spaces_named_as_classes(self) -> bool:
        """Whether what stands behind the name of a class may be in the namespace of that name."""

    @property
    def builtin_prefix(self) -> str:
        """What stands before the names of built-in things: `builtins.`."""

    @property
    def builtins(self) -> frozenset[str]:
        """The names every file has."""

    @property
    def builtin_methods(self) -> frozenset[str]:
        """The methods that are taken for those of built-in values where the project has none of the name."""

    @property
    def root_members(self) -> frozenset[str]:
        """What every object has."""

    @property
    def constructors(self) -> tuple[str, ...]:
        """The members that run when a class is called, the first that is there."""

    @property
    def call_members(self) -> tuple[str, ...]:
        """The members that run when an object is called."""

    @property
    def outside_extensions(self) -> Mapping[str, str]:
        """The extension methods that come with the language, by name: their full names."""

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        """Where the module text of an import leads."""

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:
        """The module of that name inside the module that a file or package is."""

    def beside(self, path: str, name: str) -> Destination | None:
        """What a module has of that name beside anything else that has it, kept apart by how it is written."""

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:
        """The package that a bare name begins, though nothing in sight defines it: `com`, `crate`."""

    def files_with(self, package: str, name: str) -> tuple[str, ...]:
        """The files of a package that declare a name."""

    def neighbours_with(self, path: str, facts: FileFacts, name: str) -> tuple[str, ...]:
        """The other files that declare a name which is seen without an import."""

    def provider(self, path: str, function: int, name: str) -> tuple[str, int] | None:
        """The function, by file and number, whose result a framework gives to a parameter of that name."""

    def shared_imports(self, path: str) -> tuple[Import, ...]:
        """The imports that hold in a file without standing in it."""

    def extending_spaces(self, path: str, facts: FileFacts) -> tuple[str, ...]:
        """The namespaces whose extension methods a file sees; none where the language has no such methods."""
