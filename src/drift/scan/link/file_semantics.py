"""What the core asks of a language about one file, whatever project it is in: how its facts are arranged and exported.

Apart from `Semantics`, as the processes that read files need no more than this. The default is again that of a
language nothing is known of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from drift.languages.facts import FileFacts, Symbol

Piece = tuple[int, Any]
"""A key that other files ask for, and what it stands for."""


class FileSemantics:
    """One language in one file."""

    declares_types_by_name = False
    """Whether extraction writes the name of a declared type, which linking reads as a value of it."""
    are_properties_fields = False
    """Whether a property with a type is read like a field, also by its bare name."""
    separator = "."
    """What stands between the parts of a namespace's name."""
    are_namespaces_flat = True
    """Whether the names of a namespace are found among those of its file."""
    has_nameless_objects = False
    """Whether methods may stand in objects that nobody named, and elsewhere than what they belong to."""
    has_open_fallbacks = False
    """Whether what may be given in the place of a fallback makes that one of several, though it is not known."""
    calls_given_closures = False
    """Whether the language itself calls closures that it is given, with arguments that are seen."""
    types_held_functions = False
    """Whether a function written inside a literal gets its types from where the literal is given."""
    exports_fields = False
    """Whether fields are asked for in the whole project, as methods are."""

    frameworks = ""
    """The file of frameworks that says what methods are run for what is handed over; none where there is none."""
    configuration: tuple[str, ...] = ()
    """Patterns of the names of files beside the code that say what imports mean."""
    root_markers: tuple[str, ...] = ()
    """The names of files that say by being there from where imports begin."""

    package_file = ""
    """The name, without its suffix, of the file that makes a folder a package; empty where none does.

    With one, whoever looks for a file notes both its name and that of the folder it looks in.
    """
    source_folders: tuple[str, ...] = ()
    """The names of folders beside such a file, from where imports begin, too."""

    def read_calls(self, facts: FileFacts) -> FileFacts:
        """The same facts, where the way calls are written hides what is called."""
        return facts

    def space_of(self, path: str, package: str) -> str:
        """The space that the names of a file are in."""
        return package

    def namespaces(self, facts: FileFacts) -> Mapping[int, str]:
        """The namespaces that a file opens, which are spaces of their own, by the number of their symbol."""
        return {}

    def shares_functions(self, facts: FileFacts, opened: Mapping[int, str]) -> bool:
        """Whether the functions of a file outside of all namespaces are seen from inside any."""
        return False

    def open_constants(self, facts: FileFacts) -> Iterable[int]:
        """The constants of enums that are names where the enum stands, too."""
        return ()

    def linkage(self, symbol: Symbol) -> tuple[object, ...]:
        """What linkers go by of a symbol."""
        return ()

    def shared_imports(self, path: str, facts: FileFacts) -> Iterable[Piece]:
        """The imports that other files see."""
        return ()

    def mixed_members(self, path: str, facts: FileFacts, identities: list[str]) -> Iterable[Piece]:
        """What classes get from mixins and traits, and what calls make in their bodies."""
        return ()

    def fixtures(self, facts: FileFacts) -> Mapping[str, list[tuple[int, int]]]:
        """The functions whose results a framework gives to parameters, by name: each with what it stands in."""
        return {}

    def used_fixtures(self, symbol: Symbol) -> tuple[str, ...]:
        """Those of them that a class says it uses."""
        return ()
