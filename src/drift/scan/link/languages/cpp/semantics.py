"""C and C++: includes as files; what is declared in an included header is known by that declaration."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from drift.languages import Access, Call, FileFacts, Import
from drift.languages.cpp.type_forms import POINTING
from drift.languages.cpp.type_texts import declared_text, template_variables, type_of_text, with_given
from drift.languages.expressions import Expression, place_key
from drift.languages.facts import Symbol
from drift.languages.frameworks import load_frameworks
from drift.scan.link.analysis import Analysis
from drift.scan.link.destination_form import Destination
from drift.scan.link.folders import folder_of, resolve
from drift.scan.link.keys import method_key, space_key, type_key
from drift.scan.link.languages.cpp.c_library import C_LIBRARY, SYSTEM_HEADERS
from drift.scan.link.languages.cpp.connections import connected
from drift.scan.link.languages.cpp.constness import is_for_constant, methods_for
from drift.scan.link.languages.cpp.conversions import conversions_of, converts
from drift.scan.link.languages.cpp.declared_ahead import declared_ahead
from drift.scan.link.languages.cpp.elements import object_elements, object_part
from drift.scan.link.languages.cpp.implicit_calls import access_link
from drift.scan.link.languages.cpp.known_results import elements_given, holder_method, known_result
from drift.scan.link.languages.cpp.library_names import project_or_library
from drift.scan.link.languages.cpp.macro_expansion import expanded_calls
from drift.scan.link.languages.cpp.numbers import full_type, is_number, named_number
from drift.scan.link.languages.cpp.outside_classes import outside_class
from drift.scan.link.languages.cpp.overload_choice import chosen_overloads
from drift.scan.link.languages.cpp.pass_through import is_given_through
from drift.scan.link.languages.cpp.pointer_aliases import named_pointer
from drift.scan.link.links import CallLink, Target
from drift.scan.link.nearness import nearest
from drift.scan.link.outside_data import outside_names
from drift.scan.link.semantics import Semantics
from drift.scan.link.values import SYMBOL, SYMBOL_MASK, Arguments, Values

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_SUFFIXES: Final = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tpp")
_HEADERS: Final = (".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tpp")
_OUTSIDE: Final = frozenset({"std", "__gnu_cxx"})
# An iterator of C++ is what it is at, as a pointer is what it points to; one of a map is as good as the map.
_POINTING: Final = frozenset(
    {
        "back", "begin", "cbegin", "cend", "crbegin", "data", "emplace_back", "emplace_hint", "end", "erase",
        "find", "front", "insert", "lower_bound", "rbegin", "rend", "top", "upper_bound", "constBegin", "constEnd",
        "constFind", "constFirst", "constLast", "dequeue", "head", "take", "takeAt", "takeFirst", "takeLast", "value",
    }
)  # fmt: skip
# What Qt writes of windows and of classes with signals: nothing that the project calls by a bare name.
_OF_QT: Final = re.compile(
    r"(?:[^/]{1,200}/){0,20}(?:ui_\w{1,100}\.h|\w{1,100}\.moc|(?:moc|qrc)_\w{1,100}\.cpp)$"
)
_OF_LIBRARIES: Final = re.compile("|".join(load_frameworks("cpp").texts("signals", "classes_outside")))
_CONFIGURED: Final = "config.h"  # what `configure` makes, which holds flags and no functions


class CppSemantics(Semantics):
    """Which file an include means: from the folder of the file, else the only or nearest with that end.

    Compilers know further folders to search; a file of the project whose path ends as written is what they
    would find there.
    """

    has_implicit_this = True
    has_open_namespaces = True
    included_suffixes = (".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp")
    has_overloads = True
    has_defaults_in_declarations = True
    takes_any_number = True
    has_own_accesses = True
    pair_keys = MappingProxyType({"first": place_key(0), "second": place_key(1)})
    pointing_methods = _POINTING
    placing_methods = frozenset({"emplace", "insert", "insert_or_assign", "try_emplace"})
    arrow_members = ("operator->", "operator*")
    wrapper_methods = frozenset({"get", "load", "lock", "release", "value", "value_or"})
    generic_element_methods = ("begin", "operator[]")
    puts_types_together = True
    has_container_aliases = True
    pointed_types = POINTING
    builtin_prefix = "std."
    builtins = C_LIBRARY
    constructors = ()
    call_members = ("operator()",)

    def __init__(self, sources: WatchedSources) -> None:
        super().__init__("cpp")
        self.outside_names = outside_names("cpp")
        self._sources = sources
        self._files = frozenset(path for path in sources.paths() if path.endswith(_SUFFIXES))
        self._folders = frozenset(folder for path in self._files for folder in path.split("/")[:-1])
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(self._files):
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        text = found.module
        if text[:1] not in {'"', "<"}:
            return self._named(path, facts, found)
        written = text.strip('"<>')
        if text.startswith("<") and written in SYSTEM_HEADERS:
            return Destination(external=written, external_package=written)
        beside = resolve(folder_of(path), written) if text.startswith('"') else None
        if beside in self._files:
            return Destination(file=beside)
        ends = [
            file for file in self._by_name.get(written.rpartition("/")[2], ()) if _ends_with(file, written)
        ]
        if ends:
            # Brackets do not look beside the file: who writes them there means another of that name.
            own = resolve(folder_of(path), written)
            return Destination(file=nearest(path, [file for file in ends if file != own] or ends))
        if text.startswith('"') and not self._is_of_library(written) and not _OF_QT.match(written):
            return Destination(problem=f"the project has no file {written}")
        return Destination(external=written, external_package=written)

    def _is_of_library(self, written: str) -> bool:
        """Whether a quoted path begins with a folder that the project has nowhere: `"gtest/gtest.h"`."""
        first, slash, _ = written.partition("/")
        return bool(slash) and first not in {"", ".", ".."} and first not in self._folders

    def _named(self, path: str, facts: FileFacts, found: Import) -> Destination:
        """What `using` names: a namespace seen from those around, a class, or something from outside."""
        parts = [part for part in found.module.split("::") if part]
        for around in () if found.module.startswith("::") else _namespaces_around(facts, found.scope):
            if self._is_namespace(around + parts[:1]):
                return Destination(package="::".join(around + parts))
        if not parts:
            return Destination(package="")
        if parts[0] in _OUTSIDE:
            return Destination(external=".".join(parts), external_package=parts[0])
        if self._is_namespace(parts[:1]):
            return Destination(package="::".join(parts))
        if self._sources.is_provided(type_key("cpp", parts[0])):
            value: Expression = ("name", parts[0])
            for part in parts[1:]:
                value = ("member", value, part)
            return Destination(file=path, value=value)
        return Destination(external=".".join(parts), external_package=parts[0])

    def _is_namespace(self, parts: list[str]) -> bool:
        """Whether a file of the project opens the namespace; of a path its last name is looked at."""
        for path in self._sources.providing(space_key("cpp", "", parts[-1])):
            for number, symbol in enumerate(self._sources.facts_of(path).symbols):
                if symbol.name == parts[-1] and symbol.kind == "namespace":
                    return number > 0
        return False

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:
        """What a namespace has that the project only adds to."""
        if package == "":
            return Destination(external=f"std.{name}") if name in C_LIBRARY else self._unheard_of(name)
        if package is None or package.partition("::")[0] not in _OUTSIDE:
            return None
        return Destination(external=".".join((*package.split("::"), name)), external_package="std")

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:
        if name == "::":
            return Destination(package="")
        if name in _OUTSIDE:
            return Destination(external=name, external_package=name)
        if self._is_namespace([name]):
            return Destination(package=name)
        if name in C_LIBRARY:
            return None
        return self._linked(path, name) or self._outside(path, facts, name)

    def _linked(self, path: str, name: str) -> Destination | None:
        """The only function of that name that a linker would see, where no header in sight declares it.

        What a header uses without including it is what its includers have: macros too.
        """
        kinds = {"function", "macro"} if path.endswith(_HEADERS) else {"function"}
        found = [
            other
            for other in self._sources.providing(space_key("cpp", "", name))
            for symbol in self._sources.facts_of(other).symbols
            if symbol.name == name
            and symbol.kind in kinds
            and not symbol.parent
            and symbol.visibility == "public"
            and "declaration" not in symbol.modifiers
        ]
        return Destination(file=found[0], value=("name", name)) if len(found) == 1 else None

    def _outside(self, path: str, facts: FileFacts, name: str) -> Destination | None:
        """A name that nothing in the project has, in a file that includes nothing but what there is, or of a known library."""
        outside = self._unheard_of(name)
        if outside is None or _OF_LIBRARIES.fullmatch(name):
            return outside
        included = [one for one in facts.imports if one.module[:1] in {'"', "<"}]
        made = any(
            self.destination(path, facts, one).problem is not None and one.module.strip('"') != _CONFIGURED
            for one in included
        )
        return None if made or not included else outside

    def _unheard_of(self, name: str) -> Destination | None:
        """A name as one from outside, if no file of the project says it of anything."""
        keys = [space_key("cpp", "", name), type_key("cpp", name)]
        if (
            not name.isupper()
        ):  # a macro, which is no method even where a stretch that macros write was read as one
            keys.append(method_key("cpp", name))
        is_known = any(self._sources.is_provided(key) for key in keys)
        return None if is_known else Destination(external=name, external_package=name)

    def files_with(self, package: str, name: str) -> tuple[str, ...]:
        return self._sources.providing(space_key("cpp", "", name))

    def undefined_values(self, analysis: Analysis, name: str, scope: int) -> Values:
        return declared_ahead(analysis, name, scope)

    def outside_class(self, analysis: Analysis, owner: int, name: str) -> int | None:
        return outside_class(analysis, owner, name)

    def type_variables(self, symbol: Symbol) -> list[str]:
        return template_variables(symbol.signature)

    def field_type(self, text: str, name: str) -> str:
        return declared_text(text, name)

    def type_given(self, text: str, given: Mapping[str, str]) -> Expression:
        return type_of_text(with_given(text, dict(given)))

    def object_part(self, analysis: Analysis, value: int, key: str) -> Values | None:
        return object_part(analysis, value, key)

    def object_elements(self, analysis: Analysis, value: int) -> Values | None:
        return object_elements(analysis, value)

    def number_of_alias(self, analysis: Analysis, aliased: Expression, scope: int) -> Values | None:
        """Another name for a number is that number to who overloads by it."""
        return tuple(map(named_number, analysis.evaluate(aliased, scope)))

    def pointer_alias(self, analysis: Analysis, values: Values) -> str | None:
        return named_pointer(analysis, values, SYMBOL)

    def chosen_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        return project_or_library(analysis, call, scope, values)

    def chosen_overloads(
        self, analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
    ) -> tuple[int, ...]:
        return chosen_overloads(analysis, call, scope, functions=functions)

    def overloads_for_receiver(
        self, analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
    ) -> tuple[int, ...]:
        return methods_for(analysis, functions, is_constant=is_for_constant(analysis, call, scope))

    def declared_for_choice(self, declared: Values, text: str) -> Values:
        """Nothing of a pointer to numbers by a name of their own, which may be a string."""
        is_hidden = "*" in text and any(is_number(kind) and "*" in full_type(kind, text) for kind in declared)
        return () if is_hidden else declared

    def converts(self, analysis: Analysis, owner: int) -> bool:
        return converts(analysis, owner)

    def hands_down_constructors(self, analysis: Analysis, owner: int) -> bool:
        """Only by `using Base::Base;`: else what takes arguments is written by a macro, or fills the fields."""
        if analysis.program.symbol(owner).kind not in {"class", "struct"}:
            return True
        own = owner & SYMBOL_MASK
        imports = analysis.program.table_of(owner).facts.imports
        return any(one.scope == own and one.name == one.module.rpartition("::")[2] for one in imports)

    def conversions(
        self, analysis: Analysis, call: Call, scope: int, functions: Collection[int]
    ) -> tuple[int, ...]:
        """Of one function alone: among several it is not known what they take. A macro also calls what it is given."""
        if all(analysis.program.symbol(one).kind == "macro" for one in functions):
            return expanded_calls(analysis, call, scope, functions)
        if len(functions) != 1:
            return ()
        (function,) = functions
        given = [value for _, value in call.arguments]
        return conversions_of(analysis, function, given, scope) if given else ()

    def connected(self, analysis: Analysis, methods: list[int]) -> tuple[Target, ...]:
        return connected(analysis, methods)

    def magic_call_values(self, analysis: Analysis, call: Call, scope: int) -> Values:
        """A pointer reads as what it points to, which has none of its methods."""
        return holder_method(analysis, call, scope)

    def known_result(self, analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
        return known_result(analysis, name, call, scope)

    def elements_given(self, name: str, call: Call) -> Iterable[tuple[int, Arguments]]:
        return elements_given(name, call)

    def passed_through(self, analysis: Analysis, function: int, call: Call) -> tuple[Expression, ...]:
        is_given = bool(call.arguments) and is_given_through(analysis, function)
        return (call.arguments[0][1],) if is_given else ()

    def may_run(self, analysis: Analysis, name: str) -> bool:
        """An operator may be a function outside of all classes."""
        return analysis.program.is_provided(space_key(self.language, "", name))

    def access_link(self, analysis: Analysis, access: Access, scope: int) -> CallLink | None:
        return access_link(analysis, access, scope)


def _namespaces_around(facts: FileFacts, scope: int) -> list[list[str]]:
    """The namespaces that a scope is in, the innermost first, each as the names of its path."""
    names: list[str] = []
    while scope:
        symbol = facts.symbols[scope]
        if symbol.kind == "namespace":
            names.append(symbol.name)
        scope = symbol.parent
    names.reverse()
    return [names[:count] for count in range(len(names), 0, -1)]


def _ends_with(file: str, written: str) -> bool:
    tail = written
    while tail.startswith("../"):
        tail = tail.removeprefix("../")
    return file == tail or file.endswith(f"/{tail}")
