"""Ruby: constants by the modules around them, methods of objects and of classes, mixins, reopened classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.facts import Access, Call, FileFacts, Import, Symbol
from drift.languages.kinds import ANY_EDITION
from drift.scan.link.analysis import Analysis
from drift.scan.link.destination_form import Destination
from drift.scan.link.keys import part_key, space_key
from drift.scan.link.languages.ruby.classes import (
    LANGUAGE,
    inner_class,
    other_parts,
    reachable_members,
)
from drift.scan.link.languages.ruby.constants import constant_values
from drift.scan.link.languages.ruby.given_names import given_values
from drift.scan.link.languages.ruby.loading import LoadPath
from drift.scan.link.languages.ruby.lone_attributes import is_lone_attribute
from drift.scan.link.languages.ruby.members import (
    access_link,
    late_members,
    missing_method_values,
    parent_members_beside,
    prepended_methods,
)
from drift.scan.link.languages.ruby.names import EVERYDAY_METHODS, ROOT_METHODS
from drift.scan.link.languages.ruby.records import record_values
from drift.scan.link.links import CallLink
from drift.scan.link.made_objects import is_of_made_object
from drift.scan.link.outside_data import outside_names
from drift.scan.link.semantics import Semantics
from drift.scan.link.values import Values

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_MOST_NAMESAKES = 3  # functions of one name outside of all classes, of which a run loads one


class RubySemantics(Semantics):
    """Which class or method a name means.

    All files share one space of constants, whatever loads them: what is required decides nothing but the order.
    """

    has_names_by_class = True
    keeps_private = True
    arguments_fit = "exact"
    unheld_parents = frozenset(
        {"ActionController.API", "ActionController.Base", "ActionController.Metal", "Controller"}
    )
    has_outside_methods = False
    has_traits_of_any_class = True
    has_method_families = True
    names_objects_after_classes = True
    telling_words = 2  # `email` and `css` are attributes of anything, and methods of any library
    mixes_into_callers = True
    mixes_in_outside = True
    has_own_accesses = True
    has_many_metaclasses = True
    are_classes_collections = True
    class_member = "class"
    builtin_prefix = "ruby."
    builtins = ROOT_METHODS
    root_members = ROOT_METHODS
    builtin_methods = EVERYDAY_METHODS
    everyday_methods = EVERYDAY_METHODS
    constructors = ("initialize",)
    element_methods = ("[]",)
    iterator_methods = ("each",)
    step_methods = ()

    def __init__(self, sources: WatchedSources) -> None:
        super().__init__(LANGUAGE)
        self.outside_names = outside_names(LANGUAGE)
        self._sources = sources
        self._load_path = LoadPath(sources.paths())

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        self._sources.note(part_key(found.module.rpartition("/")[2].removesuffix(".rb")))
        return self._load_path.find(path, found.module)

    def neighbours_with(self, path: str, facts: FileFacts, name: str) -> tuple[str, ...]:
        """The files that define a function of that name outside of all classes."""
        found = self._sources.providing(space_key(LANGUAGE, "", name))
        return found if len(found) <= _MOST_NAMESAKES else ()

    def states_parameters(self, symbol: Symbol) -> bool:
        """Another name of a method takes what that takes."""
        return "alias" not in symbol.modifiers

    def scoped_values(self, analysis: Analysis, name: str, scope: int) -> Values | None:
        """Constants begin with a capital; all other names are found scope by scope."""
        is_constant = name[:1].isupper() or name.startswith(("::", ANY_EDITION))
        return constant_values(analysis, name, scope) if is_constant else None

    def other_parts(self, analysis: Analysis, owner: int) -> tuple[int, ...]:
        return other_parts(analysis, owner)

    def outside_class(self, analysis: Analysis, owner: int, name: str) -> int | None:
        return inner_class(analysis, owner, name)

    def reachable_members(self, analysis: Analysis, values: Values, *, is_object: bool) -> Values:
        return reachable_members(analysis, values, is_object=is_object)

    def mixed_overriders(self, analysis: Analysis, owner: int, method: int) -> tuple[int, ...]:
        return prepended_methods(analysis, owner, method)

    def late_members(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        return late_members(analysis, line, name)

    def parent_members_beside(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        return parent_members_beside(analysis, line, name)

    def magic_call_values(self, analysis: Analysis, call: Call, scope: int) -> Values:
        return missing_method_values(analysis, call, scope)

    def extension_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        return values or given_values(analysis, call, scope)

    def is_lone_attribute(self, analysis: Analysis, method: int, call: Call, scope: int) -> bool:
        return is_lone_attribute(analysis, method, call, scope)

    def has_exact_receiver(self, analysis: Analysis, call: Call, scope: int) -> bool:
        return is_of_made_object(analysis, call, scope)

    def known_result(self, analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
        return record_values(analysis, name, call, scope)

    def access_link(self, analysis: Analysis, access: Access, scope: int) -> CallLink | None:
        return access_link(analysis, access, scope)
