"""C#: namespaces by declaration, all their names by `using`, names of the namespaces around without it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from drift.languages import Call, FileFacts, Import
from drift.languages.expressions import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.declared_spaces import DeclaredSpaces
from drift.scan.link.declared_types import DeclaredType
from drift.scan.link.destination_form import Destination
from drift.scan.link.keys import accessor_key
from drift.scan.link.languages.csharp.attributes import attribute_classes
from drift.scan.link.languages.csharp.extensions import extension_values
from drift.scan.link.languages.csharp.global_usings import GlobalUsings
from drift.scan.link.languages.csharp.overload_choice import chosen_overloads, inherited_instead
from drift.scan.link.languages.csharp.platform import result_type
from drift.scan.link.languages.csharp.type_arguments import of_that_form
from drift.scan.link.outside_data import outside_names
from drift.scan.link.partials import parts_in
from drift.scan.link.semantics import Semantics
from drift.scan.link.values import Values

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_LIBRARY_PARTS: Final = 2
_GLOBAL_SYSTEM: Final = "global::System"  # which no namespace around can hide
_SYSTEM: Final = frozenset(
    """
    Action Activator ApplicationException ArgumentException ArgumentNullException ArgumentOutOfRangeException
    Array ArraySegment Attribute BitConverter Boolean Buffer Byte Char Console Convert DBNull DateOnly DateTime
    DateTimeOffset Decimal Delegate Double Enum Environment EventArgs EventHandler Exception FormatException Func
    GC Guid HashCode IAsyncDisposable IComparable IConvertible IDisposable IEquatable IFormatProvider IFormattable
    Index IndexOutOfRangeException Int16 Int32 Int64 IntPtr InvalidCastException InvalidOperationException Lazy
    Math MathF Memory MemoryExtensions NotImplementedException NotSupportedException NullReferenceException
    Nullable Object ObjectDisposedException ObsoleteAttribute OperationCanceledException OverflowException
    Predicate Progress Random Range ReadOnlyMemory ReadOnlySpan Single Span String StringComparer
    StringComparison TimeOnly TimeSpan TimeZoneInfo TimeoutException Tuple Type UInt16 UInt32 UInt64 Uri
    UriBuilder ValueTuple ValueType Version WeakReference bool byte char decimal double dynamic float int long
    nameof object sbyte short string typeof uint ulong ushort
    """.split()  # noqa: SIM905  # a list of a hundred strings is harder to read
)

_LINQ: Final = """
    Aggregate All Any Append AsEnumerable Average Cast Chunk Concat Contains Count CountBy DefaultIfEmpty Distinct
    DistinctBy ElementAt ElementAtOrDefault Except ExceptBy First FirstOrDefault GroupBy GroupJoin Intersect
    IntersectBy Join Last LastOrDefault LongCount Max MaxBy Min MinBy OfType Order OrderBy OrderByDescending
    OrderDescending Prepend Reverse Select SelectMany SequenceEqual Single SingleOrDefault Skip SkipLast SkipWhile
    Sum Take TakeLast TakeWhile ThenBy ThenByDescending ToArray ToDictionary ToHashSet ToList ToLookup Union UnionBy
    Where Zip
    """.split()  # noqa: SIM905  # a list of seventy strings is harder to read


class CSharpSemantics(Semantics):
    """Which declaration a dotted name means.

    A name with a capital that no type of the project has is from a namespace outside; a build may bring those in
    without a word in the file, so from which is not known, and it goes by its own name.
    """

    has_members_of_interfaces = False
    has_implicit_this = True
    has_flat_packages = True
    has_functions_in_namespaces = False
    has_types_apart = True
    has_outside_methods = False
    tells_classes_by_arity = True
    declares_all_members = True
    has_overloads = True
    has_nominal_results = True
    builtin_prefix = "System."
    builtins = _SYSTEM
    root_members = frozenset(
        {"Equals", "GetHashCode", "GetType", "MemberwiseClone", "ReferenceEquals", "ToString"}
    )
    pair_members = ("Value", "CurrentValue", "Object")  # of options, what is made late, a mock
    constructors = ()  # they have the name of the class
    outside_extensions = MappingProxyType({name: f"System.Linq.Enumerable.{name}" for name in _LINQ})

    def __init__(self, sources: WatchedSources) -> None:
        super().__init__("csharp")
        self.other_language = "wpf"  # in which other parts of a class may be written
        self.outside_names = outside_names("csharp")
        self._spaces = DeclaredSpaces(sources, "csharp", ".")
        self._usings = GlobalUsings(sources)

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        module = found.module.removeprefix("global::")
        inside = self._spaces.locate(module) or self._spaces.locate(self._seen_from(facts.package, module))
        inside = inside or self._type_seen_from(facts.package, module)
        if inside is not None:
            return Destination(package=inside[0], path=inside[1])
        return Destination(external=module, external_package=_library(module))

    def _seen_from(self, space: str, module: str) -> str:
        """A namespace by its whole name: a `using` inside a namespace may leave out those around."""
        for around in _outward(space)[:-1] if not self._spaces.is_known(module) else ():
            if self._spaces.is_known(f"{around}.{module}"):
                return f"{around}.{module}"
        return module

    def _type_seen_from(self, space: str, module: str) -> tuple[str, tuple[str, ...]] | None:
        """A type of a namespace around, and what it holds: `using static Testing;` inside a namespace."""
        parts = tuple(module.split("."))
        for around in _outward(space)[:-1]:
            if self._spaces.files_with(around, parts[0]):
                return around, parts
        return None

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:
        inner = f"{package}.{name}"
        return Destination(package=inner) if package is not None and self._spaces.is_known(inner) else None

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:
        """A namespace by its first part, seen from the namespaces around; or something from outside."""
        for around in _outward(facts.package):
            inner = f"{around}.{name}" if around else name
            if self._spaces.is_known(inner):
                return Destination(package=inner)
        if name in {"System", _GLOBAL_SYSTEM}:
            return Destination(external="System", external_package="System")
        if name in _SYSTEM or not name[:1].isupper() or self._spaces.has_type(name):
            return None
        return Destination(external=name, external_package=name)

    def files_with(self, package: str, name: str) -> tuple[str, ...]:
        return self._spaces.files_with(package, name)

    def neighbours_with(self, path: str, facts: FileFacts, name: str) -> tuple[str, ...]:
        """Of the nearest namespace around that has the name."""
        for around in _outward(facts.package):
            found = tuple(file for file in self._spaces.files_with(around, name) if file != path)
            if found:
                return found
        return ()

    def shared_imports(self, path: str) -> tuple[Import, ...]:
        return self._usings.holding_for(path)

    def extending_spaces(self, path: str, facts: FileFacts) -> tuple[str, ...]:
        """The namespaces around a file and those it uses, also where it uses one class of them."""
        used: dict[str, None] = dict.fromkeys(_outward(facts.package))
        for one in (*facts.imports, *self.shared_imports(path)):
            if one.name == "*":
                module = self._seen_from(facts.package, one.module)
                used[module] = None
                used[module.rpartition(".")[0]] = None
        return tuple(used)

    def extension_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        return extension_values(analysis, call, scope, values=values, semantics=self)

    def may_run(self, analysis: Analysis, name: str) -> bool:
        return analysis.program.is_provided(accessor_key(self.language, name))

    def attribute_classes(self, analysis: Analysis, named: Expression, scope: int) -> tuple[int, ...]:
        return attribute_classes(analysis, named, scope)

    def other_parts(self, analysis: Analysis, owner: int) -> tuple[int, ...]:
        return tuple(parts_in(analysis, owner, self.other_language))

    def result_type(self, name: str) -> DeclaredType | None:
        return result_type(name)

    def chosen_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        return inherited_instead(analysis, call, values)

    def chosen_overloads(
        self, analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
    ) -> tuple[int, ...]:
        return chosen_overloads(analysis, call, scope, functions=functions)

    def overloads_for_type_arguments(
        self, analysis: Analysis, call: Call, functions: tuple[int, ...]
    ) -> tuple[int, ...]:
        return of_that_form(analysis, call, functions)


def xaml_semantics(sources: WatchedSources) -> CSharpSemantics:
    """XAML: names are those of C#, and a file with a class is one part of it."""
    semantics = CSharpSemantics(sources)
    semantics.language, semantics.other_language = "wpf", "csharp"
    return semantics


def _outward(space: str) -> list[str]:
    """A namespace, those around it, and the global one."""
    parts = space.split(".") if space else []
    return [".".join(parts[:count]) for count in range(len(parts), -1, -1)]


def _library(module: str) -> str:
    parts = module.split(".")
    return module if parts[0] == "System" else ".".join(parts[:_LIBRARY_PARTS])
