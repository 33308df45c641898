"""The rules of a language nothing is known of: names mean what their own file says."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from drift.languages.facts import FileFacts, Import
from drift.scan.link.rules.protocol import Destination


class PlainRules:
    """No imports, no packages, no built-in names."""

    has_implicit_this = False
    has_object_literals = False
    has_open_namespaces = False
    has_spaces_named_as_classes = False
    builtin_prefix = ""
    builtins: frozenset[str] = frozenset()
    builtin_methods: frozenset[str] = frozenset()
    root_members: frozenset[str] = frozenset()
    constructors: tuple[str, ...] = ("constructor",)
    call_members: tuple[str, ...] = ()
    outside_extensions: Mapping[str, str] = MappingProxyType({})

    def __init__(self, language: str) -> None:
        self.language = language

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:  # noqa: ARG002  # the protocol's
        return Destination(problem="imports of this language are not followed")

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:  # noqa: ARG002  # the protocol's
        return None

    def beside(self, path: str, name: str) -> Destination | None:  # noqa: ARG002  # the protocol's
        return None

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:  # noqa: ARG002  # the protocol's
        return None

    def files_with(self, package: str, name: str) -> tuple[str, ...]:  # noqa: ARG002  # the protocol's
        return ()

    def neighbours_with(self, path: str, facts: FileFacts, name: str) -> tuple[str, ...]:  # noqa: ARG002  # the protocol's
        return ()

    def provider(self, path: str, function: int, name: str) -> tuple[str, int] | None:  # noqa: ARG002  # the protocol's
        return None

    def shared_imports(self, path: str) -> tuple[Import, ...]:  # noqa: ARG002  # the protocol's
        return ()

    def extending_spaces(self, path: str, facts: FileFacts) -> tuple[str, ...]:  # noqa: ARG002  # the protocol's
        return ()
